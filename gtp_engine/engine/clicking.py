"""Legal clicks, and other facts for a GUI with clicks."""

from gtp_engine.engine.session import Session
from gtp_engine.rules.notation.clicks import next_clicks
from gtp_engine.rules.points.points import Points
from gtp_engine.rules.step import PASS
from gtp_engine.rules.turns import walk


def legal_clicks(session: Session) -> Points:
    """The vertices that `play` accepts next."""
    if session.outcome is not None:
        return 0
    return next_clicks(session.position, session.frame.clicks)


def may_pass(session: Session) -> bool:
    """Whether a pass is among the legal steps."""
    return PASS in session.legal_steps()


def taken(session: Session) -> tuple[int, int]:
    """The number of pieces of each color that were removed from the board."""
    black = white = 0
    steps = (step for play in session.history() for step in play.steps)
    for before, step in walk(session.state.start, steps):
        more = before.taken(step)
        black, white = black + more[0], white + more[1]
    return black, white
