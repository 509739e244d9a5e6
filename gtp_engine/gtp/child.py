"""A process in its own session, on pipes that never block us."""

import atexit
import os
import signal
import subprocess
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from gtp_engine.affinity import bind_started, inherited
from gtp_engine.gtp.usage import FamilyUsage, Usage
from gtp_engine.platforms import (
    KILL,
    enlarge_pipe,
    exit_status,
    is_in_session,
    own_group,
    pipe_end,
    signal_group,
    split_command,
)
from gtp_engine.signals import handled

_REAPING = 5.0  # seconds for the system to end a killed process

_running: set["Child"] = set()
"""The processes that have not been ended: they end with us."""


class Child:
    """A started process with all its descendants.

    The process leads a session: Ctrl-C in our terminal does not reach it, and a signal to its group
    reaches the processes it forked. It is not reaped before `end`, so that the number of its group
    cannot be reused. When we exit, it is ended, too. If we are killed by kill -9, the process
    notices only the end of its input: a death signal would be tied to the thread that starts it.

    input, output, log -- our ends of its pipes; `log` is None if its stderr is ours
    """

    def __init__(
        self,
        command: str,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        show_log: bool = False,
        processors: Collection[int] = (),
    ) -> None:
        """Start a command line, in a folder, with additional environment variables.

        show_log   -- send its stderr to ours
        processors -- the only processors for it and its children; any if none are given

        Raises OSError or ValueError if it cannot be started.
        """
        words = split_command(command)
        if not words:
            raise ValueError("the command is empty")
        self._lock = threading.Lock()
        self._reaped = False
        self._met: set[Any] = set()
        with _signals_held(), inherited(processors):
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if show_log else subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env={**os.environ, **(environment or {})},
                **own_group(),
            )
            self.pid = self._process.pid
            bind_started(self.pid, processors)
            self._usage = FamilyUsage(self.pid)
            self._open_pipes()
            _running.add(self)

    def _open_pipes(self) -> None:
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        self.input, self.output = pipe_end(stdin, writes=True), pipe_end(stdout, writes=False)
        self.log = None if stderr is None else pipe_end(stderr, writes=False)
        if self.log is not None:
            enlarge_pipe(self.log)

    def status(self) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        return exit_status(self._process)

    def signal(self, number: int) -> None:
        """Send a signal to the process and everything it forked. Safe in any thread."""
        with self._lock, suppress(OSError):
            if not self._reaped:
                signal_group(self.pid, number)

    def memory(self) -> int:
        """The resident memory of the process and its children, in MiB. Needs psutil."""
        return sum(_resident(member) for member in self._family()) >> 20

    def usage(self) -> Usage:
        """The processor time of the process and its children so far."""
        return self._usage.look()

    def close_input(self) -> None:
        """Close its input."""
        with suppress(OSError):
            self.input.close()

    def end(self) -> None:
        """Kill the process and everything it started, and reap it. Never raises."""
        self.meet_family()
        self.signal(KILL)
        for member in self._met:
            with suppress(Exception):  # gone already; also psutil's errors
                member.kill()
        with self._lock, suppress(subprocess.TimeoutExpired):  # a process stuck in the system
            self._reaped = True
            self._process.wait(_REAPING)
        for pipe in (self.input, self.output, self.log):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        _running.discard(self)

    def meet_family(self) -> None:
        """Remember the children: one that leaves the session is lost when its parent ends."""
        self._met |= self._family()

    def _family(self) -> set[Any]:
        """The process, its session and all its descendants, if psutil is installed."""
        family = set()
        with suppress(ImportError):
            import psutil

            for pid in psutil.pids():
                with suppress(OSError, psutil.Error):
                    if is_in_session(pid, self.pid):
                        family.add(psutil.Process(pid))
            with suppress(psutil.Error):
                family.update(psutil.Process(self.pid).children(recursive=True))
        return family


def _resident(process: Any) -> int:
    with suppress(Exception):  # it may end at any moment
        return int(process.memory_info().rss)
    return 0


@contextmanager
def _signals_held() -> Iterator[None]:
    """Ctrl-C and SIGTERM wait for the end of the block.

    Otherwise KeyboardInterrupt could be raised when a process runs that nobody knows yet. Python
    runs handlers of signals in the main thread only.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    try:
        with handled(lambda number, _: held.append(number)):
            yield
    finally:
        for number in held:
            signal.raise_signal(number)


@atexit.register
def _end_all() -> None:
    """End the processes that nobody has ended, such as one whose start was interrupted."""
    for child in tuple(_running):
        child.end()
