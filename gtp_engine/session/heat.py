"""Heat maps: where the search looks, and what it thinks of it."""

from collections import defaultdict
from collections.abc import Mapping

from gtp_engine.board.vertex import Vertex
from gtp_engine.render.scene import Warmth
from gtp_engine.search.study import Effort, study
from gtp_engine.search.tree import Row, value_for
from gtp_engine.session.first_turns import spots, surveyed
from gtp_engine.session.session import Session
from gtp_engine.session.settings import RANDOM_SEED

VISITS, WINRATE, OPENINGS = "visits", "winrate", "openings"
KINDS = (VISITS, WINRATE, OPENINGS)

# Points with a smaller part of the visits are left out: their values mean little.
_SMALLEST_SHARE = 0.005


def heat_map(session: Session, kind: str) -> Mapping[Vertex, Warmth]:
    """A search's view of the points that the next step may go to, in percent.

    visits: how much of the search went there; winrate: the chance of the color to move. Nothing
    is played, and without a seed chance has no part in it. Empty after the end. openings: of the
    empty board, the chance of Black after the most even first turn there, the warmer the more even.
    """
    if kind == OPENINGS:
        found = spots(session, surveyed(session))
        return {vertex: Warmth(1 - abs(spot.slant), spot.label) for vertex, spot in found.items()}
    rows = _rows(session)
    total = sum(row.visits for row in rows)
    by_point: dict[Vertex, list[Row]] = defaultdict(list)
    for row in rows:
        if row.step.vertices and row.visits >= _SMALLEST_SHARE * total:
            by_point[_point(row)].append(row)
    mover = session.position.to_move
    shares, values = {}, {}
    for vertex, here in by_point.items():
        shares[vertex] = sum(row.visits for row in here) / total
        values[vertex] = value_for(mover, max(here, key=lambda row: row.visits).value)
    shown = shares if kind == VISITS else values
    least = 0.0 if kind == VISITS else min(shown.values(), default=0.0)
    spread = max(shown.values(), default=0.0) - least or 1.0
    return {
        vertex: Warmth((share - least) / spread, f"{100 * share:.0f}")
        for vertex, share in shown.items()
    }


def _point(row: Row) -> Vertex:
    """Where a step goes: the second point of a move from one to another."""
    step = row.step
    return step.vertices["}-{" in step.kind.template]


def _rows(session: Session) -> tuple[Row, ...]:
    """What a search of the settings' budget finds about the legal steps, the swap apart."""
    if session.outcome is not None:
        return ()
    settings = session.settings
    seed = "0" if settings.seed == RANDOM_SEED else settings.seed
    effort = Effort(settings.backend, settings.search_options, seed, session.budget())
    try:
        return study(session.position, session.legal_steps(), effort).rows
    except ValueError:  # nothing but a swap, or forced steps
        return ()
