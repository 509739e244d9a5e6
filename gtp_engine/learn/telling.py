"""What a training tells while it goes on: how far it is, how fast, and when it will end."""

import time
from typing import NamedTuple

from gtp_engine.numbers import number_of

_SOON = 20 * 3600.0


class FitProgress(NamedTuple):
    """A fit in progress.

    steps, most -- of the optimizer: so far, and at most
    losses      -- of steps, value and owners: means since the last report, on training samples
    seconds     -- that are left, at most
    """

    steps: int
    most: int
    losses: tuple[float, float, float]
    seconds: float

    def __str__(self) -> str:
        steps, value, owners = self.losses
        return (
            f"step {self.steps:,} of at most {self.most:,}; losses: steps {steps:.4f}, "
            f"value {value:.4f}, owners {owners:.4f}; the fit ends about {moment(self.seconds)}"
        )


class SelfplayPace:
    """How fast the games of a generation come."""

    def __init__(self, count: int, wanted: int | None, began: float) -> None:
        """Some games were there when it began, by the monotonic clock; None wants no number."""
        self._had = count
        self._wanted = wanted
        self._began = began

    def told(self, count: int, now: float, seconds: float, training: float) -> str:
        """How it goes.

        seconds  -- that self-play has left
        training -- seconds that the training has left
        """
        rate = (count - self._had) / max(now - self._began, 1e-6)
        if self._wanted is not None and rate:
            sooner = seconds - (self._wanted - count) / rate
            if sooner > 0:
                seconds, training = seconds - sooner, training - sooner
        games = number_of(count, "game")
        some = games if self._wanted is None else f"{count:,} of {number_of(self._wanted, 'game')}"
        speed = f"{rate:.1f} a second" if rate >= 1 else f"{60 * rate:.1f} a minute"
        return (
            f"{some}, {speed}; self-play ends about {moment(seconds)}, "
            f"the training about {moment(training)}"
        )


def moment(seconds: float) -> str:
    """The time of the day, so many seconds from now; with the date where that is far away."""
    form = "%H:%M" if seconds < _SOON else "%Y-%m-%d %H:%M"
    return time.strftime(form, time.localtime(time.time() + max(0.0, seconds)))
