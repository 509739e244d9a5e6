"""The clock of an engine in a game: what is charged to it, what is forgiven, and when it has lost.

Whatever an engine takes is charged: `genmove` from its first moment, any other command beyond a
small allowance, since an engine could think there as well. A clock may be overdrawn by a margin,
and beyond that by what others have caused; what it was overdrawn by is owed, until a period of its
time control begins anew.
"""

import os
from dataclasses import replace
from typing import NamedTuple

from gtp_engine.clock import Clock, TimeControl
from gtp_engine.gtp.affinity import usable_processors
from gtp_engine.gtp.usage import Use

_TOLD = 0.005  # seconds: less is 0.00 in a sentence


class Leniency(NamedTuple):
    """What may be taken without loss, in seconds.

    margin    -- by how much a clock may be overdrawn
    lenience  -- by how much more in one turn, where others kept the engine, or us, from running
    allowance -- what each command but `genmove` may take free of charge
    """

    margin: float
    lenience: float
    allowance: float


class Taken(NamedTuple):
    """What a command has taken.

    seconds -- from the command to its answer
    use     -- what the engine took of the processors meanwhile, None where nobody tells
    late    -- by how many seconds we were late to ask and to see the answer
    """

    seconds: float
    use: Use | None = None
    late: float = 0.0

    def excused(self, processors: int) -> float:
        """How many of the seconds others caused.

        Of our own lateness no more counts than the time for which the engine left one of our
        processors to others, were it to share its work among all of them.

        processors -- how many we may use
        """
        if self.use is None:
            return self.late
        left_over = max(0.0, self.seconds - self.use.processor / processors)
        return self.use.displaced + min(self.late, left_over)


class Charge(NamedTuple):
    """What is known of the time of a turn, or of a part of one, in seconds: see PlayedTurn."""

    processor: float | None = None
    waited: float | None = None
    late: float | None = None
    forgiven: float | None = None
    untimed: float | None = None


class Timekeeper:
    """The clock of an engine during a game."""

    def __init__(self, control: TimeControl, leniency: Leniency, processors: int = 0) -> None:
        """`processors` is how many this process may use; it is looked up where it is 0."""
        self._clock = control.start()
        self._leniency = leniency
        self._processors = processors or len(usable_processors() or ()) or os.cpu_count() or 1
        self._used = self._excused = 0.0  # of the turn, up to now
        self._untimed = 0.0  # charged for other commands since the last `genmove`

    @property
    def clock(self) -> Clock:
        """The clock as it stands within the turn; `left` is below zero where it is overdrawn."""
        return replace(self._clock, left=self._clock.left - self._used)

    @property
    def timeout(self) -> float | None:
        """Seconds for which an answer can come before time is lost; None without a clock."""
        limit = self._clock.limit
        if limit is None:
            return None
        return max(0.0, limit - self._used) + self._leniency.margin + self._leniency.lenience

    def charge(self, taken: Taken) -> Charge:
        """Charge a `genmove`."""
        self._take(taken.seconds, taken)
        untimed, self._untimed = self._untimed, 0.0
        limit = self._clock.limit
        if limit is None:
            return Charge()
        processor, waited = taken.use[:2] if taken.use else (None, None)
        return Charge(processor, waited, taken.late, max(0.0, self._used - limit), untimed)

    def charge_untimed(self, taken: Taken) -> None:
        """Charge another command, beyond the allowance."""
        seconds = max(0.0, taken.seconds - self._leniency.allowance)
        if seconds:
            self._untimed += seconds
            self._take(seconds, taken)

    def end_turn(self) -> None:
        """The turn is over: the next begins with what is left."""
        self._clock = self._clock.charged(self._used)
        self._used = self._excused = 0.0

    @property
    def loss(self) -> str | None:
        """Why the game is lost on time, as a sentence; None where it is not."""
        limit, (margin, lenience, _) = self._clock.limit, self._leniency
        excused = min(self._excused, lenience)
        if limit is None or self._used <= limit + margin + excused:
            return None
        sentence = f"{self._used:.2f} seconds, and only {max(0.0, limit):.2f} were left"
        if self._untimed:
            sentence += f"; {self._untimed:.2f} of them in commands other than genmove"
        return f"{sentence}; others caused {excused:.2f}" if excused >= _TOLD else sentence

    def _take(self, seconds: float, taken: Taken) -> None:
        self._used += seconds
        self._excused += min(seconds, taken.excused(self._processors))
