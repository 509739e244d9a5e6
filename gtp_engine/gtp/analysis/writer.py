"""The lines for the client: one thread writes them, whole and in order."""

import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

Write = Callable[[bytes], None]
"""Writes a whole line. Raises OSError if nobody reads, or if it cannot be written."""

# The client may leave so many bytes unread before reports on running searches are dropped, before
# searches wait with their answers, and before reading its input waits.
FOR_REPORTS, FOR_ANSWERS, FOR_INPUT = 2**20, 2**22, 2**23

# A line that has begun gets so many seconds to be read, when the process must end.
_TO_FINISH_A_LINE = 5.0


class LineWriter(Protocol):
    """Takes lines for the client: see Writer."""

    @property
    def unread(self) -> int:
        """How many bytes are not written yet."""
        ...

    def wait_until_read(self, most: int) -> None:
        """Wait until at most so many bytes are unread."""
        ...

    def add(self, line: bytes) -> None:
        """Write a line."""
        ...

    def flush(self) -> None:
        """Wait until everything is written."""
        ...


class Writer:
    """A bounded queue of lines, and the thread that writes them.

    write  -- writes a line
    failed -- called once, by that thread, if a line cannot be written; all others are then dropped
    """

    def __init__(self, write: Write, failed: Callable[[OSError], None]) -> None:
        self._write, self._failed = write, failed
        self._lines: deque[bytes] = deque()
        self._unread = 0
        self._writing = self._stopped = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="stdout", daemon=True)
        self._thread.start()

    def wait_until_read(self, most: int) -> None:
        """Wait until at most so many bytes are unread; no longer than lines are written."""
        with self._changed:
            self._changed.wait_for(lambda: self._unread <= most or self._stopped)

    def add(self, line: bytes) -> None:
        """Write a line, without waiting. Lines that cannot be written any more are dropped."""
        with self._changed:
            if not self._stopped:
                self._lines.append(line)
                self._unread += len(line)
                self._changed.notify_all()

    @property
    def unread(self) -> int:
        """How many bytes are not written yet."""
        return self._unread

    def flush(self) -> None:
        """Wait until everything is written, or until that has failed."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or not (self._lines or self._writing))

    def stop(self) -> None:
        """Drop what has not begun to be written, and wait for the line that has."""
        with self._changed:
            self._stopped = True
            self._lines.clear()
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._writing, _TO_FINISH_A_LINE)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._lines or self._stopped)
                if self._stopped:
                    return
                line = self._lines.popleft()
                self._writing = True
            try:
                self._write(line)
            except OSError as error:
                with self._changed:
                    self._stopped, self._writing = True, False
                    self._lines.clear()
                    self._changed.notify_all()
                self._failed(error)
                return
            with self._changed:
                self._writing = False
                self._unread -= len(line)
                self._changed.notify_all()
