"""Handlers of signals for a while."""

import os
import signal
import sys

import pytest

from gtp_engine.signals import ENDING, handled, stopping_too


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
