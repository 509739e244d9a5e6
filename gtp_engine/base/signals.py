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

EndIfDeaf = Callable[[int, int, float], None]
"""Watches a descriptor for the number of a signal, and ends the process some seconds after it."""

_told: int | None = None  # the descriptor that gets the numbers of signals, until it is watched


def end_although_deaf() -> None:
    """From now on SIGTERM ends this process within a second, also while it is in the kernel.

    Only for a process in which nothing is to be written at its end. `handled` suspends it for other
    handlers of SIGTERM. Only the main thread may call this, once.
    """
    global _told
    if sys.platform == "win32":
        return
    _told, tell = os.pipe()
    set_blocking(tell, False)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)


def watched_by(end_if_deaf: EndIfDeaf) -> None:
    """Let a kernel that was loaded watch this process, if it shall end although it is deaf."""
    global _told
    if _told is not None:
        end_if_deaf(_told, signal.SIGTERM, _ANSWER)
        _told = None


@contextmanager
def handled(
    handler: Callable[[int, object], None], numbers: Collection[int] = ENDING
) -> Iterator[None]:
    """Within the block these signals call the handler. Only the main thread may do this."""
    suspended = signal.set_wakeup_fd(-1) if signal.SIGTERM in numbers else -1
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
