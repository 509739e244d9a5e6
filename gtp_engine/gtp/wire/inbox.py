"""Lines from the client, read by a separate thread."""

import threading
import time
from collections import deque
from collections.abc import Iterator

from gtp_engine.base.lines import read_lines
from gtp_engine.gtp.wire.line import LONGEST_LINE, parse_line

# Most bytes of waiting lines; above this the client's writes block.
_CAPACITY = 2**22
_INTERRUPT = "# interrupt"

TOO_LONG = "\0"
"""Marks the end of a line that was cut at LONGEST_LINE."""


class Inbox:
    """A queue of command lines, filled from a file descriptor by a daemon thread.

    Lines without a command are dropped, except `# interrupt`. It refers to the last command before
    it, which may be running, waiting, or done.

    Any line ends a stream, so dropped lines also set `pending`.

    interrupt -- set while the running command must end early
    pending   -- set once any line has followed the running command, or the input has ended
    arrived   -- when the line of the running command did, on the monotonic clock
    """

    def __init__(self, descriptor: int) -> None:
        self.interrupt = threading.Event()
        self.pending = threading.Event()
        self.arrived = 0.0
        self._descriptor = descriptor
        self._lines: deque[tuple[str, float]] = deque()
        self._size = 0
        # Commands received and taken; and the number received at the last `# interrupt` and at the
        # last line without a command.
        self._received = self._taken = self._interrupted = self._followed = 0
        self._ended = False
        self._changed = threading.Condition()

    def start(self) -> None:
        """Start reading."""
        threading.Thread(target=self.read, name="stdin", daemon=True).start()

    def __iter__(self) -> Iterator[str]:
        """The lines in order, until the end of input."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._lines or self._ended)
                if not self._lines:
                    return
                line, self.arrived = self._lines.popleft()
                self._size -= len(line)
                self._taken += 1
                self.interrupt.clear()
                if self._interrupted == self._taken:
                    self.interrupt.set()
                if not self._lines and not self._ended and self._followed != self._taken:
                    self.pending.clear()
                self._changed.notify_all()
            yield line

    def read(self) -> None:
        """Read until the end of input, as the thread of `start` does."""
        for line in split_lines(self._descriptor):
            arrived = time.monotonic()
            with self._changed:
                self.pending.set()
                if line.endswith(TOO_LONG) or parse_line(line) is not None:
                    self._changed.wait_for(lambda: self._size < _CAPACITY)
                    self._lines.append((line, arrived))
                    self._size += len(line)
                    self._received += 1
                    self._changed.notify_all()
                    continue
                self._followed = self._received
                if line.strip() == _INTERRUPT:
                    self._interrupted = self._received
                    if self._received == self._taken:
                        self.interrupt.set()
        with self._changed:
            self._ended = True
            self.pending.set()
            self._changed.notify_all()


def split_lines(descriptor: int) -> Iterator[str]:
    """The lines from a file descriptor; the last one may lack a newline.

    A line above LONGEST_LINE bytes is cut there and marked with TOO_LONG, unless the removed part
    is only a comment.
    """
    for line, cut in read_lines(descriptor, LONGEST_LINE):
        # The parser drops control characters anyway, so their exact values do not matter.
        text = line.replace(TOO_LONG.encode(), b"").decode("utf-8", "surrogateescape")
        yield text + TOO_LONG if cut and b"#" not in line else text
