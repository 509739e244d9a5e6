"""Progress reports of a training: how far it is, how fast, and when it will end."""

import time
from typing import NamedTuple

from gtp_engine.base.numbers import number_of

_SOON = 20 * 3600.0


class FitProgress(NamedTuple):
    """The progress of a fit.

    steps, most -- optimizer steps so far, and the most of them
    losses      -- of policy, value and owners: means since the last report, on training samples
    seconds     -- the longest time left
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
    """The speed at which a generation gets its games."""

    def __init__(self, count: int, wanted: int | None, began: float) -> None:
        """Start with `count` games at the monotonic time `began`; `wanted` is None for no limit."""
        self._had = count
        self._wanted = wanted
        self._began = began

    def told(self, count: int, now: float, seconds: float, training: float) -> str:
        """A progress report in words.

        seconds  -- the seconds left for self-play
        training -- the seconds left for the training
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
    """The time of day after this many seconds; a distant time has its date."""
    form = "%H:%M" if seconds < _SOON else "%Y-%m-%d %H:%M"
    return time.strftime(form, time.localtime(time.time() + max(0.0, seconds)))
