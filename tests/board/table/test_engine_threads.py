"""An engine in a thread of a test does what its process does."""

import asyncio
from contextlib import nullcontext
from typing import Any

import pytest

from gtp_engine.gtp.client import process
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.gtp.client.process import EngineProcess
from support.engine_threads import Dies, Hangs, engines_in_threads, fault_at, our_engine
from support.seating import OURS
from support.waiting import PATIENCE, until

ENGINE = [*OURS, "--game", "robble", "--size", "5", "--seconds", "1000", "--timing", "fixed"]


async def life() -> list[Any]:
    """What an engine does until it quits, and one that is killed while it thinks.

    A process may take long to start, and to end.
    """
    engine, reports = EngineProcess(ENGINE, "A"), []
    lines = ("boardsize 4", "nonsense", "play b z9")
    seen = [(await engine.ask(line, PATIENCE)).text for line in lines]
    stream = engine.send("game-analyze b 1", None, reports.append)
    await until(lambda: reports)
    engine.stop()
    seen.append((await stream).success)
    search = engine.send("genmove b", None)
    engine.interrupt()
    seen += [(await search).success, engine.state]
    seen.append((await engine.ask("quit", PATIENCE)).success)
    await engine.child.gone
    await engine.close()
    seen += [engine.state, engine.child.status]

    killed = EngineProcess(ENGINE, "B")
    await killed.ask("game-pie off", PATIENCE)  # else a stored map knows the first turn at once
    killed.send("genmove b", None)
    killed.kill()
    await killed.close()
    return [*seen, str(killed.fault), killed.state, killed.child.status]


def test_a_thread_and_a_process_live_alike(monkeypatch):
    for name in ("PLAIN_TIMEOUT", "_LAST_WORDS"):
        monkeypatch.setattr(process, name, PATIENCE)
    lives = []
    for start in (engines_in_threads, nullcontext):
        with start():
            lives.append(asyncio.run(life()))
    assert lives[0] == lives[1]
    assert lives[0][-4:-3] == [0] and lives[0][-1] == -9


def test_a_fault_comes_once_and_at_its_line():
    manner = fault_at("name", Dies(7, "= half a"), 2)

    async def scene() -> None:
        first = EngineProcess(our_engine(manner=manner), "A")
        assert (await first.ask("name")).success
        with pytest.raises(EngineFault, match="A exited with status 7 within its response to"):
            await first.ask("name")
        second = EngineProcess(our_engine(manner=manner), "A")
        assert [(await second.ask("name")).success for _ in range(3)] == [True] * 3
        for engine in (first, second):
            await engine.close()

    with engines_in_threads():
        asyncio.run(scene())


def test_an_engine_that_hangs_is_killed():
    hangs = Hangs()

    async def scene() -> None:
        engine = EngineProcess(our_engine(manner=fault_at("name", hangs)), "A")
        asked = engine.send("name", None)
        await until(hangs.begun.is_set)
        assert not asked.done()
        engine.kill()
        await engine.close()
        assert engine.child.status == -9

    with engines_in_threads():
        asyncio.run(scene())
