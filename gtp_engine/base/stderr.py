"""Text for stderr, which never makes its writer wait.

A client may give the engine a pipe for stderr and never read it. When the pipe is full, a write
waits for ever. So a thread writes, and text that does not fit in its queue is dropped.
"""

import atexit
import os
import sys
import threading
from collections import deque

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


def provide() -> None:
    """Where the caller closed stderr, have one that leads nowhere.

    Else `print(..., file=sys.stderr)` would go to stdout, and the next file that is opened would
    have the descriptor of stderr, and get the log.
    """
    if sys.stderr is not None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    if nowhere != _STDERR:
        os.dup2(nowhere, _STDERR)
        os.close(nowhere)
    sys.stderr = os.fdopen(_STDERR, "w")


def write(text: str) -> None:
    """Write a text to stderr, if there is one, without waiting.

    Who has replaced `sys.stderr`, as a progress bar does to stand below all text, gets it at once;
    so does everybody where there are no threads.
    """
    if HAS_THREADS and sys.stderr is sys.__stderr__ is not None:
        _writer.write(text)
    elif sys.stderr is not None:
        sys.stderr.write(text)


def flush(seconds: float = _LAST_WAIT) -> None:
    """Wait until stderr has all that was written, but not longer."""
    _writer.flush(seconds)


atexit.register(flush)
