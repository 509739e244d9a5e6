"""Engines for code that waits: the same engines, in an event loop in a thread of its own."""

import asyncio
import os
import threading
from collections.abc import Callable, Collection, Coroutine, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from gtp_engine.base.extras import how_to_install
from gtp_engine.gtp.client.child import Launch
from gtp_engine.gtp.client.exchanges import Exchange
from gtp_engine.gtp.client.faults import CannotStart, OutOfMemory
from gtp_engine.gtp.client.process import EngineProcess
from gtp_engine.gtp.client.usage import Usage, Use
from gtp_engine.gtp.client.wirelog import WireLog
from gtp_engine.gtp.wire.response import Response

_T = TypeVar("_T")

_SLICE = 0.2  # seconds between two looks at an engine's use of memory and processors
_QUITTING = 2.0


class TimedResponse(NamedTuple):
    """A response.

    seconds -- from writing the command to the arrival of the last byte
    arrival -- `time.monotonic` at that arrival
    """

    response: Response
    seconds: float
    arrival: float


@cache
def _loop(process: int) -> asyncio.AbstractEventLoop:
    """The event loop of all blocking engines of this process, in a daemon thread."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="engines", daemon=True).start()
    return loop


_starting = threading.Lock()


def _shared() -> asyncio.AbstractEventLoop:
    with _starting:
        return _loop(os.getpid())  # a forked process has no threads of ours


def in_loop(work: Coroutine[Any, Any, _T]) -> _T:
    """Run a coroutine in the event loop of the blocking engines, and wait for it."""
    return asyncio.run_coroutine_threadsafe(work, _shared()).result()


def call_in_loop(function: Callable[..., object], *arguments: Any) -> None:
    """Call a function in the same event loop, soon; nobody waits."""
    _shared().call_soon_threadsafe(function, *arguments)


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

        self._engine = in_loop(make())
        try:
            self.pid = in_loop(self._engine.start())
            if log is not None:
                self._wire_log = WireLog(Path(f"{log}-{self.pid}.log"))
                self._engine.record = self._wire_log.write
        except BaseException:
            self.kill()
            self.close()
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

        async def lines() -> tuple[str, ...]:
            return self._engine.conversation

        return in_loop(lines())

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
        answer = self._exchange(line, timeout, meanwhile=self.usage)
        return answer, self.usage().since(before)

    def usage(self) -> Usage:
        """The processor time of the engine and its children so far."""
        assert self._engine.child is not None
        return self._engine.child.usage()

    def tell(self, line: str) -> None:
        """Send a line without a response: a comment, or `# interrupt`."""
        call_in_loop(self._engine.tell, line)

    def kill(self) -> None:
        """End the engine at once; an `ask` waiting in another thread then fails."""
        call_in_loop(self._engine.kill)

    def close(self, patience: float = _QUITTING) -> None:
        """End the engine and everything it started; never raises, and leaves nothing behind.

        Unless there was a fault, the engine is asked to quit within `patience` seconds.
        """
        in_loop(self._engine.close(patience))
        if self._wire_log is not None:
            self._wire_log.close()

    def _exchange(
        self,
        line: str,
        timeout: float | None,
        *,
        verbatim: bool = False,
        meanwhile: Callable[[], object] = lambda: None,
    ) -> TimedResponse:
        """Wait for a response. `meanwhile` is called from time to time."""
        if "\n" in line:
            raise ValueError(f"more than one line: {line!r}")
        done: SimpleQueue[Exchange] = SimpleQueue()

        def begin() -> None:
            exchange = self._engine.begin(line, timeout, verbatim=verbatim)
            exchange.answer.add_done_callback(lambda _: done.put(exchange))

        call_in_loop(begin)
        while True:
            try:
                exchange = done.get(timeout=_SLICE)
            except Empty:
                self._limit_memory()
                meanwhile()
                continue
            response = exchange.answer.result()
            return TimedResponse(response, exchange.arrival - exchange.sent, exchange.arrival)

    def _limit_memory(self) -> None:
        """End the engine if it uses too much memory."""
        child, most = self._engine.child, self._memory
        if most is None or child is None or (used := child.memory()) <= most:
            return
        fault = OutOfMemory(f"the engine uses {used} MiB; its limit is {most} MiB")
        call_in_loop(self._engine.fail, fault)
