"""Time controls as texts and as commands; how late we are ourselves."""

import shlex
import sys
import time
from pathlib import Path

import pytest

from gtp_engine.arena.timing import Lateness, left_line, settings_line, time_control
from gtp_engine.board.clock import UNLIMITED, Clock, Kind, TimeControl
from gtp_engine.gtp.process import EngineProcess

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
    with pytest.raises(ValueError, match="none of|leaves no time"):
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


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="only Linux tells")
def test_an_engine_that_waits_for_a_processor_is_seen():
    """Three that never sleep, on one processor: each waits for most of the time."""
    source = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nwhile True: pass"
    command = f"{shlex.quote(sys.executable)} -c {shlex.quote(source)}"
    busy = [EngineProcess(command) for _ in range(3)]
    try:
        deadline = time.monotonic() + 20
        while max(busy[0].starved().values(), default=0.0) < 0.2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        for engine in busy:
            engine.kill()
            engine.close()


def test_lateness_is_seen(monkeypatch):
    lateness = Lateness()
    start = time.monotonic()
    sleep = time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: sleep(seconds + 0.1))
    deadline = start + 20
    while lateness.since(start) < 0.09 and time.monotonic() < deadline:
        sleep(0.01)
    assert lateness.since(start) >= 0.09
    monkeypatch.undo()
    assert lateness.since(time.monotonic() + 1) == 0
