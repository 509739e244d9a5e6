"""Long counts end: when their time is over, and when they are interrupted."""

import pytest

from gtp_engine.gtp.commands.playing import LONGEST_COUNT, counting_stop
from support.waiting import TurnedClock


def test_a_count_ends_when_its_time_is_over(drive):
    clock = TurnedClock()
    stop = counting_stop(drive.session, clock)
    assert not stop()
    clock.turn(LONGEST_COUNT - 0.1)
    assert not stop()
    clock.turn(0.1)
    assert stop()


@pytest.mark.parametrize(
    "line, told",
    [
        ("game-legal_turns", "too many turns"),
        ("game-perft 3", "perft too large"),
        ("game-perft 2 turns", "perft too large"),
    ],
)
def test_an_interrupt_ends_a_count(drive, line, told):
    drive.session.interrupt.set()
    assert drive.fails(line) == told
