"""Retrying through outages: causes that may end by themselves or by help, such as a full disk."""

import time
from collections.abc import Callable

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0  # seconds between two attempts


class Outlasted(Exception):
    """An outage lasted longer than the user allows. What was stored before is kept."""


class Patience:
    """Waits between attempts during an outage, longer each time. Use it in one thread."""

    def __init__(
        self,
        most: float,
        tell: Callable[[str], object] = lambda said: None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """
        most  -- seconds that an outage may last
        tell  -- receives a sentence when an outage begins, and when it is over
        sleep -- waits for seconds; may raise to end the wait
        """
        self._most, self._tell, self._sleep = most, tell, sleep
        self._since: float | None = None
        self._pause = _FIRST_PAUSE

    def wait(self, reason: str) -> None:
        """Wait before the next attempt. Raises Outlasted."""
        now = time.monotonic()
        if self._since is None:
            self._since, self._pause = now, _FIRST_PAUSE
            if self._most > 0:
                self._tell(f"{reason}; trying again for up to {_in_words(self._most)}")
        left = self._since + self._most - now
        if left <= 0:
            lasted = f" for {_in_words(self._most)}" if self._most > 0 else ""
            raise Outlasted(
                f"{reason}{lasted}; finished games are kept; run the same command to continue"
            )
        self._sleep(min(self._pause, left))
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def over(self, sentence: str) -> None:
        """An attempt succeeded; the sentence is told if there was an outage."""
        if self._since is not None:
            lasted, self._since = time.monotonic() - self._since, None
            self._tell(f"{sentence} after {_in_words(lasted)}")


def _in_words(seconds: float) -> str:
    """A duration in the largest unit that it fills."""
    for unit, size in (("hour", 3600), ("minute", 60)):
        if seconds >= size:
            number = round(seconds / size, 1)
            return f"{number:g} {unit}{'' if number == 1 else 's'}"
    return f"{seconds:.1f} seconds"
