"""Engines that overstep their clock, each with its own trick: all lose on time.

Each engine takes much more than a tenth of a second. The tests forgive delays of other processes
without limit, so the load of the machine decides nothing. The exception is the one trick that the
arena cannot detect.
"""

from pathlib import Path

import pytest

from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.referee import GameTask, play_game
from gtp_engine.arena.setup.schedule import games_of
from gtp_engine.arena.setup.tables import make_match
from gtp_engine.arena.values import Fault
from support.matches import without_pauses
from support.starting import ENGINES, ROBBLE, python_command
from support.thorough import first_of, thorough

CHEAT = python_command(ENGINES / "cheat.py")

CLOCK = {"time": "0.1/1"}

linux = pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="only Linux tells")


@pytest.fixture
def play(monkeypatch):
    """Plays one game of a cheat, which alone has a clock, as WHITE."""
    without_pauses(monkeypatch)
    pool = EnginePool()

    def play(trick, seconds=0.6, **match):
        engines = [
            {"name": "honest", "command": ROBBLE},
            {"name": "cheat", "command": f"{CHEAT} {trick} --seconds {seconds}"} | CLOCK,
        ]
        match = make_match({"engines": engines, "games": 2, "boards": ["robble 3"]} | match)
        return play_game(GameTask(next(games_of(match)), match, (), 1), pool)

    yield play
    pool.close()


@linux
@pytest.mark.parametrize("trick", first_of(["threads", "short-threads", "children"]))
def test_waiting_for_oneself_is_not_forgiven(play, trick):
    result = play(trick, lenience=100.0).result
    assert (result.fault, result.result) == (Fault.TIME, "B+T"), result.reason
    assert "only 0.10 left" in result.reason


@thorough
@linux
def test_what_nobody_can_measure_is_bounded(play):
    result = play("forgotten-children", seconds=1.0).result
    assert result.winner == "honest"
    assert result.fault in (Fault.TIME, Fault.STALL)


@pytest.mark.parametrize("trick", first_of(["in-play", "in-time-left", "in-explanation"]))
def test_thinking_in_other_commands_is_charged(play, trick):
    result = play(trick).result
    assert (result.fault, result.result) == (Fault.TIME, "B+T")
    assert "of them in commands other than genmove" in result.reason
