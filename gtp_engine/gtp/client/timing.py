"""Time controls as text, and the clock commands for engines."""

import re
from collections.abc import Collection

from gtp_engine.rules.clock import UNLIMITED, Clock, Kind, TimeControl

NO_CLOCK = "none"

NO_LIMIT = "time_settings 0 1 0"
"""The command that ends a time control."""

_NUMBER = r"\d{1,9}(?:\.\d{1,6})?"
_TEXT = re.compile(
    rf"(?P<first>{_NUMBER})(?:\+(?P<more>{_NUMBER}))?(?:/(?P<turns>[1-9]\d{{0,3}}))?"
)
_LEAST = 0.001  # seconds: less would be sent as 0, and that means no limit
_EXTENDED = "kata-time_settings"


def time_control(text: str) -> TimeControl:
    """Parse a time control.

    none           no clock
    60             60 seconds per game
    60+0.5         and 0.5 seconds more after each turn
    60+30/5        then 30 seconds per 5 turns
    1/1            1 second per turn

    Raises ValueError.
    """
    if text == NO_CLOCK:
        return UNLIMITED
    match = _TEXT.fullmatch(text)
    if match is None:
        given = text or "an empty text"
        raise ValueError(f"{given} is not a time control such as none, 60, 60+0.5, 60+30/5, 1/1")
    first, more, turns = match["first"], match["more"], match["turns"]
    main = float(first) if more or not turns else 0.0
    period = float(more or first) if more or turns else 0.0
    if main + period < _LEAST or (turns and period < _LEAST):
        raise ValueError(f"{text} leaves no time")
    if turns:
        return TimeControl(Kind.CANADIAN, main, period, int(turns))
    return TimeControl(Kind.FISCHER if more else Kind.ABSOLUTE, main, period)


def settings_line(control: TimeControl, known: Collection[str]) -> str | None:
    """The command that sends a time control, in a form that the engine knows; None for no clock."""
    main, period = _seconds(control.main), _seconds(control.period)
    match control.kind:
        case Kind.NONE:
            return None
        case Kind.FISCHER if _EXTENDED in known:
            return f"{_EXTENDED} fischer {main} {period}"
        case Kind.CANADIAN:
            return f"time_settings {main} {period} {control.count}"
    return f"time_settings {main} 0 0"


def left_line(clock: Clock, letter: str, known: Collection[str]) -> str | None:
    """The command that sends the clock before a turn; None without a clock."""
    if clock.control.kind is Kind.NONE or "time_left" not in known:
        return None
    left = max(0.0, clock.left)
    seconds = _seconds(left) if _EXTENDED in known else str(int(left))
    return f"time_left {letter} {seconds} {clock.count}"


def _seconds(value: float) -> str:
    """Seconds as an integer if possible: plain GTP knows only integers."""
    return f"{value:.3f}".rstrip("0").rstrip(".")
