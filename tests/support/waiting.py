"""Waiting in tests: for what happens, never for a time.

`PATIENCE` is the one bound: a wait that reaches it fails. It is far longer than anything takes on
an idle machine, so a machine that is busy has room; TEST_PATIENCE=3 makes it three times as long.

Where the product itself has a timeout, give it a `TurnedClock`, and turn that; where it waits in
an event loop, run it in a `TurnedLoop`.
"""

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

PATIENCE = 60.0 * float(os.environ.get("TEST_PATIENCE", "1"))
"""Seconds after which a wait fails."""

_LOOK = 0.005
_STEP, _STEPS, _ROUNDS = 0.1, 2000, 5  # seconds of a turn, their number, what runs in between

T = TypeVar("T")


def wait_until(holds: Callable[[], T], doing: str = "", patience: float = PATIENCE) -> T:
    """Look until a condition holds. Returns what it gave; fails after PATIENCE.

    doing    -- what is waited for, in words, where the condition does not say it
    patience -- another bound, a multiple of PATIENCE, for what itself takes minutes
    """
    end = time.monotonic() + patience
    while not (found := holds()):
        assert time.monotonic() < end, _late(holds, doing, found, patience)
        time.sleep(_LOOK)
    return found


async def until(holds: Callable[[], T], doing: str = "") -> T:
    """The same, while the event loop goes on."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end, _late(holds, doing, found, PATIENCE)
        await asyncio.sleep(_LOOK)
    return found


@asynccontextmanager
async def waiting_for(doing: str) -> AsyncIterator[None]:
    """What is awaited in the block ends within PATIENCE, or fails with these words."""
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except TimeoutError:
        raise AssertionError(f"waited {PATIENCE:g} s for: {doing}") from None


@contextmanager
def loop_in_thread(name: str) -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop that runs in a thread of this name during the block; then its tasks end."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True, name=name)
    thread.start()
    try:
        yield loop
    finally:
        asyncio.run_coroutine_threadsafe(_cancel_tasks(), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE)
        loop.close()


async def _cancel_tasks() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def turn_loop(seconds: float) -> None:
    """Turn the running TurnedLoop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, TurnedLoop)
    loop.turn(seconds)


async def turned_until(holds: Callable[[], T], doing: str = "") -> T:
    """Turn the running TurnedLoop in small steps until a condition holds. Returns what it gave.

    An exchange with an engine ignores the time of long steps: it takes its process for stopped.
    """
    for _ in range(_STEPS):
        if found := holds():
            return found
        turn_loop(_STEP)
        for _ in range(_ROUNDS):
            await asyncio.sleep(0)
    raise AssertionError(_late(holds, doing, found, _STEPS * _STEP))


def _late(holds: Callable[[], object], doing: str, found: object, seconds: float) -> str:
    what = doing or getattr(holds, "__qualname__", repr(holds))
    return f"waited {seconds:g} s for: {what}; it gave {found!r}"


class TurnedClock:
    """A clock that stands still until a test turns it; call it as `time.monotonic`.

    What the product does `later`, or after a `pause`, is done while the clock is turned.
    """

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now
        self._waiting: list[_Waiting] = []

    def __call__(self) -> float:
        return self.now

    def later(self, seconds: float, work: Callable[[], object]) -> "_Waiting":
        """Do something after so many seconds, unless its `cancel` is called before."""
        waiting = _Waiting(self, self.now + seconds, work)
        self._waiting.append(waiting)
        return waiting

    async def pause(self, seconds: float) -> None:
        """Wait for so many seconds, as `asyncio.sleep`."""
        over = asyncio.get_running_loop().create_future()
        self.later(seconds, lambda: over.done() or over.set_result(None))
        await over

    def turn(self, seconds: float) -> None:
        """Let time pass, and do what is due, in its order."""
        end = self.now + seconds
        while due := [each for each in self._waiting if each.at <= end]:
            first = min(due, key=lambda each: each.at)
            first.cancel()
            self.now = max(self.now, first.at)
            first.work()
        self.now = end


class _Waiting:
    """Work that is done when a clock shows a time."""

    def __init__(self, clock: TurnedClock, at: float, work: Callable[[], object]) -> None:
        self.at, self.work = at, work
        self._clock = clock

    def cancel(self) -> None:
        """Never do it."""
        if self in self._clock._waiting:
            self._clock._waiting.remove(self)


class TurnedLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock a test can turn: then its timers run without a wait.

    Use it as `asyncio.Runner(loop_factory=TurnedLoop)`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._turned = 0.0

    def time(self) -> float:
        return super().time() + self._turned

    def turn(self, seconds: float) -> None:
        """Let time pass."""
        self._turned += seconds
