"""What surrounds the engine where JavaScript runs it: a web worker, or a thread of Node.

There is one thread. What the client sends is heard only when the program asks for it: `listen` does
so between two slices of a search. javascript.py has the host itself.
"""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from gtp_engine.base.lines import LineSplitter
from gtp_engine.gtp.wire.inbox import CommandLines, text_of
from gtp_engine.gtp.wire.line import LONGEST_LINE

LONG = 3600.0
"""Seconds of a rest without another end."""


class Host(Protocol):
    """What the engine sees of its surroundings.

    waits     -- whether `rest` can wait for the client; otherwise it returns at once
    has_files -- whether commands may read and write files
    """

    @property
    def waits(self) -> bool:
        """Whether `rest` can wait for the client."""
        ...

    @property
    def has_files(self) -> bool:
        """Whether commands may read and write files."""
        ...

    def say(self, text: str) -> None:
        """Send what belongs to stdout."""
        ...

    def rest(self, seconds: float) -> None:
        """Let the client's messages arrive: until there is one, at most so many seconds."""
        ...

    def heard(self) -> bytes | None:
        """The next piece of the input, empty at its end; None if there is none now."""
        ...


class HeardEvent(threading.Event):
    """An event that what the client sends may set: who waits for it listens."""

    def __init__(self, rest: Callable[[float], None]) -> None:
        super().__init__()
        self._rest = rest

    def wait(self, timeout: float | None = None) -> bool:
        """See threading.Event."""
        end = None if timeout is None else time.monotonic() + timeout
        while not self.is_set():
            left = LONG if end is None else end - time.monotonic()
            if left <= 0:
                break
            self._rest(left)
        return self.is_set()


class HostInput:
    """The input of a host, in lines.

    receive  -- gets each line, and whether it was cut
    end      -- is called at the end of input
    has_room -- whether to take more at the moment
    """

    def __init__(
        self,
        host: Host,
        longest: int,
        receive: Callable[[bytes, bool], object],
        end: Callable[[], object],
        has_room: Callable[[], bool] = lambda: True,
    ) -> None:
        self._host = host
        self._splitter = LineSplitter(longest)
        self._receive, self._end, self._has_room = receive, end, has_room

    def listen(self) -> None:
        """Take what the client has sent."""
        self.rest(0.0)

    def rest(self, seconds: float = LONG) -> None:
        """Wait until the client has sent something, at most so many seconds, and take it."""
        self._host.rest(seconds)
        while self._has_room() and (piece := self._host.heard()) is not None:
            self._take(piece)

    def _take(self, piece: bytes) -> None:
        """Take a piece of the input, empty at its end."""
        for line, cut in self._splitter.add(piece) if piece else self._splitter.end():
            self._receive(line, cut)
        if not piece:
            self._end()


class HeardLines(CommandLines):
    """The command lines of a host. Without a way to wait they end where none is there.

    last -- the line that was taken last
    """

    def __init__(self, host: Host) -> None:
        super().__init__()
        self.last = ""
        self._waits = host.waits
        self._input = HostInput(
            host,
            LONGEST_LINE,
            lambda line, cut: self.receive(text_of(line, cut)),
            self.end,
            lambda: self.has_room,
        )
        self.listen = self._input.listen
        self.interrupt, self.pending = HeardEvent(self._input.rest), HeardEvent(self._input.rest)

    def __iter__(self) -> Iterator[str]:
        """See CommandLines."""
        for line in super().__iter__():
            self.last = line
            yield line

    @property
    def waiting(self) -> bool:
        """Whether a line has followed the last one."""
        return bool(self._lines) or self._ended or self._followed == self._taken

    @property
    def over(self) -> bool:
        """Whether the input has ended and all lines were taken."""
        return self._ended and not self._lines

    def _wait_for_line(self) -> None:
        self.listen()
        while self._waits and not (self._lines or self._ended):
            self._input.rest()

    def _wait_for_room(self) -> None:
        """Take whole pieces; the input takes no more of them while much waits."""
