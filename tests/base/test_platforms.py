"""Differences between systems: the tests also try the portable ways here, if possible."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_engine.base import platforms
from gtp_engine.base.platforms import locked_folder, split_command
from gtp_engine.gtp.client.blocking import BlockingEngine
from gtp_engine.gtp.client.faults import EngineDied
from gtp_engine.gtp.client.pipes import pipe_reader, pipe_writer
from support.starting import engine_command, running
from support.waiting import PATIENCE, until, waiting_for
from support.wire import is_full


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("", []),
        ("engine --level 3", ["engine", "--level", "3"]),
        ("engine 'two words' \"and 'more\"", ["engine", "two words", "and 'more"]),
        ("/a/b --c", ["/a/b", "--c"]),
        ("a/b", [str(Path("a/b").absolute())]),
        (r"/a\ b/c", ["/a b/c"]),
        ("engine # no comment", ["engine", "#", "no", "comment"]),
    ],
)
def test_command_lines_are_split_as_a_shell_does(command, words):
    assert split_command(command, backslash_escapes=True) == words


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (r"engine C:\games\net.weights", ["engine", r"C:\games\net.weights"]),
        (r"'C:\Program Files\engine.exe' -v", [r"C:\Program Files\engine.exe", "-v"]),
        (r'"C:\Program Files\engine.exe" -v', [r"C:\Program Files\engine.exe", "-v"]),
    ],
)
def test_backslashes_of_windows_stay(command, words):
    assert split_command(command, backslash_escapes=False) == words


def test_an_unfinished_quotation_is_refused():
    with pytest.raises(ValueError, match="No closing quotation"):
        split_command("engine 'a")


@pytest.fixture(params=[True, False], ids=["as-here", "as-on-windows"])
def portable(request, monkeypatch):
    """Both ways to wait for a process: in the event loop and with a guard, and with threads."""
    if sys.platform == "win32" and request.param:
        pytest.skip("an event loop cannot wait for pipes here")
    monkeypatch.setattr(platforms, "PIPES_ARE_SELECTABLE", request.param)
    monkeypatch.setattr(platforms, "GUARDS_PROCESSES", request.param)


def piped(code, scene):
    """Play a scene with the pipes of a program of a few lines, and what came out of it."""

    async def play():
        process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        came, ended, broken = bytearray(), asyncio.Event(), asyncio.Event()

        def take(chunk):
            came.extend(chunk)
            if not chunk:
                ended.set()

        reader = pipe_reader(process.stdout, take)
        writer = pipe_writer(process.stdin, broken.set)
        async with waiting_for(f"the end of {scene.__qualname__}"):
            try:
                await scene(process, writer, came, ended, broken)
            finally:
                process.kill()
                process.wait()
                writer.close()
                reader.close()

    asyncio.run(play())


@pytest.mark.usefixtures("portable")
def test_much_goes_to_a_process_and_back():
    sent = bytes(range(256)) * 4000

    async def scene(process, writer, came, ended, broken):
        writer.write(sent)
        await until(lambda: not writer.write(b""), "room in the pipe")
        writer.close()
        await ended.wait()
        assert came == sent[::-1]
        assert process.wait(PATIENCE) == 0

    piped("import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])", scene)


@pytest.mark.usefixtures("portable")
def test_a_process_that_does_not_read_blocks_nobody():
    async def scene(process, writer, came, ended, broken):
        writer.write(b"x" * 2**20)
        await until(lambda: is_full(process.stdin.fileno()), "a full pipe")
        assert writer.write(b"") > 0
        process.kill()
        await ended.wait()
        await broken.wait()
        writer.write(b"into the void")

    piped("import time; time.sleep(1000)", scene)


@pytest.mark.usefixtures("portable")
def test_an_engine_is_asked_and_ended():
    with BlockingEngine(engine_command("--game", "robble", "--size", "5")) as engine:
        assert engine.ask("name", PATIENCE).response.text == "Patchpie"
        assert engine.ask("showboard", PATIENCE).response.text.startswith("Robble 5x5\n")
        engine.kill()
        with pytest.raises(EngineDied):
            engine.ask("name", PATIENCE)
    assert not engine.alive


HOLD = """
import sys
from pathlib import Path
from gtp_engine.base.platforms import locked_folder
with locked_folder(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_one_process_at_a_time_holds_a_folder(tmp_path):
    words = [sys.executable, "-P", "-c", HOLD, str(tmp_path)]
    with running(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline().strip() == b"held"
        with pytest.raises(BlockingIOError), locked_folder(tmp_path):
            pass
    with locked_folder(tmp_path):
        assert list(tmp_path.iterdir()) == []
