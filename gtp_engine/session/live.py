"""What a search sees, drawn by GoGui while it runs.

GoGui reads its live graphics from stderr, in packets that begin with `gogui-gfx:`. Other clients
take them for lines of a log.
"""

import sys
from collections.abc import Callable

from gtp_engine.board.vertex import Vertex
from gtp_engine.notation.clicks import canonical_clicks
from gtp_engine.render.gfx import NO_MARKS, gfx, influence, text
from gtp_engine.search.tree import value_for
from gtp_engine.search.watch import Report, Watch
from gtp_engine.session.session import Session

_HEAD = "gogui-gfx:"
_SECONDS_BETWEEN = 0.5


class LiveGraphics(Watch):
    """Draws where the search looks; a search that is soon over draws nothing."""

    def __init__(self, session: Session) -> None:
        super().__init__(_SECONDS_BETWEEN, self._draw)
        self._made = len(session.frame.clicks)
        self._drawn = False

    def end(self, current: Callable[[], Report]) -> None:
        """The answer itself is about to come."""

    def clear(self) -> None:
        """To be called when the search is over: take away what was drawn."""
        if self._drawn:
            _write(f"{_HEAD} CLEAR\n")

    def _draw(self, report: Report) -> None:
        visits: dict[Vertex, int] = {}
        for row in report.rows:
            for vertex in canonical_clicks(report.position, row.step)[self._made :][:1]:
                visits[vertex] = visits.get(vertex, 0) + row.visits
        most = max([1, *visits.values()])
        best = report.rows[0]
        chance = value_for(report.position.to_move, best.value)
        lines = (
            gfx(report.position, NO_MARKS),
            influence({vertex: count / most for vertex, count in visits.items()}),
            text(f"{report.visits} visits, {best.step} wins {chance:.1%}"),
        )
        _write("\n".join((_HEAD, *filter(None, lines))) + "\n\n")
        self._drawn = True


def _write(packet: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(packet)
        sys.stderr.flush()
