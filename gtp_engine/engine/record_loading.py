"""Games loaded from records: a session takes the main line, and keeps all the rest for writing."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from gtp_engine.engine.history import Following, Frame, Thought, ThoughtText, named_points
from gtp_engine.engine.refusals import Refusal
from gtp_engine.engine.session import Session
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.markup import legend, marks
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.notation.turns import PASS_WORD
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.records.record import (
    LINE,
    LOSING,
    WHY,
    GameStart,
    Record,
    RecordNode,
    doubtful,
    number_in,
    possible_records,
)
from gtp_engine.rules.records.sgf import BadRecord, Properties
from gtp_engine.rules.step import IllegalStep, Pie

# In the display form: the marks of the form that a person made, too, such as `CR bb`.
ADDED = "ADDED"


class CannotLoad(Refusal, BadRecord):
    """A text is not SGF, or not a game of ours."""


class PlayedNode(NamedTuple):
    """A turn of a record played on a board.

    before    -- the state before it
    following -- the state after it, None if it is illegal
    """

    parent: RecordNode
    node: RecordNode
    before: Frame
    following: Following | None


def replay(session: Session, source: bytes | str, number: int | None = None) -> None:
    """Replace the game by that of a file, up to before turn `number`, counted from 1.

    source -- the content of the file, or its text

    A file whose character set must be guessed is the first of its readings that is a legal game.
    Raises CannotLoad without any change.
    """
    try:
        possible = possible_records(source)
    except BadRecord as error:
        raise CannotLoad(error.reason, error.place) from None
    refused = list[CannotLoad]()
    for record in possible:
        try:
            _replay(session, record, number)
        except CannotLoad as error:
            refused.append(error)
        else:
            return
    first = refused[0] if len(possible) == 1 else doubtful(refused[0])
    raise CannotLoad(first.reason, first.place) from refused[0].__cause__


def _replay(session: Session, record: Record, number: int | None) -> None:
    """Replace the game by that of a record. Raises CannotLoad without any change."""
    before = session.state
    place = record.root.place
    try:
        start = _start(session, record.start)
        if record.display:
            _drop_marks(record, start)
        session.set_position(start)
        session.set_komi(komi_of(record))
        session.state = replace(session.state, record=record)
        begun = 0
        for node in _main_line(session, record):
            place = node.place
            begun += not session.turn_open or node.word in LOSING
            if begun == number:
                break
            _repeat(session, node)
    except BadRecord as error:
        session.state = before
        raise CannotLoad(error.reason, error.place) from None
    except (ValueError, IllegalStep) as error:
        session.state = before
        raise CannotLoad(str(error), place) from error


def komi_of(record: Record) -> float:
    """The komi of a record: 0 if it names none or another text, since no rule uses it."""
    return number_in(record.root.text("KM")) or 0.0


def _start(session: Session, told: GameStart) -> Position:
    pie = Pie(told.pie or session.settings.pie)
    game = find_game(told.game) if told.game else session.game
    start = read_position(told.position) if told.position else game.start(told.size, pie)
    if (start.game, start.size) != (game, told.size):
        raise ValueError("POS is a position of another game or size")
    return start


def _main_line(session: Session, record: Record) -> Iterator[RecordNode]:
    """The turns to play, each when those before it are played; last one that only `RE` tells.

    A runner that alternates colors passes while a turn is open; that pass is no turn.
    """
    node = record.root
    while (child := node.following) is not None:
        waits = session.turn_open and child.color != str(session.position.to_move)
        if waits and child.word == PASS_WORD:
            node.take(child)
        else:
            yield child
            node = child
    if _gave_up(session, record):
        lost = RecordNode(*record.given_up)
        node.children.insert(0, lost)
        node.ends = False
        yield lost


def _repeat(session: Session, node: RecordNode) -> None:
    chance, visits = node.chance, node.visits
    thought = None
    if chance is not None and visits is not None:
        text = ThoughtText(node.text(LINE), node.text(WHY))
        thought = Thought(chance, visits, lambda: text)
    session.repeat(Color.parse(node.color), node.word, node.time, node.author, thought, node)


def _gave_up(session: Session, record: Record) -> bool:
    """Whether only the result says that the color to move has lost by a losing word."""
    color, _ = record.given_up
    return color == str(session.position.to_move) and session.outcome is None


def played_out(record: Record, start: Position) -> Iterator[PlayedNode]:
    """All turns of a record, parents before their children; none after an illegal one."""
    scratch = Session(start.game, start.size)
    scratch.set_position(start)
    waiting = [(record.root, node, scratch.frame) for node in reversed(record.root.children)]
    while waiting:
        parent, node, frame = waiting.pop()
        scratch.state = replace(scratch.state, frame=frame)
        try:
            following = scratch.follow(Color.parse(node.color), node.word)
        except (ValueError, IllegalStep):
            yield PlayedNode(parent, node, frame, None)
            continue
        yield PlayedNode(parent, node, frame, following)
        waiting.extend((node, child, following.frame) for child in reversed(node.children))


def _drop_marks(record: Record, start: Position) -> None:
    """Leave the marks and comments that a person added to a record in the display form."""
    if record.root.display:
        _remove(record.root.properties, marks(start))
        title = root_comment(start.game)
        if record.root.comment.startswith(title):
            record.root.put("C", record.root.comment.removeprefix(title).strip("\n"))
    for _, node, _, following in played_out(record, start):
        if node.display and following is not None:
            _remove(node.properties, marks_after(following))


def root_comment(game: Game) -> str:
    """What the display form says at the start of a game."""
    return f"{game.title}\n{legend(game)}".strip()


def marks_after(following: Following) -> Properties:
    """The marks of the display form after a turn."""
    frame = following.frame
    return marks(frame.position, named_points(following.steps, frame.clicks))


def _remove(properties: Properties, ours: Properties) -> None:
    """Remove the marks of the form, but those that a person made, too."""
    both = {f"{name} {value}": value for name, values in ours.items() for value in values}
    added = both.keys() & set(properties.get(ADDED, ()))
    form = {
        name: [each for each in values if f"{name} {each}" not in added]
        for name, values in ours.items()
    }
    for name, values in {**form, ADDED: list(added)}.items():
        left = [value for value in properties.get(name, ()) if value not in values]
        if left:
            properties[name] = left
        else:
            properties.pop(name, None)
