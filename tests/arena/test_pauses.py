"""Pauses of the arena cost no engine a game: Ctrl-Z and `fg`, SIGSTOP, a system that sleeps."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from types import SimpleNamespace

import psutil
import pytest

from gtp_engine.arena.playing import running_engine
from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.referee import GameTask, play_game
from gtp_engine.arena.playing.runner_delays import Pauses
from gtp_engine.arena.playing.running_engine import RunningEngine, Void
from gtp_engine.arena.setup.config import Engine
from gtp_engine.arena.setup.schedule import games_of
from gtp_engine.arena.setup.tables import make_match
from gtp_engine.arena.storage.store import Store
from support.starting import ROBBLE, robble_command
from support.thorough import first_of
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks in /proc")

ARENA = [sys.executable, "-P", "-m", "gtp_engine.cli.arena", "run", "--game", "robble"]


@pytest.fixture
def match(tmp_path):
    """Starts a match of two games against an engine with a flaw, with its output in a file."""
    started = []

    def match(flaw, *words):
        engines = ["--engine", f"A={robble_command(*flaw)}", "--engine", f"B={ROBBLE}"]
        words = [*ARENA, "--size", "3", "--games", "2", *engines, *words]
        with open(tmp_path / "output.txt", "w") as output:
            process = subprocess.Popen(words, cwd=tmp_path, stdout=output, stderr=output)
        started.append(process)
        return process

    yield match
    for process in started:
        process.kill()
        process.wait()


def paused_turn(folder):
    """The turn with the longest pause, and all pauses of its game; no game ended by a fault.

    A machine that stands still for a moment pauses other turns, too.
    """
    with closing(Store(folder / "match.db", to_read=True)) as store:
        games = list(store.games())
        assert [result.fault for _, result in games] == [None, None]
        assert store.voids() == []
        paused = {
            turn: number for number, _ in games for turn in store.turns(number) if turn.paused
        }
    longest = max(paused, key=lambda turn: turn.paused)
    game = paused[longest]
    return longest, sum(turn.paused for turn, number in paused.items() if number == game)


@pytest.mark.parametrize(
    "words",
    first_of([["--time", "1/1", "--lenience", "60"], ["--patience", "1.5"]]),
    ids=iter(["clock", "stall"]),
)
def test_a_stopped_arena_charges_nobody(match, tmp_path, words):
    """An engine lost by "2.00 seconds taken, only 1.00 left", or as stalled."""
    process = match(["stop-arena", "--seconds", "2", "--at", "2", "--games", "1"], *words)
    assert process.wait(PATIENCE) == 0, (tmp_path / "output.txt").read_text()
    turn, whole = paused_turn(tmp_path)
    assert turn.engine == "A"
    assert turn.paused >= 1.9
    told = (tmp_path / "output.txt").read_text().splitlines()
    assert (
        f"paused: robble 3, pair 0: A against B: {whole:.1f} seconds, which no clock was charged"
    ) in told


def test_engines_stop_and_go_on_with_the_arena(match, tmp_path):
    process = match(
        ["press-ctrl-z", "--seconds", "0.2", "--at", "2", "--games", "1"],
        *("--time", "1/1", "--lenience", "60"),
    )
    arena = psutil.Process(process.pid)
    wait_until(lambda: arena.status() == psutil.STATUS_STOPPED, "the arena stops")
    engines = [engine for guard in arena.children() for engine in guard.children()]
    assert len(engines) == 2
    wait_until(lambda: {each.status() for each in engines} == {psutil.STATUS_STOPPED}, "they stop")
    time.sleep(1.7)  # what is forgiven must really pass: more than the clock allows
    os.kill(process.pid, signal.SIGCONT)
    assert process.wait(PATIENCE) == 0, (tmp_path / "output.txt").read_text()
    turn, _ = paused_turn(tmp_path)
    assert turn.paused >= 1.5


PAUSED = SimpleNamespace(paused=lambda since, until: Pauses(0.0, 7.0), at=lambda moment: 0.0)


def test_a_fault_during_a_pause_is_nobodys(monkeypatch):
    """An engine may crash because its network is gone after a night."""
    monkeypatch.setattr(running_engine, "lateness", lambda: PAUSED)
    with closing(RunningEngine(Engine("A", robble_command("die")))) as engine:
        engine.greet()
        with pytest.raises(Void, match=r"^A: the engine exited .*, but the arena was paused for 7"):
            engine.tell("genmove b")


def test_time_lost_in_a_turn_with_a_pause_makes_the_game_void(monkeypatch):
    """A machine that wakes is slow at first."""
    monkeypatch.setattr(running_engine, "lateness", lambda: PAUSED)
    engines = [{"name": "A", "command": robble_command("slow", "--seconds", "0.3")}]
    engines += [{"name": "B", "command": ROBBLE}]
    match = make_match({"engines": engines, "boards": ["robble 3"], "time": "0.1/1", "margin": 0.0})
    told = r"^A: [0-9.]+ seconds taken, only 0\.10 left.*, but the arena was paused for "
    with closing(EnginePool()) as pool, pytest.raises(Void, match=told):
        play_game(GameTask(next(games_of(match)), match, (), 1), pool)
