"""When the arena itself did not run: late on a loaded machine, or paused."""

import sys
import threading
import time

import pytest

from gtp_engine.arena.setup import lateness as module
from gtp_engine.arena.setup.lateness import Lateness

PLENTY = 20


def test_lateness_is_seen(monkeypatch):
    lateness = Lateness()
    start = time.monotonic()
    sleep = time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: sleep(seconds + 0.1))
    deadline = start + 20
    while lateness.at(time.monotonic()) < 0.09:
        assert time.monotonic() < deadline
        sleep(0.01)
    late = time.monotonic()
    sleep(0.3)
    assert lateness.at(late) >= 0.09
    assert lateness.at(start - 10) == 0


def most_late(lateness, start):
    """What has not been forgotten: this thread, too, may look late."""
    moments = int((time.monotonic() - start) / 0.2)
    return max(lateness.at(start + 0.2 * moment) for moment in range(moments + 1))


def until(condition):
    deadline = time.monotonic() + PLENTY
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def sleep_long_once(monkeypatch):
    """Lets each watching thread sleep too long, once: earlier tests have left some."""
    sleep = time.sleep

    def sleep_long_once(seconds):
        done = set()

        def slept(short):
            thread = threading.get_ident()
            long = short == Lateness.PERIOD and thread not in done
            sleep(short + seconds if long else short)
            done.add(thread)

        monkeypatch.setattr(time, "sleep", slept)

    return sleep_long_once


def test_a_pause_is_told_from_a_delay(sleep_long_once):
    """Nothing ran, and nothing waited for a processor."""
    lateness, start = Lateness(), time.monotonic()
    sleep_long_once(0.8)
    until(lambda: lateness.paused(start, time.monotonic()).whole)
    pauses = lateness.paused(start, time.monotonic())
    assert pauses.counted >= 0.8
    assert pauses.whole == pytest.approx(pauses.counted, abs=0.1)
    assert lateness.paused(start - 10, start).whole == 0, "the period before it"
    half = lateness.paused(start, start + 0.4)
    assert 0 < half.counted < 0.5


def test_waiting_for_a_processor_is_no_pause(sleep_long_once, monkeypatch):
    monkeypatch.setattr(module, "waited_for_processor", time.monotonic)
    lateness, start = Lateness(), time.monotonic()
    sleep_long_once(0.8)
    until(lambda: most_late(lateness, start) >= 0.8)
    assert lateness.paused(start, time.monotonic()) == (0, 0)


def test_a_sleep_of_the_system_is_a_pause_that_no_clock_counted(monkeypatch):
    """On Linux `time.monotonic` stands meanwhile."""
    lateness, start = Lateness(), time.monotonic()
    monkeypatch.setattr(module, "uptime", lambda: time.monotonic() + 3600)
    until(lambda: lateness.paused(start, time.monotonic()).whole)
    pauses = lateness.paused(start, time.monotonic())
    assert pauses.whole >= 3600
    assert pauses.counted < 60


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_the_clock_that_goes_on_is_there():
    assert module.uptime() >= time.monotonic() - 1
    assert module.waited_for_processor() >= 0
