"""What a step does to the pieces, told as events that cite the rules.

A piece that moves, changes color, grows or turns into another kind stays the same piece. Only
markers and blocks are always new ones.
"""

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.board.diagram import EMPTY
from gtp_engine.board.points import Points, point_set, vertices
from gtp_engine.board.vertex import Vertex
from gtp_engine.rules.look import Look, Shape
from gtp_engine.rules.step import PASS, SWAP_PIECES, Step

if TYPE_CHECKING:
    from gtp_engine.rules.game import Position

# Nothing that stood there before turns into one of these.
_ALWAYS_NEW = (Shape.MARKER, Shape.BLOCK)


class Deed(Enum):
    """What happens to a piece."""

    PLACE = "place"
    MOVE = "move"
    REMOVE = "remove"
    BECOME = "become"


class Change(NamedTuple):
    """One change of one piece; `placing`, `moving`, `removing` and `becoming` make them.

    at   -- where the piece stands before the event's phase; for PLACE where it appears
    to   -- where it goes, for MOVE alone
    word -- what it is afterwards, as a word of the diagram, for PLACE and BECOME alone
    """

    deed: Deed
    at: Vertex
    to: Vertex | None = None
    word: str = ""


class BoardEvent(NamedTuple):
    """What one sentence of the rules makes of the board at one moment of a step.

    phase   -- when: what has the same number happens at once, 1 comes first. A phase begins with
               the board as the one before has left it: pieces are removed first, then others
               become what they become, those that move go all together, and new ones come last
    rule    -- the number of the sentence
    text    -- what happened, in words, without a final stop
    points  -- the points that the text is about
    changes -- what happens to the pieces; may be empty
    """

    phase: int
    rule: str
    text: str
    points: Points
    changes: tuple[Change, ...] = ()


def placing(vertex: Vertex, word: str) -> Change:
    """A new piece, as a word of the diagram, appears."""
    return Change(Deed.PLACE, vertex, word=word)


def moving(vertex: Vertex, goal: Vertex) -> Change:
    """A piece goes elsewhere and stays what it is."""
    return Change(Deed.MOVE, vertex, to=goal)


def removing(vertex: Vertex) -> Change:
    """A piece leaves the board."""
    return Change(Deed.REMOVE, vertex)


def becoming(vertex: Vertex, word: str) -> Change:
    """A piece takes another color, kind or height: it is the given word of the diagram then."""
    return Change(Deed.BECOME, vertex, word=word)


def compared(before: "Position", step: Step, after: "Position") -> list[BoardEvent]:
    """Events made up from the difference of two boards, for games that tell none.

    First what the points show that the step names, then what all others show.
    """
    old, new = words_by_point(before), words_by_point(after)
    first, then = list[Change](), list[Change]()
    for vertex in sorted(old.keys() | new.keys()):
        was, becomes = old.get(vertex, EMPTY), new.get(vertex, EMPTY)
        if was != becomes:
            changes = _replaced(vertex, was, becomes, before.game.look)
            (first if vertex in step.vertices else then).extend(changes)
    cite = before.game.citations
    if step == PASS:
        return [BoardEvent(1, cite.passes or cite.turns, "a pass", 0)]
    rule, said = cite.turns, step.kind.meaning.format(*step.vertices)
    events = [BoardEvent(1, rule, said, point_set(step.vertices), tuple(first))]
    if then:
        points = point_set(change.at for change in then)
        events.append(BoardEvent(2, rule, "other pieces change", points, tuple(then)))
    return events


def exchanged(before: "Position", swap: Step) -> list[BoardEvent]:
    """The events of a swap: of pieces, that go where the mirror has them and change color."""
    rule, text = before.game.citations.pie, swap.kind.meaning
    if swap != SWAP_PIECES:
        return [BoardEvent(1, rule, text, 0)]
    image, size = before.game.color_mirror, before.size
    words = words_by_point(before.mirrored())
    moves, turns, points = list[Change](), list[Change](), before.occupied()
    for vertex in vertices(points):
        goal = image.of_vertex(vertex, size)
        if goal != vertex:
            moves.append(moving(vertex, goal))
        turns.append(becoming(goal, words[goal]))
        points |= 1 << goal
    if not moves:
        return [BoardEvent(1, rule, text, points, tuple(turns))]
    going = BoardEvent(1, rule, "all pieces go to the mirrored points", points, tuple(moves))
    return [going, BoardEvent(2, rule, text, points, tuple(turns))]


def words_by_point(position: "Position") -> dict[Vertex, str]:
    """The word of each point that is not empty."""
    layers = position.layers().items()
    return {vertex: word for word, points in layers for vertex in vertices(points)}


def _replaced(vertex: Vertex, was: str, becomes: str, look: Look) -> list[Change]:
    """How one word of the diagram comes after another one on a point."""
    if was == EMPTY:
        return [placing(vertex, becomes)]
    if becomes == EMPTY:
        return [removing(vertex)]
    if look.shape(becomes) is not look.shape(was) and look.shape(becomes) in _ALWAYS_NEW:
        return [removing(vertex), placing(vertex, becomes)]
    return [becoming(vertex, becomes)]
