"""One engine and its faults: the client finds, names and ends each, and leaves nothing behind."""

import asyncio
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from seating import OURS, PATIENCE
from starting import rogue
from thorough import first_of, thorough

from gtp_engine.gtp.process import (
    BadProtocol,
    CannotStart,
    EngineDied,
    EngineFault,
    EngineSilent,
)
from gtp_engine.table.engine import LOG_LINES, ClientEngine

SHELL = [sys.executable, "-c"]


def soon_empty(group: int) -> bool:
    """Whether no process of a group lives, or soon none will: the system ends them in its time."""
    end = time.monotonic() + PATIENCE
    while members(group) and time.monotonic() < end:
        time.sleep(0.01)
    return not members(group)


def members(group: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, number = path.read_text().rpartition(")")[2].split()[:3]
            if int(number) == group and state != "Z":
                found.append(int(path.parent.name))
    return found


async def fault_of(engine: ClientEngine, *lines: str, timeout: float | None = None) -> EngineFault:
    """The fault that comes of some commands."""
    async with asyncio.timeout(PATIENCE):
        try:
            await engine.start()
            for line in lines:
                await engine.ask(line, None if line == "clear_board" else timeout)
        except EngineFault as fault:
            return fault
    pytest.fail("there was no fault")


def check(command: list[str], kind: type[EngineFault], words: str, **more: float) -> None:
    """The fault at the first `genmove` of an engine; what it started is gone in the end."""
    heard = []

    async def run() -> None:
        engine = ClientEngine(command, "A", on_fault=lambda engine, fault: heard.append(fault))
        fault = await fault_of(engine, "clear_board", "genmove b", "name", **more)
        assert type(fault) is kind and words in str(fault), repr(fault)
        assert heard == [fault] and not engine.running
        with pytest.raises(kind):
            await engine.ask("name")
        pid = engine._process.pid
        await engine.close()
        assert soon_empty(pid)

    asyncio.run(run())


@pytest.mark.parametrize(
    "fault, kind, words",
    [
        ("crash-at-start", CannotStart, "cannot read the weights"),
        ("banner", BadProtocol, "Welcome to Rogue"),
        ("die", EngineDied, "exited with status 7"),
        ("die-mid-word", EngineDied, "SIGKILL"),
        ("garbage", BadProtocol, "invalid response to `genmove b`: `thinking"),
        ("answer-twice", BadProtocol, "sent an unexpected line"),
        ("wrong-id", BadProtocol, "`=4711"),
        ("no-ids", BadProtocol, "sent an invalid response"),
        ("endless-line", BadProtocol, "line of more than"),
        ("endless-lines", BadProtocol, "without an end"),
        ("close-output", EngineDied, "closed its output at `genmove b`"),
        ("fork-and-die", EngineDied, "exited with status 7"),
    ],
)
def test_faults(fault, kind, words):
    check(rogue(fault), kind, words)


@pytest.mark.parametrize("fault", first_of(["silent", "half-line", "stop-reading"]))
def test_an_engine_that_hangs(fault):
    check(rogue(fault), EngineSilent, "did not respond in time", timeout=1.0)


def test_what_is_no_program():
    for command in (["/no/such/program"], "", "'unfinished", "/tmp"):

        async def run(command=command) -> None:
            engine = ClientEngine(command, "A")
            with pytest.raises(CannotStart, match="A cannot be started"):
                await engine.start()
            await engine.close()

        asyncio.run(run())


def test_an_engine_that_does_not_read():
    async def run() -> None:
        engine = ClientEngine([*SHELL, "import time; time.sleep(1000)"], "A")
        await engine.start()
        answers = [engine.send("x" * 10**6, None) for _ in range(8)]
        with pytest.raises(EngineSilent, match="does not read"):
            await answers[-1]
        await engine.close()

    asyncio.run(run())


def test_answers_come_in_order_and_lines_are_heard():
    heard = []

    async def run() -> None:
        engine = ClientEngine(OURS, "A", lambda engine, *line: heard.append(line))
        await engine.start()
        answers = [engine.send(line) for line in ("name", "boardsize 99", "protocol_version")]
        assert [(await each).text for each in answers] == ["Patchpie", "unacceptable size", "2"]
        await engine.close()

    asyncio.run(run())
    assert [text for sign, text in heard if sign == ">"][:3] == [
        "name",
        "boardsize 99",
        "protocol_version",
    ]
    assert [text for sign, text in heard if sign == "<"][:3] == [
        "=1 Patchpie",
        "?2 unacceptable size",
        "=3 2",
    ]


def test_a_stream_ends_when_it_is_stopped():
    async def run() -> None:
        engine = ClientEngine(OURS, "A")
        await engine.start()
        came, reports = asyncio.Event(), []

        def report(line: str) -> None:
            reports.append(line)
            came.set()

        stream = engine.send("game-analyze b 1", None, report)
        async with asyncio.timeout(PATIENCE):
            await came.wait()
            assert not stream.done()
            engine.stop()
            assert (await stream).success
        assert all(line.startswith("{") for line in reports)
        assert (await engine.ask("name")).text == "Patchpie"
        await engine.close()

    asyncio.run(run())


def test_a_search_is_interrupted():
    async def run() -> None:
        engine = ClientEngine([*OURS, "--seconds", "1000", "--timing", "fixed"], "A")
        await engine.start()
        answer = engine.send("genmove b", None)
        engine.interrupt()
        async with asyncio.timeout(PATIENCE):
            assert (await answer).success
        await engine.close()

    asyncio.run(run())


def test_a_flood_in_the_log_is_read_and_forgotten():
    async def run() -> None:
        heard = []
        engine = ClientEngine(rogue("flood-stderr"), "A", lambda *line: heard.append(line[1:]))
        await engine.start()
        async with asyncio.timeout(2 * PATIENCE):
            assert (await engine.ask("genmove b", None)).success
            assert (await engine.ask("name")).success
        await engine.close()
        assert len(engine.log) == LOG_LINES
        assert len(heard) < 100_000

    asyncio.run(run())


@thorough
def test_who_does_not_quit_is_killed_with_what_it_started():
    async def run() -> None:
        for fault in ("ignore-quit", "fork-child"):
            engine = ClientEngine(rogue(fault), "A")
            await engine.start()
            await engine.ask("genmove b")
            pid = engine._process.pid
            async with asyncio.timeout(PATIENCE):
                await engine.close()
            assert soon_empty(pid), fault

    asyncio.run(run())


def test_two_lines_are_not_sent_as_one():
    async def run() -> None:
        engine = ClientEngine(OURS, "A")
        await engine.start()
        with pytest.raises(ValueError, match="more than one line"):
            engine.send("name\nquit")
        await engine.close()

    asyncio.run(run())
