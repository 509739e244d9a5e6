"""Answers of one click at a time, for GUIs and runners that know nothing but vertices."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gtp_engine import ENGINE_NAME
from gtp_engine.board.color import Color
from gtp_engine.board.points import Points
from gtp_engine.notation.clicks import Clicks, clicks_that_say, next_clicks
from gtp_engine.notation.items import PASS_WORD
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import PASS, Step
from gtp_engine.search.tree import Row
from gtp_engine.search.watch import Report, Watch
from gtp_engine.session.live import LiveGraphics
from gtp_engine.session.session import Session
from gtp_engine.session.settings import CLICKS, TURNS
from gtp_engine.session.thought import Thought


def meet_gui(session: Session) -> None:
    """A GUI that clicks has shown itself: answer in clicks, unless something else was settled."""
    if not session.state.settled:
        _answer_in_clicks(session)


def meet_go_client(session: Session) -> None:
    """A client that knows vertices only asks for a turn: answer in clicks, unless told not to."""
    if not session.state.moves_set:
        _answer_in_clicks(session)


def _answer_in_clicks(session: Session) -> None:
    settings = replace(session.settings, moves=CLICKS)
    session.state = replace(session.state, settings=settings, settled=True)


def settle_moves(session: Session) -> None:
    """From now on no client changes by its questions how turns are answered."""
    session.state = replace(session.state, settled=True)


def answer(session: Session, color: Color, watch: Watch | None = None) -> str:
    """Like `Session.genmove`, but what it plays and returns is as the setting `moves` says.

    With clicks the first of a turn takes all the search, which a watch is told of, or else GoGui
    draws while it runs; the next ones are only said. For the color that waits for the end of an
    open turn the answer is a pass that changes nothing. Raises IllegalStep.
    """
    settle_moves(session)
    if session.settings.moves == TURNS or session.outcome is not None:
        return session.genmove(color, watch)
    known = _chosen_before(session, color)
    if known:
        if watch is not None:
            watch.end(lambda: _report_of(session, known[0]))
        return _say(session, color, known)
    before, graphics = session.frame, None if watch else LiveGraphics(session)
    word = session.genmove(color, watch or graphics)
    if graphics is not None:
        graphics.clear()
    play = session.frame.play
    session.undo()
    assert play is not None
    words = list(words_clicked(before.position, before.clicks, play.steps)) or [word]
    return _say(session, color, words, play.thought)


def _chosen_before(session: Session, color: Color) -> tuple[str, ...]:
    """The words that a color says without a search, where a turn is under way."""
    plan = session.frame.plan
    if session.waits(color):
        return PASS_WORD, *plan
    return plan if color is session.position.to_move else ()


def _report_of(session: Session, word: str) -> Report:
    """What there is to tell of a word that was chosen before: what was thought at that time."""
    position, made = session.position, session.frame.clicks
    steps = (PASS,) if word == PASS_WORD else session.legal_steps()
    said = next(step for step in steps if next(words_clicked(position, made, (step,))) == word)
    thoughts = [play.thought for play in session.history() if play.thought is not None]
    value = thoughts[-1].value if thoughts else 0.5
    row = Row(said, 0, value, 1.0, 0.0, None, (said,))
    return Report(position, (row,), value, 0)


def _say(
    session: Session, color: Color, words: Iterable[str], thought: Thought | None = None
) -> str:
    """Play the first of some words, and keep the others for later."""
    word, *plan = words
    by = f"{ENGINE_NAME} {session.settings.player}"
    session.play(color, word, by, thought=thought)
    frame = session.frame._replace(plan=tuple(plan))
    session.state = replace(session.state, frame=frame)
    return word


def words_clicked(position: Position, clicks: Clicks, steps: tuple[Step, ...]) -> Iterator[str]:
    """The clicks, one a word, that play some steps after clicks made before; a pass as such."""
    for vertex in clicks_that_say(position, steps, len(clicks)):
        yield PASS_WORD if vertex is None else str(vertex)


def legal_clicks(session: Session) -> Points:
    """The vertices that `play` accepts next."""
    if session.outcome is not None:
        return 0
    return next_clicks(session.position, session.frame.clicks)


def may_pass(session: Session) -> bool:
    """Whether a pass is among the legal steps."""
    return PASS in session.legal_steps()


def taken(session: Session) -> tuple[int, int]:
    """How many pieces of each color have been taken off the board."""
    black = white = 0
    position = session.state.start
    for play in session.history():
        for step in play.steps:
            more = position.taken(step)
            black, white = black + more[0], white + more[1]
            position = position.play_unchecked(step)
    return black, white
