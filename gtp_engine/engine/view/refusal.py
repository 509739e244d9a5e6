"""Why a turn is illegal, and what can be played at the same point."""

from gtp_engine.board.color import Color
from gtp_engine.engine.session import RESIGN, Session
from gtp_engine.engine.view.things import Json, names, sentence
from gtp_engine.notation.steps import parse_word

_MOST_OFFERED = 4


def refusal(session: Session, color: Color, word: str) -> Json | None:
    """Why a word is illegal now; None if it is legal. Raises Unreadable."""
    objection = session.explain(color, word)
    if objection is None:
        return None
    return {
        "rule": objection.rule,
        "text": sentence(objection.reason),
        "points": names(objection.points),
        "instead": _instead(session, color, word),
    }


def _instead(session: Session, color: Color, word: str) -> list[Json]:
    """The legal steps that begin at the word's first vertex."""
    if color is not session.position.to_move or word.lower() == RESIGN:
        return []
    first = parse_word(session.game, word)[0].vertices[:1]
    steps = [step for step in session.legal_steps() if first and step.vertices[:1] == first]
    return [
        {"step": str(step), "text": step.kind.meaning.format(*step.vertices)}
        for step in steps[:_MOST_OFFERED]
    ]
