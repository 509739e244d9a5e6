"""Waiting in tests: for what happens, never for a time.

`PATIENCE` is the one bound: a wait that reaches it fails. It is far longer than anything takes on
an idle machine, so a machine that is busy has room; TEST_PATIENCE=3 makes it three times as long.

Where the product itself has a timeout, give it a `TurnedClock`, and turn that; where it waits in
an event loop, run it in a `TurnedLoop`.
"""

import asyncio
import os
import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 60.0 * float(os.environ.get("TEST_PATIENCE", "1"))
"""Seconds after which a wait fails."""

_LOOK = 0.005

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
        assert time.monotonic() < end, _late(holds, doing, found)
        await asyncio.sleep(_LOOK)
    return found


def _late(
    holds: Callable[[], object], doing: str, found: object, patience: float = PATIENCE
) -> str:
    what = doing or getattr(holds, "__qualname__", repr(holds))
    return f"waited {patience:g} s for: {what}; it gave {found!r}"


class TurnedClock:
    """A clock that stands still until a test turns it; call it as `time.monotonic`."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def turn(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


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
