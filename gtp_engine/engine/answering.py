"""The answer of `genmove`: a whole turn, or one click, as the setting `moves` says."""

from collections.abc import Sequence
from dataclasses import replace

from gtp_engine.engine.choosing import choose
from gtp_engine.engine.history import Decision
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import TURNS
from gtp_engine.rules.notation.clicks import words_clicked
from gtp_engine.rules.notation.items import PASS_WORD
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import PASS
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.tree import Row


def decide(session: Session, color: Color, observer: SearchObserver | None = None) -> Decision:
    """The answer and the turn of a color. Nothing changes. Raises IllegalTurn.

    With clicks, the first click of a turn takes the whole search, which the observer sees; the
    following clicks are known. For the color that waits while a turn is open, the answer is a pass
    without effect.
    """
    if session.settings.moves == TURNS or session.outcome is not None:
        return choose(session, color, observer)
    known = _chosen_before(session, color)
    if known:
        if observer is not None:
            observer.end(_report_of(session, known[0]))
        return _first_of(session, color, known)
    decision, frame = choose(session, color, observer), session.frame
    words = list(words_clicked(frame.position, frame.clicks, decision.following.steps))
    first = _first_of(session, color, words or [decision.word])
    return first._replace(thought=decision.thought, seconds=decision.seconds)


def _chosen_before(session: Session, color: Color) -> tuple[str, ...]:
    """The words of a color that are known without a search, because a turn is in progress."""
    plan = session.frame.plan
    if session.waits(color):
        return PASS_WORD, *plan
    return plan if color is session.position.to_move else ()


def _report_of(session: Session, word: str) -> Report:
    """The report of a word that was chosen before, from the search at that time."""
    position, made = session.position, session.frame.clicks
    steps = (PASS,) if word == PASS_WORD else session.legal_steps()
    said = next(step for step in steps if next(words_clicked(position, made, (step,))) == word)
    thoughts = [play.thought for play in session.history() if play.thought is not None]
    value = thoughts[-1].value if thoughts else 0.5
    row = Row(said, 0, value, 1.0, 0.0, None, (said,))
    return Report(position, (row,), value, 0)


def _first_of(session: Session, color: Color, words: Sequence[str]) -> Decision:
    """Play the first of some words, and keep the others for later."""
    word, *plan = words
    following = session.follow(color, word)
    frame = replace(following.frame, plan=tuple(plan))
    return Decision(color, word, following._replace(frame=frame))
