"""Separate cores for each game: the available cores, their owners, and the processes on them."""

import os
import re
import subprocess
import sys
import threading
from types import SimpleNamespace

import psutil
import pytest

from gtp_engine.arena.playing import cores as module
from gtp_engine.arena.playing.cores import Cores, check_cores, cores, shares
from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.running_engine import Void
from gtp_engine.arena.reporting.findings import Findings
from gtp_engine.arena.setup.config import Engine, Terms, WrongMatch
from gtp_engine.arena.setup.tables import differences
from gtp_engine.arena.stats.tally import Tally
from gtp_engine.base import affinity, platforms
from gtp_engine.base.affinity import usable_processors
from gtp_engine.gtp.client.blocking import BlockingEngine
from gtp_engine.gtp.client.faults import CannotStart
from support.matches import match_of
from support.starting import ROBBLE, complaints, python_command
from support.thorough import thorough
from support.waiting import PATIENCE, wait_until

ARENA = [sys.executable, "-P", "-m", "gtp_engine.cli.arena"]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux binds at the start")

# Numbers that no processor has, and no other run of this test.
FAR = 10**5 + 100 * os.getpid()


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine with other processors than ours: the numbers, and who shares a core with whom."""

    def machine(processors, siblings=None):
        for processor, text in (siblings or {}).items():
            folder = tmp_path / f"cpu{processor}" / "topology"
            folder.mkdir(parents=True)
            (folder / "thread_siblings_list").write_text(f"{text}\n")
        usable = None if processors is None else frozenset(processors)
        monkeypatch.setattr(platforms, "_PROCESSORS", tmp_path)
        monkeypatch.setattr(module, "usable_processors", lambda: usable)

    return machine


def test_a_core_with_two_threads_is_one(machine):
    machine(range(8), {0: "0,4", 4: "0,4", 1: "1,5", 5: "1,5", 2: "2-3", 3: "2-3"})
    assert cores() == [(0, 4), (1, 5), (2, 3), (6,), (7,)]
    assert shares(2) == [(0, 1, 4, 5), (2, 3, 6)]
    assert shares(6) == []


def test_processors_that_we_may_not_use_are_left_alone(machine):
    machine({1, 4, 5}, {4: "0,4", 5: "1,5", 1: "1,5"})
    assert cores() == [(1, 5), (4,)]


@pytest.mark.parametrize(
    ("number", "games", "told"),
    [
        (1, 5, "cores: concurrency 5 with 1 per game needs 5 cores; this process may use 4"),
        (3, 2, "cores: concurrency 2 with 3 per game needs 6 cores; this process may use 4"),
        (5, 1, "cores: concurrency 1 with 5 per game needs 5 cores; this process may use 4"),
    ],
)
def test_more_games_than_cores_are_refused(machine, number, games, told):
    machine(range(4))
    with pytest.raises(WrongMatch, match=f"^{told}$"):
        check_cores(number, games)
    check_cores(2, 2)
    check_cores(0, 1000)


def test_a_system_that_cannot_bind_says_so(machine):
    machine(None)
    with pytest.raises(WrongMatch, match="^cores: this system cannot bind engines to cores$"):
        check_cores(1, 1)
    check_cores(0, 1)


def open_still():
    pass


def test_no_two_games_have_a_core_in_common(machine):
    """Two processes, here two of what each has one of; a third game waits."""
    machine({FAR, FAR + 1, FAR + 2, FAR + 3})
    here, there = Cores(), Cores()
    first, second = {FAR, FAR + 1}, {FAR + 2, FAR + 3}
    waited = []

    looks = []

    def wait():
        with there.held(2, lambda: looks.append(waited)) as processors:
            waited.append(set(processors))

    with there.held(2, open_still) as other:
        with here.held(2, open_still) as processors:
            assert (set(other), set(processors)) == (first, second)
            third = threading.Thread(target=wait)
            third.start()
            wait_until(lambda: len(looks) > 2, "the third one waits")
            assert waited == []
        third.join(PATIENCE)
        assert waited == [second]


def test_who_waits_for_cores_ends_with_the_match(machine, monkeypatch):
    machine({FAR})
    pool, other = EnginePool(), Cores()
    moments = iter([lambda: None, pool.abandon])
    monkeypatch.setattr(module, "time", SimpleNamespace(sleep=lambda seconds: next(moments)()))
    with (
        other.held(1, open_still),
        pytest.raises(Void, match="the match was stopped"),
        pool.cores(1),
    ):
        pytest.fail("the core was taken twice")


def test_a_worker_without_so_many_cores_says_so(machine):
    machine({FAR})
    with pytest.raises(WrongMatch, match="cores: 2 per game, but this process may use only 1"):
        Cores().held(2, open_still).__enter__()


BOUND = """
import os, subprocess, sys, threading
def told():
    print(sorted(os.sched_getaffinity(0)), file=sys.stderr, flush=True)
told()
thread = threading.Thread(target=told)
thread.start()
thread.join()
code = "import os, sys; print(sorted(os.sched_getaffinity(0)), file=sys.stderr)"
subprocess.run([sys.executable, "-c", code])
"""


@LINUX
def test_all_threads_and_children_of_an_engine_are_bound(tmp_path):
    """And nothing of ours."""
    before = usable_processors()
    (tmp_path / "bound.py").write_text(BOUND)
    with BlockingEngine(python_command(tmp_path / "bound.py"), processors={min(before)}) as engine:
        with pytest.raises(CannotStart):
            engine.ask("name", 20.0)
        told = [line.removeprefix("! ") for line in engine.conversation if line[0] == "!"]
    assert told == [str([min(before)])] * 3
    assert usable_processors() == before


@LINUX
def test_where_only_psutil_can_bind_it_does(monkeypatch):
    before = usable_processors()
    monkeypatch.setattr(affinity, "own_processors", lambda: None)
    assert affinity.usable_processors() == before
    with BlockingEngine(python_command("-c", "input()"), processors={min(before)}) as engine:
        assert psutil.Process(engine.pid).cpu_affinity() == [min(before)]


@LINUX
def test_engines_stay_with_their_cores():
    """One that waits for its next game is not taken for a game on other cores."""
    engine = Engine("A", ROBBLE)
    core = min(usable_processors())
    pool = EnginePool()
    bound = pool.take(engine, Terms(processors=(core,)))
    pool.give(bound, sound=True)
    free = pool.take(engine, Terms())
    assert free is not bound
    assert pool.take(engine, Terms(processors=(core,))) is bound
    for player in (free, bound):
        pool.give(player, sound=False)


@thorough
@LINUX
def test_a_match_with_cores_of_its_own(tmp_path):

    def arena(*words):
        return subprocess.run(
            [*ARENA, *words], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
        )

    wrapper = tmp_path / "wrapper.py"
    wrapper.write_text(
        "import os, sys\n"
        "print(sorted(os.sched_getaffinity(0)), file=open(sys.argv[0] + '.told', 'a'))\n"
        "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])\n"
    )
    engine = python_command(wrapper, "-P", "-m", "gtp_engine", "--player", "random")
    words = [*("run", "--game", "robble", "--size", "3", "--games", "2", "--cores", "1")]
    words += ["--engine", f"A={engine}", "--engine", f"B={engine}"]
    done = subprocess.run(
        [*ARENA, *words], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, complaints(done)) == (0, [])
    assert "The engines of each game had 1 reserved core." in done.stdout
    told = (tmp_path / "wrapper.py.told").read_text().splitlines()
    free, bound = told[:2], told[2:]  # those that said what they are, and those that played
    assert free == [str(sorted(usable_processors()))] * 2
    assert len(bound) >= 2
    assert set(bound) <= {str(list(share)) for share in shares(1)}
    words[words.index("--cores") + 1] = "4000"
    done = subprocess.run(
        [*ARENA, *words], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 2
    assert re.fullmatch(r"gtp-arena run: cores: concurrency 1 with 4000 .*\n", done.stderr)


def test_cores_are_told_and_make_another_match():
    match, bound = match_of("A", "B"), match_of("A", "B", cores=2)
    assert differences(match, bound) == ["cores: default before, 2 now"]
    told = "The engines of each game had 2 reserved cores."
    assert told in Findings(Tally(), bound).sentences
    assert told not in Findings(Tally(), match).sentences
