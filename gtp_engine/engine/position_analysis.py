"""Searches of a session's position that play nothing: for one analysis, or for an observer."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from gtp_engine.engine.choosing import prepare_backend, searching_player
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import Settings
from gtp_engine.rules.notation.turns import canonical_clicks
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import PASS, Step
from gtp_engine.rules.turns import forced_step
from gtp_engine.search import assessment
from gtp_engine.search.assessment import SearchSetup
from gtp_engine.search.budget import Budget
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.tree import Row, value_for


class Tried(NamedTuple):
    """Facts about the steps at a vertex; `value` is that of the most visited one, for BLACK."""

    visits: int
    value: float


def search_setup(session: Session, budget: Budget) -> SearchSetup:
    """The setup of searches for analysis, whose turns are not played."""
    prepare_backend(session)
    return setup_of(session.settings, budget)


def setup_of(settings: Settings, budget: Budget) -> SearchSetup:
    """The setup of searches by some settings, but with another budget."""
    if budget.visits is not None:
        settings = replace(settings, visits=budget.visits)
    return SearchSetup(settings.backend, settings.search_options, settings.analysis_seed, budget)


def current_analysis(session: Session) -> Report | None:
    """A search of the position, as long as `genmove` may take; the session keeps the last one.

    None if there is nothing to search: after the end, or if only a swap is possible.
    """
    position, steps = session.position, session.legal_steps()

    def search() -> Report | None:
        try:
            return assessment.search(position, steps, search_setup(session, session.budget()))
        except ValueError:
            return None

    return session.kept("analysis", (position, steps, session.settings), search)


def tried(rows: Iterable[Row], vertex_of: Callable[[Step], Vertex | None]) -> dict[Vertex, Tried]:
    """The visits of rows, summed by vertex; the vertex of the most visited row comes first."""
    found: dict[Vertex, Tried] = {}
    for row in sorted(rows, key=lambda row: -row.visits):
        vertex = vertex_of(row.step)
        if vertex is not None:
            before = found.get(vertex, Tried(0, row.value))
            found[vertex] = before._replace(visits=before.visits + row.visits)
    return found


def tried_by_click(session: Session, found: Report) -> dict[Vertex, Tried]:
    """The search results for each vertex that may be clicked next."""
    made = len(session.frame.clicks)
    forced = forced_step(session.position)
    if forced is not None:
        vertex = canonical_clicks(session.position, forced)[made]
        return {vertex: Tried(found.visits, found.value)}

    def next_click(step: Step) -> Vertex | None:
        return next(iter(canonical_clicks(found.position, step)[made:]), None)

    return tried(found.rows, next_click)


def observe(session: Session, among: tuple[Step, ...], observer: SearchObserver) -> None:
    """Search some legal steps of the position until input is pending; at least one report.

    It uses the search tree of `genmove`. When nothing is left to search it waits. After the end of
    the game there is one report, about passing.
    """
    if session.outcome is None:
        deadline = Budget(interrupt=session.pending).begin()
        searching_player(session).analyze(session.position, among, deadline, observer)
        session.pending.wait()
    else:
        report_end(session, observer)


def report_end(session: Session, observer: SearchObserver) -> None:
    """Report a finished game: only a pass is left."""
    outcome = session.outcome
    assert outcome is not None
    value = outcome.value
    seen = value_for(session.position.to_move, value)
    row = Row(PASS, 0, value, 1.0, seen, value, (PASS,))
    observer.end(Report(session.position, (row,), value, 0, value))
