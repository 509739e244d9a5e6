"""Engines in threads of the test's process, which start in a millisecond: `engines_in_threads`.

Only the process is replaced. Lines go through pipes, the engine has the inbox and the loop of the
product, and whoever talks to it, an `EngineProcess` or a `BlockingEngine`, notices nothing.

In place of a command a test may give `our_engine` with a fault: a function that starts a thread.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from tempfile import TemporaryFile
from typing import Any
from unittest import mock

from gtp_engine.base.platforms import split_command
from gtp_engine.cli.engine import TOOLS, parsed
from gtp_engine.engine.choosing import Pondering
from gtp_engine.gtp.client import process
from gtp_engine.gtp.client.child import Child, Command, Hooks, Running
from gtp_engine.gtp.client.pipes import pipe_reader, pipe_writer
from gtp_engine.gtp.client.usage import Usage
from gtp_engine.gtp.commands import registry
from gtp_engine.gtp.wire.inbox import Inbox
from gtp_engine.gtp.wire.line import parse_line
from gtp_engine.gtp.wire.loop import ResponsePipe, converse
from gtp_engine.gtp.wire.response import Response
from support.waiting import PATIENCE

KILLED, TERMINATED = -9, 0
"""Exit statuses: our engine ends with 0 on SIGTERM."""


class EngineInbox(Inbox):
    """The lines to an engine, until it is killed.

    over  -- set when it is killed
    takes -- looks at each line; whether the engine gets it
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor)
        self.over = threading.Event()
        self.takes: Callable[[str], bool] = lambda line: True

    def __iter__(self) -> Iterator[str]:
        for line in super().__iter__():
            if self.over.is_set():
                return
            if self.takes(line):
                yield line

    def kill(self) -> None:
        """End a search or a stream, and have no further lines."""
        self.over.set()
        self.interrupt.set()
        self.pending.set()


Write = Callable[[str], None]
Program = Callable[[EngineInbox, Write], int]
"""An engine: it takes the lines of its inbox, writes answers, and returns its exit status."""


@contextmanager
def engines_in_threads() -> Iterator[None]:
    """In the block, a command that starts our engine starts a thread, and no process.

    Other commands start processes, and so do those with a folder, variables or processors of their
    own. The block ends when all threads have ended.
    """
    with mock.patch.object(process, "Child", _start):
        yield
    while _threads:
        thread = _threads.pop()
        thread.join(PATIENCE)
        assert not thread.is_alive(), "an engine that was closed goes on"


_threads: list[threading.Thread] = []


def _start(command: Command, hooks: Hooks, **options: Any) -> Running:
    """What a Child is made by."""
    words = split_command(command) if isinstance(command, str) else list(command)
    match words:
        case [sys.executable, "-I" | "-P", "-m", "gtp_engine", *ours]:
            if not any(options.values()) and not {*ours[:1]} & {*TOOLS}:
                return our_engine(*ours)(hooks)
    return Child(command, hooks, **options)


# Engines -------------------------------------------------------------------------------------

Manner = Callable[[str], str | None]
"""What an engine does at a line: the text of another answer than its own, or None. It may raise
Dies or Hangs."""


class Dies(Exception):
    """An engine ends at a line.

    status -- its exit status
    said   -- what it still writes
    """

    def __init__(self, status: int, said: str = "") -> None:
        super().__init__(status)
        self.status, self.said = status, said


class Hangs(Exception):
    """An engine does nothing any more, until it is killed.

    begun -- set when it hangs
    """

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()


def our_engine(*options: str, manner: Manner = lambda line: None) -> Callable[[Hooks], Running]:
    """Starts our engine with options, and with a manner of its own."""
    return partial(EngineThread, our_program(*options, manner=manner))


def our_program(*options: str, manner: Manner = lambda line: None) -> Program:
    """What our engine does with its lines."""

    def run(inbox: EngineInbox, write: Write) -> int:
        def takes(line: str) -> bool:
            said = manner(line)
            if said is not None and (command := parse_line(line)) is not None:
                write(str(Response(True, said, command.id)))
            return said is None

        inbox.takes = takes
        session = parsed(options).session
        try:
            converse(registry(), session, inbox, write, Pondering(session).go_on)
        except Dies as death:
            write(death.said)
            return death.status
        except Hangs as hangs:
            hangs.begun.set()
            inbox.over.wait()
            return KILLED
        return 0

    return run


def fault_at(words: str, fault: Exception, number: int = 1) -> Manner:
    """The manner of an engine that has a fault once: at a line with some words.

    number -- of that line among those with the words, counted from 1

    The engine that starts in its place does not have it.
    """
    lines = count(1)

    def look(line: str) -> None:
        if words in line and next(lines) == number:
            raise fault

    return look


def talk_here(text: bytes, *options: str) -> bytes:
    """What our engine writes for an input that ends.

    Bytes go in and out through files; `support.wire.talk` asks a process.

    text -- at most 4 MiB: an inbox holds no more
    """
    with TemporaryFile() as stdin, TemporaryFile() as stdout:
        stdin.write(text)
        stdin.seek(0)
        inbox = EngineInbox(stdin.fileno())
        inbox.read()
        assert our_program(*options)(inbox, ResponsePipe(stdout.fileno()).write) == 0
        stdout.seek(0)
        return stdout.read()


def answers_here(text: bytes, *options: str) -> list[bytes]:
    """The answers of our engine to an input, without the empty lines between them."""
    output = talk_here(text, *options)
    assert output.endswith(b"\n\n")
    return output[:-2].split(b"\n\n")


class EngineThread:
    """An engine in a thread; a `Running`."""

    def __init__(self, program: Program, hooks: Hooks) -> None:
        self.pid: int | None = None
        self.status: int | None = None
        self._loop = asyncio.get_running_loop()
        self.gone: asyncio.Future[None] = self._loop.create_future()
        self._hooks = hooks
        stdin, to_stdin = os.pipe()
        from_stdout, stdout = os.pipe()
        self.input = pipe_writer(os.fdopen(to_stdin, "wb", 0), hooks.input_closed)
        self._reader = pipe_reader(os.fdopen(from_stdout, "rb", 0), hooks.output)
        self._inbox = EngineInbox(stdin)
        for work in (partial(self._run, program, stdout), partial(self._read, stdin)):
            thread = threading.Thread(target=work, name="engine", daemon=True)
            _threads.append(thread)
            thread.start()

    def terminate(self) -> None:
        """See Running."""
        self._end(TERMINATED)

    def kill(self) -> None:
        """See Running. The thread goes on until its search is interrupted, but nobody hears it."""
        self._end(KILLED)

    async def end(self) -> None:
        """See Running."""
        self.kill()

    def lower_priority(self) -> None:
        """All threads are equal."""

    def memory(self) -> int:
        """Nobody knows that of a thread."""
        return 0

    def usage(self) -> Usage:
        """Nobody knows that of a thread."""
        return Usage(0.0, {})

    def _begun(self, number: int) -> None:
        if not self.gone.done():
            self.pid = number
            self._hooks.start(None)

    def _end(self, status: int) -> None:
        if self.gone.done():
            return
        self.status = status
        self._inbox.kill()
        self._reader.read_rest()
        self._hooks.exit()
        self.input.close()
        self._reader.close()
        self.gone.set_result(None)

    # In the threads.

    def _run(self, program: Program, stdout: int) -> None:
        # The priority of a process can be changed by its number. Only on Linux threads have one.
        self._tell(self._begun, threading.get_native_id() if sys.platform == "linux" else 2**30)
        status = 1
        try:
            with suppress(BrokenPipeError):
                status = program(self._inbox, ResponsePipe(stdout).write)
        finally:
            self._tell(self._end, status)
            os.close(stdout)

    def _read(self, stdin: int) -> None:
        try:
            self._inbox.read()
        finally:
            os.close(stdin)

    def _tell(self, function: Callable[[int], None], number: int) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(function, number)
