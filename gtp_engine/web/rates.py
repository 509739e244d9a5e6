"""How many messages a page may send."""

import time


class Allowance:
    """Refills steadily up to a bound, and is used up by messages.

    rate  -- how much comes back in a second
    burst -- how much there can be
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._seen = burst, time.monotonic()

    def take(self, amount: float = 1.0) -> bool:
        """Use some of it; False, and nothing is used, where so much is not left."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < amount:
            return False
        self._left -= amount
        return True
