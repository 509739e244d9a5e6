"""One engine process, and all faults of an engine."""

import asyncio
import os
import re
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest

from gtp_engine.gtp.client import blocking, process
from gtp_engine.gtp.client.blocking import BlockingEngine, LentLoop
from gtp_engine.gtp.client.faults import (
    BadProtocol,
    CannotStart,
    EngineDied,
    EngineFault,
    EngineSilent,
    OutOfMemory,
)
from gtp_engine.gtp.wire.response import Response
from support.processes import is_gone
from support.starting import python_command, robble_command
from support.waiting import PATIENCE, wait_until

PLENTY = PATIENCE  # seconds for an engine that will answer
SOON = 0.4  # seconds for one that will not


def rogue(fault: str, *options: str, **keywords) -> BlockingEngine:
    """A small engine of Robble with a fault."""
    return BlockingEngine(robble_command(fault, *options), **keywords)


def scripted(code: str, **keywords) -> BlockingEngine:
    """An engine of some lines of Python; `print` flushes."""
    start = (
        "import os, sys, time; from functools import partial; print = partial(print, flush=True)"
    )
    return BlockingEngine(python_command("-c", f"{start}\n{code}"), **keywords)


def test_answers_and_conversation():
    with rogue("none") as engine:
        assert engine.alive
        answer = engine.ask("name", PLENTY)
        assert answer.response == Response(True, "Small Robble", 1)
        assert 0 < answer.seconds < PLENTY
        assert engine.ask("play b z9", PLENTY).response.text == "invalid color or coordinate"
        assert engine.ask("play b a1", None).response.success
        text = engine.ask("showboard", PLENTY).response.text
        assert text.startswith("w to move\n")
        assert engine.conversation[:6] == (
            "> 1 name",
            "< =1 Small Robble",
            "> 2 play b z9",
            "< ?2 invalid color or coordinate",
            "> 3 play b a1",
            "< =3",
        )
        assert engine.conversation[7:] == tuple(f"< {line}" for line in ("=4 " + text).split("\n"))
    assert not engine.alive
    assert is_gone(engine.pid)


def test_the_conversation_has_an_end():
    with rogue("none", tail=4) as engine:
        for _ in range(3):
            engine.ask("name", PLENTY)
        assert engine.conversation == (
            "> 2 name",
            "< =2 Small Robble",
            "> 3 name",
            "< =3 Small Robble",
        )
        engine.ask("version " + "x" * 10_000, PLENTY)
        assert len(engine.conversation[2]) == 500


FAULTS = [
    ("die", EngineDied, "the engine exited with status 7 at `genmove b`"),
    (
        "die-mid-word",
        EngineDied,
        "the engine was ended by the system or another program (SIGKILL) within its response to "
        "`genmove b`: `=3 C",
    ),
    (
        "garbage",
        BadProtocol,
        "the engine sent an invalid response to `genmove b`: `thinking \ufffd\ufffd hard",
    ),
    ("silent", EngineSilent, "the engine did not respond in time to `genmove b`"),
    ("wrong-id", BadProtocol, "the engine answered `genmove b` with another id: `=4711 "),
    (
        "endless-lines",
        BadProtocol,
        "the engine sent a response of more than 16777216 bytes to `genmove b`",
    ),
    ("endless-line", BadProtocol, "the engine sent a line of more than 1048576 bytes"),
    ("fork-and-die", EngineDied, "the engine exited with status 7 at `genmove b`"),
    ("close-output", EngineDied, "the engine closed its output at `genmove b`"),
]


def test_a_crash_is_called_a_crash():
    said = pytest.raises(CannotStart, match=r"the engine crashed \(SIGSEGV\) before its first")
    with scripted("input(); os.kill(os.getpid(), 11)") as engine, said:
        engine.ask("name", PLENTY)


@pytest.mark.parametrize(("fault", "kind", "sentence"), FAULTS, ids=[each[0] for each in FAULTS])
def test_faults_are_told_apart(fault, kind, sentence, monkeypatch):
    if fault == "close-output":  # and goes on without it
        monkeypatch.setattr(process, "_LAST_WORDS", 0.1)
    with rogue(fault) as engine:
        engine.ask("boardsize 5", PLENTY)
        engine.ask("clear_board", PLENTY)
        with pytest.raises(kind) as caught:
            engine.ask("genmove b", SOON if fault == "silent" else PLENTY)
        assert str(caught.value).startswith(sentence)
        with pytest.raises(kind) as again:
            engine.ask("name", PLENTY)
        assert again.value is caught.value
        assert "> 3 genmove b" in engine.conversation
    assert is_gone(engine.pid)


@pytest.mark.parametrize(
    ("fault", "kind", "sentence"),
    [
        ("answer-twice", BadProtocol, "the engine sent an unexpected line: `=1 "),
        ("stop-reading", EngineSilent, "the engine did not respond in time to `reg_genmove w`"),
        ("close-input", EngineDied, "the engine closed its input at `reg_genmove w`"),
    ],
)
def test_faults_that_show_at_the_next_command(fault, kind, sentence, monkeypatch):
    monkeypatch.setattr(process, "_LAST_WORDS", 0.1)  # it goes on without its input
    with rogue(fault) as engine:
        assert engine.ask("genmove b", PLENTY).response.success
        with pytest.raises(kind) as caught:
            engine.ask("reg_genmove w", PLENTY if kind is not EngineSilent else SOON)
        assert str(caught.value).startswith(sentence)


def test_a_response_without_id():
    with rogue("no-ids") as engine:
        with pytest.raises(BadProtocol, match="answered `name` with another id: `= Small Robble`"):
            engine.ask("name", PLENTY)
        assert not engine.alive


def test_a_second_answer_that_comes_with_the_next():
    code = 'input(); print("=1\\n"); input(); print("=1 again\\n\\n=2\\n"); input()'
    with scripted(code) as engine:
        engine.ask("name", PLENTY)
        with pytest.raises(BadProtocol, match="answered `name` with another id: `=1 again"):
            engine.ask("name", PLENTY)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("no-such-program-at-all", "no-such-program-at-all: No such file"),
        ("/", "/: Permission denied"),
        ("", "the command is empty"),
        ("'unfinished", "No closing quotation"),
        ("a\0b", "embedded null byte"),
    ],
)
def test_what_cannot_be_started(command, sentence):
    with pytest.raises(CannotStart) as caught:
        BlockingEngine(command)
    assert str(caught.value).startswith(f"the engine cannot be started: {sentence}")


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(CannotStart, match="No such file"):
        BlockingEngine("true", folder=tmp_path / "nowhere")


def test_an_engine_that_crashes_at_start_never_started():
    with pytest.raises(CannotStart) as caught, rogue("crash-at-start") as engine:
        engine.ask("name", PLENTY)
    assert str(caught.value) == (
        "the engine exited with status 3 before its first response; "
        "its log says: rogue: cannot read the weights"
    )


def test_an_engine_that_speaks_before_it_is_asked_cannot_be_started(monkeypatch):
    """How soon its words come decides where they are noticed: here at once."""

    async def start(self):
        raise BadProtocol("the engine wrote `Welcome`")

    monkeypatch.setattr(process.EngineProcess, "start", start)
    with pytest.raises(CannotStart, match="the engine wrote `Welcome`"):
        BlockingEngine("cat")


def test_what_an_engine_logs_that_does_not_get_ready():
    with scripted('sys.stderr.write("loading\\n"); input(); time.sleep(1000)') as engine:
        wait_until(lambda: "! loading" in engine.conversation)
        with pytest.raises(EngineSilent) as caught:
            engine.ask("name", SOON)
        assert str(caught.value) == (
            "the engine did not respond in time to `name`; its log says: loading"
        )


def test_folder_and_environment(tmp_path):
    code = 'input()\nprint("=1", os.getcwd(), os.environ["ENGINE_TEST"], os.environ["PATH"], "\\n")'
    with scripted(code, folder=tmp_path, environment={"ENGINE_TEST": "abc"}) as engine:
        text = engine.ask("name", PLENTY).response.text
    assert text == f"{tmp_path.resolve()} abc {os.environ['PATH']} "


def test_a_path_to_an_engine_is_relative_to_us(tmp_path, monkeypatch):
    program = tmp_path / "engine"
    program.write_text("#!/bin/sh\nread line\necho '=1 here'\necho\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path.parent)
    with BlockingEngine(f"{tmp_path.name}/engine", folder=Path("/")) as engine:
        assert engine.ask("name", PLENTY).response.text == "here"


def test_a_million_lines_of_log_cost_no_line_of_the_conversation():
    with rogue("flood-stderr") as engine:
        assert engine.ask("genmove b", PLENTY).response.success
        engine.ask("name", PLENTY)
        # The rest of the log may come after the answer.
        wait_until(lambda: f"! line {10**6 - 1} of my log" in engine.conversation)
        said = [line for line in engine.conversation if line[0] != "!"]
        logged = [line for line in engine.conversation if line[0] == "!"]
    assert said[0] == "> 1 genmove b"
    assert said[2:] == ["> 2 name", "< =2 Small Robble"]
    assert logged == [f"! line {number} of my log" for number in range(10**6 - 50, 10**6)]


def test_a_log_is_read_while_nobody_asks():
    """An engine is not held up by its log while its opponent thinks."""
    with scripted('for n in range(50): sys.stderr.write("x" * 99_999 + "\\n")\ninput()') as engine:
        wait_until(lambda: len(engine.conversation) == 50)
        assert engine.conversation == ("! " + "x" * 498,) * 50


def test_an_answer_is_taken_in_the_thread_that_asks():
    with rogue("none") as engine:
        engine.ask("name", PLENTY)
        threads = []
        engine._engine.record = lambda sign, data: threads.append(threading.current_thread())
        for _ in range(20):
            engine.ask("name", PLENTY)
        assert threads == [threading.current_thread()] * 40


def test_a_loop_is_lent_to_all_who_call(monkeypatch):
    """Its own thread, which takes it at once when nobody has it, holds nobody up."""
    monkeypatch.setattr(blocking, "_MOMENT", 0)
    lent = LentLoop()

    def call(number: int) -> int:
        return lent.run(asyncio.sleep(0, number))

    with ThreadPoolExecutor(3) as callers:
        assert list(callers.map(call, range(300))) == list(range(300))
    done = threading.Event()
    lent.call(done.set)
    wait_until(done.is_set)
    lent.close()
    lent.call(done.clear)
    assert done.is_set()


@pytest.mark.parametrize("head", ["=hello", "=1x", "ok", "hello =1", " =1"])
def test_what_is_no_response(head):
    with scripted(f'input(); print("{head}\\n"); input()') as engine:
        with pytest.raises(BadProtocol, match=f"sent an invalid response to `name`: `{head}"):
            engine.ask("name", PLENTY)
        assert f"< {head}" in engine.conversation


def test_an_engine_that_never_reads_does_not_block():
    with scripted("time.sleep(1000)") as engine, pytest.raises(EngineSilent):
        engine.ask("name " + "x" * 10**6, SOON)
    assert is_gone(engine.pid)


def test_a_line_larger_than_the_pipe_arrives():
    with scripted('line = input(); print("=1", len(line), "\\n")') as engine:
        text = engine.ask("name " + "x" * 10**6, PLENTY).response.text
        assert text.strip() == str(10**6 + len("1 name "))


def test_the_rogue_misbehaves_once_in_the_turn_and_game_that_it_is_told(tmp_path):
    options = ("--at", "2", "--games", "2", "--once", str(tmp_path / "done"))
    colors = "bwbw"
    for lasts in (5, 8):
        with rogue("garbage", *options) as engine:
            asked = 0
            with pytest.raises(BadProtocol) if lasts == 5 else nullcontext():
                for _ in range(2):
                    engine.ask("clear_board", PLENTY)
                    for color in colors:
                        engine.ask(f"genmove {color}", PLENTY)
                        asked += 1
            assert asked == lasts


def test_more_than_one_line_is_refused():
    with rogue("none") as engine, pytest.raises(ValueError, match="more than one line"):
        engine.ask("name\nname", PLENTY)


def test_lines_without_answer():
    with rogue("none") as engine:
        engine.tell("# a comment")
        engine.tell("")
        assert engine.ask("name", PLENTY).response.text == "Small Robble"


def test_a_line_as_it_stands():
    with rogue("none") as engine:
        assert engine.ask_verbatim("007 name", PLENTY).response == Response(True, "Small Robble", 7)
        assert engine.ask_verbatim("name", PLENTY).response == Response(True, "Small Robble")


@pytest.mark.parametrize("limit", [200, 100_000])
def test_memory_of_the_whole_family(limit):
    pytest.importorskip("psutil")
    with rogue("eat-memory", memory=limit) as engine:
        kind, timeout = (OutOfMemory, PLENTY) if limit == 200 else (EngineSilent, SOON)
        engine.ask("name", PLENTY)
        with pytest.raises(kind) as caught:
            engine.ask("genmove b", timeout)
        if limit == 200:
            assert re.fullmatch(r"the engine uses \d+ MiB; its limit is 200 MiB", str(caught.value))


def test_a_limit_of_memory_needs_psutil(monkeypatch):
    monkeypatch.setitem(sys.modules, "psutil", None)
    with pytest.raises(CannotStart, match="needs psutil"):
        BlockingEngine("true", memory=100)


@pytest.mark.parametrize("timeout", [0.0, 0.3])
def test_an_engine_that_ignores_quit_is_ended(timeout):
    engine = rogue("ignore-quit")
    engine.ask("name", PLENTY)
    engine.close(timeout)
    assert is_gone(engine.pid)
    engine.close(timeout)


@pytest.mark.parametrize("fault", ["fork-child", "fork-and-die"])
def test_children_end_with_the_engine(fault):
    with rogue(fault) as engine:
        engine.ask("name", PLENTY)
        dies = pytest.raises(EngineDied) if fault == "fork-and-die" else nullcontext()
        with dies:
            engine.ask("genmove b", PLENTY)
        child = next(line for line in engine.conversation if "! rogue: child" in line)
    wait_until(lambda: is_gone(int(child.split()[-1])))
    assert is_gone(engine.pid)


def test_a_child_in_a_group_of_its_own_ends_too():
    code = (
        "pid = os.fork()\n"
        "if pid == 0: os.setpgid(0, 0); time.sleep(1000)\n"
        'input(); print("=1", pid, "\\n")'
    )
    with scripted(code) as engine:
        child = int(engine.ask("name", PLENTY).response.text)
    wait_until(lambda: is_gone(child))


def test_a_child_that_left_the_session_ends_too():
    code = (
        "pid = os.fork()\n"
        "if pid == 0: os.setsid(); time.sleep(1000)\n"
        'input(); print("=1", pid, "\\n", flush=True); input()'  # there until it is told to quit
    )
    with scripted(code) as engine:
        child = int(engine.ask("name", PLENTY).response.text)
    wait_until(lambda: is_gone(child))


def test_an_engine_that_ends_well_has_the_time_for_it(tmp_path):
    """Its last words, and a file that it saves, are not lost."""
    code = (
        "for line in sys.stdin: pass\n"
        'sys.stderr.write("x" * 200_000 + "\\n"); time.sleep(0.1); open("saved", "w")\n'
        'sys.stderr.write("saved\\n")'
    )
    engine = scripted(code, folder=tmp_path)
    engine.close(PLENTY)
    assert (tmp_path / "saved").exists()
    assert engine.conversation == ("> quit", "! " + "x" * 498, "! saved")


def test_a_closed_engine_is_said_so():
    engine = rogue("none")
    engine.close()
    with pytest.raises(EngineDied, match="the engine was closed"):
        engine.ask("name", PLENTY)


def test_kill_from_another_thread():
    with rogue("silent") as engine:
        engine.ask("name", PLENTY)

        def kill() -> None:
            wait_until(lambda: "> 2 genmove b" in engine.conversation)
            engine.kill()

        killing = threading.Thread(target=kill)
        killing.start()
        with pytest.raises(EngineDied, match="the engine was killed"):
            engine.ask("genmove b", PLENTY)
        killing.join()
    engine.kill()


def test_no_descriptor_is_left_open():
    rogue("none").close()  # the event loop has some
    before = set(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with rogue("die") as engine, pytest.raises(EngineFault):
            engine.ask("genmove b", PLENTY)
    with pytest.raises(CannotStart):
        BlockingEngine("no-such-program-at-all")
    assert set(os.listdir("/proc/self/fd")) == before
