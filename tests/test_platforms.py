"""Differences between systems: the tests also try the portable ways here, if possible."""

import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from starting import engine_command

from gtp_engine import platforms
from gtp_engine.gtp.process import EngineDied, EngineProcess
from gtp_engine.platforms import PipeEnd, locked_folder, pipe_end, split_command

PLENTY = 20.0  # seconds for what must happen


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


@pytest.fixture(params=[True, False], ids=["pipes", "sockets"])
def selectable(request, monkeypatch):
    """Both ways to wait for a child process: on its pipes, and on sockets as Windows needs it."""
    if sys.platform == "win32" and request.param:
        pytest.skip("a selector cannot wait for pipes here")
    monkeypatch.setattr(platforms, "PIPES_ARE_SELECTABLE", request.param)


@pytest.fixture
def started():
    """Starts a program of a few lines; what it was started with ends with the test."""
    processes = []

    def start(code: str) -> tuple[PipeEnd, PipeEnd, subprocess.Popen]:
        process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        processes.append(process)
        return pipe_end(process.stdin, True), pipe_end(process.stdout, False), process

    yield start
    for process in processes:
        process.kill()
        process.wait()


def patiently(action, *arguments):
    """What a pipe gives in the end."""
    deadline = time.monotonic() + PLENTY
    while True:
        try:
            return action(*arguments)
        except BlockingIOError:
            assert time.monotonic() < deadline
            time.sleep(0.001)


def flood(write) -> None:
    """Write until that fails."""
    while True:
        write(b"x" * 2**16)


@pytest.mark.usefixtures("selectable")
def test_much_goes_to_a_process_and_back(started):
    source, sink, process = started(
        "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])"
    )
    sent = bytes(range(256)) * 4000
    left = sent
    while left:
        left = left[patiently(source.write, left) :]
    with pytest.raises(BlockingIOError):
        sink.read()
    source.close()
    got = b""
    while chunk := patiently(sink.read):
        got += chunk
    assert got == sent[::-1]
    assert process.wait(PLENTY) == 0
    sink.close()


@pytest.mark.usefixtures("selectable")
def test_a_process_that_does_not_read_blocks_nobody(started):
    source, sink, process = started("import time; time.sleep(1000)")
    with pytest.raises(BlockingIOError):
        flood(source.write)
    process.kill()
    assert patiently(sink.read) == b""
    with pytest.raises(ConnectionError):
        flood(partial(patiently, source.write))
    source.close()
    sink.close()


@pytest.mark.usefixtures("selectable")
def test_an_engine_is_asked_and_ended():
    with EngineProcess(engine_command("--game", "robble", "--size", "5")) as engine:
        assert engine.ask("name", PLENTY).response.text == "Patchpie"
        assert engine.ask("showboard", PLENTY).response.text.startswith("Robble 5x5\n")
        engine.kill()
        with pytest.raises(EngineDied):
            engine.ask("name", PLENTY)
    assert not engine.alive


HOLD = """
import sys
from pathlib import Path
from gtp_engine.platforms import locked_folder
with locked_folder(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_one_process_at_a_time_holds_a_folder(tmp_path):
    other = subprocess.Popen(
        [sys.executable, "-P", "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert other.stdout.readline().strip() == b"held"
    with pytest.raises(BlockingIOError), locked_folder(tmp_path):
        pass
    other.kill()
    other.communicate()
    with locked_folder(tmp_path):
        assert list(tmp_path.iterdir()) == []
