"""Handlers of signals for a while."""

import os
import signal
import subprocess
import sys

import pytest

from gtp_engine.base.signals import ENDING, end_although_deaf, handled, stopping_too, watched_by
from gtp_engine.search.backends.kernel import kernel_built
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
import signal
from gtp_engine import __main__
from gtp_engine.cli import engine
from gtp_engine.rules import find_game
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.search.backends.kernel import kernel_for

def count_for_ever():
    signal.signal(signal.SIGTERM, lambda *_: None)
    position = kernel_for("pilo").Position(write_position(find_game("pilo").start(19)))
    print("deaf", flush=True)
    position.perft(30)

engine.main = count_for_ever
__main__.main()
"""
"""The engine, in whose place the kernel counts for ever and has the interpreter meanwhile."""


@pytest.mark.skipif(sys.platform == "win32", reason="no signal ends a process")
@pytest.mark.skipif(not kernel_built(), reason="needs the kernel")
def test_a_process_that_never_leaves_the_kernel_ends_on_sigterm_all_the_same():
    with subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"deaf\n"
            process.terminate()
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="no signal ends a process")
def test_another_handler_of_sigterm_has_all_its_time():
    watched = []
    try:
        end_although_deaf()
        watched_by(lambda *what: watched.append(what))
        watched_by(lambda *what: watched.append(what))
        ((told, number, seconds),) = watched
        assert number == signal.SIGTERM and 0 < seconds < 1
        os.set_blocking(told, False)
        with handled(lambda *_: None):
            os.kill(os.getpid(), signal.SIGTERM)
            with pytest.raises(BlockingIOError):
                os.read(told, 1)
        with handled(lambda *_: None, [signal.SIGINT]):
            os.kill(os.getpid(), signal.SIGINT)
        assert os.read(told, 9) == bytes([signal.SIGINT])
    finally:
        os.close(signal.set_wakeup_fd(-1))
        os.close(told)
