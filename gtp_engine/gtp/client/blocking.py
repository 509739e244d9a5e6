"""Engines for code that waits: the same engines, each in an event loop of its own."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from gtp_engine.base.optional_packages import how_to_install
from gtp_engine.gtp.client.child import Launch
from gtp_engine.gtp.client.faults import CannotStart, EngineFault, OutOfMemory
from gtp_engine.gtp.client.process import EngineProcess
from gtp_engine.gtp.client.usage import Usage, Use
from gtp_engine.gtp.client.wirelog import WireLog
from gtp_engine.gtp.wire.response import Response

_T = TypeVar("_T")

_SLICE = 0.2  # seconds between two looks at an engine's use of memory and processors
_QUITTING = 2.0
_MOMENT = 0.01  # seconds without a caller after which a loop runs in its own thread


class TimedResponse(NamedTuple):
    """A response.

    seconds -- from writing the command to the arrival of the last byte
    arrival -- `time.monotonic` at that arrival
    """

    response: Response
    seconds: float
    arrival: float


class LentLoop:
    """An event loop that runs in a thread of its own, and in that of a caller while he waits.

    So a response needs no change of threads, and what comes while nobody waits is taken, too.
    One thread has the loop at a time; callers must not run another event loop meanwhile.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._calls = 0
        self._calling = threading.Lock()  # a caller has the loop, or waits for it
        self._running = threading.Lock()  # a caller has the loop, or our thread has it
        self._on_duty: asyncio.Future[None] = self._loop.create_future()
        threading.Thread(target=self._drive, name="engine", daemon=True).start()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._loop.is_closed()

    def __enter__(self) -> asyncio.AbstractEventLoop:
        """Lend the loop: the block may run it, and use what belongs to it."""
        self._calling.acquire()
        try:
            if not self._running.acquire(blocking=False):
                self.call(self._relieve)
                self._running.acquire()
        except BaseException:  # Ctrl-C
            self._calling.release()
            raise
        self._calls += 1
        return self._loop

    def __exit__(self, *_: object) -> None:
        self._running.release()
        self._calling.release()

    def run(self, work: Awaitable[_T]) -> _T:
        """Wait for some work, in this thread."""
        with self as loop:
            return loop.run_until_complete(work)

    def call(self, function: Callable[..., object], *arguments: Any) -> None:
        """Call a function in the loop, soon; nobody waits."""
        with suppress(RuntimeError):  # it is closed
            self._loop.call_soon_threadsafe(function, *arguments)

    def close(self) -> None:
        """Close the loop, in which nothing is left to do."""
        with self as loop:
            loop.close()

    def _drive(self) -> None:
        """Run the loop whenever nobody has called for a moment."""
        seen = -1
        while True:
            time.sleep(_MOMENT)
            with self._calling:
                if self.closed:
                    return
                if self._calls != seen:
                    seen = self._calls
                    continue
                self._running.acquire()
                self._on_duty = self._loop.create_future()
            try:
                self._loop.run_until_complete(self._on_duty)
            finally:
                self._running.release()

    def _relieve(self) -> None:
        """Let a caller have the loop."""
        if not self._on_duty.done():
            self._on_duty.set_result(None)


class BlockingEngine:
    """A running engine; use it in a `with` statement, and in one thread except for `kill`.

    Every method waits; see EngineProcess for what may go wrong. Its log is always read.
    """

    def __init__(
        self,
        command: Launch,
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        memory: int | None = None,
        tail: int = 50,
        show_log: bool = False,
        processors: Collection[int] = (),
        log: Path | None = None,
    ) -> None:
        """Start the engine. Raises CannotStart, or OSError if the log cannot be written.

        memory -- memory limit in MiB, for it and its child processes together; needs psutil
        log    -- beginning of the path of a file that records GTP and stderr: `-PID.log` is added

        The others are those of EngineProcess.
        """
        if memory is not None and find_spec("psutil") is None:
            raise CannotStart(f"a limit of memory needs psutil: {how_to_install('arena')}")
        self._memory = memory
        self._wire_log: WireLog | None = None

        async def make() -> EngineProcess:
            return EngineProcess(
                command,
                folder=folder,
                environment=environment,
                tail=tail,
                show_log=show_log,
                processors=processors,
            )

        self._lent = LentLoop()
        self._engine = self._lent.run(make())
        try:
            self.pid = self._lent.run(self._engine.start())
            if log is not None:
                self._wire_log = WireLog(Path(f"{log}-{self.pid}.log"))
                self._engine.record = self._wire_log.write
        except BaseException as error:
            self.kill()
            self.close()
            if isinstance(error, EngineFault):  # perhaps it spoke before it was asked
                number = error.number if isinstance(error, CannotStart) else None
                raise CannotStart(str(error), number, self.conversation) from None
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether the engine accepts commands."""
        return self._engine.running

    @property
    def conversation(self) -> tuple[str, ...]:
        """The last lines to the engine, from it and of its log: see EngineProcess."""
        return self._engine.conversation

    def ask(self, line: str, timeout: float | None) -> TimedResponse:
        """Send a command with a new id, and wait for the response.

        timeout -- seconds to wait, or None for ever

        Raises EngineFault.
        """
        return self._exchange(line, timeout)

    def ask_verbatim(self, line: str, timeout: float | None) -> TimedResponse:
        """Send a line unchanged, which must contain a command, and wait for the response.

        The id of the response is not checked. Raises EngineFault.
        """
        return self._exchange(line, timeout, verbatim=True)

    def ask_measured(self, line: str, timeout: float | None) -> tuple[TimedResponse, Use | None]:
        """`ask`, with the engine's use of the processors meanwhile, if the system reports it."""
        before = self.usage()
        answer = self._exchange(line, timeout, measured=True)
        return answer, self.usage().since(before)

    def usage(self) -> Usage:
        """The processor time of the engine and its children so far."""
        assert self._engine.child is not None
        return self._engine.child.usage()

    def tell(self, line: str) -> None:
        """Send a line without a response, such as a comment."""
        with self._lent:
            self._engine.tell(line)

    def kill(self) -> None:
        """End the engine at once; an `ask` waiting in another thread then fails."""
        self._lent.call(self._engine.kill)

    def close(self, patience: float = _QUITTING) -> None:
        """End the engine and everything it started; never raises, and leaves nothing behind.

        Unless there was a fault, the engine is asked to quit within `patience` seconds.
        """
        if not self._lent.closed:
            self._lent.run(self._engine.close(patience))
            self._lent.close()
        if self._wire_log is not None:
            self._wire_log.close()

    def _exchange(
        self, line: str, timeout: float | None, *, verbatim: bool = False, measured: bool = False
    ) -> TimedResponse:
        """Wait for a response."""
        if "\n" in line:
            raise ValueError(f"more than one line: {line!r}")
        with self._lent as loop:
            exchange = self._engine.begin(line, timeout, verbatim=verbatim)
            with self._watched(loop, measured) if measured or self._memory else nullcontext():
                exchange.on_end = loop.stop
                try:
                    while not exchange.answer.done():
                        loop.run_forever()
                finally:
                    exchange.on_end = lambda: None
        response = exchange.answer.result()
        return TimedResponse(response, exchange.arrival - exchange.sent, exchange.arrival)

    @contextmanager
    def _watched(self, loop: asyncio.AbstractEventLoop, measured: bool) -> Iterator[None]:
        """Look at the engine from time to time while the loop runs: its memory, and its use."""

        def look() -> None:
            self._limit_memory()
            if measured:
                self.usage()
            timers.append(loop.call_later(_SLICE, look))

        timers = deque([loop.call_later(_SLICE, look)], maxlen=1)
        try:
            yield
        finally:
            timers[0].cancel()

    def _limit_memory(self) -> None:
        """End the engine if it uses too much memory."""
        child, most = self._engine.child, self._memory
        if most is None or child is None or (used := child.memory()) <= most:
            return
        self._engine.fail(OutOfMemory(f"the engine uses {used} MiB; its limit is {most} MiB"))
