"""Reports of a search while it runs."""

import time
from collections.abc import Callable
from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.search.tree import Poll, Row, never_stop

# A report shows no longer lines of play: writing them takes time from the answer to come.
SHOWN_PV = 10


class Report(NamedTuple):
    """What a search has found so far.

    position -- where the rows begin
    rows     -- one a step, the one to play first, then by visits; never empty
    value    -- of the position for BLACK, 0 to 1
    visits   -- of the position
    proven   -- the exact value, once it is known
    """

    position: Position
    rows: tuple[Row, ...]
    value: float
    visits: int
    proven: float | None = None


class SearchObserver:
    """Has a search reported now and then, always in the thread that asked for the search.

    interval -- seconds from one report to the next; None for no report while it runs
    report   -- gets each report
    """

    def __init__(self, interval: float | None, report: Callable[[Report], None]) -> None:
        self._interval = interval
        self._report = report
        self._reported = False

    def over(self, current: Callable[[], Report]) -> Poll:
        """What a search calls again and again: reports what is current when it is time."""
        interval = self._interval
        if interval is None:
            return never_stop
        due = time.monotonic() + interval

        def look() -> bool:
            nonlocal due
            if time.monotonic() >= due:
                self._send(current())
                # From the end of the report: a client that reads slowly gets fewer of them.
                due = time.monotonic() + interval
            return False

        return look

    def end(self, current: Callable[[], Report]) -> None:
        """Report at the end of a search that has not reported yet."""
        if not self._reported:
            self._send(current())

    def _send(self, report: Report) -> None:
        self._report(report)
        self._reported = True
