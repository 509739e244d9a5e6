"""The progress of a search, drawn by GoGui.

GoGui reads its live graphics from stderr, in packets that begin with `gogui-gfx:`. They are sent
only after one of GoGui's own commands: other clients would treat them as log lines.
"""

from gtp_engine.base import stderr
from gtp_engine.engine.choosing import decide
from gtp_engine.engine.history import Decision
from gtp_engine.engine.pictures.gfx import gfx, influence, text
from gtp_engine.engine.pictures.scene import plain
from gtp_engine.engine.position_analysis import tried_by_click
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import CLICKS
from gtp_engine.rules.points.color import Color
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.tree import value_for

_HEAD = "gogui-gfx:"
_SECONDS_BETWEEN = 0.5
_MOMENT = 0.05  # seconds that an answer waits until the drawing is removed


def decide_drawing(session: Session, color: Color) -> Decision:
    """Like `decide`; if the answer is a click, GoGui draws the search. Raises IllegalTurn."""
    if session.settings.moves != CLICKS or not session.gogui:
        return decide(session, color)
    graphics = LiveGraphics(session)
    decision = decide(session, color, graphics)
    graphics.clear()
    return decision


class LiveGraphics(SearchObserver):
    """Draws the most visited points of a search; a short search draws nothing."""

    def __init__(self, session: Session) -> None:
        super().__init__(_SECONDS_BETWEEN, self._draw)
        self._session = session
        self._drawn = False

    def end(self, report: Report) -> None:
        """Do nothing: the answer follows at once."""

    def clear(self) -> None:
        """Remove the drawing; call it after the search."""
        if self._drawn:
            stderr.write(f"{_HEAD} CLEAR\n")
            stderr.flush(_MOMENT)

    def _draw(self, report: Report) -> None:
        found = tried_by_click(self._session, report)
        most = max([1, *(each.visits for each in found.values())])
        best = report.rows[0]
        chance = value_for(report.position.to_move, best.value)
        lines = (
            gfx(plain(report.position)),
            influence({vertex: each.visits / most for vertex, each in found.items()}),
            text(f"{report.visits} visits, {best.step} wins {chance:.1%}"),
        )
        stderr.write("\n".join((_HEAD, *filter(None, lines))) + "\n\n")
        self._drawn = True
