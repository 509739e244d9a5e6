"""Puzzles as data: what a line must hold, images of positions, the puzzle of a day."""

import json
import re
from datetime import date, timedelta

import pytest

from gtp_engine.engine.tasks import BadExercise
from gtp_engine.engine.tasks.exercise import find_exercise, of_the_day
from gtp_engine.engine.tasks.identity import bare, identity, symmetric
from gtp_engine.engine.tasks.proof import check
from gtp_engine.engine.tasks.puzzle import (
    ENDGAME,
    Puzzle,
    read_puzzle,
    read_puzzles,
    shipped,
    write_puzzle,
)
from gtp_engine.rules import find_game, games
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.points.color import WHITE
from support.driver import Driver

# Only a stone on B4 wins for Black.
POSITION = "robble 5 ..WBB/W.BWW/BWBBW/WWBB./B.W.W b pie=off"
PUZZLE = Puzzle(
    identity(read_position(POSITION)), POSITION, "proven", ("B4",), 1, "made by hand, turn 5"
)


def test_a_line_is_read_as_it_was_written():
    assert read_puzzle(write_puzzle(PUZZLE)) == PUZZLE
    assert read_puzzles(f"{write_puzzle(PUZZLE)}\n") == (PUZZLE,)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"grade": 6}, "grade: expected integer 1..5, got 6"),
        ({"grade": True}, "grade: expected integer 1..5, got true"),
        ({"kind": "easy"}, 'kind: expected proven|better|endgame, got "easy"'),
        ({"turns": []}, "turns: expected 1 to 1000000 items, got 0"),
        ({"turns": "C2"}, 'turns: expected array of text, got "C2"'),
        ({"position": 3}, "position: expected text, got 3"),
        (
            {"extra": 1},
            'there is no key "extra"; there are id, position, kind, turns, ',
        ),
    ],
)
def test_a_line_that_is_no_puzzle_is_refused_with_its_number(change, why):
    line = json.dumps(PUZZLE._asdict() | change)
    with pytest.raises(BadExercise, match=re.escape(f"line 2: {why}")):
        read_puzzles(f"{write_puzzle(PUZZLE)}\n{line}")


def test_other_texts_and_two_equal_ids_are_refused():
    for line in ("", "[1]", "{", "null"):
        with pytest.raises(BadExercise):
            read_puzzle(line)
    with pytest.raises(BadExercise, match=f"^line 2: {PUZZLE.id} occurs twice$"):
        read_puzzles(f"{write_puzzle(PUZZLE)}\n{write_puzzle(PUZZLE)}")


def test_images_in_either_color_share_an_identity():
    position = read_position("robble 4 B.../.W../..../.... b")
    same = {
        identity(read_position(text))
        for text in (
            "robble 4 ...B/..W./..../.... b",
            "robble 4 ..../..../.W../B... b",
            "robble 4 W.../.B../..../.... w",
        )
    }
    assert same == {identity(position)}
    assert identity(read_position("robble 4 W.../.B../..../.... b")) not in same
    assert symmetric(position) and not symmetric(read_position("robble 4 .B../.W../..../.... b"))


def test_a_bare_position_forgets_what_was_before():
    position = find_game("robble").start(4)
    for _ in range(3):
        position = position.play(position.legal_steps()[-1])
    assert position.fields() and not bare(position).fields()
    assert bare(position).to_move is WHITE and bare(position).layers() == position.layers()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, None),
        ({"turns": ("A5",)}, "what wins is B4"),
        ({"turns": ("C4",)}, "C4 is not empty"),
        ({"turns": ("hello",)}, "hello"),
        ({"position": "robble 5 B../WW./.B w"}, "row"),
        ({"id": "none"}, "none is the id of another position"),
    ],
)
def test_a_claim_is_checked(change, why):
    puzzle = PUZZLE._replace(**change)
    if why is None:
        check(puzzle)
    else:
        with pytest.raises(BadExercise, match=why):
            check(puzzle)


def test_the_games_take_turns_and_show_all_of_their_puzzles():
    names = [game for game in games() if shipped(game)]
    first = date(2026, 11, 26)
    shown = [of_the_day(games(), first + timedelta(days)) for days in range(400 * len(names))]
    assert of_the_day(games(), first) == shown[0]
    for game in names:
        asked = {f"{game.name}.{each.id}" for each in shipped(game) if each.kind != ENDGAME}
        assert {each.id for each in shown if each.position.startswith(f"{game.name} ")} == asked
        assert of_the_day([game], first).id in asked
    assert of_the_day([], first) is None


def test_the_puzzle_of_the_next_day_is_another_games_and_the_next_one_by_its_id():
    """In the order of the file the easy ones come first, and for months nothing else."""
    given = [game for game in games() if shipped(game)]
    first = date(2026, 12, 30)  # the end of a month and of a year is no break
    for days in range(2 * len(given)):
        day = first + timedelta(days)
        puzzle = of_the_day(games(), day)
        following = of_the_day(games(), day + timedelta(len(given)))
        turn = [of_the_day(games(), day + timedelta(n)).game for n in range(len(given))]
        assert sorted(turn, key=given.index) == given
        puzzles = [each for each in shipped(turn[0]) if each.kind != ENDGAME]
        ids = sorted(f"{turn[0].name}.{each.id}" for each in puzzles)
        assert following.id == ids[(ids.index(puzzle.id) + 1) % len(ids)]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_the_puzzle_of_the_day_is_the_same_in_every_game_in_progress(game):
    drive = Driver(game.name)
    for day in ("2026-11-26", "2026-11-27", "2026-11-28", "2026-11-29"):
        told = json.loads(drive(f"game-daily_puzzle {day}"))
        puzzle = of_the_day(games(), date.fromisoformat(day))
        assert told["id"] == puzzle.id and told["position"] == puzzle.position
        assert find_exercise(told["id"]) == puzzle and told["kind"] != ENDGAME
        assert json.loads(drive(f"game-daily_puzzle {day} {told['game']}"))["game"] == told["game"]


def test_a_puzzle_is_found_by_its_game_and_id():
    game = next(game for game in games() if shipped(game))
    puzzle = shipped(game)[0]
    assert find_exercise(f"{game.name}.{puzzle.id}").goal == puzzle
    for name in (f"{game.name}.none", "chess.1", ""):
        assert find_exercise(name) is None
