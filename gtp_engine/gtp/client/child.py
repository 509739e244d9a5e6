"""A process with everything that it starts, in an event loop: bytes in, bytes out, and its end."""

import asyncio
import atexit
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from gtp_engine.base import platforms
from gtp_engine.base.affinity import bind_started, inherited
from gtp_engine.base.platforms import (
    detached,
    enlarge_pipe,
    kill_group,
    lower_priority,
    split_command,
)
from gtp_engine.gtp.client.pipes import PipeWriter, pipe_reader, pipe_writer
from gtp_engine.gtp.client.usage import FamilyUsage, Usage

_GUARD = Path(__file__).with_name("guard.py")
_REAPING = 5.0  # seconds for the system to end killed processes
_MOMENT = 0.5  # seconds for the guard to exit after its last word
_LAST_OUTPUT = 0.1  # seconds to read the last output, where threads read


_living: "set[Child]" = set()


def stop_all() -> None:
    """Stop all processes of living children, until `continue_all`. Not on Windows."""
    for child in list(_living):
        child._keeper.pass_on("SIGSTOP")


def continue_all() -> None:
    """Let all processes of living children go on."""
    for child in list(_living):
        child._keeper.pass_on("SIGCONT")


class Hooks(NamedTuple):
    """What a process calls in the event loop.

    start        -- it runs, or the system refused to start it
    output, log  -- it wrote to its stdout or stderr; empty at the end of either
    input_closed -- it does not read its stdin any more
    exit         -- it has ended, and all its output was taken
    """

    start: Callable[[OSError | None], None]
    output: Callable[[bytes], None]
    log: Callable[[bytes], None]
    input_closed: Callable[[], None]
    exit: Callable[[], None]


class Running(Protocol):
    """What runs an engine: a process, or whatever a browser or a test has in its place.

    It calls its hooks in the event loop. `memory` may be 0, and `usage` empty, where nobody knows.

    pid    -- a number for people, None before it runs
    status -- its exit status, negative for a signal; None while it runs, or if nobody knows it
    input  -- our end of its stdin
    gone   -- done when nothing is left of it
    """

    pid: int | None
    status: int | None
    input: PipeWriter
    gone: asyncio.Future[None]

    def terminate(self) -> None:
        """Ask it to end."""
        ...

    def kill(self) -> None:
        """End it at once; `gone` tells when that has happened."""
        ...

    async def end(self) -> None:
        """Kill what is left, and wait until it is gone."""
        ...

    def lower_priority(self) -> None:
        """Let other work go first; it must run."""
        ...

    def memory(self) -> int:
        """Its resident memory in MiB."""
        ...

    def usage(self) -> Usage:
        """Its processor time so far; it must run."""
        ...


Command = str | Sequence[str]
"""How a process is started: a command line, or its words."""

Launch = Command | Callable[[Hooks], Running]
"""How an engine is started: the command of a process, or a function that starts it."""


class Child:
    """A started process and all its descendants; a `Running`.

    A guard (`guard.py`) starts the process. When the process ends, when we end it, or when we are
    killed, the guard kills what is left: on Linux everything that the process started, on macOS its
    process group. On Windows there is no guard: `end` kills the process alone, and if we are
    killed, it only sees the end of its input. Ctrl-C in our terminal does not reach it.

    pid    -- the number of the process, None before it runs
    status -- its exit status, negative for a signal; None while it runs, or if nobody knows it
    input  -- our end of its stdin
    gone   -- done when the process and its descendants have ended, and our descriptors are closed
    """

    def __init__(
        self,
        command: Command,
        hooks: Hooks,
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        show_log: bool = False,
        processors: Collection[int] = (),
    ) -> None:
        """Start a command in a folder, with additional environment variables.

        show_log   -- send its stderr to ours
        processors -- the only processors for it and its children; any if none are given

        Raises OSError or ValueError if it cannot be started.
        """
        words = split_command(command) if isinstance(command, str) else list(command)
        if not words:
            raise ValueError("the command is empty")
        self.pid: int | None = None
        self.status: int | None = None
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._hooks, self._processors = hooks, processors
        self._exited = False
        keep = _Guarded if platforms.GUARDS_PROCESSES else _Unguarded
        with inherited(processors):
            self._keeper = keep(
                self,
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if show_log else subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env={**os.environ, **(environment or {})},
            )
        _living.add(self)
        process = self._process = self._keeper.process
        assert process.stdin is not None
        assert process.stdout is not None
        self.input = pipe_writer(process.stdin, hooks.input_closed)
        self._readers = [pipe_reader(process.stdout, hooks.output)]
        if process.stderr is not None:
            enlarge_pipe(process.stderr)
            self._readers.append(pipe_reader(process.stderr, hooks.log))

    def terminate(self) -> None:
        """Ask the process to end: SIGTERM to its process group."""
        self._keeper.pass_on("SIGTERM")

    def kill(self) -> None:
        """End the process and its descendants at once; `gone` tells when that has happened."""
        self._keeper.kill()

    async def end(self) -> None:
        """Kill what is left, and wait until it is gone."""
        self.kill()
        await asyncio.wait([self.gone], timeout=_REAPING)
        if not self.gone.done():  # a process stuck in the system, or of another user
            self._vanished(None)

    def lower_priority(self) -> None:
        """See Running."""
        if self.pid is not None:
            lower_priority(self.pid)

    def memory(self) -> int:
        """The resident memory of the process and its children, in MiB. Needs psutil."""
        import psutil

        with suppress(psutil.Error):
            root = psutil.Process(self._process.pid)
            own = [] if platforms.GUARDS_PROCESSES else [root]
            return sum(map(_resident, [*own, *root.children(recursive=True)])) >> 20
        return 0

    def usage(self) -> Usage:
        """The processor time of the process and its children so far; it must run."""
        return self._usage.look()

    # What the keeper tells.

    def _runs(self, pid: int) -> None:
        self.pid = pid
        bind_started(pid, self._processors)
        self._usage = FamilyUsage(pid)
        self._hooks.start(None)

    def _ended(self, status: int | None) -> None:
        """The process has ended; its descendants are being killed."""
        if self._exited:
            return
        self._exited, self.status = True, status
        for reader in self._readers:
            reader.read_rest()
        self._hooks.exit()

    def _vanished(self, status: int | None) -> None:
        """Nothing is left of it."""
        if self.gone.done():
            return
        _living.discard(self)
        self._ended(status)
        self.input.close()
        for reader in self._readers:
            reader.close()
        self._keeper.close()
        self.gone.set_result(None)


class _Guarded:
    """A guard starts the process, and tells us of it."""

    def __init__(self, child: Child, words: list[str], **options: Any) -> None:
        self._child = child
        self._program = words[0]
        self._told = b""
        self._control, theirs = socket.socketpair()
        self._control.setblocking(False)
        guard = [sys.executable, "-I", "-S", str(_GUARD), str(theirs.fileno())]
        try:
            with theirs:
                self.process = subprocess.Popen(
                    guard + words, **options, **detached([theirs.fileno()])
                )
        except BaseException:  # Ctrl-C, too: the guard sees that nobody is there
            self._control.close()
            raise
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._control, self._hear)

    def pass_on(self, name: str) -> None:
        """Send a signal: see guard.py."""
        with suppress(OSError):
            self._control.send(bytes([signal.Signals[name]]))

    def kill(self) -> None:
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._loop.remove_reader(self._control)
        self._control.close()
        try:
            self.process.wait(_MOMENT)
        except subprocess.TimeoutExpired:  # it is stopped, or waits for a process that cannot end
            self.process.kill()
            if self._child.pid is not None:
                kill_group(self._child.pid)

    def _hear(self) -> None:
        """Take what the guard tells: see guard.py."""
        try:
            said = self._control.recv(2**10)
        except BlockingIOError:
            return
        except OSError:
            said = b""
        *numbers, self._told = (self._told + said).split(b"\n")
        for number in map(int, numbers):
            if self._child.pid is not None:
                self._child._ended(number)
            elif number > 0:
                self._child._runs(number)
            else:
                error = OSError(-number, os.strerror(-number), self._program)
                self._child._hooks.start(error)
        if not said:
            self._guard_ended()

    def _guard_ended(self) -> None:
        child = self._child
        if child.pid is not None and not child._exited:  # somebody has killed the guard
            kill_group(child.pid)
        child._vanished(None)


class _Unguarded:
    """The process is our child; a thread waits for its end."""

    def __init__(self, child: Child, words: list[str], **options: Any) -> None:
        self._child = child
        self._loop = asyncio.get_running_loop()
        self.process = subprocess.Popen(words, **options, **detached())
        atexit.register(self.process.kill)
        self._loop.call_soon(child._runs, self.process.pid)
        threading.Thread(target=self._watch, name="process", daemon=True).start()

    def pass_on(self, name: str) -> None:
        """Send a signal; Windows has only the one that ends a process."""
        if name == "SIGTERM":
            self.process.terminate()

    def kill(self) -> None:
        self.process.kill()

    def close(self) -> None:
        atexit.unregister(self.process.kill)

    def _watch(self) -> None:
        status = self.process.wait()
        time.sleep(_LAST_OUTPUT)
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._child._vanished, status)


def _resident(process: Any) -> int:
    with suppress(Exception):  # it may end at any moment
        return int(process.memory_info().rss)
    return 0
