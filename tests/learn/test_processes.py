"""Self-play in processes of this machine. Some processes die."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path

import pytest

from gtp_engine.learn.game_records import GamesFile
from gtp_engine.learn.plan import Plan, Unfit
from gtp_engine.learn.players import PlayingProcesses
from gtp_engine.learn.selfplay import SelfplayJob
from gtp_engine.search.weights import Weights
from support.starting import running
from support.waiting import PATIENCE, wait_until

PLAN = Plan("robble", 3, (2, 3), visits=60, fast_visits=20, first_visits=1.0)
JOB = SelfplayJob("robble", PLAN.boards, "1 1", PLAN.effort(learned=False), None)


NO_FILE = Path("no such file")


def play(job, players, count, before_each=lambda: None):
    """All games, by number."""
    players.begin(job, GamesFile(NO_FILE, count))
    found = {}
    while len(found) < count:
        players.fill()
        before_each()
        for game in players.collect(30):
            assert game.number not in found
            found[game.number] = game
    assert players.busy == 0
    return [found[number] for number in range(count)]


def test_a_killed_process_loses_nothing():
    with closing(PlayingProcesses(1)) as players:
        whole = play(JOB, players, 12)
        killed = []

        def kill_once():
            if not killed:
                wait_until(active_children)
                killed.append(active_children()[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        assert play(JOB, players, 12, kill_once) == whole
        assert players.shown == "1 process of this machine"


def test_a_game_that_never_ends_well_is_told_and_ends_the_training():
    broken = JOB._replace(boards=((99, 1.0),))
    told = "^5 games in a row came to nothing, .* sizes 2 to 19$"
    with closing(PlayingProcesses(1)) as players, pytest.raises(Unfit, match=told):
        play(broken, players, 1)


def test_weights_that_are_those_of_no_net_are_told():
    broken = JOB._replace(weights=Weights("robble", 16, 1, b"1234", {}, "net"))
    told = "^this machine cannot play the games: "
    with closing(PlayingProcesses(1)) as players, pytest.raises(Unfit, match=told):
        play(broken, players, 1)


ENDLESS = """
import signal
from multiprocessing import active_children
from test_processes import JOB, NO_FILE
from gtp_engine.learn.game_records import GamesFile
from gtp_engine.learn.players import PlayingProcesses
from support.waiting import wait_until

if __name__ == "__main__":
    players = PlayingProcesses(1)
    endless = JOB._replace(effort=JOB.effort._replace(full=10**8, fast=10**8))
    players.begin(endless, GamesFile(NO_FILE, 1))
    players.fill()
    wait_until(active_children)
    print(active_children()[0].pid, flush=True)
    signal.pause()
"""


def test_no_process_survives_a_training_that_was_killed(tmp_path):
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS)
    here = Path(__file__).parent
    environment = os.environ | {"PYTHONPATH": f"{here}{os.pathsep}{here.parent}"}
    words = [sys.executable, str(script)]
    with running(words, stdout=subprocess.PIPE, text=True, env=environment) as process:
        child = int(process.stdout.readline())
        process.kill()
        process.communicate(timeout=PATIENCE)  # ends once no process holds its output
    wait_until(lambda: not alive(child))


def alive(pid):
    """Whether a process runs; a child without a parent may wait to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
