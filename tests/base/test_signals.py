"""Handlers of signals for a while."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gtp_engine.base.signals import (
    ENDING,
    _Watched,
    deaf_ends_with,
    end_although_deaf,
    handled,
    keeping,
    stopping_too,
    watched_by,
)
from gtp_engine.cli.interrupts import INTERRUPTED
from gtp_engine.search.backends.kernel import kernel_built
from support.thorough import only_if_all, thorough
from support.waiting import PATIENCE


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_is_handled_in_the_block_alone(number):
    heard, before = [], signal.getsignal(number)
    with handled(lambda number, frame: heard.append(number)):
        os.kill(os.getpid(), number)
    assert heard == [number]
    assert signal.getsignal(number) is before


def test_handlers_are_given_back_after_an_error():
    before = [signal.getsignal(number) for number in ENDING]
    with pytest.raises(ZeroDivisionError), handled(lambda *_: None):
        raise ZeroDivisionError
    assert [signal.getsignal(number) for number in ENDING] == before


@pytest.mark.skipif(sys.platform == "win32", reason="there is no Ctrl-Z")
def test_ctrl_z_stops_the_others_first_and_lets_them_go_on_last(monkeypatch):
    done, kill = [], os.kill
    before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    monkeypatch.setattr("os.kill", lambda pid, number: done.append(number))
    try:
        with stopping_too(lambda: done.append("stop"), lambda: done.append("go on")):
            kill(os.getpid(), signal.SIGTSTP)
        assert signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTSTP, before)
    assert done == ["stop", signal.SIGSTOP, "go on"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no Ctrl-Z")
def test_where_ctrl_z_is_ignored_it_stays_so():
    before = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
    try:
        with stopping_too(pytest.fail, pytest.fail):
            assert signal.getsignal(signal.SIGTSTP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTSTP, before)


DEAF = """
import ctypes
import os
import sys
from gtp_engine import __main__
from gtp_engine.rules import find_game
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.search.backends import kernel

_, how, *sys.argv = sys.argv

def deaf(*_, **__):
    position = kernel.kernel_for("pilo").Position(write_position(find_game("pilo").start(19)))
    os.write(2, b"deaf\\n")  # whole lines: several threads come here
    if how == "counts":
        position.perft(30)
    lock, with_interpreter = ctypes.create_string_buffer(256), ctypes.PyDLL(None)
    while True:
        with_interpreter.pthread_mutex_lock(lock)

kernel.KernelSolver.solve = kernel.KernelTree.search = deaf
kernel.KernelBackend.timed_games = kernel.KernelBackend.perft = deaf
raise SystemExit(__main__.main())
"""
"""The engine, whose kernel counts for ever, or waits for ever and keeps the interpreter."""

GAME = "(;FF[4]GAME[pilo]SZ[4]PIE[off];B[A1];W[B2];B[C3])"

ENDLESS = {
    "solve": "solve --game pilo --size 4 --method proof-numbers",
    "solve-table": "solve --game pilo --size 4 --method proof-numbers --table there.table",
    "swap-map": "swap-map pilo 4 --visits 10 --output there.map",
    "review": "review game.sgf -o page.html --visits 10",
    "review-folder": "review game.sgf -o pages/ --visits 10",
    "puzzles": "puzzles --game pilo --size 4 --games 1 --output there.json",
    "bench": "bench --game pilo --size 4 --seconds 0.1 --samples 1",
}


def end_of_deaf(how: str, words: str, folder: Path, request: bytes = b"") -> int:
    """The exit status of the engine, to which SIGTERM comes when its kernel does not come back."""
    (folder / "game.sgf").write_text(GAME)
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, "-c", DEAF, how, "gtp-engine", *words.split()]
    with subprocess.Popen(command, cwd=folder, **streams) as process:
        try:
            process.stdin.write(request)
            process.stdin.flush()
            for line in process.stderr:
                if line == b"deaf\n":
                    break
            process.terminate()
            return process.wait(PATIENCE)
        finally:
            process.kill()


needs_signals_and_kernel = pytest.mark.skipif(
    sys.platform == "win32" or not kernel_built(), reason="needs signals and the kernel"
)


@needs_signals_and_kernel
@pytest.mark.parametrize("how", ["counts", "keeps"])
def test_an_engine_that_never_leaves_the_kernel_ends_on_sigterm_all_the_same(how, tmp_path):
    words, request = "--game pilo --size 4 --visits 10", b"genmove b\n"
    assert end_of_deaf(how, words, tmp_path, request) == 0


@needs_signals_and_kernel
@pytest.mark.parametrize("how", ["counts", "keeps"])
def test_an_analysis_that_never_leaves_the_kernel_ends_on_sigterm_all_the_same(how, tmp_path):
    request = b'{"id":"1","game":"pilo","size":4,"moves":[],"maxVisits":10}\n'
    assert end_of_deaf(how, "analyze", tmp_path, request) == 0


@needs_signals_and_kernel
@pytest.mark.parametrize(
    ("tool", "how"),
    [
        ("solve", "keeps"),
        ("review", "counts"),
        *(
            only_if_all((tool, how))
            for tool in ENDLESS
            for how in ("counts", "keeps")
            if (tool, how) not in (("solve", "keeps"), ("review", "counts"))
        ),
    ],
)
def test_a_tool_that_never_leaves_the_kernel_ends_on_sigterm_all_the_same(tool, how, tmp_path):
    assert end_of_deaf(how, ENDLESS[tool], tmp_path) == INTERRUPTED


@pytest.mark.skipif(sys.platform == "win32", reason="no signal ends a process")
def test_another_handler_of_sigterm_has_all_its_time():
    with watched() as told:
        with handled(lambda *_: None):
            os.kill(os.getpid(), signal.SIGTERM)
            assert read(told) == b""
        with handled(lambda *_: None, [signal.SIGINT]):
            os.kill(os.getpid(), signal.SIGINT)
        assert read(told) == bytes([signal.SIGINT])


@pytest.mark.skipif(sys.platform == "win32", reason="no signal ends a process")
def test_a_tool_that_keeps_its_results_has_all_the_time_for_that():
    with watched() as told, handled(lambda *_: None, within_a_second=True):
        os.kill(os.getpid(), signal.SIGTERM)
        assert read(told) == bytes([signal.SIGTERM])
        with keeping():
            assert read(told) == b"\0"
        assert read(told) == b"\xff"


def test_who_is_not_watched_keeps_results_all_the_same():
    with keeping():
        pass


KEEPS = """
import os, signal, time
from gtp_engine.search.backends.kernel import kernel_for
from gtp_engine.base.signals import end_although_deaf, handled, keeping

end_although_deaf()
kernel_for("pilo")
with handled(lambda *_: None, within_a_second=True):
    with keeping():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(2)
        print("kept", flush=True)
    while True:
        time.sleep(60)
"""


@thorough
@needs_signals_and_kernel
def test_the_seconds_stand_while_results_are_kept():
    done = subprocess.run(
        [sys.executable, "-c", KEEPS], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout) == (0, "kept\n")


@contextmanager
def watched() -> Iterator[int]:
    """A process that is watched, with the descriptor that is told the signals."""
    watching = []
    deaf_ends_with(0)  # a test before may have run a tool here
    end_although_deaf()
    try:
        watched_by(lambda *what: watching.append(what))
        watched_by(lambda *what: watching.append(what))
        ((told, number, seconds, status),) = watching
        assert (number, status) == (signal.SIGTERM, 0) and 0 < seconds < 1
        os.set_blocking(told, False)
        yield told
    finally:
        os.close(signal.set_wakeup_fd(-1))
        os.close(watching[0][0])
        _Watched.tell = None


def read(descriptor: int) -> bytes:
    """What was written to a pipe; nothing if nothing was."""
    try:
        return os.read(descriptor, 9)
    except BlockingIOError:
        return b""
