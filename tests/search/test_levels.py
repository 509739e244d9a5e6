"""Levels: strength rises with the level, and beginners do not throw games away."""

import re
from pathlib import Path

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.search.budget import Budget
from gtp_engine.search.levels import (
    HIGHEST,
    LADDER,
    LEVELS,
    LOWEST,
    level_of,
    nearly_as_good,
    positions_of,
)
from gtp_engine.search.named_players import make_player
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.step_features import Habits
from gtp_engine.search.tree import Row, value_for
from support.boards import position

SMALL = SearchOptions(hash_mb=16)
IMPLO = find_game("implo")
STEPS = IMPLO.start(4).legal_steps()


def row(number: int, visits: int, value: float, proven: float | None = None) -> Row:
    return Row(STEPS[number], visits, value, 0.0, 0.0, proven, (STEPS[number],))


def test_each_level_looks_further_and_gives_away_no_more():
    visits = [(level.considers or 10**3, level.visits) for level in LADDER[:-1]]
    assert visits == sorted(set(visits))
    assert [level.visits for level in LADDER[:-1]] == sorted(level.visits for level in LADDER[:-1])
    assert (LADDER[-1].visits, LADDER[-1].leeway) == (None, 0.0)
    leeways = [level.leeway for level in LADDER]
    assert leeways == sorted(leeways, reverse=True)
    assert [level_of(number) for number in range(LOWEST, HIGHEST + 1)] == list(LADDER)


def test_what_may_be_played_in_place_of_the_best():
    first = row(0, 100, 0.6)
    near, worse, unknown = row(1, 50, 0.41), row(2, 90, 0.39), row(3, 49, 0.9)
    found = [worse, first, near, unknown]
    assert nearly_as_good(found, first, BLACK, 0.2) == [first, near]
    assert nearly_as_good(found, first, BLACK, 0.05) == [first]


def test_white_counts_from_the_other_end():
    first, near, worse = row(0, 100, 0.4), row(1, 60, 0.5), row(2, 60, 0.7)
    assert nearly_as_good([first, near, worse], first, WHITE, 0.2) == [first, near]


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_a_win_is_not_given_away_nor_a_lost_step_played(color):
    def own(number: int, visits: int, chance: float, proven: float | None = None) -> Row:
        known = None if proven is None else value_for(color, proven)
        return row(number, visits, value_for(color, chance), known)

    won, other = own(0, 3, 1.0, proven=1.0), own(1, 100, 0.9)
    assert nearly_as_good([won, other], won, color, 1.0) == [won]
    first, lost, drawn = own(0, 10, 0.1), own(1, 90, 0.0, proven=0.0), own(2, 90, 0.5, proven=0.5)
    assert nearly_as_good([first, lost, drawn], first, color, 1.0) == [first, drawn]


@pytest.mark.parametrize("leeway", [0.0, 0.5])
def test_a_seed_repeats_what_a_beginner_plays(leeway):
    start = find_game("implo").start(5)

    def choice(seed: str) -> tuple:
        player = make_player(start.game, "mcts", seed, options=SMALL, habits=Habits(leeway))
        return player.choose(start, start.legal_steps(), Budget(visits=60)).steps

    assert choice("1") == choice("1")
    assert len({choice(str(seed)) for seed in range(10)}) > 1


def test_a_beginner_takes_a_win_that_it_sees():
    before = position("boloa", "B . W\n. . W\nB . .")
    for seed in range(10):
        player = make_player(before.game, "mcts", str(seed), options=SMALL, habits=Habits(1.0))
        choice = player.choose(before, before.legal_steps(), Budget(visits=100))
        assert "sA2" in map(str, choice.steps)


def test_the_specification_has_the_same_ladder():
    page = Path(__file__).parents[2] / "protocol_specs" / "play" / "levels.md"
    text = page.read_text()
    rows = re.findall(
        r"^\| (\d+) \| ([0-9.]+|all) \| (\d+|time) \| ([0-9.]+) "
        r"\| (\d+|time) \| (not used|used) \|$",
        text,
        re.MULTILINE,
    )
    assert [int(number) for number, *_ in rows] == list(range(LOWEST, HIGHEST + 1))
    told = [
        (
            None if considers == "all" else float(considers),
            None if visits == "time" else int(visits),
            float(leeway),
            None if solved == "time" else int(solved),
            stored == "not used",
        )
        for _, considers, visits, leeway, solved, stored in rows
    ]
    assert told == [
        (
            level.considers,
            level.visits,
            level.leeway,
            level.visits if level.errs else positions_of(level, IMPLO, 5, in_kernel=True),
            level.errs,
        )
        for level in LADDER
    ]
    listed = re.findall(
        r"^\| (\d+) \| ([A-Z][a-z ]+) \| ([A-Z].+?) \| (\d+) \| .* \|$", text, re.MULTILINE
    )
    assert listed == [
        (str(number), level.name, level.text, str(level.rating))
        for number, level in enumerate(LADDER, LOWEST)
    ]


def test_a_level_has_a_name_that_is_as_good_as_its_number():
    for number, level in enumerate(LADDER, LOWEST):
        assert LEVELS.parse(level.word) == LEVELS.parse(str(number)) == number
        assert LEVELS.parse(level.word.upper()) == number
        assert level.text.endswith(".")
    assert len({level.word for level in LADDER}) == len(LADDER)
    for text in ("0", "99", "", "begin", "beginner 2", "full strength", "1.5"):
        with pytest.raises(ValueError):
            LEVELS.parse(text)
