"""Our engine in a thread of the test's process, where a table would start a process.

A process costs a fifth of a second to start; this costs a millisecond. All else is the same: the
engine reads a pipe line by line, and is interrupted as over a pipe.
"""

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from gtp_engine.cli.engine import _parser
from gtp_engine.commands import registry
from gtp_engine.gtp import process
from gtp_engine.gtp.child import Child, Hooks, Launch
from gtp_engine.gtp.dispatch import answer
from gtp_engine.gtp.inbox import Inbox
from gtp_engine.platforms import split_command
from support.waiting import PATIENCE

OURS = ("-m", "gtp_engine")
"""The words of a command after which the options of our engine follow."""

NOBODY = 2**31 - 1
"""The number of no process: whoever gives it a priority gives it to nobody."""


@contextmanager
def engines_inside() -> Iterator[None]:
    """Within the block our engine is started in this process; other commands start a process."""

    def start(command: Launch, hooks: Hooks, **options: Any) -> "Child | EngineInside":
        words = split_command(command) if isinstance(command, str) else list(command)
        for at in range(len(words) - 1):
            if tuple(words[at : at + 2]) == OURS:
                return EngineInside(words[at + 2 :], hooks)
        return Child(command, hooks, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "Child", start)
        yield


class EngineInside:
    """As much of a Child as an EngineProcess needs; see there."""

    def __init__(self, options: list[str], hooks: Hooks) -> None:
        self.pid, self.status = NOBODY, None
        self._loop = asyncio.get_running_loop()
        self.gone: asyncio.Future[None] = self._loop.create_future()
        self._hooks = hooks
        self._killed = False
        self._session = _parser().parse_args(options).session
        self._readable, writable = os.pipe()
        self.input = _Input(writable)
        self._inbox = Inbox(self._readable)
        self._loop.call_soon(hooks.start, None)
        threading.Thread(target=self._run, daemon=True, name="engine").start()

    def terminate(self) -> None:
        """End it; a running search is interrupted."""
        self._killed = True
        self.input.close()
        self._inbox.interrupt.set()

    kill = terminate

    async def end(self) -> None:
        """End it, and wait until it has."""
        self.terminate()
        await asyncio.wait_for(asyncio.shield(self.gone), PATIENCE)

    def _run(self) -> None:
        """Answer lines; see gtp.loop.serve."""
        inbox, session = self._inbox, self._session
        session.interrupt, session.pending = inbox.interrupt, inbox.pending
        inbox.start()
        free = 0.0
        for line in inbox:
            if self._killed:
                break
            session.asked = max(inbox.arrived, free)
            if (reply := answer(registry(), session, line, self._write)) is not None:
                self._write("\n" if reply.streamed else str(reply.response))
                free = time.monotonic()
                if reply.quits:
                    break
        self._tell(self._end)
        for _ in inbox:  # until nobody reads the pipe any more
            pass
        os.close(self._readable)

    def _write(self, text: str) -> None:
        self._tell(self._hooks.output, text.encode())

    def _tell(self, hook: Any, *told: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(hook, *told)

    def _end(self) -> None:
        self.status = 0
        self.input.close()
        self._hooks.exit()
        if not self.gone.done():
            self.gone.set_result(None)


class _Input:
    """Our end of its stdin; its reader never lets a writer wait for long."""

    def __init__(self, descriptor: int) -> None:
        self._pipe = os.fdopen(descriptor, "wb", buffering=0)

    def write(self, data: bytes) -> int:
        """Write all of it; the number of bytes that wait is 0."""
        if not self._pipe.closed:
            self._pipe.write(data)
        return 0

    def close(self) -> None:
        self._pipe.close()
