"""What surrounds Python where JavaScript runs it: a web worker, or a thread of Node.

There is one thread. What the client sends is heard only when the program asks for it: `listen` does
so between two slices of a search. `Host` is an object of JavaScript; both kinds of it are in
`site/`: gtp-worker.js and gtp-thread.mjs.
"""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from pyodide.ffi import JsException, run_sync, to_js

from gtp_engine.base.lines import LineSplitter
from gtp_engine.gtp.wire.inbox import CommandLines, text_of
from gtp_engine.gtp.wire.line import LONGEST_LINE


class Host(Protocol):
    """An object of JavaScript.

    waits     -- whether `rest` can wait for the client: as a promise, or else by itself
    has_files -- whether commands may read and write files
    suspends  -- whether it returns promises, for which Python is suspended
    memory_mb -- the most memory of a search tree or a table
    kernel    -- see site/kernel.mjs
    """

    waits: bool
    has_files: bool
    suspends: bool
    memory_mb: int
    kernel: Any

    def say(self, text: str) -> None:
        """Send what belongs to stdout."""
        ...

    def rest(self, seconds: float) -> Any:
        """Let the client's messages arrive: until there is one, at most so many seconds."""
        ...

    def heard(self) -> Any:
        """The next piece of the input, an array of bytes that is empty at its end; None if there
        is none now."""
        ...


class KernelCalls:
    """See core.Calls: through the kernel of a host."""

    def __init__(self, host: Host) -> None:
        self._kernel, self._suspends = host.kernel, host.suspends

    def call(self, request: bytes) -> bytes:
        """See core.Calls."""
        try:
            result: bytes = self._kernel.call(to_js(request)).to_bytes()
        except JsException as error:
            raise ValueError(error.message) from None
        return result

    def solve(self, request: bytes) -> None:
        """See core.Calls."""
        try:
            done = self._kernel.solve(to_js(request))
            if self._suspends:
                run_sync(done)
        except JsException as error:
            raise ValueError(error.message) from None


class HeardEvent(threading.Event):
    """An event that what the client sends may set: who waits for it listens."""

    def __init__(self, rest: Callable[[float], None]) -> None:
        super().__init__()
        self._rest = rest

    def wait(self, timeout: float | None = None) -> bool:
        """See threading.Event."""
        end = None if timeout is None else time.monotonic() + timeout
        while not self.is_set():
            left = _LONG if end is None else end - time.monotonic()
            if left <= 0:
                break
            self._rest(left)
        return self.is_set()


_LONG = 3600.0  # seconds; `rest` is called again after them


class HeardLines(CommandLines):
    """The command lines of a host. Without a way to wait they end where none is there.

    last -- the line that was taken last
    """

    def __init__(self, host: Host) -> None:
        super().__init__()
        self._host = host
        self.last = ""
        self._splitter = LineSplitter(LONGEST_LINE)
        self.interrupt, self.pending = HeardEvent(self.rest), HeardEvent(self.rest)

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

    def listen(self) -> None:
        """Take what the client has sent."""
        self.rest(0.0)

    def rest(self, seconds: float) -> None:
        """Wait until the client has sent something, at most so many seconds, and take it."""
        resting = self._host.rest(seconds)
        if self._host.suspends:
            run_sync(resting)
        while self.has_room and (piece := self._host.heard()) is not None:
            self.receive_piece(piece.to_bytes())

    def receive_piece(self, piece: bytes) -> None:
        """Take a piece of the input, empty at its end."""
        lines = self._splitter.add(piece) if piece else self._splitter.end()
        for line, cut in lines:
            self.receive(text_of(line, cut))
        if not piece:
            self.end()

    def _wait_for_line(self) -> None:
        self.listen()
        while self._host.waits and not (self._lines or self._ended):
            self.rest(_LONG)

    def _wait_for_room(self) -> None:
        """Take whole pieces; `rest` takes no more of them while much waits."""
