"""Our ends of the pipes of a process, in an event loop. Nothing blocks the loop."""

import asyncio
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Protocol

from gtp_engine.base import platforms

_CHUNK = 2**16
_LAST_CHUNKS = 32  # most pieces read after the end of a process

Take = Callable[[bytes], None]
"""Receives what has come out of a pipe; b"" once, at its end."""


class PipeReader(Protocol):
    """Reads a pipe."""

    def read_rest(self) -> None:
        """Read what is there, even if the pipe stays open: its process has ended."""
        ...

    def close(self) -> None:
        """Stop reading, and close the pipe."""
        ...


class PipeWriter(Protocol):
    """Writes to a pipe."""

    def write(self, data: bytes) -> int:
        """Write data, now or later; ignored once the pipe is closed.

        Returns the number of bytes that wait for room in the pipe.
        """
        ...

    def close(self) -> None:
        """Close the pipe; unsent data is dropped."""
        ...


def pipe_reader(pipe: IO[bytes], take: Take) -> PipeReader:
    """Read a pipe of `subprocess.Popen` in the running loop."""
    return _Reader(pipe, take) if platforms.PIPES_ARE_SELECTABLE else _ThreadReader(pipe, take)


def pipe_writer(pipe: IO[bytes], broken: Callable[[], None]) -> PipeWriter:
    """Write to a pipe in the running loop; `broken` is called once if nobody reads it."""
    if platforms.PIPES_ARE_SELECTABLE:
        return _Writer(pipe, broken)
    return _ThreadWriter(pipe, broken)


class _Reader:
    """The loop waits for the pipe."""

    def __init__(self, pipe: IO[bytes], take: Take) -> None:
        self._loop = asyncio.get_running_loop()
        self._pipe, self._take = pipe, take
        self._number = pipe.fileno()
        self._ended = False
        platforms.set_blocking(self._number, False)
        self._loop.add_reader(self._number, self._read)

    def read_rest(self) -> None:
        """See PipeReader."""
        for _ in range(_LAST_CHUNKS):
            self._read()

    def close(self) -> None:
        """See PipeReader."""
        self._stop()
        self._pipe.close()

    def _read(self) -> None:
        if self._ended:
            return
        try:
            chunk = os.read(self._number, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self._stop()
        self._take(chunk)

    def _stop(self) -> None:
        if not self._ended:
            self._ended = True
            self._loop.remove_reader(self._number)


class _Writer:
    """The loop waits for room in the pipe."""

    def __init__(self, pipe: IO[bytes], broken: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._pipe, self._broken = pipe, broken
        self._number = pipe.fileno()
        self._waiting = b""
        self._watched = False
        platforms.set_blocking(self._number, False)

    def write(self, data: bytes) -> int:
        """See PipeWriter."""
        if self._pipe.closed:
            return 0
        if self._waiting:
            self._waiting += data
        elif data:
            self._waiting = data
            self._push()
            if self._waiting:
                self._watched = True
                self._loop.add_writer(self._number, self._push)
        return len(self._waiting)

    def close(self) -> None:
        """See PipeWriter."""
        if not self._pipe.closed:
            self._waiting = b""
            self._loop.remove_writer(self._number)
            self._pipe.close()

    def _push(self) -> None:
        try:
            self._waiting = self._waiting[os.write(self._number, self._waiting) :]
        except BlockingIOError:
            return
        except OSError:
            self.close()
            self._broken()
            return
        if self._watched and not self._waiting:
            self._watched = False
            self._loop.remove_writer(self._number)


class _ThreadReader:
    """A thread waits for the pipe, and for the loop to take what it has read."""

    def __init__(self, pipe: IO[bytes], take: Take) -> None:
        self._loop = asyncio.get_running_loop()
        self._pipe, self._take = pipe, take
        self._ended = False
        self._done = threading.Event()
        threading.Thread(target=self._run, name="pipe", daemon=True).start()

    def read_rest(self) -> None:
        """See PipeReader; the thread does it by itself."""

    def close(self) -> None:
        """See PipeReader; the thread closes the pipe, which it may be reading."""
        self._ended = True
        self._done.set()

    def _run(self) -> None:
        with self._pipe, suppress(RuntimeError):  # the loop is closed
            chunk = b"?"
            while chunk and not self._ended:
                try:
                    chunk = os.read(self._pipe.fileno(), _CHUNK)
                except OSError:
                    chunk = b""
                self._done.clear()
                self._loop.call_soon_threadsafe(self._pass_on, chunk)
                self._done.wait()

    def _pass_on(self, chunk: bytes) -> None:
        if not self._ended:
            self._ended = not chunk
            self._take(chunk)
        self._done.set()


class _ThreadWriter:
    """A thread waits for room in the pipe."""

    def __init__(self, pipe: IO[bytes], broken: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._pipe, self._broken = pipe, broken
        self._closed = False
        self._unsent = 0
        self._queue: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=self._run, name="pipe", daemon=True).start()

    def write(self, data: bytes) -> int:
        """See PipeWriter."""
        if data and not self._closed:
            self._unsent += len(data)
            self._queue.put(data)
        return self._unsent

    def close(self) -> None:
        """See PipeWriter."""
        self._closed = True
        self._queue.put(b"")

    def _run(self) -> None:
        with suppress(RuntimeError), suppress(OSError), self._pipe:  # the loop is closed
            while (data := self._queue.get()) and not self._closed:
                size = len(data)
                try:
                    while data:
                        data = data[os.write(self._pipe.fileno(), data) :]
                except OSError:
                    self._loop.call_soon_threadsafe(self._break)
                    return
                self._loop.call_soon_threadsafe(self._sent, size)

    def _sent(self, size: int) -> None:
        self._unsent -= size

    def _break(self) -> None:
        if not self._closed:
            self._closed = True
            self._broken()
