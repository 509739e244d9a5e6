"""When the arena itself did not run: late on a loaded machine, or paused; by invented clocks."""

import sys
import threading
import time
from collections.abc import Collection
from typing import Any

import pytest

from gtp_engine.arena.playing import runner_delays as module
from gtp_engine.arena.playing.runner_delays import Lateness, SystemTimes, lateness, system_times
from support.waiting import wait_until

START = 1000.0
WATCHING, OTHER, NEW = 1, 2, 3  # threads


class Machine:
    """A machine whose clocks a test turns.

    lateness -- what watches it; its thread sleeps on this machine
    """

    def __init__(self) -> None:
        self.clocks = SystemTimes(START, 5000.0, 0.0, 0.0, {WATCHING: 0.0, OTHER: 0.0})
        self._turned = False
        self.lateness = Lateness(lambda: self.clocks, lambda: self.now, self.sleep)

    def sleep(self, seconds: float) -> None:
        """A whole period is that of the watching thread; who sleeps for less waits for it."""
        if seconds < Lateness.PERIOD:
            self.lateness.sleep()
        elif self._turned:  # it slept meanwhile
            self._turned = False
        else:
            self.pass_by(seconds)

    def pass_by(
        self,
        seconds: float,
        *,
        counted: bool = True,
        running: bool = False,
        locked: bool = False,
        waiting: Collection[int] = (),
    ) -> None:
        """Let time pass.

        counted -- whether `time.monotonic` counts it
        running -- whether a thread of the process runs
        locked  -- whether the watching thread waits for the interpreter's lock
        waiting -- the threads that wait for a processor
        """
        now, up, ran, held, before = self.clocks
        waited = before | {each: before.get(each, 0.0) + seconds for each in waiting}
        held += seconds * (locked or WATCHING in waiting)
        self.clocks = SystemTimes(
            now + seconds * counted, up + seconds, ran + seconds * running, held, waited
        )

    def end_thread(self, thread: int) -> None:
        """The system forgets how long an ended thread waited."""
        waited = {each: waited for each, waited in self.clocks.waited.items() if each != thread}
        self.clocks = self.clocks._replace(waited=waited)

    def late(self, seconds: float, **how: Any) -> None:
        """Two periods; the watching thread wakes so late from the first one."""
        self.lateness.sleep()
        self.hold(seconds, **how)
        self.lateness.sleep()
        self.lateness.sleep()

    def hold(self, seconds: float, **how: Any) -> None:
        """Let a period and more pass, after which the watching thread has not yet run."""
        self.pass_by(Lateness.PERIOD)
        self.pass_by(seconds, **how)
        self._turned = True

    @property
    def now(self) -> float:
        return self.clocks.now


@pytest.fixture
def machine():
    return Machine()


def test_lateness_is_seen(machine):
    machine.late(0.1, waiting=[WATCHING])
    woke = START + 0.02 + 0.02 + 0.1
    for moment in (START + 0.02, START + 0.05, woke):
        assert machine.lateness.at(moment) == pytest.approx(0.1)
    for moment in (START - 10, START + 0.01, woke + 0.01, machine.now):
        assert machine.lateness.at(moment) == 0


def test_a_short_delay_counts_though_it_waited_for_nothing(machine):
    machine.late(0.4)
    assert machine.lateness.at(START + 0.1) == pytest.approx(0.4)
    assert machine.lateness.paused(START, machine.now) == (0, 0)


def test_a_moment_is_late_while_the_thread_has_not_woken(machine):
    machine.hold(0.015)
    assert machine.lateness.at(machine.now) == pytest.approx(0.015)


def test_who_asks_waits_for_the_thread(machine):
    """It tells a pause from a delay."""
    machine.hold(0.8)
    assert machine.lateness.paused(START, machine.now).whole == pytest.approx(0.82)
    machine.hold(0.8, waiting=[WATCHING])
    assert machine.lateness.at(machine.now) == pytest.approx(0.8)


def test_a_pause_is_told_from_a_delay(machine):
    """Nothing ran, and nothing waited for a processor."""
    machine.late(0.8)
    pauses = machine.lateness.paused(START, machine.now)
    assert pauses == pytest.approx((0.82, 0.82))
    assert machine.lateness.at(START + 0.4) == 0
    assert machine.lateness.paused(START - 10, START) == (0, 0), "the period before it"
    assert machine.lateness.paused(START, START + 0.42) == pytest.approx((0.4, 0.4))


def test_waiting_for_a_processor_is_no_pause(machine):
    machine.late(0.8, waiting=[WATCHING])
    assert machine.lateness.at(START + 0.4) == pytest.approx(0.8)
    assert machine.lateness.paused(START, machine.now) == (0, 0)


def test_a_thread_that_waits_for_a_processor_delays_those_that_wait_for_it(machine):
    """The watching thread waits for the interpreter's lock, and its holder has no processor."""
    machine.hold(0.8, waiting=[OTHER], locked=True)
    machine.pass_by(0.7, waiting=[NEW], locked=True)
    assert machine.lateness.at(START + 0.4) == pytest.approx(1.5)
    assert machine.lateness.paused(START, machine.now) == (0, 0)


def test_a_thread_that_runs_delays_those_that_wait_for_it(machine):
    machine.late(0.8, running=True)
    assert machine.lateness.at(START + 0.4) == pytest.approx(0.8)
    assert machine.lateness.paused(START, machine.now) == (0, 0)


def test_a_pause_stays_visible_beside_threads_that_ran_and_waited(machine):
    machine.hold(0.1, waiting=[WATCHING, OTHER, NEW])
    machine.pass_by(0.1, running=True)
    machine.pass_by(0.6)
    assert machine.lateness.paused(START, machine.now).whole == pytest.approx(0.82)
    assert machine.lateness.at(START + 0.4) == 0


def test_what_a_thread_waited_before_does_not_end_with_it(machine):
    machine.pass_by(5, waiting=[OTHER])
    machine.lateness.sleep()
    since = machine.now
    machine.hold(0.8, waiting=[WATCHING])
    machine.end_thread(OTHER)
    assert machine.lateness.paused(since, machine.now) == (0, 0)


def test_a_sleep_of_the_system_is_a_pause_that_no_clock_counted(machine):
    """On Linux `time.monotonic` stands meanwhile."""
    machine.late(3600, counted=False)
    pauses = machine.lateness.paused(START, machine.now)
    assert pauses.counted == pytest.approx(Lateness.PERIOD)
    assert pauses.whole == pytest.approx(3600 + Lateness.PERIOD)


def test_delays_are_forgotten_after_ten_minutes(machine):
    machine.late(0.1, waiting=[WATCHING])
    machine.pass_by(601)
    machine.lateness.sleep()
    assert machine.lateness.at(START + 0.1) == 0


def test_a_thread_watches_this_process():
    begun = lateness()._last
    wait_until(lambda: lateness()._last.now > begun.now + 2 * Lateness.PERIOD)
    assert lateness() is lateness()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_the_clock_that_goes_on_is_there():
    before = time.monotonic()
    assert module.uptime() >= before - 1
    assert threading.get_native_id() in system_times().waited
    held = system_times().held
    time.sleep(0.001)
    assert system_times().held >= held + sys.getswitchinterval(), "it woke once"
