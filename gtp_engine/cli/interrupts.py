"""Ctrl-C for tools that work long."""

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
