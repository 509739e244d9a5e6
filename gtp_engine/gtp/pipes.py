"""All pipes of a child process at once: what is written, read and remembered."""

import selectors
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress

from gtp_engine.gtp.child import Child
from gtp_engine.gtp.wirelog import WireLog
from gtp_engine.platforms import PipeEnd

_SHOWN = 500  # characters of a line in the conversation
_STEP = 0.01  # seconds between two looks at a process that is about to end
_LAST_CHUNKS = 32  # pieces read after the end of a process, if they are there

# The protocol drops control characters, and takes a tab as a blank.
_BLANKS = bytes.maketrans(b"\t", b" ")
_CONTROL = bytes({*range(32), 127} - set(b"\t\n"))


class Pipes:
    """Input, output and log of a child; nothing that it does blocks us or makes us grow.

    capacity -- bytes of output that are kept; what comes above that is only counted
    tail     -- how many lines of the conversation, and of the log, are remembered
    raw      -- leave control characters in the output
    log      -- keeps all that goes over the pipes

    received     -- the output that nobody has taken yet
    amount       -- bytes of output since someone set this to 0
    arrival      -- time.monotonic() when the last of them came
    output_ended -- no more output will come
    input_closed -- no more input is taken
    """

    def __init__(
        self,
        child: Child,
        capacity: int,
        tail: int,
        raw: bool = False,
        log: WireLog | None = None,
    ) -> None:
        self.child = child
        self.received = bytearray()
        self.amount = 0
        self.arrival = 0.0
        self.output_ended = self.input_closed = False
        self._capacity = capacity
        self._tail = tail
        self._raw = raw
        self._log = log
        self._now = 0.0
        self._unsent = b""
        self._unfinished_log = b""
        self._order = 0
        self._said: deque[tuple[int, str]] = deque(maxlen=tail)
        self._logged: deque[tuple[int, str]] = deque(maxlen=tail)
        self._selector = selectors.DefaultSelector()
        self._selector.register(child.output, selectors.EVENT_READ, self._read_output)
        if child.log is not None:
            self._selector.register(child.log, selectors.EVENT_READ, self._read_log)

    @property
    def conversation(self) -> tuple[str, ...]:
        """The last lines to the child (`> `), from it (`< `) and of its log (`! `), in order.

        Neither a flood in the log nor a long answer drives out what was said. Long lines are cut.
        """
        return tuple(line for _, line in sorted([*self._said, *self._logged]))

    @property
    def last_log_line(self) -> str:
        """The last line of the log, empty where there is none."""
        return self._logged[-1][1].removeprefix("! ") if self._logged else ""

    def send(self, line: str) -> None:
        """Write a line, or as much as the pipe takes; `pump` writes the rest."""
        self._keep(self._said, "> ", [line])
        self.write(line.encode("utf-8", "surrogateescape") + b"\n")

    def write(self, data: bytes) -> None:
        """Write bytes that are no part of the conversation."""
        if self.input_closed:
            return
        self._record(">", data)
        if self._unsent:
            self._unsent += data
            return
        self._unsent = data
        self._push()
        if self._unsent:
            self._selector.register(self.child.input, selectors.EVENT_WRITE, self._push_more)

    def stop_writing(self) -> None:
        """Close the input; what is unsent is dropped."""
        if not self.input_closed:
            self.input_closed = True
            self._forget(self.child.input)
            self._unsent = b""
            self.child.close_input()

    def pump(self, seconds: float) -> None:
        """Wait for the pipes, at most so long, and read and write what is possible."""
        ready = self._selector.select(seconds)
        self._now = time.monotonic()
        for key, _ in ready:
            key.data()

    def take(self, size: int) -> str:
        """Remove so many bytes from the front of `received`, as text that is kept."""
        text = self.received[:size].decode("utf-8", "replace")
        del self.received[:size]
        self._keep(self._said, "< ", filter(None, _ends(text, self._tail // 4)))
        return text

    def read_rest(self) -> None:
        """After the end of the process: what it has written, though the pipe be held open."""
        for _ in range(_LAST_CHUNKS):
            self.pump(0.0)
        self.output_ended = True

    def wait_for_exit(self, seconds: float) -> int | None:
        """The status of the process as soon as it ends, or None after so many seconds.

        What it says meanwhile is read, so that a full pipe does not hold it up.
        """
        deadline = time.monotonic() + seconds
        while (status := self.child.status()) is None and time.monotonic() < deadline:
            self.pump(_STEP)
        if status is not None:
            self.read_rest()
        return status

    def close(self) -> None:
        """Stop listening. The pipes themselves are the child's."""
        self._selector.close()
        if self._log is not None:
            self._log.close()

    def _push(self) -> None:
        try:
            self._unsent = self._unsent[self.child.input.write(self._unsent) :]
        except BlockingIOError:
            return
        except OSError:
            self.stop_writing()

    def _push_more(self) -> None:
        self._push()
        if not self._unsent:
            self._forget(self.child.input)

    def _read_output(self) -> None:
        chunk = self._read(self.child.output)
        if not chunk:
            self.output_ended = self.output_ended or chunk is not None
            return
        self._record("<", chunk)
        self.arrival = self._now
        self.amount += len(chunk)
        if len(self.received) < self._capacity:
            self.received += chunk if self._raw else chunk.translate(_BLANKS, _CONTROL)

    def _read_log(self) -> None:
        assert self.child.log is not None
        chunk = self._read(self.child.log)
        if chunk is None:
            return
        self._record("!", chunk)
        text = self._unfinished_log + (chunk or b"\n")
        *lines, rest = text.translate(_BLANKS, _CONTROL).rsplit(b"\n", self._tail)
        self._unfinished_log = rest[:_SHOWN]
        shown = (line.rpartition(b"\n")[2][: 4 * _SHOWN] for line in lines)
        self._keep(self._logged, "! ", [line.decode("utf-8", "replace") for line in shown if line])

    def _read(self, pipe: PipeEnd) -> bytes | None:
        """What a pipe holds: None for nothing yet, empty at its end."""
        try:
            chunk = pipe.read()
        except BlockingIOError:
            return None
        except OSError:
            chunk = b""
        if not chunk:
            self._forget(pipe)
        return chunk

    def _record(self, mark: str, data: bytes) -> None:
        if self._log is not None:
            self._log.write(mark, data)

    def _forget(self, pipe: PipeEnd) -> None:
        with suppress(KeyError):
            self._selector.unregister(pipe)

    def _keep(self, where: deque[tuple[int, str]], mark: str, lines: Iterable[str]) -> None:
        for line in lines:
            self._order += 1
            where.append((self._order, (mark + line)[:_SHOWN]))


def _ends(text: str, most: int) -> list[str]:
    """The lines of a text; of a long one so many at the beginning and at the end."""
    if text.count("\n") <= 2 * most:
        return text.split("\n")
    return [*text.split("\n", most)[:most], "...", *text.rsplit("\n", most)[1:]]
