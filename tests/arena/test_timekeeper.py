"""Charged and forgiven time, with invented numbers; no test waits."""

import pytest

from gtp_engine.arena.setup.timekeeper import Charge, Leniency, Taken, Timekeeper
from gtp_engine.gtp.client.timing import time_control
from gtp_engine.gtp.client.usage import Usage, Use

STRICT = Leniency(margin=0.05, lenience=0.5, allowance=0.1)
CORES = 4


def keeper(control, leniency=STRICT):
    return Timekeeper(time_control(control), leniency, CORES)


def alone(seconds):
    """A single thread that had a processor all the time."""
    return Taken(seconds, Use(seconds, 0.0, seconds))


def displaced(seconds, by_others):
    """A single thread that others kept from running for so long."""
    return Taken(seconds, Use(seconds - by_others, by_others, seconds))


@pytest.mark.parametrize(
    ("control", "taken", "lost"),
    [
        ("1/1", alone(1.04), False),
        ("1/1", alone(1.06), True),
        ("1/1", displaced(1.5, by_others=0.5), False),
        ("1/1", displaced(1.5, by_others=0.4), True),
        ("1/1", displaced(2.3, by_others=1.5), True),
        ("60", displaced(60.5, by_others=0.5), False),
        ("1/1", Taken(1.3, None, late=0.3), False),
        ("1/1", Taken(1.3, Use(1.0, 0.0, 1.0), late=0.3), False),
        ("1/1", Taken(1.3, Use(5.0, 0.0, 1.3), late=0.3), True),
        ("none", alone(1e6), False),
    ],
)
def test_a_turn_that_is_late(control, taken, lost):
    clock = keeper(control)
    clock.charge(taken)
    assert bool(clock.loss) == lost


def test_threads_of_one_engine_that_wait_for_each_other():
    """Twelve of them on one processor, 2.3 seconds for a turn of one second. It was no fault."""
    ran = 2.3 / 12
    threads = {(7, number): (ran, 2.3 - ran) for number in range(12)}
    use = Usage(2.3, threads).since(Usage(0.0, {}))
    assert use.waited == pytest.approx(2.3 - ran)
    assert use.displaced == pytest.approx(0)
    clock = keeper("1/1", STRICT._replace(lenience=100.0))
    clock.charge(Taken(2.3, use))
    assert clock.loss == "2.30 seconds taken, only 1.00 left"


def test_threads_that_ended_count():
    """Only the thread that waited for them is left; what they used is in the sum."""
    use = Usage(2.3, {(7, 7): (0.2, 2.1)}).since(Usage(0.0, {}))
    assert use.displaced == pytest.approx(0)


def test_what_is_forgiven_is_owed():
    clock = keeper("60")
    assert clock.charge(displaced(60.3, by_others=0.4)).forgiven == pytest.approx(0.3)
    assert clock.loss is None
    clock.end_turn()
    assert clock.clock.left == pytest.approx(-0.3)
    clock.charge(alone(0.01))
    assert clock.loss == "0.01 seconds taken, only 0.00 left"


def test_an_increment_pays_what_is_owed():
    clock = keeper("10+1")
    clock.charge(displaced(10.4, by_others=0.4))
    clock.end_turn()
    assert clock.clock.left == pytest.approx(0.6)


def test_a_period_that_begins_owes_nothing():
    clock = keeper("1/1")
    for _ in range(3):
        clock.charge(displaced(1.3, by_others=0.4))
        assert clock.loss is None
        clock.end_turn()
        assert (clock.clock.left, clock.clock.count) == (1.0, 1)
    clock = keeper("1/2")
    clock.charge(displaced(1.3, by_others=0.4))
    clock.end_turn()
    assert clock.clock.left == pytest.approx(-0.3)


def test_the_margin_of_an_absolute_clock_is_there_once():
    clock = keeper("1")
    clock.charge(alone(1.03))
    assert clock.loss is None
    clock.end_turn()
    clock.charge(alone(0.03))
    assert clock.loss is not None


def test_other_commands_have_a_small_allowance():
    clock = keeper("1/1")
    clock.charge_untimed(alone(0.1))
    assert clock.clock.left == 1.0
    clock.charge_untimed(alone(0.7))
    assert clock.clock.left == pytest.approx(0.4)
    charge = clock.charge(alone(0.3))
    assert charge == Charge(0.3, 0.0, 0.0, 0.0, pytest.approx(0.6))
    assert clock.loss is None
    clock.charge_untimed(alone(0.4))
    assert clock.loss == (
        "1.20 seconds taken, only 1.00 left; 0.30 of them in commands other than genmove"
    )


def test_thinking_in_play_loses_the_game_at_once():
    clock = keeper("1/1")
    clock.charge_untimed(Taken(4.0, Use(0.0, 0.0, 0.0)))
    assert clock.loss is not None


def test_what_is_forgiven_in_the_parts_of_a_turn_is_bounded_together():
    clock = keeper("1/1")
    for _ in range(3):
        clock.charge(displaced(0.6, by_others=0.3))
    assert clock.loss.endswith("only 1.00 left; 0.50 excused")


def test_how_long_an_answer_is_waited_for():
    clock = keeper("2/1")
    assert clock.timeout == pytest.approx(2.55)
    clock.charge(alone(1.5))
    assert clock.timeout == pytest.approx(1.05)
    assert keeper("none").timeout is None


def test_a_pause_is_noted_with_the_turn_and_charged_to_nobody():
    clock = keeper("1/1")
    clock.charge_untimed(Taken(0.0, None, paused=2.0))
    assert clock.charge(Taken(0.5, None, paused=5.0)).paused == 7.0
    assert clock.clock.left == 0.5
    assert clock.charge(alone(0.1)).paused is None
    assert clock.paused == 7.0
    clock.end_turn()
    assert clock.paused == 0.0
    assert keeper("none").charge(Taken(0.5, None, paused=5.0)).paused == 5.0
