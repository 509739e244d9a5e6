"""Self-play on a Dask cluster: a real scheduler and real workers. Some workers die."""

import math
import re
from contextlib import closing

import pytest

from gtp_engine import __version__
from gtp_engine.learn.game_records import GamesFile
from gtp_engine.learn.plan import Plan, Unfit
from gtp_engine.learn.selfplay import SelfplayJob

pytest.importorskip("distributed")

from gtp_engine.learn import players as who_plays  # noqa: E402
from gtp_engine.learn.players import PlayingCluster, PlayingProcesses  # noqa: E402

PLAN = Plan("robble", 3, (2, 3), visits=60, fast_visits=20, first_visits=1.0)
JOB = SelfplayJob("robble", PLAN.boards, "1 1", PLAN.effort(learned=False), None)


def play(players, path, count, during=lambda games: None):
    """Play all games of a generation into a file, as a training does; sorted lines of it."""
    games = GamesFile(path, count)
    players.begin(JOB, games)
    while not games.complete:
        players.fill()
        for game in players.collect(0.5):
            games.add(game)
        during(games)
    assert players.busy == 0
    players.rest()
    return sorted(path.read_bytes().splitlines())


def once(wanted, act):
    """Do something as soon as it is wanted, by the games so far."""
    done = []

    def look(games):
        if not done and wanted(games):
            done.append(True)
            act()

    return look


@pytest.fixture
def cluster(address):
    """Connect; what is told is collected in `told`."""
    told: list[str] = []

    def connect(any_build=False):
        players = PlayingCluster(address, None, any_build, told.append)
        told.clear()
        players.told = told
        return closing(players)

    return connect


def test_a_worker_that_dies_loses_nothing(cluster, worker, tmp_path):
    """And the games are those that this machine plays alone."""
    doomed, _ = worker("doomed"), worker("survivor")
    with cluster() as players:
        kill = once(lambda games: games.count >= 20, doomed.kill)
        far = play(players, tmp_path / "far", 100, kill)
        assert players.shown == "1 worker with 1 thread of the cluster"
        (told,) = (line for line in players.told if line.endswith("in progress begin again"))
        assert re.fullmatch(r"the worker doomed \(tcp://\S+\) is gone; its games .*", told)
    with closing(PlayingProcesses(2)) as players:
        near = play(players, tmp_path / "near", 100)
    assert len(near) == 100
    assert far == near


def test_a_scheduler_that_dies_is_waited_for(
    scheduler, start_scheduler, cluster, worker, tmp_path, address
):
    worker("first")
    gone = f"the scheduler at {address} is gone; its games in progress begin again; "
    with cluster() as players:

        def lost(games):
            return any(line.startswith(gone) for line in players.told)

        def enough(games):
            return games.count >= 5

        def restart():
            start_scheduler()
            worker("second")

        kill, restart = once(enough, scheduler.kill), once(lost, restart)
        played = play(players, tmp_path / "far", 100, lambda games: kill(games) or restart(games))
        assert len(played) == 100
        assert f"connected again to the scheduler at {address}" in players.told
        assert [line.startswith(gone) for line in players.told].count(True) == 1, players.told


def test_games_in_progress_are_given_up(scheduler, cluster, worker, tmp_path, monkeypatch):
    worker("one")
    games = GamesFile(tmp_path / "far", None)
    with cluster() as players:
        players.begin(JOB._replace(effort=JOB.effort._replace(full=10**7, fast=10**7)), games)
        while not players.busy:
            players.fill()
            players.collect(0.1)
        monkeypatch.setattr(who_plays, "_STOPPING_SECONDS", math.inf)
        players.stop()
        while players.busy:  # until the worker has told that it gave up
            assert players.collect(0.1) == []


ANOTHER_BUILD = """
import os
import gtp_engine.search.build_identity

gtp_engine.search.build_identity.build_word = lambda: os.environ["BUILD"]
"""


def test_workers_that_cannot_play_are_told(scheduler, cluster, worker, tmp_path):
    worker("bare", PATCHPIE_KERNEL="none")
    with cluster() as players, pytest.raises(Unfit, match="^no worker of the scheduler at tcp:"):
        play(players, tmp_path / "games", 20)
    (told,) = players.told
    assert re.match(r"the worker bare \(tcp://\S+\) plays no games: it has no kernel that ", told)

    (tmp_path / "sitecustomize.py").write_text(ANOTHER_BUILD)
    same, former = f"{__version__}+other", "0.0.1+other"
    for name, build in (("same", same), ("former", former)):
        worker(name, PYTHONPATH=str(tmp_path), BUILD=build)
    with cluster() as players, pytest.raises(Unfit):
        play(players, tmp_path / "games", 20)
    for build in (same, former):
        said = f"plays no games: it has build {build} of the engine, and the training has"
        assert [said in line for line in players.told].count(True) == 1, players.told
    assert not (tmp_path / "games").exists()

    with cluster(any_build=True) as players:
        assert len(play(players, tmp_path / "games", 20)) == 20
        assert players.shown == "1 worker with 1 thread of the cluster"
