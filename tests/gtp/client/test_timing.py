"""Time controls as texts and as commands."""

import pytest

from gtp_engine.gtp.client.timing import left_line, settings_line, time_control
from gtp_engine.rules.clock import UNLIMITED, Clock, Kind, TimeControl

FULL = {"time_settings", "time_left", "kata-time_settings"}
PLAIN = {"time_settings", "time_left"}


@pytest.mark.parametrize(
    ("text", "control", "full", "plain"),
    [
        ("none", UNLIMITED, None, None),
        ("60", TimeControl(Kind.ABSOLUTE, 60), "time_settings 60 0 0", "time_settings 60 0 0"),
        (
            "60+0.5",
            TimeControl(Kind.FISCHER, 60, 0.5),
            "kata-time_settings fischer 60 0.5",
            "time_settings 60 0 0",
        ),
        (
            "60+30/5",
            TimeControl(Kind.CANADIAN, 60, 30, 5),
            "time_settings 60 30 5",
            "time_settings 60 30 5",
        ),
        (
            "1/1",
            TimeControl(Kind.CANADIAN, 0, 1, 1),
            "time_settings 0 1 1",
            "time_settings 0 1 1",
        ),
    ],
)
def test_controls(text, control, full, plain):
    assert time_control(text) == control
    assert settings_line(control, FULL) == full
    assert settings_line(control, PLAIN) == plain


@pytest.mark.parametrize(
    "text", ["", "60s", "60+", "+1", "1/0", "60/5/3", "0", "-3", "1e9", "9" * 12]
)
def test_no_controls(text):
    with pytest.raises(ValueError, match="is not a time control such as|leaves no time"):
        time_control(text)


def test_clocks_are_told_before_each_turn():
    clock = Clock(time_control("60+30/5"), 7.25, 3)
    assert left_line(clock, "b", FULL) == "time_left b 7.25 3"
    assert left_line(clock, "w", PLAIN) == "time_left w 7 3"
    assert left_line(clock, "w", {"time_settings"}) is None
    assert left_line(UNLIMITED.start(), "w", FULL) is None


@pytest.mark.parametrize(
    ("clock", "limit"),
    [
        (UNLIMITED.start(), None),
        (time_control("60").start(), 60),
        (time_control("60+5").start(), 60),
        (time_control("60+30/5").start(), 90),
        (Clock(time_control("60+30/5"), 12, 2), 12),
        (time_control("1/1").start(), 1),
    ],
)
def test_what_a_turn_may_take(clock, limit):
    assert clock.limit == limit


def test_an_overdrawn_clock_is_told_as_empty():
    assert left_line(Clock(time_control("60"), -0.25, 0), "b", FULL) == "time_left b 0 0"
