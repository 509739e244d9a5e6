"""The clock of an engine in a game: what is charged, what is excused, and when time is lost.

All time of `genmove` is charged. Any other command is charged beyond a small allowance, because an
engine could think there as well. A clock may be overdrawn by a margin, and further by delays that
others caused. The overdrawn time is charged later, until a new period of the time control begins.
Time in which this process was paused is not charged.
"""

from dataclasses import replace
from typing import NamedTuple

from gtp_engine.base.affinity import processor_count
from gtp_engine.gtp.client.usage import Use
from gtp_engine.rules.clock import Clock, TimeControl

_TOLD = 0.005  # seconds: less would print as 0.00


class Leniency(NamedTuple):
    """Time that may be taken without losing, in seconds.

    margin    -- how much a clock may be overdrawn
    lenience  -- how much more in one turn, if others kept the engine or this process from running
    allowance -- free time of each command except `genmove`
    """

    margin: float
    lenience: float
    allowance: float


class Taken(NamedTuple):
    """The time that a command took.

    seconds -- from the command to its response, without pauses of this process
    use     -- processor seconds of the engine meanwhile, None if unknown
    late    -- seconds by which this process was late to send the command and read the response
    paused  -- seconds of the pauses
    """

    seconds: float
    use: Use | None = None
    late: float = 0.0
    paused: float = 0.0

    def excused(self, processors: int) -> float:
        """The seconds of the command that others caused.

        Lateness of this process counts only as far as the engine cannot have caused it: up to the
        time in which the engine left at least one of our processors idle, if it loaded all evenly.

        processors -- processors that this process may use
        """
        if self.use is None:
            return self.late
        left_over = max(0.0, self.seconds - self.use.processor / processors)
        return self.use.displaced + min(self.late, left_over)


class Charge(NamedTuple):
    """What a turn, or a part of one, took of a clock, in seconds: see TurnRecord."""

    processor: float | None = None
    waited: float | None = None
    late: float | None = None
    forgiven: float | None = None
    untimed: float | None = None
    paused: float | None = None


class Timekeeper:
    """The clock of an engine during a game.

    paused -- seconds of the pauses in this turn so far
    """

    def __init__(self, control: TimeControl, leniency: Leniency, processors: int = 0) -> None:
        """`processors` is the number this process may use; 0 means to look it up."""
        self._clock = control.start()
        self._leniency = leniency
        self._processors = processors or processor_count()
        self._used = self._excused = 0.0  # in this turn so far
        self._untimed = 0.0  # charged for other commands since the last `genmove`
        self._unreported = 0.0  # seconds of pauses since the last `genmove`
        self.paused = 0.0

    @property
    def clock(self) -> Clock:
        """The clock at this point of the turn; `left` is negative if it is overdrawn."""
        return replace(self._clock, left=self._clock.left - self._used)

    @property
    def timeout(self) -> float | None:
        """Seconds until time is lost without a response; None without a clock."""
        limit = self._clock.limit
        if limit is None:
            return None
        return max(0.0, limit - self._used) + self._leniency.margin + self._leniency.lenience

    def charge(self, taken: Taken) -> Charge:
        """Charge a `genmove`."""
        self._note_pause(taken)
        self._take(taken.seconds, taken)
        untimed, self._untimed = self._untimed, 0.0
        limit = self._clock.limit
        paused, self._unreported = self._unreported or None, 0.0
        if limit is None:
            return Charge(paused=paused)
        processor, waited = taken.use[:2] if taken.use else (None, None)
        forgiven = max(0.0, self._used - limit)
        return Charge(processor, waited, taken.late, forgiven, untimed, paused)

    def charge_untimed(self, taken: Taken) -> None:
        """Charge another command for its time beyond the allowance."""
        self._note_pause(taken)
        seconds = max(0.0, taken.seconds - self._leniency.allowance)
        if seconds:
            self._untimed += seconds
            self._take(seconds, taken)

    def end_turn(self) -> None:
        """End the turn; the next begins with the time left."""
        self._clock = self._clock.charged(self._used)
        self._used = self._excused = self.paused = 0.0

    @property
    def loss(self) -> str | None:
        """A sentence that says how the game was lost on time; None if it was not."""
        limit, (margin, lenience, _) = self._clock.limit, self._leniency
        excused = min(self._excused, lenience)
        if limit is None or self._used <= limit + margin + excused:
            return None
        sentence = f"{self._used:.2f} seconds taken, only {max(0.0, limit):.2f} left"
        if self._untimed:
            sentence += f"; {self._untimed:.2f} of them in commands other than genmove"
        return f"{sentence}; {excused:.2f} excused" if excused >= _TOLD else sentence

    def _note_pause(self, taken: Taken) -> None:
        self._unreported += taken.paused
        self.paused += taken.paused

    def _take(self, seconds: float, taken: Taken) -> None:
        self._used += seconds
        self._excused += min(seconds, taken.excused(self._processors))
