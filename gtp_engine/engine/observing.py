"""Searches of a session's position that a client observes."""

from gtp_engine.engine.choosing import searching_player
from gtp_engine.engine.session import Session
from gtp_engine.rules.step import PASS, Step
from gtp_engine.search.budget import Budget
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.tree import Row, value_for


def observe(session: Session, among: tuple[Step, ...], observer: SearchObserver) -> None:
    """Search some legal steps of the position until input is pending; at least one report.

    It uses the search tree of `genmove`. When nothing is left to search it waits. After the end of
    the game there is one report, about passing.
    """
    if session.outcome is None:
        budget = Budget(interrupt=session.pending)
        searching_player(session).analyze(session.position, among, budget, observer)
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
    observer.end(lambda: Report(session.position, (row,), value, 0, value))
