"""Clocks: the time for a turn under a time control."""

from dataclasses import dataclass, replace
from enum import Enum

# Limits for a hard turn: a factor of its share of the time, and a share of all the time left.
_MOST_SHARES = 2.5
_MOST_OF_ALL = 0.5

# Seconds that a turn may lose between engine and controller.
LAG = 0.1


class Kind(Enum):
    """The kinds of time control, by the names of kata-time_settings."""

    NONE = "none"
    ABSOLUTE = "absolute"
    CANADIAN = "canadian"
    BYOYOMI = "byoyomi"
    FISCHER = "fischer"
    FISCHER_CAPPED = "fischer-capped"


@dataclass(frozen=True)
class TimeControl:
    """The time of both players.

    main      -- seconds at the start
    period    -- seconds of a byo-yomi period, or added per turn by a Fischer clock
    count     -- turns in a Canadian period, or number of Japanese periods
    most_kept -- the most that a capped Fischer clock can hold, None for no limit
    most_used -- the most that one turn may use with that clock, None for no limit
    """

    kind: Kind = Kind.NONE
    main: float = 0.0
    period: float = 0.0
    count: int = 0
    most_kept: float | None = None
    most_used: float | None = None

    def start(self) -> "Clock":
        """A clock at the start of a game."""
        overtime = self.kind in (Kind.CANADIAN, Kind.BYOYOMI)
        if overtime and self.main <= 0:
            return Clock(self, self.period, self.count)
        return Clock(self, self.main, 0)

    def clocks(self) -> "tuple[Clock, Clock]":
        """The clocks of both colors at the start of a game."""
        return self.start(), self.start()


@dataclass(frozen=True)
class Clock:
    """The clock of one player.

    left  -- seconds of main time, or of the byo-yomi period
    count -- turns still to play in the Canadian period, or Japanese periods left; 0 in main time
    """

    control: TimeControl
    left: float
    count: int

    def told(self, left: float, count: int) -> "Clock":
        """The clock as reported by a controller; without time control that is all the time.

        A period never has more time than the control gives it, whatever a controller says.
        """
        control = self.control
        if control.kind is Kind.NONE:
            kind = Kind.CANADIAN if count else Kind.ABSOLUTE
            control = TimeControl(kind, left, left, count)
        if count and control.kind in (Kind.CANADIAN, Kind.BYOYOMI):
            left = min(left, control.period)
        return Clock(control, left, count)

    def after_turn(self, seconds: float) -> "Clock":
        """The clock after a turn of this duration."""
        clock = self.charged(seconds)
        return replace(clock, left=max(0.0, clock.left))

    def charged(self, seconds: float) -> "Clock":
        """The same, but overdrawn time is owed: `left` may be below zero.

        A new period owes nothing.
        """
        control, left = self.control, self.left - seconds
        match control.kind:
            case Kind.FISCHER | Kind.FISCHER_CAPPED:
                most = control.most_kept if control.most_kept is not None else left + control.period
                return replace(self, left=min(left + control.period, most))
            case Kind.CANADIAN:
                return self._after_canadian(left)
            case Kind.BYOYOMI:
                return self._after_byoyomi(left)
        return replace(self, left=left)

    def _after_canadian(self, left: float) -> "Clock":
        if self.count == 0:
            if left > 0:
                return replace(self, left=left)
            return replace(self, left=self.control.period + left, count=self.control.count)
        if self.count == 1:
            return replace(self, left=self.control.period, count=self.control.count)
        return replace(self, left=left, count=self.count - 1)

    def _after_byoyomi(self, left: float) -> "Clock":
        period, periods = self.control.period, self.count
        if periods == 0:
            if left > 0:
                return replace(self, left=left)
            left, periods = left + period, self.control.count
        if left <= 0 < period:
            periods = max(1, periods - 1 - int(-left / period))
        return replace(self, left=period, count=periods)

    @property
    def limit(self) -> float | None:
        """The seconds of the next turn before time is lost; None for no limit."""
        control, left = self.control, self.left
        match control.kind:
            case Kind.NONE:
                return None
            case Kind.CANADIAN if self.count == 0:
                return left + control.period
            case Kind.BYOYOMI:
                return left + control.period * (self.count - 1 if self.count else control.count)
            case Kind.FISCHER_CAPPED if control.most_used is not None:
                return min(left, control.most_used)
        return left

    def allotment(self, turns: float, weight: float = 1.0) -> float | None:
        """The thinking time of a turn if this many turns may follow; None for no limit.

        Never more than the clock allows, minus a reserve for the lag.

        weight -- the turn's part of a full share, if unused time is kept; it counts among `turns`
                  with the same weight
        """
        control, left = self.control, self.left
        match control.kind:
            case Kind.NONE:
                return None
            case Kind.ABSOLUTE:
                share = weight * left / turns
            case Kind.FISCHER | Kind.FISCHER_CAPPED:
                share = weight * (left / turns + control.period)
            case Kind.CANADIAN if self.count:
                share = left / self.count
            case Kind.BYOYOMI if self.count:
                share = left
            case Kind.CANADIAN | Kind.BYOYOMI:
                share = weight * (left / turns + self._overtime)
        most = self._most
        return max(0.0, min(0.9 * share, most - LAG, 0.8 * most))

    def stretched(self, turns: float) -> float | None:
        """The same for a hard turn.

        Half of the remaining time is kept for later turns, and no period is lost.
        """
        allotment, most = self.allotment(turns), self._most
        if allotment is None:
            return None
        return max(allotment, min(_MOST_SHARES * allotment, _MOST_OF_ALL * most, most - LAG))

    @property
    def _overtime(self) -> float:
        """The time of the next period for a turn that runs out of main time."""
        control = self.control
        if self.count or control.kind not in (Kind.CANADIAN, Kind.BYOYOMI):
            return 0.0
        return control.period / (control.count if control.kind is Kind.CANADIAN else 1)

    @property
    def _most(self) -> float:
        """The most time for one turn that leaves enough for the next ones."""
        most = self.left + self._overtime
        return most if self.control.most_used is None else min(most, self.control.most_used)


UNLIMITED = TimeControl()


def control_of_time_settings(main: float, period: float, stones: int) -> TimeControl:
    """The Canadian time control of GTP's `time_settings`; byo-yomi without stones is no limit."""
    if period > 0 and stones == 0:
        return UNLIMITED
    if period == 0 or stones == 0:
        return TimeControl(Kind.ABSOLUTE, main)
    return TimeControl(Kind.CANADIAN, main, period, stones)
