"""A process in a session of its own, on pipes that never block us."""

import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from gtp_engine.gtp.affinity import bind_started, inherited
from gtp_engine.gtp.usage import FamilyUsage, Usage

_REAPING = 5.0  # seconds for the system to end a process that was killed
_PIPE_SIZE = 2**18  # not more: all pipes of a user share a limit


class Child:
    """A started process, and with it all that it starts.

    The process leads a session: Ctrl-C in our terminal does not reach it, and a signal to its
    group reaches the processes that it forked. It is not reaped before `end`, so that the number
    of its group stays its own. A process that outlives us by kill -9 is told so by the end of its
    input alone: a death signal would be bound to the thread that starts it.

    input, output, log -- file descriptors, non-blocking; `log` is None where it is shown
    """

    def __init__(
        self,
        command: str,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        show_log: bool = False,
        processors: Collection[int] = (),
    ) -> None:
        """Start a command line, in a folder, with more environment variables.

        show_log   -- leave its stderr to ours
        processors -- the only ones that it and all that it starts run on; any where none is given

        Raises OSError or ValueError where it cannot be started.
        """
        words = command_words(command)
        if not words:
            raise ValueError("the command is empty")
        with inherited(processors):
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if show_log else subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env={**os.environ, **(environment or {})},
                start_new_session=True,
            )
        self.pid = self._process.pid
        bind_started(self.pid, processors)
        self._lock = threading.Lock()
        self._reaped = False
        self._met: set[Any] = set()
        self._usage = FamilyUsage(self.pid)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._pipes = [pipe for pipe in pipes if pipe is not None]
        for pipe in self._pipes:
            os.set_blocking(pipe.fileno(), False)
        self.input, self.output, *log = (pipe.fileno() for pipe in self._pipes)
        self.log = log[0] if log else None
        if self.log is not None:
            _enlarge(self.log)

    def status(self) -> int | None:
        """What it exited with, negative for a signal; None while it runs."""
        if self._process.returncode is not None or not hasattr(os, "waitid"):
            return self._process.poll()
        with suppress(ChildProcessError):
            how = os.WEXITED | os.WNOHANG | os.WNOWAIT
            result = os.waitid(os.P_PID, self.pid, how)
            if result is None:
                return None
            return result.si_status if result.si_code == os.CLD_EXITED else -result.si_status
        return self._process.poll()

    def signal(self, number: int) -> None:
        """Send a signal to the process and all that it forked. Safe in any thread."""
        with self._lock, suppress(OSError):
            if not self._reaped:
                os.killpg(self.pid, number)

    def memory(self) -> int:
        """The resident memory of the process and what it started, in MiB. Needs psutil."""
        return sum(_resident(member) for member in self._family()) >> 20

    def usage(self) -> Usage:
        """What the process and all that it started have taken of the processors so far."""
        return self._usage.look()

    def close_input(self) -> None:
        """Tell the process that nothing more will come."""
        with suppress(OSError):
            self._pipes[0].close()

    def end(self) -> None:
        """Kill what is left of the process and what it started, and reap it. Never raises."""
        self.meet_family()
        self.signal(signal.SIGKILL)
        for member in self._met:
            with suppress(Exception):  # gone already; psutil's errors, where there is psutil
                member.kill()
        with self._lock, suppress(subprocess.TimeoutExpired):  # a process stuck in the system
            self._reaped = True
            self._process.wait(_REAPING)
        for pipe in self._pipes:
            with suppress(OSError):
                pipe.close()

    def meet_family(self) -> None:
        """Remember who is there: who leaves the session is not found when its parent has ended."""
        self._met |= self._family()

    def _family(self) -> set[Any]:
        """The process, its session and all below it, where psutil is installed."""
        family = set()
        with suppress(ImportError):
            import psutil

            for pid in psutil.pids():
                with suppress(OSError, psutil.Error):
                    if os.getsid(pid) == self.pid:
                        family.add(psutil.Process(pid))
            with suppress(psutil.Error):
                family.update(psutil.Process(self.pid).children(recursive=True))
        return family


def command_words(command: str) -> list[str]:
    """A command line cut into words; a relative path to the program made absolute.

    The engine may be started in another folder than the one where the path was written.
    Raises ValueError for an unfinished quotation.
    """
    words = shlex.split(command)
    if words and "/" in words[0]:
        words[0] = str(Path(words[0]).absolute())
    return words


def _resident(process: Any) -> int:
    with suppress(Exception):  # it may end at any moment
        return int(process.memory_info().rss)
    return 0


def _enlarge(pipe: int) -> None:
    """Room for what an engine logs while nobody reads it."""
    import fcntl

    with suppress(AttributeError, OSError):  # only Linux can, and only so often
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)
