"""All pipes of a child process: writing, reading and remembering."""

import selectors
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress

from gtp_engine.gtp.child import Child
from gtp_engine.gtp.wirelog import WireLog
from gtp_engine.platforms import PipeEnd

_SHOWN = 500  # most characters of a line in the conversation
_STEP = 0.01  # seconds between two checks of a process that is about to end
_LAST_CHUNKS = 32  # most pieces read after the end of a process

# The protocol ignores control characters and treats a tab as a blank.
_BLANKS = bytes.maketrans(b"\t", b" ")
_CONTROL = bytes({*range(32), 127} - set(b"\t\n"))


class Pipes:
    """Input, output and log of a child; nothing it does blocks us or exhausts our memory.

    capacity -- most stored bytes of output; further ones are only counted
    tail     -- number of remembered lines of the conversation, and of the log
    raw      -- keep control characters in the output
    log      -- records everything on the pipes

    received     -- the output that was not taken yet
    amount       -- bytes of output since somebody set this to 0
    arrival      -- time.monotonic() of the last output
    output_ended -- whether the output has ended
    input_closed -- whether the input is closed
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

        The log and long responses cannot displace the rest. Long lines are shortened.
        """
        return tuple(line for _, line in sorted([*self._said, *self._logged]))

    @property
    def last_log_line(self) -> str:
        """The last line of the log, "" if it is empty."""
        return self._logged[-1][1].removeprefix("! ") if self._logged else ""

    def send(self, line: str) -> None:
        """Write a line, or the part that fits into the pipe; `pump` writes the rest."""
        self._keep(self._said, "> ", [line])
        self.write(line.encode("utf-8", "surrogateescape") + b"\n")

    def write(self, data: bytes) -> None:
        """Write bytes that are not part of the conversation."""
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
        """Close the input; unsent data is dropped."""
        if not self.input_closed:
            self.input_closed = True
            self._forget(self.child.input)
            self._unsent = b""
            self.child.close_input()

    def pump(self, seconds: float) -> None:
        """Wait for the pipes with a time limit, then read and write what is possible."""
        ready = self._selector.select(seconds)
        self._now = time.monotonic()
        for key, _ in ready:
            key.data()

    def take(self, size: int) -> str:
        """Remove this many bytes from the front of `received`; returns them as remembered text."""
        text = self.received[:size].decode("utf-8", "replace")
        del self.received[:size]
        self._keep(self._said, "< ", filter(None, _ends(text, self._tail // 4)))
        return text

    def read_rest(self) -> None:
        """After the end of the process, read its remaining output, even if the pipe stays open."""
        for _ in range(_LAST_CHUNKS):
            self.pump(0.0)
        self.output_ended = True

    def wait_for_exit(self, seconds: float) -> int | None:
        """The status of the process as soon as it ends, or None after this many seconds.

        Output is read meanwhile, so that a full pipe cannot block the process.
        """
        deadline = time.monotonic() + seconds
        while (status := self.child.status()) is None and time.monotonic() < deadline:
            self.pump(_STEP)
        if status is not None:
            self.read_rest()
        return status

    def close(self) -> None:
        """Stop listening. The child owns the pipes themselves."""
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
        """The data in a pipe: None for nothing yet, empty at its end."""
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
    """The lines of a text; of a long one only lines at the beginning and at the end."""
    if text.count("\n") <= 2 * most:
        return text.split("\n")
    return [*text.split("\n", most)[:most], "...", *text.rsplit("\n", most)[1:]]
