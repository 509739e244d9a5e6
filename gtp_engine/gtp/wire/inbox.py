"""The lines of a client until the engine takes them; a separate thread may read them."""

import threading
import time
from collections import deque
from collections.abc import Iterator

from gtp_engine.base.lines import read_lines
from gtp_engine.gtp.wire.line import LONGEST_LINE, has_comment, parse_line

# Most bytes of waiting lines; above this the client's writes block.
_CAPACITY = 2**22
_INTERRUPT = "# interrupt"

TOO_LONG = "\0"
"""Marks the end of a line that was cut at LONGEST_LINE."""


class CommandLines:
    """A queue of command lines.

    Lines without a command are dropped, except `# interrupt`. It refers to the last command before
    it, which may be running, waiting, or done.

    Any line ends a stream, so dropped lines also set `pending`.

    interrupt -- set while the running command must end early
    pending   -- set once any line has followed the running command, or the input has ended
    arrived   -- when the line of the running command did, on the monotonic clock
    """

    def __init__(self) -> None:
        self.interrupt = threading.Event()
        self.pending = threading.Event()
        self.arrived = 0.0
        self._lines: deque[tuple[str, float]] = deque()
        self._size = 0
        # Commands received and taken; and the number received at the last line without a command.
        self._received = self._taken = self._followed = 0
        # The numbers of the waiting commands that an `# interrupt` is for.
        self._interrupted: set[int] = set()
        self._ended = False
        self._changed = threading.Condition()

    def __iter__(self) -> Iterator[str]:
        """The lines in order, until the end of input."""
        while True:
            with self._changed:
                self._wait_for_line()
                if not self._lines:
                    return
                line, self.arrived = self._lines.popleft()
                self._size -= len(line)
                self._taken += 1
                self.interrupt.clear()
                if self._taken in self._interrupted:
                    self._interrupted.remove(self._taken)
                    self.interrupt.set()
                if not self._lines and not self._ended and self._followed != self._taken:
                    self.pending.clear()
                self._changed.notify_all()
            yield line

    def _wait_for_line(self) -> None:
        """Return when a line waits, or when none will come; the caller holds the lock."""
        self._changed.wait_for(lambda: self._lines or self._ended)

    def _wait_for_room(self) -> None:
        """Return when not too much waits; the caller holds the lock."""
        self._changed.wait_for(lambda: self.has_room)

    @property
    def has_room(self) -> bool:
        """Whether not too much waits."""
        return self._size < _CAPACITY

    def receive(self, line: str) -> None:
        """Take a line of the client."""
        arrived = time.monotonic()
        with self._changed:
            self.pending.set()
            if line.endswith(TOO_LONG) or parse_line(line) is not None:
                self._wait_for_room()
                self._lines.append((line, arrived))
                self._size += len(line)
                self._received += 1
                self._changed.notify_all()
                return
            self._followed = self._received
            if line.strip() == _INTERRUPT:
                if self._received == self._taken:
                    self.interrupt.set()
                else:
                    self._interrupted.add(self._received)

    def end(self) -> None:
        """Take the end of input."""
        with self._changed:
            self._ended = True
            self.pending.set()
            self._changed.notify_all()


class Inbox(CommandLines):
    """Command lines from a file descriptor, which a daemon thread reads."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def start(self) -> None:
        """Start reading."""
        threading.Thread(target=self.read, name="stdin", daemon=True).start()

    def read(self) -> None:
        """Read until the end of input, as the thread of `start` does."""
        for line in split_lines(self._descriptor):
            self.receive(line)
        self.end()


def split_lines(descriptor: int) -> Iterator[str]:
    """The lines from a file descriptor, as text; the last one may lack a newline."""
    for line, cut in read_lines(descriptor, LONGEST_LINE):
        yield text_of(line, cut)


def text_of(line: bytes, cut: bool) -> str:
    """A line as text. One that was cut at LONGEST_LINE bytes is marked with TOO_LONG, unless the
    removed part is only a comment."""
    # The parser drops control characters anyway, so their exact values do not matter.
    text = line.replace(TOO_LONG.encode(), b"").decode("utf-8", "surrogateescape")
    # Quotes that are open where the line is cut may end behind it: what they hold is no comment.
    return text + TOO_LONG if cut and not has_comment(f'{text}"') else text
