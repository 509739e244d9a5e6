"""The effects of a step on the pieces, as events that cite the rules.

A piece that moves, changes color, grows or turns into another kind remains the same piece. Markers
and blocks are always new pieces.
"""

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.rules.look import Look, Shape
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.points.diagram import EMPTY
from gtp_engine.rules.points.points import point_set, vertices
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import PASS, SWAP_PIECES, Saying, Step

if TYPE_CHECKING:
    from gtp_engine.rules.game import Position

# No earlier piece turns into one of these.
_ALWAYS_NEW = (Shape.MARKER, Shape.BLOCK)


class Deed(Enum):
    """What happens to a piece."""

    PLACE = "place"
    MOVE = "move"
    REMOVE = "remove"
    BECOME = "become"


class Change(NamedTuple):
    """A change of one piece; made by `placing`, `moving`, `removing` and `becoming`.

    at   -- the piece's point before the event's phase; for PLACE, its new point
    to   -- its goal, only for MOVE
    word -- its new word in the diagram, only for PLACE and BECOME
    """

    deed: Deed
    at: Vertex
    to: Vertex | None = None
    word: str = ""


class BoardEvent(NamedTuple):
    """The effect of one rule at one moment of a step.

    phase   -- phases run in order, from 1; in each: removals, changes, moves together, new pieces
    saying  -- what happened, with the rule
    changes -- the changes of the pieces; may be empty
    """

    phase: int
    saying: Saying
    changes: tuple[Change, ...] = ()


def placing(vertex: Vertex, word: str) -> Change:
    """A new piece appears, given as a word of the diagram."""
    return Change(Deed.PLACE, vertex, word=word)


def moving(vertex: Vertex, goal: Vertex) -> Change:
    """A piece moves and stays the same."""
    return Change(Deed.MOVE, vertex, to=goal)


def removing(vertex: Vertex) -> Change:
    """A piece is removed from the board."""
    return Change(Deed.REMOVE, vertex)


def becoming(vertex: Vertex, word: str) -> Change:
    """A piece changes color, kind or height; its new state is a word of the diagram."""
    return Change(Deed.BECOME, vertex, word=word)


def compared(before: "Position", step: Step, after: "Position") -> list[BoardEvent]:
    """Events derived from the difference of two boards, for games that do not define events.

    First the points named by the step, then all others. From the first of two named points a piece
    has moved to the second if the first is empty now.
    """
    old, new = words_by_point(before), words_by_point(after)
    first, then = _moved(step, old, new), list[Change]()
    seen = step.vertices if first else ()
    for vertex in sorted((old.keys() | new.keys()).difference(seen)):
        was, becomes = old.get(vertex, EMPTY), new.get(vertex, EMPTY)
        if was != becomes:
            changes = _replaced(vertex, was, becomes, before.game.look)
            (first if vertex in step.vertices else then).extend(changes)
    cite = before.game.citations
    if step == PASS:
        return [BoardEvent(1, Saying("a pass", cite.passes or cite.turns))]
    rule, said = cite.turns, step.kind.meaning.format(*step.vertices)
    events = [BoardEvent(1, Saying(said, rule, point_set(step.vertices)), tuple(first))]
    if then:
        points = point_set(change.at for change in then)
        events.append(BoardEvent(2, Saying("other pieces change", rule, points), tuple(then)))
    return events


def exchanged(before: "Position", swap: Step) -> list[BoardEvent]:
    """The events of a swap: pieces move to their mirror points and change color."""
    rule, mover = before.game.citations.pie, before.game.color_names[BLACK]
    text = swap.kind.meaning.replace("Black", mover)
    if swap != SWAP_PIECES:
        return [BoardEvent(1, Saying(text, rule))]
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
        return [BoardEvent(1, Saying(text, rule, points), tuple(turns))]
    going = BoardEvent(
        1, Saying("all pieces go to the mirrored points", rule, points), tuple(moves)
    )
    return [going, BoardEvent(2, Saying(text, rule, points), tuple(turns))]


def words_by_point(position: "Position") -> dict[Vertex, str]:
    """The word of each occupied point."""
    layers = position.layers().items()
    return {vertex: word for word, points in layers for vertex in vertices(points)}


def _moved(step: Step, old: Mapping[Vertex, str], new: Mapping[Vertex, str]) -> list[Change]:
    """The changes by which a piece goes from the first of two points to the second, or none."""
    if len(step.vertices) != 2:
        return []
    start, goal = step.vertices
    if start not in old or start in new or goal not in new:
        return []
    captured = [removing(goal)] if goal in old else []
    promoted = [becoming(start, new[goal])] if new[goal] != old[start] else []
    return [*captured, *promoted, moving(start, goal)]


def _replaced(vertex: Vertex, was: str, becomes: str, look: Look) -> list[Change]:
    """The changes that turn one word of the diagram into another on a point."""
    if was == EMPTY:
        return [placing(vertex, becomes)]
    if becomes == EMPTY:
        return [removing(vertex)]
    if look.shape(becomes) is not look.shape(was) and look.shape(becomes) in _ALWAYS_NEW:
        return [removing(vertex), placing(vertex, becomes)]
    return [becoming(vertex, becomes)]
