"""Ends a test that hangs, with its process and all children. A plugin of pytest.

After its tests a process hangs where one of them has left a thread that never ends.

The limit is that of an idle machine: while more processes want to run than there are processors,
time counts less. The tracebacks of the threads say where the test hung; pytest-xdist then starts
another worker. Where a worker is killed, or crashes, its children are ended, too.
"""

import faulthandler
import os
import sys
import threading
from contextlib import suppress

import pytest

from gtp_engine.base.affinity import processor_count

LIMIT = 180.0
"""Seconds of a test, on an idle machine."""

MOST_CROWDED = 8.0
"""However many processes there are, the limit is at most so many times as long."""

_LOOKS = 100
_STATUS = 3


class Watch:
    """Counts the seconds of the running test, as an idle machine would have them."""

    def __init__(self, limit: float, stderr: int) -> None:
        self._limit, self._stderr = limit, stderr
        self._look = min(1.0, limit / _LOOKS)
        self._test = self._last = ""
        self._left = limit
        threading.Thread(target=self._watch, daemon=True, name="hung").start()

    def begin(self, test: str) -> None:
        """A test begins."""
        self._left, self._test, self._last = self._limit, test, test

    def begin_exit(self) -> None:
        """The tests are over, and the process waits for threads that they have left."""
        if self._last:
            self.begin(self._last)

    def end(self) -> None:
        """It has ended."""
        self._test = ""

    def _watch(self) -> None:
        pause = threading.Event()
        while not pause.wait(self._look):
            # Ends the process if this thread never comes again, because other code keeps the GIL.
            last = self._limit * MOST_CROWDED
            faulthandler.dump_traceback_later(last, exit=True, file=self._stderr)
            test = self._test
            if test:
                self._left -= self._look / crowding()
                if self._left < 0:
                    self._finish(test)

    def _finish(self, test: str) -> None:
        os.write(self._stderr, f"\n{test} hangs\n".encode())
        faulthandler.dump_traceback(self._stderr)
        end_children()
        os._exit(_STATUS)


def crowding() -> float:
    """How many processes share a processor, from 1 to MOST_CROWDED."""
    try:
        return min(MOST_CROWDED, max(1.0, os.getloadavg()[0] / processor_count()))
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


def end_those_of(worker: str, session: str) -> None:
    """Kill what a worker has left: whatever it started has its name, and that of the session."""
    try:
        import psutil
    except ModuleNotFoundError:
        return
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            found = process.environ()
            names = found.get("PYTEST_XDIST_WORKER"), found.get("PYTEST_XDIST_TESTRUNUID")
            if names == (worker, session):
                process.kill()


def pytest_addoption(parser):
    parser.addoption(
        "--longest-test",
        type=float,
        default=LIMIT,
        metavar="SECONDS",
        help="when a test hangs, on an idle machine (default: %(default)g)",
    )


def pytest_configure(config):
    if not sys.gettrace() and not config.option.usepdb:  # nobody waits at a prompt
        limit = config.option.longest_test
        config.stash[_WATCH] = Watch(limit, os.dup(sys.__stderr__.fileno()))


def pytest_unconfigure(config):
    if watch := config.stash.get(_WATCH, None):
        watch.begin_exit()


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


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    if error:
        end_those_of(node.gateway.id, node.workerinput["testrunuid"])
