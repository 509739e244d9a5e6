"""Text for stderr, which never makes its writer wait, and never makes it fail.

A client may give the engine a pipe for stderr and never read it. When the pipe is full, a write
waits for ever. So a thread writes, and text that does not fit in its queue is dropped.

What cannot be written, as on a full disk, is lost: no sentence changes what a program does.
"""

import atexit
import io
import os
import sys
import threading
from collections import deque
from typing import Any, TextIO

from gtp_engine.base.platforms import HAS_THREADS, set_blocking

_STDERR = 2
_CAPACITY = 2**16  # bytes that wait for the thread; with more, text is dropped
_LAST_WAIT = 0.5  # seconds that the end of the process waits for the thread


class LossyWriter:
    """Writes texts to a file descriptor in a thread.

    After a text was dropped, all others are, too, until the queue is empty. Then a line tells how
    many there were.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._queue: deque[bytes] = deque()  # the thread writes the first
        self._size = self._dropped = 0
        self._changed = threading.Condition()
        self._started = False

    def write(self, text: str) -> None:
        """Write a text later, as a whole, or drop it."""
        with self._changed:
            if self._dropped or self._size > _CAPACITY:
                self._dropped += 1
                return
            self._put(text)
            if not self._started:
                self._started = True
                threading.Thread(target=self._run, name="stderr", daemon=True).start()

    def flush(self, seconds: float) -> None:
        """Wait until all is written, but not longer, and not while texts are dropped."""
        with self._changed:
            self._changed.wait_for(lambda: self._dropped or not self._queue, seconds)

    def _put(self, text: str) -> None:
        data = text.encode(errors="backslashreplace")
        self._queue.append(data)
        self._size += len(data)
        self._changed.notify_all()

    def _run(self) -> None:
        set_blocking(self._descriptor, True)
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._dropped)
                if not self._queue:
                    lost, self._dropped = self._dropped, 0
                    self._put(f"WARNING: {lost} messages were dropped: nobody read stderr\n")
                data = self._queue[0]
            self._send(data)
            with self._changed:
                self._size -= len(self._queue.popleft())
                self._changed.notify_all()

    def _send(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:  # the reader is gone
            pass


_writer = LossyWriter(_STDERR)

_own: TextIO | None = sys.__stderr__  # the stderr of a process in which nobody has replaced it


class _Lossy(io.RawIOBase):
    """A stream that loses what another one cannot write."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw = raw
        self.fileno, self.isatty = raw.fileno, raw.isatty  # type: ignore[method-assign]

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        try:
            written = self._raw.write(data)
        except OSError:
            written = None
        return len(data) if written is None else written


def provide() -> None:
    """Have a stderr to which `print` can always write.

    Where the caller closed it, have one that leads nowhere. Else `print(..., file=sys.stderr)`
    would go to stdout, and the next file that is opened would have the descriptor of stderr, and
    get the log.
    """
    global _own
    if sys.stderr is None:
        sys.stderr = nowhere(_STDERR)
    elif HAS_THREADS and sys.stderr is sys.__stderr__ and isinstance(sys.stderr, io.TextIOWrapper):
        buffer: Any = sys.stderr.buffer
        raw = io.BufferedWriter(_Lossy(getattr(buffer, "raw", buffer)))
        sys.stderr = _own = io.TextIOWrapper(
            raw, sys.stderr.encoding, sys.stderr.errors, line_buffering=True
        )


def nowhere(descriptor: int) -> TextIO:
    """A stream that leads nowhere and has a descriptor that the caller of the program closed."""
    opened = os.open(os.devnull, os.O_WRONLY)
    if opened != descriptor:
        os.dup2(opened, descriptor)
        os.close(opened)
    return os.fdopen(descriptor, "w", errors="backslashreplace")


def write(text: str) -> None:
    """Write a text to stderr, if there is one, without waiting.

    Who has replaced `sys.stderr`, as a progress bar does to stand below all text, gets it at once;
    so does everybody where there are no threads.
    """
    if HAS_THREADS and sys.stderr is _own is not None:
        _writer.write(text)
    elif sys.stderr is not None:
        sys.stderr.write(text)


def flush(seconds: float = _LAST_WAIT) -> None:
    """Wait until stderr has all that was written, but not longer."""
    _writer.flush(seconds)


atexit.register(flush)
