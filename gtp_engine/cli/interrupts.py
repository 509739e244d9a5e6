"""Ctrl-C and SIGTERM for tools that work long."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets; what has been found by then is not lost."""
    interrupt = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: interrupt.set())
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM raises KeyboardInterrupt, so that what was started is ended, too."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
