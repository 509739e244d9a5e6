"""Heat maps: where the search has its visits, and how it evaluates points."""

from collections.abc import Mapping

from gtp_engine.engine.first_turn_values import spots, surveyed
from gtp_engine.engine.pictures.scene import Scene, Warmth
from gtp_engine.engine.position_analysis import current_analysis, tried
from gtp_engine.engine.scenes import scene
from gtp_engine.engine.session import Session
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Step
from gtp_engine.search.tree import value_for

VISITS, WINRATE, OPENINGS = "visits", "winrate", "openings"
KINDS = (VISITS, WINRATE, OPENINGS)

_CAPTIONS = {
    VISITS: "Numbers: share of the visits in percent, by a search",
    WINRATE: "Numbers: chance of the color to move in percent, by a search",
}

# Points with a smaller share of the visits are left out: their values are too uncertain.
_SMALLEST_SHARE = 0.005


def heat_scene(session: Session, kind: str) -> Scene:
    """The present game under a heat map of a kind; for openings, the start."""
    if kind == OPENINGS:
        return _first_turns(session)
    shown, heat = scene(session), heat_map(session, kind)
    captions = (*shown.caption, _CAPTIONS[kind]) if heat else shown.caption
    return shown._replace(heat=heat, caption=captions)


def _first_turns(session: Session) -> Scene:
    """The values of the first turns of a game."""
    start = session.game.start(session.position.size)
    black = session.game.color_names[Color.BLACK]
    caption = (
        f"{session.game.title} {start.size}x{start.size}: values of first turns",
        f"Numbers: chance of {black} in percent; dark means even",
    )
    return Scene(start, heat=heat_map(session, OPENINGS), caption=caption)


def heat_map(session: Session, kind: str) -> Mapping[Vertex, Warmth]:
    """The search's results for the points that the next step may go to, in percent.

    visits: the share of the search's visits; winrate: the chance of the color to move. Both are
    empty after the end. openings: Black's chance after the most even first turn at each point; the
    warmer, the more even.
    """
    if kind == OPENINGS:
        known = spots(session, surveyed(session))
        return {vertex: Warmth(1 - abs(spot.slant), spot.label) for vertex, spot in known.items()}
    analysis = current_analysis(session)
    rows = () if analysis is None else analysis.rows
    total, mover = sum(row.visits for row in rows), session.position.to_move
    found = tried((row for row in rows if row.visits >= _SMALLEST_SHARE * total), _goal)
    shares = {vertex: each.visits / total for vertex, each in found.items()}
    values = {vertex: value_for(mover, each.value) for vertex, each in found.items()}
    shown = shares if kind == VISITS else values
    least = 0.0 if kind == VISITS else min(shown.values(), default=0.0)
    spread = max(shown.values(), default=0.0) - least or 1.0
    return {
        vertex: Warmth((share - least) / spread, f"{100 * share:.0f}")
        for vertex, share in shown.items()
    }


def _goal(step: Step) -> Vertex | None:
    """The point a step goes to: for a move the second point; None for a pass."""
    return step.vertices["}-{" in step.kind.template] if step.vertices else None
