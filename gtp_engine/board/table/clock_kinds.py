"""The kinds of clocks at the board: declared once for tables, messages, records and the journal."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gtp_engine.base.numbers import finite
from gtp_engine.board.table.messages import Message
from gtp_engine.rules.clock import Clock, Kind, TimeControl
from gtp_engine.rules.records.record import RecordNode

LONGEST_TIME = 10**6
"""Most seconds of a clock: eleven days and a half."""

_TIME, _OVERTIME = "TM", "OT"  # SGF's properties of a time control
_LONGEST_TOLD = 60.0  # seconds: an engine may use all that it is told, and people wait for it
_UNITS = ((86400, "days"), (3600, "h"), (60, "min"))


class TimeKind(NamedTuple):
    """What a clock does with the seconds of each turn.

    has_main -- whether there is a time for the whole game, too
    first    -- whether the first turn has them from the start
    after    -- what a turn leaves: from what its color had after its turn before, from what is left
                now, and from the seconds of each turn
    overtime -- the seconds in a record
    words    -- the seconds in a question, after the time for the game
    """

    has_main: bool
    first: bool
    after: Callable[[float, float, float], float]
    overtime: str
    words: str


KINDS: Mapping[str, TimeKind] = {
    "increment": TimeKind(
        True, False, lambda before, left, each: left + each, "{} fischer", " + {}"
    ),
    "delay": TimeKind(
        True,
        True,
        lambda before, left, each: min(before, left + each),
        "{} delay",
        ", {} of each turn free",
    ),
    "turn": TimeKind(
        False, True, lambda before, left, each: each, "1x{} byo-yomi", "{} for each turn"
    ),
}
"""By the name that messages give to the seconds of each turn.

increment -- they are added after it
delay     -- they cost nothing: as many come back as the turn has used
turn      -- the turn has these, and there are no others
"""


@dataclass(frozen=True)
class Timing:
    """The time of both players.

    main -- seconds for the whole game, 0 if the kind has none
    each -- seconds of each turn; 0 is sudden death
    kind -- one of KINDS
    """

    main: float
    each: float = 0.0
    kind: str = "increment"

    @classmethod
    def read(cls, shown: Message) -> "Timing":
        """The timing in a message."""
        kind = next(name for name in KINDS if name in shown)
        return cls(shown.get("main", 0.0), shown[kind], kind)

    def shown(self) -> Message:
        """The timing in the form of a message."""
        main = {"main": self.main} if self.has_main else {}
        return main | {self.kind: self.each}

    @property
    def has_main(self) -> bool:
        """Whether there is a time for the whole game."""
        return KINDS[self.kind].has_main

    @property
    def words(self) -> str:
        """The timing for people."""
        main = _duration(self.main) if self.has_main else ""
        return main + (KINDS[self.kind].words.format(_duration(self.each)) if self.each else "")

    @property
    def start(self) -> float:
        """The seconds of each color at the start."""
        return self.main + (self.each if KINDS[self.kind].first else 0.0)

    def after(self, before: float, left: float) -> float:
        """The seconds of a color after its turn; see TimeKind."""
        return KINDS[self.kind].after(before, left, self.each)

    def told(self, left: float) -> Clock:
        """The clock that an engine is told when it has so many seconds left."""
        if self.kind != "turn":
            return Clock(TimeControl(Kind.FISCHER, self.main, self.each), left, 0)
        control = TimeControl(Kind.CANADIAN, 0.0, min(self.each, _LONGEST_TOLD), 1)
        return Clock(control, min(left, control.period), 1)


def write_timing(root: RecordNode, timing: Timing | None) -> None:
    """Put a timing into the start of a record; without one, leave what was read."""
    if timing is not None:
        root.put(_TIME, _number(timing.main))
        overtime = KINDS[timing.kind].overtime.format(_number(timing.each))
        root.put(_OVERTIME, overtime if timing.each else "")


def read_timing(root: RecordNode) -> Timing | None:
    """The timing of a record; None without one, and for one that we do not have."""
    main, overtime = seconds_in(root.text(_TIME)), root.text(_OVERTIME)
    if main is None:
        return None
    if not overtime:
        return Timing(main) if main else None
    for name, kind in KINDS.items():
        pattern = re.escape(kind.overtime).replace(r"\{\}", r"([0-9.]+)")
        found = re.fullmatch(pattern, overtime, re.IGNORECASE)
        each = seconds_in(found[1]) if found else None
        if each and bool(main) == kind.has_main:
            return Timing(main, each, name)
    return None


def seconds_in(text: str) -> float | None:
    """The seconds in a text of a record; None if it is none, or more than a clock can have."""
    try:
        seconds = finite(text)
    except ValueError:
        return None
    return seconds if 0 <= seconds <= LONGEST_TIME else None


def _number(seconds: float) -> str:
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


def _duration(seconds: float) -> str:
    """Seconds in the largest unit that they fill: `3 days`, `1.5 min`, `20 s`."""
    for unit, name in _UNITS:
        if seconds >= unit and (name == "min" or seconds % unit == 0):
            return "1 day" if seconds == unit == _UNITS[0][0] else f"{seconds / unit:g} {name}"
    return f"{seconds:g} s"
