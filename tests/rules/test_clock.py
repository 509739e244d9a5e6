"""Clocks: the passing of time, and the share of it that a turn may use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_engine.rules.clock import Clock, Kind, TimeControl, control_of_time_settings
from gtp_engine.search.budget import Budget
from gtp_engine.search.player import TreePlayer
from support.driver import Driver
from support.thorough import first_of
from support.waiting import TurnedClock

ABSOLUTE = TimeControl(Kind.ABSOLUTE, 60)
CANADIAN = TimeControl(Kind.CANADIAN, 60, 30, 5)
BYOYOMI = TimeControl(Kind.BYOYOMI, 60, 10, 3)
FISCHER = TimeControl(Kind.FISCHER, 60, 5)
CAPPED = TimeControl(Kind.FISCHER_CAPPED, 60, 5, most_kept=62, most_used=2)


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        ((60, 0, 0), Kind.ABSOLUTE),
        ((60, 0, 5), Kind.ABSOLUTE),
        ((60, 30, 5), Kind.CANADIAN),
        ((0, 5, 1), Kind.CANADIAN),
        ((0, 1, 0), Kind.NONE),
        ((60, 30, 0), Kind.NONE),
        ((0, 0, 0), Kind.ABSOLUTE),
    ],
)
def test_time_settings_of_gtp(numbers, kind):
    assert control_of_time_settings(*numbers).kind is kind


@pytest.mark.parametrize(
    ("clock", "seconds", "left", "count"),
    [
        (ABSOLUTE.start(), 20, 40, 0),
        (ABSOLUTE.start(), 70, 0, 0),
        (CANADIAN.start(), 20, 40, 0),
        (CANADIAN.start(), 70, 20, 5),
        (Clock(CANADIAN, 20, 5), 6, 14, 4),
        (Clock(CANADIAN, 20, 1), 6, 30, 5),
        (BYOYOMI.start(), 20, 40, 0),
        (BYOYOMI.start(), 65, 10, 3),
        (BYOYOMI.start(), 75, 10, 2),
        (Clock(BYOYOMI, 10, 3), 9, 10, 3),
        (Clock(BYOYOMI, 10, 3), 25, 10, 1),
        (FISCHER.start(), 20, 45, 0),
        (CAPPED.start(), 1, 62, 0),
    ],
)
def test_a_turn_takes_time(clock, seconds, left, count):
    after = clock.after_turn(seconds)
    assert (after.left, after.count) == (left, count)


@pytest.mark.parametrize(
    ("clock", "turns", "lowest", "highest"),
    [
        (ABSOLUTE.start(), 20, 2, 3),
        (ABSOLUTE.start(), 1, 40, 54),
        (Clock(CANADIAN, 20, 5), 20, 3, 4),
        (CANADIAN.start(), 20, 7, 9),
        (Clock(CANADIAN, 0.1, 0), 20, 4, 6),
        (Clock(BYOYOMI, 0.1, 0), 20, 7, 10),
        (Clock(BYOYOMI, 10, 3), 20, 7, 9),
        (FISCHER.start(), 20, 6, 8),
        (CAPPED.start(), 20, 1, 2),
        (Clock(ABSOLUTE, 0, 0), 20, 0, 0),
        (Clock(ABSOLUTE, 0.05, 0), 20, 0, 0),
    ],
)
def test_a_turn_may_use_its_share(clock, turns, lowest, highest):
    assert lowest <= clock.allotment(turns) <= highest


@pytest.mark.parametrize(
    ("clock", "turns", "seconds"),
    [
        (ABSOLUTE.start(), 20, 6.75),  # 2.5 times its share of 2.7
        (ABSOLUTE.start(), 2, 30),  # half of all, where the share is 27
        (ABSOLUTE.start(), 1, 48),  # the share itself
        (Clock(CANADIAN, 20, 5), 20, 9),
        (Clock(CANADIAN, 20, 2), 20, 10),
        (Clock(BYOYOMI, 10, 3), 20, 8),  # no period is given up
        (FISCHER.start(), 20, 18),
        (Clock(FISCHER, 5, 0), 20, 4),
        (Clock(CANADIAN, 0.12, 1), 20, 0.02),  # the lag is kept back
    ],
)
def test_a_hard_turn_may_use_more(clock, turns, seconds):
    assert clock.stretched(turns) == pytest.approx(seconds)


def test_without_a_limit_there_is_no_bound():
    assert TimeControl().start().allotment(20) is None
    assert TimeControl().start().stretched(20) is None


@given(
    st.sampled_from([ABSOLUTE, CANADIAN, BYOYOMI, FISCHER, CAPPED]),
    st.floats(0, 2**31),
    st.integers(0, 400),
    st.integers(1, 300),
)
def test_the_share_is_never_more_than_the_clock_allows(control, left, count, turns):
    clock = control.start().told(left, count)
    overtime = control.period if control.kind in (Kind.CANADIAN, Kind.BYOYOMI) else 0
    share = clock.allotment(turns)
    assert 0 <= share <= clock.stretched(turns) <= left + (0 if count else overtime)
    assert clock.stretched(turns) <= max(share, 2.5 * share)


@pytest.mark.parametrize(
    "settings",
    ["time_settings 1 0 0", "time_settings 0 1 5", "kata-time_settings fischer 1 0.1"],
)
@pytest.mark.parametrize("game", first_of(["implo", "pilo"]))
def test_a_whole_game_keeps_within_its_clock(game, settings, monkeypatch):
    """Where each turn takes all the time that its budget allows."""
    drive, clock = Driver(game, 4), TurnedClock()
    drive.session.clock = clock
    choose, used = TreePlayer.choose, [0.0]

    def takes_all(player, position, steps, budget, observer=None):
        used.append(budget.seconds if budget.longest is None else budget.longest)
        clock.turn(used[-1])
        return choose(player, position, steps, Budget(visits=4), observer)

    monkeypatch.setattr(TreePlayer, "choose", takes_all)
    drive(settings)
    drive("game-set level full-strength")
    while drive("game-over") == "false":
        color = drive.session.position.to_move
        before = drive.session.state.clocks[color]
        drive(f"genmove {color}")
        assert 0 < used[-1] <= before.left


def test_a_turn_is_charged_to_the_clock_of_its_color(drive):
    drive("time_settings 60 0 0")
    drive("game-set visits 20")
    drive("genmove b")
    black, white = drive.session.state.clocks
    assert black.left < 60
    assert white.left == 60


def test_a_new_game_starts_both_clocks_again(drive):
    for line in ("time_settings 60 0 0", "time_left b 10 0", "clear_board"):
        drive(line)
    assert [clock.left for clock in drive.session.state.clocks] == [60, 60]


def test_only_a_negative_number_is_no_cap(drive):
    drive("kata-time_settings fischer-capped 60 5 0 -1")
    control = drive.session.state.control
    assert (control.most_kept, control.most_used) == (0, None)


@pytest.mark.parametrize(
    ("line", "allotted"),
    [("canadian 40 5 1", 4), ("byoyomi 40 5 3", 4), ("fischer 40 5", 8)],
)
def test_a_period_never_has_more_than_its_time(drive, line, allotted):
    """Whatever a controller says: a turn takes 80 % of it."""
    drive(f"kata-time_settings {line}")
    drive("time_left b 60 1")
    assert drive.session.state.clocks[0].allotment(20) == pytest.approx(allotted, abs=1)


@pytest.mark.parametrize(("line", "allotted"), [("b 0 0", 8), ("b 0 1", 0), ("b 0.0 3", 0)])
def test_without_time_left_the_period_follows(drive, line, allotted):
    """If main time is over; inside a period there is none."""
    drive("kata-time_settings byoyomi 60 10 3")
    drive(f"time_left {line}")
    assert drive.session.state.clocks[0].allotment(20) == pytest.approx(allotted)


def test_time_left_counts_without_time_control(drive):
    drive("time_left b 0 0")
    assert drive.session.state.clocks[0].allotment(20) == 0
