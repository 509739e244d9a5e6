"""Self-play in processes of this machine. Some processes die."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing

import pytest

from gtp_engine.learn.plan import Plan, Unfit
from gtp_engine.learn.processes import PlayingProcesses
from gtp_engine.learn.self_players import SelfplayJob
from gtp_engine.search.weights import Weights

PLAN = Plan("robble", 3, (2, 3), visits=60, fast_visits=20, first_visits=1.0)
JOB = SelfplayJob("robble", PLAN.boards, "1 1", PLAN.effort(learned=False), None)


class Numbers:
    """The numbers from 0 on, up to a count."""

    def __init__(self, count):
        self._count, self._next = count, 0

    @property
    def left(self):
        return self._count - self._next

    def take(self):
        self._next += 1
        return self._next - 1 if self._next <= self._count else None


def play(players, count, before_each=lambda: None):
    """All games, by number."""
    numbers, found = Numbers(count), {}
    while len(found) < count:
        players.fill(numbers)
        before_each()
        for game in players.collect(30):
            assert game.number not in found
            found[game.number] = game
    assert players.busy == 0
    return [found[number] for number in range(count)]


def test_a_killed_process_loses_nothing():
    with closing(PlayingProcesses(1)) as players:
        players.begin(JOB)
        whole = play(players, 12)
        players.begin(JOB)
        victims = iter([players._children[0].process.pid])

        def kill_once():
            for pid in victims:
                os.kill(pid, signal.SIGKILL)

        assert play(players, 12, kill_once) == whole
        assert players.shown == "1 process of this machine"


def test_a_game_that_never_ends_well_is_told_and_ends_the_training():
    broken = JOB._replace(boards=((99, 1.0),))
    with closing(PlayingProcesses(1)) as players:
        players.begin(broken)
        with pytest.raises(Unfit, match="^5 games in a row came to nothing, .* sizes 2 to 19$"):
            play(players, 1)


def test_weights_that_are_those_of_no_net_are_told():
    broken = JOB._replace(weights=Weights("robble", 16, 1, b"1234", {}))
    with closing(PlayingProcesses(1)) as players:
        players.begin(broken)
        with pytest.raises(Unfit, match="^this machine cannot play the games: "):
            play(players, 1)


ENDLESS = """
import time
from test_processes import JOB, Numbers
from gtp_engine.learn.processes import PlayingProcesses

if __name__ == "__main__":
    players = PlayingProcesses(1)
    players.begin(JOB._replace(effort=JOB.effort._replace(full=10**8, fast=10**8)))
    players.fill(Numbers(1))
    print(players._children[0].process.pid, flush=True)
    time.sleep(1000)
"""


def test_no_process_survives_a_training_that_was_killed(tmp_path):
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS)
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.path.dirname(__file__)},
    )
    child = int(process.stdout.readline())
    process.kill()
    process.communicate(timeout=60)  # ends once no process holds its output
    deadline = time.monotonic() + 60
    while alive(child):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A child without a parent may wait to be reaped.
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"
