"""A limit on the rate of a page's messages."""

import time


class Allowance:
    """A token bucket: it refills steadily up to a limit, and messages take from it.

    rate  -- tokens added per second
    burst -- most tokens
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._seen = burst, time.monotonic()

    def take(self, amount: float = 1.0) -> bool:
        """Take tokens; False, without taking any, if there are too few."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < amount:
            return False
        self._left -= amount
        return True
