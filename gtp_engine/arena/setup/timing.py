"""Time in a match: time controls as text, clock commands for engines, and our own lateness."""

import re
import threading
import time
from collections import deque
from collections.abc import Collection
from functools import cache
from itertools import takewhile

from gtp_engine.clock import UNLIMITED, Clock, Kind, TimeControl

NO_CLOCK = "none"

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
        raise ValueError(f"{text} is not a time control such as none, 60, 60+0.5, 60+30/5, 1/1")
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


@cache
def lateness() -> "Lateness":
    """The instance of this process; one is enough."""
    return Lateness()


class Lateness:
    """Measures how late our own threads run, so that engines do not lose time by it.

    On an overloaded machine a sleeping thread wakes late, and this process also sees responses
    late.
    """

    PERIOD = 0.02
    _KEPT = 600.0

    def __init__(self) -> None:
        self._late: deque[tuple[float, float]] = deque()
        self._lock = threading.Lock()
        self._due = time.monotonic() + self.PERIOD
        threading.Thread(target=self._watch, name="lateness", daemon=True).start()

    def at(self, moment: float) -> float:
        """Seconds by which we were late at a recent moment of `time.monotonic`."""
        with self._lock:
            since = takewhile(lambda entry: entry[0] >= moment, reversed(self._late))
            late = [late for end, late in since if end - late - self.PERIOD <= moment]
        if moment >= self._due - self.PERIOD:  # the watching thread is late now and not yet awake
            late.append(time.monotonic() - self._due)
        return max([0.0, *late])

    def _watch(self) -> None:
        while True:
            before = time.monotonic()
            self._due = before + self.PERIOD
            time.sleep(self.PERIOD)
            now = time.monotonic()
            late = now - before - self.PERIOD
            if late < self.PERIOD / 4:
                continue
            with self._lock:
                self._late.append((now, late))
                while self._late and self._late[0][0] < now - self._KEPT:
                    self._late.popleft()
