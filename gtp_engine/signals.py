"""Handlers of signals for a while."""

import signal
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

ENDING = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, and what `kill` sends."""


@contextmanager
def handled(
    handler: Callable[[int, object], None], numbers: Collection[int] = ENDING
) -> Iterator[None]:
    """Within the block these signals call the handler. Only the main thread may do this."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)
