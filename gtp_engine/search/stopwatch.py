"""Time on the clock, and time of processors."""

import time
from typing import NamedTuple


class Spent(NamedTuple):
    """What something took.

    seconds   -- on the clock
    processor -- seconds of processors, on all threads of this process together
    """

    seconds: float
    processor: float


class Stopwatch:
    """Runs from when it is made."""

    def __init__(self) -> None:
        self._began, self._spent = time.perf_counter(), time.process_time()

    def read(self) -> Spent:
        """What has been spent so far."""
        return Spent(time.perf_counter() - self._began, time.process_time() - self._spent)
