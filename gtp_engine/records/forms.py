"""A game as nodes of SGF, in three forms: protocol_specs/records.md."""

from collections.abc import Iterator
from datetime import UTC, datetime
from enum import Enum
from typing import NamedTuple

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.board.color import Color
from gtp_engine.engine.history import PlayedTurn, Thought
from gtp_engine.engine.session import RESIGN, Session
from gtp_engine.engine.status import author_of, points_of, thought_of
from gtp_engine.notation.clicks import clicks_that_say
from gtp_engine.notation.items import PASS_WORD
from gtp_engine.notation.markup import Markup, legend, marks, point, setup
from gtp_engine.notation.position_text import write_position
from gtp_engine.rules.game import Game

# Readers of GM take GAME for an old name of it and then find no Go; therefore the second property.
GAME, RULES = "GAME", "RU"

# The private property of a turn in the display form: the color's letter and the word.
TURN = "TURN"

# The result of a search: Black's chance in percent, as in Sabaki, visits, expected turns, and
# remarks on the turn.
WINRATE, VISITS, LINE, WHY = "SBKV", "VISITS", "LINE", "WHY"


class Form(Enum):
    """The content of the nodes of a record."""

    PLAIN = "plain"
    DISPLAY = "display"
    CLICKS = "clicks"


class Told(NamedTuple):
    """A turn in a record, without the positions before and after it.

    word    -- the whole turn
    time    -- seconds since 1970
    by      -- the player that chose it, "" if unknown
    thought -- the result of the search for it, if there was one
    """

    color: Color
    word: str
    time: float
    by: str = ""
    thought: Thought | None = None


class Unwritable(ValueError):
    """The game cannot be written in a form."""


def nodes(session: Session, form: Form) -> list[Markup]:
    """The root and the nodes of the turns. Raises Unwritable."""
    writer = {Form.PLAIN: _plain, Form.DISPLAY: _display, Form.CLICKS: _clicks}[form]
    return [_root(session, form), *writer(session)]


def _root(session: Session, form: Form) -> Markup:
    start = session.state.start
    root = {
        "FF": "4",
        "CA": "UTF-8",
        "AP": f"{ENGINE_NAME}:{__version__}",
        GAME if form is Form.PLAIN else RULES: session.game.name,
        "SZ": str(start.size),
        "PIE": start.pie.value,
        "KM": repr(session.state.komi),
    }
    usual = start == session.game.start(start.size, start.pie)
    if form is Form.CLICKS and not usual:
        raise Unwritable("the game began with a position set up")
    if not usual or (form is Form.DISPLAY and start.occupied()):  # stones in AB and AW need it
        root["POS"] = write_position(start)
    history = session.history()
    for color in Color:
        authors = {play.by for play in history if play.color is color and play.by}
        if authors:
            root[f"P{color.sign}"] = ", ".join(sorted(authors))
    if history:
        root["DT"] = datetime.fromtimestamp(history[0].time, UTC).date().isoformat()
    outcome = session.outcome
    if outcome is not None:
        root |= {"RE": session.result or "", "GC": outcome.reason}
    markup = {name: [value] for name, value in root.items()}
    if form is Form.DISPLAY:
        comment = f"{session.game.title}\n{legend(session.game)}"
        markup |= {"GM": ["1"], "PL": [start.to_move.sign], "C": [comment.strip()]}
        markup |= setup(start) | marks(start)
    return markup


def told_node(turn: Told, game: Game) -> Markup:
    """The node of a turn in the plain form."""
    node = {turn.color.sign: [turn.word]} | _origin(turn) | _found(turn.thought)
    return node | _comment(game, turn.thought)


def _told(turn: PlayedTurn) -> Told:
    author, thought = author_of(turn), thought_of(turn)
    return Told(turn.color, turn.word, turn.plays[0].time, author, thought)


def _plain(session: Session) -> Iterator[Markup]:
    for turn in session.turns():
        yield told_node(_told(turn), session.game)


def _display(session: Session) -> Iterator[Markup]:
    for number, turn in enumerate(session.turns(), 1):
        after = turn.frames[-1].position
        name = session.game.color_names[turn.color]
        node = {TURN: [f"{turn.color.sign} {turn.word}"], "PL": [after.to_move.sign]}
        node |= setup(after, turn.start) | marks(after, points_of(turn))
        told = _told(turn)
        node |= _origin(told) | _found(told.thought)
        yield node | _comment(session.game, told.thought, f"{number}. {name} {turn.word}")


def _clicks(session: Session) -> Iterator[Markup]:
    """One node per click, as GoGui plays by our rules; a resignation is only in the result."""
    resigned = session.frame.resigned is not None
    size = session.position.size
    for turn in session.turns():
        if turn.word == RESIGN or (resigned and _idle(turn)):
            continue
        said = [None] if _idle(turn) else [*clicks_that_say(turn.start, turn.steps), *turn.clicks]
        for number, vertex in enumerate(said, 1):
            last = number == len(said)
            to_move = turn.frames[-1].position.to_move if last else turn.color
            node = {turn.color.sign: ["" if vertex is None else point(vertex, size)]}
            told = _told(turn)
            node |= {"PL": [to_move.sign]} | _origin(told)
            found = _found(told.thought) | _comment(session.game, told.thought)
            yield node | found if last else node


def _idle(turn: PlayedTurn) -> bool:
    """Whether it is a pass after the end."""
    return turn.word == PASS_WORD and not turn.steps


def _origin(turn: Told) -> Markup:
    """When a turn was played, and by which player."""
    markup = {"TIME": [datetime.fromtimestamp(turn.time, UTC).isoformat()]}
    return markup | {"BY": [turn.by]} if turn.by else markup


def _found(thought: Thought | None) -> Markup:
    """The result of a search."""
    if thought is None:
        return {}
    winrate = f"{100 * thought.value:.2f}"
    found = {WINRATE: [winrate], VISITS: [str(thought.visits)], LINE: [thought.line]}
    return found | {WHY: [thought.why]} if thought.why else found


def _comment(game: Game, thought: Thought | None, title: str = "") -> Markup:
    said = "" if thought is None else thought.words(game)
    text = "\n".join(filter(None, (title, said)))
    return {"C": [text]} if text else {}
