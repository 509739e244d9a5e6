"""Ends a test that hangs, with its process and all children. A plugin of pytest.

The limit is 180 seconds of an idle machine: while more processes want to run than there are
processors, time counts less. The threads' tracebacks say where the test hung; pytest-xdist then
starts another worker.
"""

import faulthandler
import os
import sys
import threading
from contextlib import suppress

import pytest

LIMIT = 180.0
_LOOK = 1.0
_STATUS = 3


class Watch:
    """Counts the seconds of the running test, as an idle machine would have them."""

    def __init__(self, stderr: int) -> None:
        self._stderr = stderr
        self._test = ""
        self._left = 0.0
        threading.Thread(target=self._look, daemon=True, name="hung").start()

    def begin(self, test: str) -> None:
        """A test begins."""
        self._left, self._test = LIMIT, test

    def end(self) -> None:
        """It has ended."""
        self._test = ""

    def _look(self) -> None:
        pause = threading.Event()
        while not pause.wait(_LOOK):
            if self._test:
                self._left -= _LOOK / crowding()
                if self._left < 0:
                    self._finish()

    def _finish(self) -> None:
        os.write(self._stderr, f"\n{self._test} hangs\n".encode())
        faulthandler.dump_traceback(self._stderr)
        end_children()
        os._exit(_STATUS)


def crowding() -> float:
    """How many processes share a processor, at least 1."""
    try:
        return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    except (AttributeError, OSError):  # Windows does not tell
        return 1.0


def end_children() -> None:
    """Kill all processes that this one has started, directly or not."""
    try:
        import psutil
    except ModuleNotFoundError:
        return
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            child.kill()


def pytest_configure(config):
    if not sys.gettrace() and not config.option.usepdb:  # nobody waits at a prompt
        config.stash[_WATCH] = Watch(os.dup(sys.__stderr__.fileno()))


_WATCH = pytest.StashKey[Watch]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    watch = item.config.stash.get(_WATCH, None)
    if watch is None:
        return (yield)
    watch.begin(item.nodeid)
    try:
        return (yield)
    finally:
        watch.end()
