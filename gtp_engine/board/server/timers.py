"""Work that is done after a time: by the event loop, or by what a caller gives in its place."""

import asyncio
from collections.abc import Callable
from typing import Protocol


class Waiting(Protocol):
    """Work that is not done yet."""

    def cancel(self) -> None:
        """Never do it."""
        ...


Later = Callable[[float, Callable[[], object]], Waiting]
"""Do something after so many seconds."""


def later(seconds: float, work: Callable[[], object]) -> Waiting:
    """Do something after so many seconds of the running loop."""
    return asyncio.get_running_loop().call_later(seconds, work)
