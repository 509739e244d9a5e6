"""Storms: engines are started, asked, restarted, closed and killed at random moments.

What is left is counted from outside.
"""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from gtp_engine.gtp.client.blocking import BlockingEngine
from gtp_engine.gtp.client.child import continue_all, stop_all
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.gtp.client.process import EngineProcess
from support.leftovers import (
    marked,
    new_mark,
    open_files,
    opened_since,
    until_none,
    until_started,
    zombies,
)
from support.processes import parent_of, state_of
from support.starting import ENGINES, python_command, running
from support.thorough import first_of
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts in /proc")

MANNERS = ("well", "well", "silent", "babble", "deaf", "die")
KINDS = ("plain", "session", "daemon", "bare")


def unruly(mark: str, manner: str, kind: str) -> str:
    return python_command("-S", ENGINES / "unruly.py", mark, manner, kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ending", ["close", "kill", "die"])
def test_what_an_engine_started_ends_with_it(kind, ending):
    mark = new_mark()
    with BlockingEngine(unruly(mark, "die" if ending == "die" else "well", kind)) as engine:
        until_started(mark, 3)  # with the guard
        if ending == "kill":
            engine.kill()
        elif ending == "die":
            with pytest.raises(
                EngineFault, match=r"ended by the system or another program \(SIGKILL\)"
            ):
                engine.ask("name", PATIENCE)
    assert marked(mark) == []
    assert zombies() == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_an_engine_started_stops_and_goes_on_with_it(kind):
    mark = new_mark()
    with BlockingEngine(unruly(mark, "well", kind)) as engine:
        # When it answers, it has waited for its first child: a stopped parent reaps nobody.
        assert engine.ask("name", PATIENCE).response.success
        until_started(mark, 3)
        guard = parent_of(engine.pid)
        others = [pid for pid in marked(mark) if pid != guard]
        stop_all()
        until_all(others, "T")
        continue_all()
        until_all(others, "S")
        assert engine.ask("name", PATIENCE).response.success
    assert marked(mark) == []


def until_all(pids, state):
    """Wait until processes have a state, as /proc writes it; who has ended does not count."""
    wait_until(lambda: {state_of(pid) for pid in pids} - {""} == {state}, f"all in state {state}")


KILLED = """
import os, signal, sys, time
from gtp_engine.gtp.client.blocking import BlockingEngine
signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite in the background ignores it
engine = BlockingEngine(sys.argv[1])
engine.ask("name", 60)
print("ready", flush=True)
time.sleep(1000)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_who_is_killed_leaves_nothing(number):
    mark = new_mark()
    words = [sys.executable, "-c", KILLED, unruly(mark, "well", "bare")]
    with running(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout.readline() == b"ready\n"
        until_started(mark, 3)  # with the guard; the engine may answer before its child is marked
        process.send_signal(number)
        process.wait(PATIENCE)
    assert until_none(mark) == []


def test_what_others_start_stays():
    """The engine's end is nothing to our other children, nor to what they have started."""
    mark = new_mark()
    start = "import subprocess, sys; subprocess.Popen([sys.executable, *sys.argv[1:]])"
    with BlockingEngine(unruly(new_mark(), "well", "daemon")) as engine:
        engine.ask("name", PATIENCE)
        subprocess.run(
            [sys.executable, "-c", start, "-c", "import time; time.sleep(1000)", mark],
            start_new_session=True,
        )
    others = marked(mark)
    assert len(others) == 1
    os.kill(others[0], signal.SIGKILL)


def test_a_guard_that_is_killed_takes_the_engine_with_it():
    mark = new_mark()
    with BlockingEngine(unruly(mark, "well", "plain")) as engine:
        engine.ask("name", PATIENCE)
        os.kill(parent_of(engine.pid), signal.SIGKILL)
        wait_until(lambda: not engine.alive)
        with pytest.raises(EngineFault, match="has vanished"):
            engine.ask("name", PATIENCE)
    assert until_none(mark) == []


@pytest.mark.parametrize("count", first_of([6, 100]))
def test_a_storm_on_blocking_engines(count):
    """Threads start engines and end them in any way, some while others start."""
    BlockingEngine(python_command("-c", "input()")).close()  # the event loop has descriptors
    rng, mark, before = random.Random(count), new_mark(), open_files()

    def live() -> None:
        manner, kind, moment = rng.choice(MANNERS), rng.choice(KINDS), rng.random()
        engine = BlockingEngine(unruly(mark, manner, kind))
        time.sleep(moment**4 * 0.2)
        if 0.2 < moment < 0.4:
            os.kill(engine.pid, signal.SIGSTOP)
        with suppress(EngineFault):
            engine.ask("name", moment * 0.3)
        if moment < 0.3:
            engine.kill()
        engine.close(moment * 0.3)

    at_once(live, count)
    assert marked(mark) == []
    assert zombies() == []
    assert opened_since(before) == []


def at_once(work, count: int, workers: int = 8) -> None:
    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(work) for _ in range(count)]:
            done.result()


@pytest.mark.parametrize("count", first_of([10, 100]))
def test_a_storm_in_one_event_loop(count):
    """Engines are closed and killed while they start, and by several at once."""
    rng, mark = random.Random(count), new_mark()

    async def live(engine: EngineProcess) -> None:
        await asyncio.sleep(rng.random() ** 4 * 0.2)
        answers = [engine.send("name", rng.random()) for _ in range(rng.randrange(3))]
        await asyncio.sleep(rng.random() ** 2 * 0.3)
        if rng.random() < 0.5:
            engine.kill()
        closing = [engine.close(rng.random() * 0.3) for _ in range(rng.randrange(1, 3))]
        await asyncio.gather(*closing)
        await asyncio.gather(*answers, return_exceptions=True)

    async def storm() -> None:
        before = open_files()
        running = asyncio.Semaphore(8)

        async def one() -> None:
            async with running:
                await live(EngineProcess(unruly(mark, rng.choice(MANNERS), rng.choice(KINDS))))

        await asyncio.gather(*(one() for _ in range(count)))
        assert opened_since(before) == []

    asyncio.run(storm())
    assert marked(mark) == []
    assert zombies() == []
