"""An engine in an event loop: several commands in progress. Its faults are in test_blocking.py."""

import asyncio
import sys
from functools import partial

import pytest

from gtp_engine.gtp.client.exchanges import Conversation, Exchanges
from gtp_engine.gtp.client.faults import CannotStart, EngineDied, EngineSilent
from gtp_engine.gtp.client.process import TAIL, EngineProcess, EngineState
from gtp_engine.gtp.wire.response import Response
from support.seating import OURS
from support.starting import PLAIN, robble_command
from support.waiting import PATIENCE, TurnedLoop, turn_loop, turned_until, until, waiting_for

DEAF = [sys.executable, "-c", "import time; time.sleep(1000)"]


def run(scene, command=PLAIN, **options):
    """Play a scene with an engine. Every wait has an end."""

    async def play() -> None:
        engine = EngineProcess(command, "A", **options)
        async with waiting_for(f"the end of {scene.__qualname__}"):
            try:
                await scene(engine)
            finally:
                await engine.close()
        assert engine.state is EngineState.DEAD

    asyncio.run(play())


def run_turned(scene) -> None:
    """Play a scene in a loop whose clock it may turn."""
    with asyncio.Runner(loop_factory=TurnedLoop) as runner:
        runner.run(scene())


def scripted(code: str) -> list[str]:
    """An engine of some lines of Python; `say` writes and flushes."""
    start = "from functools import partial; say = partial(print, end='', flush=True)"
    return [sys.executable, "-S", "-c", f"{start}\n{code}"]


def test_the_states_of_a_life():
    async def scene(engine: EngineProcess) -> None:
        seen = [engine.state]
        assert await engine.start() == engine.child.pid
        seen.append(engine.state)
        answer = engine.send("name", PATIENCE)
        seen.append(engine.state)
        await answer
        seen.append(engine.state)
        closing = asyncio.create_task(engine.close())
        await asyncio.sleep(0)
        seen.append(engine.state)
        await closing
        seen.append(engine.state)
        words = "starting ready busy ready stopping dead"
        assert [state.value for state in seen] == words.split()

    run(scene)


def test_answers_come_in_order_and_lines_are_heard():
    heard = []

    async def scene(engine: EngineProcess) -> None:
        lines = ("name", "boardsize 99", "protocol_version")
        answers = [engine.send(line, PATIENCE) for line in lines]
        assert [(await each).text for each in answers] == ["Plain", "unacceptable size", "2"]

    run(scene, on_line=lambda engine, *line: heard.append(line))
    assert heard == [
        (">", "name"),
        (">", "boardsize 99"),
        (">", "protocol_version"),
        ("<", "=1 Plain"),
        ("<", "?2 unacceptable size"),
        ("<", "=3 2"),
        (">", "quit"),
    ]


def test_a_fault_is_told_once_to_all_who_wait():
    heard = []

    async def scene(engine: EngineProcess) -> None:
        answers = [engine.send(line, None) for line in ("clear_board", "genmove b", "name")]
        assert (await answers[0]).success
        for answer in answers[1:]:
            with pytest.raises(EngineDied, match="A exited with status 7 at `genmove b`"):
                await answer
        with pytest.raises(EngineDied):
            await engine.ask("name")
        assert heard == [engine.fault]

    run(scene, robble_command("die"), on_fault=lambda engine, fault: heard.append(fault))


@pytest.mark.parametrize("command", [["/no/such/program"], "", "'unfinished", ["/tmp"]])
def test_what_is_no_program_is_told_once(command):
    heard = []

    async def scene(engine: EngineProcess) -> None:
        with pytest.raises(CannotStart, match="A cannot be started"):
            await engine.start()
        assert heard == [engine.fault]

    run(scene, command, on_fault=lambda engine, fault: heard.append(fault))


def test_an_engine_that_does_not_read():
    async def scene(engine: EngineProcess) -> None:
        answers = [engine.send("x" * 10**6, None) for _ in range(8)]
        with pytest.raises(EngineSilent, match="does not read"):
            await answers[-1]

    run(scene, DEAF)


def test_a_stream_ends_when_it_is_stopped():
    async def scene(engine: EngineProcess) -> None:
        came, reports = asyncio.Event(), []

        def report(line: str) -> None:
            reports.append(line)
            came.set()

        stream = engine.send("game-analyze b 1", None, report)
        await came.wait()
        assert not stream.done()
        engine.stop()
        assert (await stream).success
        assert all(line.startswith("{") for line in reports)
        assert (await engine.ask("name", PATIENCE)).text == "Patchpie"

    run(scene, OURS)


def test_a_search_is_interrupted():
    async def scene(engine: EngineProcess) -> None:
        answer = engine.send("genmove b", None)
        engine.interrupt()
        assert (await answer).success

    run(scene, [*OURS, "--seconds", "1000", "--timing", "fixed"])


def test_a_flood_in_the_log_is_read_and_forgotten():
    heard = []

    async def scene(engine: EngineProcess) -> None:
        assert (await engine.ask("genmove b", None)).success
        assert (await engine.ask("name", PATIENCE)).success
        logged = [line for line in engine.conversation if line[0] == "!"]
        assert len(logged) == TAIL

    run(scene, robble_command("flood-stderr"), on_line=lambda *line: heard.append(line[1:]))
    assert len(heard) < 100_000


def test_two_lines_are_not_sent_as_one():
    async def scene(engine: EngineProcess) -> None:
        with pytest.raises(ValueError, match="more than one line"):
            engine.send("name\nquit")

    run(scene)


def test_a_timeout_counts_no_time_in_which_we_did_not_run():
    """After SIGCONT the answer may be there already, but the alarm was heard first."""
    late = []
    conversation = Conversation(10)

    async def scene() -> None:
        exchanges = Exchanges("A", conversation, 10, late.append)
        exchanges.add("name", 0.1, None, verbatim=True)
        turn_loop(1000.0)  # as if this process was stopped
        for _ in range(3):
            await asyncio.sleep(0)
        assert late == []
        await turned_until(lambda: late)

    run_turned(scene)
    assert str(late[0]) == "A did not respond in time to `name`"


def test_half_a_response_is_told_when_time_is_over():
    async def scene() -> None:
        engine = EngineProcess(scripted("input(); say('=1 C'); input()"), "A")
        came = bytearray()
        engine.record = lambda sign, data: came.extend(data if sign == "<" else b"")
        answer = engine.send("genmove b", PATIENCE)
        await until(lambda: came == b"=1 C")
        assert not answer.done()
        await turned_until(answer.done)
        told = r"A did not end its response to `genmove b` in time: `=1 C`"
        with pytest.raises(EngineSilent, match=told):
            await answer
        await engine.close()

    run_turned(scene)


def test_the_time_of_an_answer_is_measured():
    """From the command to the end of its response, whatever came before."""

    async def scene() -> None:
        engine = EngineProcess(scripted("for n in 1, 2: input(); input(); say(f'={n}\\n\\n')"))
        for seconds in (1000.0, 5000.0):
            exchange = engine.begin("name", None)
            turn_loop(seconds)
            engine.tell("# go on")
            await exchange.answer
            assert seconds <= exchange.arrival - exchange.sent < seconds + PATIENCE
        await engine.close()

    run_turned(scene)


def test_an_answer_in_pieces_blank_lines_and_carriage_returns():
    """Each piece is there before the engine writes the next one."""
    pieces = (b"\r\n\r\n=1 ", b"A\r\n1", b"\r\n\tB\x07\x00\r\n", b"\r", b"\n")
    code = f"for piece in {[piece.decode() for piece in pieces]}: input(); say(piece)"

    async def scene(engine: EngineProcess) -> None:
        came = bytearray()
        engine.record = lambda sign, data: came.extend(data if sign == "<" else b"")
        answer = engine.send("name", None)
        sent = b""
        for piece in pieces[:-1]:
            sent += piece
            await until(partial(came.endswith, sent), "a piece of an answer")
            assert not answer.done()
            engine.tell("# go on")
        assert await answer == Response(True, "A\n1\n B", 1)
        assert await engine.ask("name", PATIENCE) == Response(False, "", 2)

    run(scene, scripted(f"{code}\ninput(); say('?2\\n\\n')"))
