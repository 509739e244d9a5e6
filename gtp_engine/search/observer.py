"""Reports from a running search."""

import time
from collections.abc import Callable
from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.search.tree import Poll, Row, never_stop

# Reports cut longer lines of play, because writing them takes time.
SHOWN_PV = 10


class Report(NamedTuple):
    """The state of a search.

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
    """Receives reports of a search at intervals, in the thread that called the search.

    interval -- seconds between reports; None for no report while the search runs
    report   -- gets each report
    """

    def __init__(self, interval: float | None, report: Callable[[Report], None]) -> None:
        self._interval = interval
        self._report = report

    def over(self, current: Callable[[], Report]) -> Poll:
        """Report if it is time; the search calls this often."""
        interval = self._interval
        if interval is None:
            return never_stop
        due = time.monotonic() + interval

        def look() -> bool:
            nonlocal due
            if time.monotonic() >= due:
                self._report(current())
                # Counted from the end of the report, so that a slow client gets fewer reports.
                due = time.monotonic() + interval
            return False

        return look

    def end(self, report: Report) -> None:
        """Report the result; the search calls this once, at its end."""
        self._report(report)
