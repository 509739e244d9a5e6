"""The time that a turn may use."""

import threading

import pytest

from gtp_engine.engine.settings import ADAPTIVE, FIXED, LONGEST_LEVEL_SECONDS, Settings
from gtp_engine.engine.turn_budget import OwnPast, turn_budget
from gtp_engine.rules import find_game
from gtp_engine.rules.clock import UNLIMITED, Kind, TimeControl
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.search.budget import Budget
from gtp_engine.search.levels import HIGHEST

EMPTY = "......./......./......./......./......./......./......."
FIFTH = "......./......./......./......./......./....BWB/WBWBWBW"
TWO_FIFTHS = "......./......./......./......./.BWBWBW/WBWBWBW/BWBWBWB"
TWO_THIRDS = "......./......./.WBWBWB/WBWBWBW/BWBWBWB/WBWBWBW/BWBWBWB"

CONTROLS = [TimeControl(Kind.ABSOLUTE, 100.0), TimeControl(Kind.FISCHER, 100.0, 1.0)]


def budget(game: str, rows: str, timing: str, control: TimeControl = CONTROLS[0]) -> Budget:
    """For the next turn, at the beginning of the time."""
    position = read_position(f"{game} 7 {rows} b pie=off")
    settings = Settings(level=HIGHEST, timing=timing)
    return turn_budget(settings, position, control.start(), OwnPast(), threading.Event())


def seconds(game: str, rows: str, timing: str, control: TimeControl = CONTROLS[0]) -> float:
    found = budget(game, rows, timing, control).seconds
    assert found is not None
    return found


@pytest.mark.parametrize("rows", [FIFTH, TWO_FIFTHS, TWO_THIRDS])
@pytest.mark.parametrize("game", ["implo", "robble"])
def test_a_turn_of_the_later_game_has_its_share(game, rows):
    assert seconds(game, rows, ADAPTIVE) == seconds(game, rows, FIXED)


@pytest.mark.parametrize("control", CONTROLS)
def test_the_opening_of_robble_takes_little_time(control):
    """While four fifths of the board are empty, a search hardly tells the turns apart."""
    opening = seconds("robble", EMPTY, ADAPTIVE, control)
    assert opening < seconds("robble", EMPTY, FIXED, control) / 5
    assert opening == pytest.approx(seconds("robble", FIFTH, ADAPTIVE, control) / 10, rel=0.1)


def test_the_opening_of_robble_is_not_made_longer_where_it_is_hard():
    assert budget("robble", EMPTY, ADAPTIVE).longest == seconds("robble", EMPTY, ADAPTIVE)


def test_a_period_that_would_be_lost_is_used_in_the_opening_too():
    period = TimeControl(Kind.BYOYOMI, period=1.0, count=3)
    assert seconds("robble", EMPTY, ADAPTIVE, period) == seconds("robble", EMPTY, FIXED, period)


@pytest.mark.parametrize("game", ["boloa", "implo", "pilo"])
def test_the_opening_of_other_games_is_as_important_as_the_rest(game):
    assert seconds(game, EMPTY, ADAPTIVE) == seconds(game, EMPTY, FIXED)


def with_seconds(rows: str, saved: float = 0.0, **settings) -> Budget:
    """The budget of a turn of Robble with four seconds for each turn."""
    position = read_position(f"robble 7 {rows} b pie=off")
    chosen = Settings(seconds=4.0, **settings)
    return turn_budget(chosen, position, UNLIMITED.start(), OwnPast(None, saved), threading.Event())


def test_set_seconds_are_what_a_turn_takes_while_nothing_is_saved():
    found = with_seconds(TWO_FIFTHS)
    assert found.seconds == 4
    assert found.longest == 4


def test_the_opening_of_robble_leaves_most_of_its_seconds():
    found = with_seconds(EMPTY, saved=10.0)
    assert found.seconds == pytest.approx(0.4)
    assert found.longest == found.seconds


def test_later_turns_share_saved_seconds():
    """About 27 turns are to come; each takes four shares, because the later ones have theirs."""
    assert with_seconds(TWO_FIFTHS, saved=10.0).seconds == pytest.approx(4 + 4 * 10 / 27, abs=0.1)


@pytest.mark.parametrize(("saved", "most"), [(2.0, 5.0), (6.0, 7.0), (1000.0, 8.0)])
def test_a_hard_turn_takes_at_most_half_of_what_is_saved_and_twice_the_set_seconds(saved, most):
    found = with_seconds(TWO_FIFTHS, saved=saved)
    assert found.longest == most


@pytest.mark.parametrize(("saved", "saves"), [(0.0, True), (8.0, True), (8.1, False)])
def test_who_has_saved_two_turns_saves_no_more(saved, saves):
    found = with_seconds(TWO_FIFTHS, saved=saved)
    assert found.longest is not None and found.saves is saves


@pytest.mark.parametrize("settings", [{"timing": FIXED}, {"visits": 100}])
def test_nothing_is_saved_where_each_turn_takes_the_same_time_or_visits(settings):
    for rows in (EMPTY, TWO_FIFTHS):
        found = with_seconds(rows, saved=10.0, **settings)
        assert found.seconds == 4 and found.longest is None


def test_no_turn_of_a_game_takes_more_than_a_tenth():
    assert seconds("robble", TWO_THIRDS, ADAPTIVE) < 10


@pytest.mark.parametrize(
    ("settings", "most"),
    [
        (Settings(level=3), LONGEST_LEVEL_SECONDS),
        (Settings(seconds=4.0), 4.0),
        (Settings(seconds=4.0, timing=FIXED), 4.0),
        (Settings(seconds=4.0, visits=100), 4.0),
    ],
    ids=["level", "seconds", "fixed seconds", "visits"],
)
def test_a_turn_ends_at_its_own_limit_or_at_its_share_of_the_clock(settings, most):
    """At the one that comes first."""
    position = read_position(f"robble 7 {TWO_FIFTHS} b pie=off")
    for main, shares in ((1.0, True), (1e6, False)):
        clock = TimeControl(Kind.ABSOLUTE, main).start()
        found = turn_budget(settings, position, clock, OwnPast(), threading.Event())
        limits = [found.seconds] + ([] if found.longest is None else [found.longest])
        for limit in limits:
            assert limit is not None
            assert limit < main / 5 if shares else limit == most


def level_visits(size: int) -> int | None:
    clock, _ = UNLIMITED.clocks()
    start = find_game("pilo").start(size)
    return turn_budget(Settings(), start, clock, OwnPast(), threading.Event()).visits


def test_python_makes_fewer_visits_a_level_so_that_the_usual_turn_is_short(monkeypatch):
    """It has about 1,200 visits a second on 6x6 in Pilo, 260 on 10x10: each turn about a second."""
    monkeypatch.setattr("gtp_engine.engine.turn_budget.in_kernel", lambda *_: False)
    assert [level_visits(size) for size in (5, 6, 8, 10, 19)] == [2000, 1235, 391, 160, 12]
    monkeypatch.setattr("gtp_engine.engine.turn_budget.in_kernel", lambda *_: True)
    assert [level_visits(size) for size in (5, 19)] == [2000, 2000]
