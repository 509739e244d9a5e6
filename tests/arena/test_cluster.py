"""A match on a Dask cluster: a real scheduler and two worker processes, one of them killed."""

import shlex
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from gtp_engine.arena.playing.cores import shares
from gtp_engine.arena.storage.store import Store
from gtp_engine.base.cluster import worker_name
from support.starting import ROBBLE, python_command
from support.waiting import PATIENCE, wait_until

pytest.importorskip("distributed")


def count(path, what="count(*)"):
    try:
        db = sqlite3.connect(path, timeout=10)
        return db.execute(f"select {what} from games").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        db.close()


def of_robble(size: int, games: int, path: Path) -> list[str]:
    """The arguments of a match of two small engines."""
    words = ["run", "--game", "robble", "--size", str(size), "--games", str(games)]
    return [*words, "--db", str(path), "--engine", f"A={ROBBLE}", "--engine", f"B={ROBBLE}"]


@pytest.mark.parametrize(
    ("name", "told"), [("two", "two"), (7, "7"), ("tcp://127.0.0.1:40123", "")]
)
def test_a_worker_has_the_name_that_it_was_given(monkeypatch, name, told):
    """Without one, the library calls it by its address."""
    monkeypatch.setattr("distributed.get_worker", lambda: SimpleNamespace(name=name))
    assert worker_name() == told


def test_a_worker_that_dies_loses_nothing(processes, address, worker, tmp_path):
    doomed, _ = worker("doomed"), worker("survivor")
    path = tmp_path / "match.db"
    match = processes("gtp_engine.cli.arena", *of_robble(4, 20, path), "--cluster", address)
    wait_until(lambda: count(path) >= 4)
    doomed.kill()
    output, _ = match.communicate(timeout=PATIENCE)
    assert match.returncode == 0, output
    assert count(path) == count(path, "count(distinct number || first || half)") == 20
    assert count(path, "count(fault)") == 0
    with closing(Store(path, to_read=True)) as store:
        workers = {result.worker for _, result in store.games()}
    host = socket.gethostname()
    assert f"{host} survivor" in workers <= {f"{host} survivor", f"{host} doomed"}


def test_a_scheduler_that_dies_is_waited_for(
    processes, scheduler, start_scheduler, address, worker, tmp_path
):
    """Its games in progress are played again, and nothing counts as void."""
    worker("one")
    path = tmp_path / "match.db"
    match = processes("gtp_engine.cli.arena", *of_robble(4, 30, path), "--cluster", address)
    wait_until(lambda: count(path) >= 3)
    scheduler.kill()
    told = []
    for line in match.stdout:
        told.append(line)
        if line.endswith("; trying again for up to 24 hours\n"):
            break
    assert told[-1] == (
        f"gtp-arena run: the scheduler at {address} is gone; trying again for up to 24 hours\n"
    )
    kept = count(path)
    assert 3 <= kept < 30
    start_scheduler()
    worker("two")
    output, _ = match.communicate(timeout=PATIENCE)
    assert match.returncode == 0, output
    assert "gtp-arena run: connected again after " in output
    assert count(path) == count(path, "count(distinct number || first || half)") == 30
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("select count(*) from voids").fetchone() == (0,)
        assert db.execute("select count(*) from claims").fetchone() == (0,)


def test_a_scheduler_that_stays_away_ends_the_match(
    processes, scheduler, address, worker, tmp_path
):
    worker("one")
    path = tmp_path / "match.db"
    words = [*of_robble(4, 60, path), "--outage", "0", "--cluster", address]
    match = processes("gtp_engine.cli.arena", *words)
    wait_until(lambda: count(path) >= 3)
    scheduler.kill()
    output, _ = match.communicate(timeout=PATIENCE)
    assert match.returncode == 75, output
    assert output.splitlines()[-1] == (
        f"gtp-arena run: the scheduler at {address} is gone; finished games are kept; run the same"
        " command to continue"
    )
    assert 3 <= count(path) < 60


def test_a_worker_is_waited_for(processes, address, worker, tmp_path):
    path = tmp_path / "match.db"
    match = processes("gtp_engine.cli.arena", *of_robble(3, 4, path), "--cluster", address)
    told = match.stdout.readline()
    waiting = f"waiting for a worker of the scheduler at {address} (`dask worker {address}`)"
    assert told == f"gtp-arena run: {waiting}\n"
    worker("late")
    output, _ = match.communicate(timeout=PATIENCE)
    assert match.returncode == 0, output
    assert count(path) == 4


ENGINE = f"""
import os, sys
with open(sys.argv[0] + ".told", "a") as told:
    print(len(os.sched_getaffinity(0)), file=told)
os.execv(sys.executable, {shlex.split(ROBBLE)})
"""


def test_an_engine_that_was_rebuilt_plays_no_games(processes, address, worker, tmp_path):
    """It says that it is the same version, and only the machine of the worker has its program."""
    worker("one")
    program, path = tmp_path / "engine.py", tmp_path / "match.db"
    program.write_text(ENGINE)
    words = ["run", "--game", "robble", "--size", "3", "--db", str(path), "--cluster", address]
    words += ["--engine", f"A={ROBBLE}", "--engine", f"B={python_command(program)}"]

    def run(*more):
        match = processes("gtp_engine.cli.arena", *words, *more)
        output, _ = match.communicate(timeout=PATIENCE)
        return match.returncode, output

    status, output = run("--games", "2")
    assert (status, count(path)) == (0, 2), output
    with closing(Store(path, to_read=True)) as store:
        built = store.engines()["B"]
    assert built.program
    program.write_text(f"{ENGINE}# built again\n")
    status, output = run("--games", "4")
    assert (status, count(path)) == (2, 2), output
    assert f"contains games of B as {built}; it is now {built.told}, program " in output
    assert output.endswith("gtp-arena run: 2 games given up; run the same command to try again\n")
    status, output = run("--games", "4", "--accept-changed-engines")
    assert (status, count(path)) == (0, 4), output
    with closing(Store(path, to_read=True)) as store:
        now = store.engines()["B"]
    assert now.told == built.told and now.program not in ("", built.program)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux binds at the start")
def test_games_on_workers_have_cores_of_their_own(processes, address, worker, tmp_path):
    """Two workers on one machine, which share its cores."""
    worker("one"), worker("two")
    program, path = tmp_path / "engine.py", tmp_path / "match.db"
    program.write_text(ENGINE)
    words = ["run", "--game", "robble", "--size", "3", "--games", "4", "--cores", "1"]
    words += ["--engine", f"A={ROBBLE}", "--engine", f"B={python_command(program)}"]
    match = processes("gtp_engine.cli.arena", *words, "--db", str(path), "--cluster", address)
    output, _ = match.communicate(timeout=PATIENCE)
    assert match.returncode == 0, output
    assert "The engines of each game had 1 reserved core." in output
    assert count(path) == 4
    told = (tmp_path / "engine.py.told").read_text().splitlines()
    assert set(told) <= {str(len(share)) for share in shares(1)}


@pytest.mark.parametrize("address", ["nonsense://1.2.3.4:5", "no port", ":"])
def test_an_address_that_no_scheduler_can_have_is_one_sentence(processes, address, tmp_path):
    words = [*of_robble(3, 4, tmp_path / "match.db"), "--cluster", address]
    match = processes("gtp_engine.cli.arena", *words)
    output, _ = match.communicate(timeout=PATIENCE)
    assert match.returncode == 2
    assert output.startswith(f"gtp-arena run: --cluster: no scheduler at {address}: ")
    assert output.count("\n") == 1, "no traceback of the library's client"
    assert not (tmp_path / "match.db").exists()
