"""The time that a turn may use."""

import threading

import pytest

from gtp_engine.clock import UNLIMITED, Kind, TimeControl
from gtp_engine.notation.position_text import read_position
from gtp_engine.rules import find_game
from gtp_engine.search.budget import Budget
from gtp_engine.session.allowance import allowance
from gtp_engine.session.settings import ADAPTIVE, FIXED, Settings

EMPTY = "......./......./......./......./......./......./......."
TWO_FIFTHS = "......./......./......./......./.BWBWBW/WBWBWBW/BWBWBWB"
TWO_THIRDS = "......./......./.WBWBWB/WBWBWBW/BWBWBWB/WBWBWBW/BWBWBWB"

CONTROLS = [TimeControl(Kind.ABSOLUTE, 100.0), TimeControl(Kind.FISCHER, 100.0, 1.0)]


def budget(game: str, rows: str, timing: str, control: TimeControl = CONTROLS[0]) -> Budget:
    """For the next turn, at the beginning of the time."""
    position = read_position(f"{game} 7 {rows} b pie=off")
    settings = Settings(level=10, timing=timing)
    return allowance(settings, position, control.start(), None, threading.Event())


def seconds(game: str, rows: str, timing: str, control: TimeControl = CONTROLS[0]) -> float:
    found = budget(game, rows, timing, control).seconds
    assert found is not None
    return found


@pytest.mark.parametrize("rows", [TWO_FIFTHS, TWO_THIRDS])
@pytest.mark.parametrize("game", ["implo", "robble"])
def test_a_turn_of_the_later_game_has_its_share(game, rows):
    assert seconds(game, rows, ADAPTIVE) == seconds(game, rows, FIXED)


@pytest.mark.parametrize("control", CONTROLS)
def test_the_opening_of_robble_takes_little_time(control):
    """Who has the better of it is open there for long, and nothing that is searched says more."""
    opening = seconds("robble", EMPTY, ADAPTIVE, control)
    assert opening < seconds("robble", EMPTY, FIXED, control) / 5
    assert opening == pytest.approx(seconds("robble", TWO_FIFTHS, ADAPTIVE, control) / 10, rel=0.1)


def test_the_opening_of_robble_is_not_made_longer_where_it_is_hard():
    adaptive = budget("robble", EMPTY, ADAPTIVE).adaptive
    assert adaptive is not None
    assert adaptive.most == seconds("robble", EMPTY, ADAPTIVE)


def test_a_period_that_would_be_lost_is_used_in_the_opening_too():
    period = TimeControl(Kind.BYOYOMI, period=1.0, count=3)
    assert seconds("robble", EMPTY, ADAPTIVE, period) == seconds("robble", EMPTY, FIXED, period)


@pytest.mark.parametrize("game", ["boloa", "implo", "pilo"])
def test_the_opening_of_other_games_is_as_important_as_the_rest(game):
    assert seconds(game, EMPTY, ADAPTIVE) == seconds(game, EMPTY, FIXED)


@pytest.mark.parametrize(
    ("control", "given", "saves"),
    [
        (TimeControl(), 3.0, False),
        (TimeControl(Kind.ABSOLUTE, 1000.0), 3.0, False),
        (TimeControl(Kind.ABSOLUTE, 30.0), 3.0, True),
        (TimeControl(Kind.ABSOLUTE, 1000.0), 0.0, True),
        (TimeControl(), 0.0, True),
    ],
)
def test_seconds_for_a_turn_are_spent_and_time_of_a_clock_is_saved(control, given, saves):
    """Whichever of them bounds the turn."""
    start = find_game("implo").start(7)
    settings = Settings(level=10, seconds=given)
    found = allowance(settings, start, control.start(), None, threading.Event())
    assert found.adaptive is not None
    assert found.adaptive.saves == saves


def test_no_turn_of_a_game_takes_more_than_a_tenth():
    assert seconds("robble", TWO_THIRDS, ADAPTIVE) < 10


def level_visits(size: int) -> int | None:
    clock, _ = UNLIMITED.clocks()
    start = find_game("pilo").start(size)
    return allowance(Settings(), start, clock, None, threading.Event()).visits


def test_python_makes_fewer_visits_a_level_so_that_the_usual_turn_is_short(monkeypatch):
    """It has about 1,200 visits a second on 6x6 in Pilo, 260 on 10x10: each turn about a second."""
    monkeypatch.setattr("gtp_engine.session.allowance.in_kernel", lambda *_: False)
    assert [level_visits(size) for size in (5, 6, 8, 10, 19)] == [2000, 1235, 391, 160, 12]
    monkeypatch.setattr("gtp_engine.session.allowance.in_kernel", lambda *_: True)
    assert [level_visits(size) for size in (5, 19)] == [2000, 2000]
