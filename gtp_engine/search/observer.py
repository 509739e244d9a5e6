"""What a search found: reports, also while it runs."""

import time
from collections.abc import Callable
from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import words_of_line, write_line
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.step import Pie, Step
from gtp_engine.rules.turns import turn_ends
from gtp_engine.search.tree import Poll, Row, never_stop

# Reports cut longer lines of play, because writing them takes time.
SHOWN_PV = 10


class Report(NamedTuple):
    """What a search or a solver has found.

    position   -- where the rows begin
    rows       -- one a step, the one to play first, then by visits; none after the end of the game
    value      -- of the position for BLACK, 0 to 1
    visits     -- of the position
    proven     -- the exact value, once it is known
    forced     -- the forced steps that lead to the position
    nodes      -- of the tree, 0 without one
    used_bytes -- of the tree, 0 if unknown
    seconds    -- of a search for one analysis, else 0: the reports of equal searches are equal
    """

    position: Position
    rows: tuple[Row, ...]
    value: float
    visits: int
    proven: float | None = None
    forced: tuple[Step, ...] = ()
    nodes: int = 0
    used_bytes: int = 0
    seconds: float = 0.0

    @classmethod
    def ended(cls, position: Position, value: float, forced: tuple[Step, ...] = ()) -> "Report":
        """The report on a game that is over."""
        return cls(position, (), value, 0, value, forced)

    def ends(self, row: Row) -> tuple[int, ...]:
        """After how many steps of a row's line each turn is over."""
        return turn_ends(self.position, row.pv) if row.ends is None else row.ends

    def words(self, row: Row) -> list[str]:
        """The words of a row's line: a turn each, the last one perhaps a part of one."""
        if row.ends is None:
            return write_line(self.position, row.pv)
        return words_of_line(row.pv, row.ends)

    @property
    def worth(self) -> float:
        """The value of the position with best play, in which a swap counts."""
        position = self.position
        if self.proven is None and position.pie is not Pie.OFF and position.to_move is BLACK:
            # White takes the better color; the search itself knows no swap.
            return min(self.rows[0].value, 1 - self.rows[0].value)
        return self.value


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
