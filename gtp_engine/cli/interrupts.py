"""Ctrl-C and SIGTERM for long-running tools, and a stdout that nobody reads."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from gtp_engine.signals import handled, stopping_too


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, so that the tool can keep its results."""
    interrupt = threading.Event()
    with handled(lambda *_: interrupt.set(), [signal.SIGINT]):
        yield interrupt


@contextmanager
def terminable() -> Iterator[None]:
    """Within the block SIGTERM raises KeyboardInterrupt, so that child processes are ended."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    with handled(interrupt, [signal.SIGTERM]):
        yield


@contextmanager
def engines_stop_too() -> Iterator[None]:
    """Within the block Ctrl-Z stops the engines of this process, too, and `fg` lets them go on."""

    def stop() -> None:
        from gtp_engine.gtp.child import stop_all  # slow to import, for a tool without engines

        stop_all()

    def go_on() -> None:
        from gtp_engine.gtp.child import continue_all

        continue_all()

    with stopping_too(stop, go_on):
        yield


def discard_stdout() -> None:
    """Send all further output nowhere, because stdout cannot be written to any more.

    Otherwise Python would fail once more when it flushes stdout at its end.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
