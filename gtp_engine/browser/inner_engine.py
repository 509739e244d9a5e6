"""Engines in this interpreter, where there are no processes: they take turns in its one thread.

An engine that has something to answer does it on a stack of its own, and has none in between. When
it has searched for a slice of time, it lets the other engines, the event loop and the page run.
"""

import asyncio
import gc
import time
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import Protocol

from gtp_engine.base.log import logger
from gtp_engine.browser.core import Calls
from gtp_engine.browser.host import LONG, Host
from gtp_engine.gtp.client.child import Hooks
from gtp_engine.gtp.client.pipes import PipeWriter
from gtp_engine.gtp.client.usage import Usage

_FAILED, _KILLED = 1, -9  # as the status of a process
_ENDING = 5.0  # seconds for a killed engine to leave what it does
_PATIENCE = 0.3  # seconds that a solver may keep another one waiting
_BETWEEN = 10.0  # seconds between two collections of garbage
_WAY = 0.05  # seconds in which no search goes on after a message of the page

_numbers = count(1)


class Stacks(Protocol):
    """The stacks of the host.

    suspends -- whether there are any beside that of the event loop
    """

    @property
    def suspends(self) -> bool:
        """Whether there are any beside that of the event loop."""
        ...

    def start(self, work: Callable[[], None]) -> None:
        """Run something on a new stack, soon."""
        ...

    def rest(self, until: "asyncio.Future[None] | None") -> None:
        """Suspend the running stack until something is done; with None let others run once."""
        ...

    def call_back(self) -> None:
        """Have the running solver of the kernel return soon."""
        ...


class Program(Protocol):
    """What an engine runs; see cli/hosted.py.

    analyzes -- whether `turn` is to be called again soon, because it has not answered all
    """

    @property
    def analyzes(self) -> bool:
        """Whether `turn` is to be called again soon."""
        ...

    def listen(self) -> None:
        """Take what the client has sent."""
        ...

    def turn(self, rests: bool) -> bool:
        """Answer what has arrived; returns whether it was the last turn.

        rests -- whether it may rest meanwhile
        """
        ...


class Killed(BaseException):
    """Ends what a killed engine does."""


class Turns:
    """Whose turn it is; and the kernel, as all of them call it (see core.Calls).

    Python's collector of garbage looks at the frames of all stacks, but Pyodide 314 may have moved
    a part of a resting one away. So it works only while no other stack rests.

    suspends -- see Stacks
    """

    def __init__(self, stacks: Stacks, kernel: Calls) -> None:
        self.suspends = stacks.suspends
        self._stacks, self._kernel = stacks, kernel
        self._running: InnerEngine | None = None
        self._solving: InnerEngine | None = None
        self._loop = asyncio.get_running_loop()
        self._free = 0.0  # when searches may go on
        self._begun = 0  # stacks of engines
        self._collected = time.monotonic()
        if self.suspends:
            gc.disable()

    def listen(self) -> None:
        """Let others have their turn: between two slices of a search of the running engine."""
        if self._running is None:
            return
        self._running.listen()
        left = self._free - self._loop.time()
        if self.suspends and left > 0:
            way = self._loop.create_future()
            # Not `call_at`: Pyodide's loop refuses a time that has passed meanwhile.
            self._loop.call_later(left, way.set_result, None)
            self.rest(way)
            self._running.listen()

    def start(self, engine: "InnerEngine", work: Callable[[], None]) -> None:
        """Begin the work of an engine on a stack of its own, or at once if there is but one."""

        def begun() -> None:
            self._running = engine
            self._begun += 1
            try:
                work()
                self._collect()
            finally:
                self._begun -= 1

        if self.suspends:
            self._stacks.start(begun)
        else:
            begun()

    def _collect(self) -> None:
        """Collect garbage, if that is due and possible."""
        if self.suspends and self._begun == 1 and time.monotonic() > self._collected + _BETWEEN:
            gc.collect()
            self._collected = time.monotonic()

    def make_way(self) -> None:
        """Let no search go on for a moment: somebody waits for an answer.

        It has several parts, and a slice of a search before each would take longer than all.
        """
        self._free = self._loop.time() + _WAY

    def rest(self, until: "asyncio.Future[None] | None" = None) -> None:
        """Let others run; see Stacks. Raises Killed if the running engine was killed meanwhile."""
        engine = self._running
        self._collect()
        try:
            self._stacks.rest(until)
        finally:
            self._running = engine
        if engine is not None:
            engine.check()

    def hurry(self, engine: "InnerEngine") -> None:
        """Let an engine hear soon what it was sent, also if it solves."""
        if self._solving is engine:
            self._stacks.call_back()

    # As core.Calls -------------------------------------------------------------------------

    def call(self, request: bytes) -> bytes:
        """See Calls."""
        return self._kernel.call(request)

    def solve(self, request: bytes) -> None:
        """See Calls. The kernel has one stack, so one solver runs; it makes way for the next."""
        engine, since = self._running, time.monotonic()
        while self._solving is not None:
            if time.monotonic() > since + _PATIENCE:
                self._stacks.call_back()
            self.rest()
        self._solving = engine
        try:
            self._kernel.solve(request)
        finally:
            self._solving, self._running = None, engine
        if engine is not None:
            engine.check()


class InnerEngine:
    """An engine in this interpreter; a `Running` for its client, and a `Host` for its program."""

    waits = has_files = False

    def __init__(self, turns: Turns, program: Callable[[Host], Program], hooks: Hooks) -> None:
        """Start it soon.

        program -- makes the program that talks with this host
        """
        self._loop = asyncio.get_running_loop()
        self.pid: int | None = None
        self.status: int | None = None
        self.gone: asyncio.Future[None] = self._loop.create_future()
        self.input: PipeWriter = _Input(self._take)
        self._turns, self._hooks = turns, hooks
        self._make = program
        self._program: Program | None = None
        self._pieces: deque[bytes] = deque()
        self._arrived: asyncio.Future[None] | None = None
        self._killed = self._planned = self._busy = False
        self._loop.call_soon(self._begin)

    # As a Running --------------------------------------------------------------------------

    def terminate(self) -> None:
        """See Running."""
        self.kill()

    def kill(self) -> None:
        """See Running. What runs is left at its next rest."""
        self._killed = True
        self.input.close()
        self._wake()
        if not self._busy:
            self._end(_KILLED)

    async def end(self) -> None:
        """See Running."""
        self.kill()
        await asyncio.wait([self.gone], timeout=_ENDING)

    def lower_priority(self) -> None:
        """All take their turns."""

    def memory(self) -> int:
        """Nobody knows."""
        return 0

    def usage(self) -> Usage:
        """Nobody knows."""
        return Usage(0.0, {})

    # As a Host -----------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """See Host."""
        self._tell(text.encode())

    def rest(self, seconds: float) -> None:
        """See Host."""
        self.check()
        if not self._turns.suspends or self._pieces:
            return
        if not seconds:
            self._turns.rest()
            return
        self._arrived = self._loop.create_future()
        timer = self._loop.call_later(max(0.0, min(seconds, LONG)), self._wake)
        try:
            self._turns.rest(self._arrived)
        finally:
            self._arrived = None
            timer.cancel()

    def heard(self) -> bytes | None:
        """See Host."""
        return self._pieces.popleft() if self._pieces else None

    # Its life ------------------------------------------------------------------------------

    def check(self) -> None:
        """Raises Killed if it was killed."""
        if self._killed:
            raise Killed

    def listen(self) -> None:
        """Let others have their turn, and take what the client has sent."""
        if self._program is not None:
            self._program.listen()

    def _begin(self) -> None:
        if not self._killed:
            self.pid = next(_numbers)
            self._hooks.start(None)
            self._plan()

    def _plan(self) -> None:
        """Have a turn soon. The first one only makes the program, before the first line comes."""
        if not (self._planned or self._busy or self.status is not None):
            self._planned = True
            self._loop.call_soon(self._turns.start, self, self._turn)

    def _turn(self) -> None:
        """Answer what has arrived."""
        self._planned, self._busy = False, True
        status: int | None = _FAILED
        try:
            self.check()
            if self._program is None:
                self._program = self._make(self)
            status = 0 if self._program.turn(self._turns.suspends) else None
        except Killed:
            status = _KILLED
        except Exception:
            logger().exception("an engine has failed")
        self._busy = False
        if status is not None:
            self._end(status)
        elif self._pieces or (self._program is not None and self._program.analyzes):
            self._plan()

    def _take(self, data: bytes) -> None:
        """Take what the client sends; at the end nothing."""
        self._pieces.append(data)
        self._wake()

    def _wake(self) -> None:
        if self._arrived is not None and not self._arrived.done():
            self._arrived.set_result(None)
        self._turns.hurry(self)
        self._plan()

    def _end(self, status: int) -> None:
        if self.status is None:
            self.status = status
            self.input.close()
            self._tell(b"")
            self._loop.call_soon(self._vanish)

    def _vanish(self) -> None:
        self._hooks.exit()
        if not self.gone.done():
            self.gone.set_result(None)

    def _tell(self, output: bytes) -> None:
        """Give the client output, in the event loop."""
        self._loop.call_soon(self._hooks.output, output)


class _Input:
    """A pipe without a system; see PipeWriter."""

    def __init__(self, take: Callable[[bytes], None]) -> None:
        self._take, self._closed = take, False

    def write(self, data: bytes) -> int:
        """See PipeWriter."""
        if not self._closed and data:
            self._take(data)
        return 0

    def close(self) -> None:
        """See PipeWriter; the engine takes the end of its input."""
        if not self._closed:
            self._closed = True
            self._take(b"")
