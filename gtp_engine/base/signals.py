"""Handlers of signals for a while, and the end of a process that has become deaf to them.

Python runs a handler between two steps of its main thread. While that thread is in the kernel, or
another one there has the interpreter, no handler runs. But a pipe gets the number of each signal at
once, and a thread of the kernel, which needs no interpreter, ends the process after a while.
"""

import os
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from gtp_engine.base.platforms import set_blocking

ENDING = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and what `kill` sends."""

_ANSWER = 0.8  # seconds that a handler of SIGTERM has before the process ends without it

_KEEPING, _KEPT = b"\0", b"\xff"  # no numbers of signals: kernel/api/signal_watch.hpp reads them

EndIfDeaf = Callable[[int, int, float, int], None]
"""Watches a descriptor for the number of a signal, and ends the process some seconds after it."""


class _Watched:
    """How this process ends although it is deaf.

    told   -- the descriptor that gets the numbers of signals, until a kernel watches it
    tell   -- the other end of the pipe
    status -- the exit status
    """

    told: int | None = None
    tell: int | None = None
    status: int = 0


def end_although_deaf() -> None:
    """From now on SIGTERM ends this process within a second, also while it is in the kernel.

    `handled` suspends it for handlers that take longer. Only the main thread may call this, once.
    """
    if sys.platform == "win32":
        return
    _Watched.told, _Watched.tell = os.pipe()
    set_blocking(_Watched.tell, False)
    signal.set_wakeup_fd(_Watched.tell, warn_on_full_buffer=False)


def watched_by(end_if_deaf: EndIfDeaf) -> None:
    """Let a kernel that was loaded watch this process, if it shall end although it is deaf."""
    if _Watched.told is not None:
        end_if_deaf(_Watched.told, signal.SIGTERM, _ANSWER, _Watched.status)
        _Watched.told = None


def deaf_ends_with(status: int) -> None:
    """The exit status of a process that was deaf; for before the first kernel is loaded."""
    _Watched.status = status


@contextmanager
def keeping() -> Iterator[None]:
    """Within the block this process keeps its results, and has all the time that this takes.

    It must have left the kernel.
    """
    _say(_KEEPING)
    try:
        yield
    finally:
        _say(_KEPT)


def _say(byte: bytes) -> None:
    # Nobody reads the pipe before a kernel is loaded, and then nothing needs to be told.
    if _Watched.tell is not None and _Watched.told is None:
        os.write(_Watched.tell, byte)


@contextmanager
def handled(
    handler: Callable[[int, object], None],
    numbers: Collection[int] = ENDING,
    within_a_second: bool = False,
) -> Iterator[None]:
    """Within the block these signals call the handler. Only the main thread may do this.

    within_a_second -- whether a process that is watched ends all the same, unless it is `keeping`
    """
    suspends = signal.SIGTERM in numbers and not within_a_second
    suspended = signal.set_wakeup_fd(-1) if suspends else -1
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        if suspended != -1:
            signal.set_wakeup_fd(suspended, warn_on_full_buffer=False)
        for number, earlier in before.items():
            signal.signal(number, earlier)


@contextmanager
def stopping_too(stop: Callable[[], object], go_on: Callable[[], object]) -> Iterator[None]:
    """Within the block Ctrl-Z calls `stop` and stops this process, and `fg` then calls `go_on`.

    Only the main thread may do this. Nothing where Ctrl-Z is ignored or does not exist.
    """
    if sys.platform == "win32" or signal.getsignal(signal.SIGTSTP) is not signal.SIG_DFL:
        yield
        return

    def pause(number: int, frame: object) -> None:
        stop()
        os.kill(os.getpid(), signal.SIGSTOP)
        go_on()

    with handled(pause, [signal.SIGTSTP]):
        yield
