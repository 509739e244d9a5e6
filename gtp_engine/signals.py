"""Handlers of signals for a while."""

import os
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

ENDING = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and what `kill` sends."""


@contextmanager
def handled(
    handler: Callable[[int, object], None], numbers: Collection[int] = ENDING
) -> Iterator[None]:
    """Within the block these signals call the handler. Only the main thread may do this."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
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
