"""Reports on a search in progress, as a request wants them."""

import math
import time
from collections.abc import Callable

from gtp_engine.gtp.analysis.request import AnalysisRequest
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.tree import Poll


class ReportsInSearch(SearchObserver):
    """Reports while the search runs, once it has visits; the result is told elsewhere."""

    def __init__(
        self,
        request: AnalysisRequest,
        report: Callable[[Report], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(request.interval, report)
        self._first = request.first_report or request.interval or math.inf
        self._further = request.interval or math.inf
        self._tell = report
        self._clock = clock

    def over(self, current: Callable[[], Report]) -> Poll:
        """See SearchObserver."""
        due = self._clock() + self._first

        def look() -> bool:
            nonlocal due
            if self._clock() >= due:
                report = current()
                if report.visits:
                    self._tell(report)
                    # Counted from the end of the report: it may take longer than the interval.
                    due = self._clock() + self._further
            return False

        return look

    def end(self, report: Report) -> None:
        """Do nothing."""
