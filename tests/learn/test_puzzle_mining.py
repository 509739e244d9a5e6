"""Finding puzzles in games, grading them, and selecting some."""

from collections import Counter
from itertools import product

import pytest

from gtp_engine.engine.tasks.proof import (
    Unproven,
    check,
    distinct_turns,
    new_solver,
    read,
    winning,
    wins,
)
from gtp_engine.engine.tasks.puzzle import BETTER, PROVEN, Puzzle
from gtp_engine.learn import puzzle_mining
from gtp_engine.learn.puzzle_mining import MOST, found_in, grade, select, self_play
from gtp_engine.rules import find_game
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.search.backends.kernel import kernel_built
from support.mistakes import ONE_TURN_WINS

needs_kernel = pytest.mark.skipif(not kernel_built(), reason="the search in Python is slow")


@needs_kernel
def test_what_is_found_in_a_game_holds_and_is_found_again():
    positions = self_play(find_game("robble"), 5, 1, 1)
    assert positions == self_play(find_game("robble"), 5, 1, 1)
    found = list(found_in(positions, "a game"))
    assert found and found == list(found_in(positions, "a game"))
    for puzzle in found:
        check(puzzle)
        turn = int(puzzle.source.removeprefix("a game, turn "))
        assert positions[turn - 1].layers() == read(puzzle)[0].layers()


@needs_kernel
def test_symmetric_positions_and_those_with_few_turns_are_no_puzzles():
    start = find_game("robble").start(5)
    assert list(found_in([start], "the start")) == []
    assert list(found_in([read_position("robble 3 BWB/WB./BWB w")], "one turn")) == []
    assert list(found_in([], "nothing")) == []


def test_the_winning_turns_of_a_position():
    position = read_position(ONE_TURN_WINS)
    turns = distinct_turns(position)
    (turn,) = winning(turns, position.to_move, new_solver(position))
    assert [str(step) for step in turn.steps] == ["B4"]
    with pytest.raises(Unproven):
        wins(
            find_game("pilo").start(8), position.to_move, new_solver(find_game("pilo").start(8)), 5
        )


def test_turns_in_another_order_with_the_same_result_count_once():
    position = read_position("implo 5 ...../WbWbb/...../...../..... b")
    results = [turn.position for turn in distinct_turns(position)]
    assert len(results) == len(set(results))


@needs_kernel
def test_what_any_search_finds_has_the_first_grade_and_what_none_finds_the_last():
    position = read_position(ONE_TURN_WINS)
    assert grade(position, [turn.position for turn in distinct_turns(position)]) == 1
    assert grade(position, []) == 5


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        ((20, 100, 500, 2500), 1),
        ((100, 500, 2500), 2),
        ((2500,), 4),
        ((), 5),
        ((20, 100, 500), 5),
        ((20, 2500), 4),
        ((20, 100, 2500), 4),
    ],
)
def test_a_search_that_finds_the_turn_by_luck_lowers_no_grade(finding, expected, monkeypatch):
    """From the visits of the grade on every search finds it."""
    before = read_position(ONE_TURN_WINS)
    right = before.play_unchecked(before.legal_steps()[0])
    monkeypatch.setattr(
        puzzle_mining, "_after_a_search", lambda at, visits: right if visits in finding else before
    )
    assert grade(before, [right]) == expected


def a_puzzle(number, grade=1, size=6, kind=PROVEN, game=None):
    source = f"game {number if game is None else game}, turn {number}"
    return Puzzle(f"{number:08}", f"pilo {size} ...", kind, ("A1",), grade, source)


def test_a_selection_has_some_of_each_kind_grade_and_size():
    puzzles = [
        a_puzzle(number, 1 + number % 2, 6 + number % 3, (PROVEN, BETTER)[number % 5 == 0])
        for number in range(300)
    ]
    selected = select(puzzles)
    assert selected == select(reversed(puzzles))
    assert Counter((each.kind, each.grade) for each in selected) == {
        (kind, grade): MOST[kind] for kind in (PROVEN, BETTER) for grade in (1, 2)
    }
    sizes = Counter(each.position.split()[1] for each in selected)
    assert max(sizes.values()) - min(sizes.values()) <= 4


def test_the_puzzles_of_a_grade_begin_with_the_plainest():
    """Fewer steps in a turn, then less to choose from."""
    full, open_ = "WBBW/BWW.", "WB../B..."
    plain = [(("A1",), full), (("A1/B2/C1", "B1"), open_), (("B1/A1",), full), (("A1/B2",), open_)]
    puzzles = [
        a_puzzle(number, grade)._replace(turns=turns, position=f"robble 4 {board} b pie=off")
        for number, (grade, (turns, board)) in enumerate(product((2, 1), reversed(plain)))
    ]
    selected = [(each.grade, each.turns, each.position.split()[2]) for each in select(puzzles)]
    assert selected == [(grade, *each) for grade in (1, 2) for each in plain]


def test_a_selection_takes_no_puzzle_twice_and_few_from_one_game():
    puzzles = [a_puzzle(number, game="one") for number in range(9)] + [a_puzzle(0, game="one")]
    assert len(select(puzzles)) == 2
