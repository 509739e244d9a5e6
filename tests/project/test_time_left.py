"""The estimate of how long a compilation still takes."""

import heapq
from itertools import pairwise

import pytest

from support.checkouts import time_left
from support.waiting import TurnedClock

# As ninja orders them, and what each took on an idle machine, in seconds.
STEPS = {
    "CMakeFiles/inference_v4_amx.dir/nn/inference.cpp.o": 2.1,
    "CMakeFiles/inference_v4_vnni.dir/nn/inference.cpp.o": 8.8,
    "CMakeFiles/_kernel_common.dir/Unity/unity_0_cxx.cxx.o": 1.9,
    "CMakeFiles/_kernel_nets.dir/Unity/unity_0_cxx.cxx.o": 1.2,
    "CMakeFiles/_robble.dir/robble_search.cpp.o": 18.6,
    "CMakeFiles/_robble.dir/robble_entry.cpp.o": 8.7,
    "CMakeFiles/_robble.dir/_robble.cpp.o": 0.7,
    "_robble.so": 0.1,
    "CMakeFiles/_pilo.dir/pilo_search.cpp.o": 15.3,
    "CMakeFiles/_pilo.dir/pilo_entry.cpp.o": 9.8,
    "CMakeFiles/_pilo.dir/_pilo.cpp.o": 0.7,
    "_pilo.so": 0.1,
    "CMakeFiles/_kernel.dir/api/bindings.cpp.o": 2.7,
    "CMakeFiles/nanobind-static.dir/Unity/unity_0_cxx.cxx.o": 3.3,
    "_kernel.so": 0.1,
}


def estimates(slower=lambda number: 1.0, load: float = 0.2, processes: int = 1):
    """For each moment, in seconds: it, the estimate, what was really left, the reason.

    The first is before all steps; each other one is when a step has ended.
    """
    clock = TurnedClock(0.0)
    left = time_left.TimeLeft(list(STEPS), processes, clock, lambda: load)
    free, ends = [0.0] * processes, []
    for number, (name, seconds) in enumerate(STEPS.items()):
        end = heapq.heappop(free) + seconds * slower(number)
        heapq.heappush(free, end)
        ends.append((end, name))
    told = [(0.0, left.seconds, max(free), left.why)]
    for end, name in sorted(ends):
        clock.now = end
        left.finish(name)
        told.append((end, left.seconds, max(free) - end, left.why))
    assert (left.done, left.total) == (len(STEPS), len(STEPS))
    assert left.seconds == 0
    return told


@pytest.mark.parametrize("processes", [1, 2, 16])
def test_on_an_idle_machine_it_is_right(processes):
    for _, told, really, why in estimates(processes=processes):
        assert told == pytest.approx(really, rel=0.15, abs=4)
        assert why is None


def test_a_machine_that_is_busy_from_the_start_is_right_at_once():
    for _, told, really, why in estimates(lambda number: 5.0, load=4.0):
        assert told == pytest.approx(really, rel=0.15, abs=20)
        assert why in (None, "other programs use the processors")


@pytest.mark.parametrize("processes", [1, 2])
def test_it_never_becomes_much_longer_without_a_reason(processes):
    """Whenever other programs begin: the first time that it does it says why, and goes on to."""
    for moment in range(len(STEPS)):

        def busy(number, moment=moment):
            return 1.0 if number < moment else 20.0

        told = estimates(busy, load=9.0, processes=processes)
        for (then, before, *_), (now, after, _, why) in pairwise(told):
            assert why is not None or after <= 1.5 * max(0.0, before - (now - then)) + 5
        reasons = [why is not None for *_, why in told]
        assert reasons == sorted(reasons)


def test_it_says_whether_others_or_the_machine_itself_take_the_time():
    def slow(number):
        return 20.0

    assert estimates(slow, load=9.0)[-1][-1] == "other programs use the processors"
    assert estimates(slow, load=1.0)[-1][-1] == "this machine takes longer than most"


def test_the_first_estimate_holds_against_the_words_before_it():
    """They were: one to five minutes."""
    assert estimates(load=1.0)[0][-1] is None
    assert estimates(load=30.0)[0][-1] == "other programs use the processors"


def test_a_step_that_was_not_planned_does_not_count():
    left = time_left.TimeLeft(["a.o"], 1, TurnedClock(), lambda: 0.0)
    left.finish("b.o")
    assert (left.done, left.total) == (0, 1)


def test_nothing_to_do_takes_no_time():
    assert time_left.TimeLeft([], 2, TurnedClock(), lambda: 0.0).seconds == 0
