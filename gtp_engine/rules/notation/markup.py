"""Positions for viewers of Go records: stones, marks and labels of SGF."""

from typing import NamedTuple

from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.look import Shape
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.points import Points, vertices
from gtp_engine.rules.points.sgf_letters import point

Markup = dict[str, list[str]]
"""The properties of an SGF node, each with its values."""

LABEL, LAST_TURN = "LB", "CR"
_MARKS = {Shape.BLOCK: "MA", Shape.MARKER: "SQ", Shape.PAWN: "TR"}
_NAMES = {"MA": "cross", "SQ": "square", "TR": "triangle"}


class PointMarkup(NamedTuple):
    """The display of a word of a diagram: a stone, a mark on it or on the bare point, a label."""

    stone: Color | None
    mark: str | None
    label: str | None

    def __str__(self) -> str:
        base = "" if self.stone is None else f"{self.stone} stone"
        shape = None if self.mark is None else f"a {_NAMES[self.mark]}"
        label = None if self.label is None else f"the label {self.label}"
        return " with ".join(filter(None, (base, shape, label)))


def look(game: Game, word: str) -> PointMarkup:
    """The display of a word, from the game's look: a stone, a mark for its shape, its height.

    A word without a color is a block mark or a label on the bare point.
    """
    stone, shape, height = game.look.color(word), game.look.shape(word), game.look.height(word)
    if stone is None and shape is not Shape.BLOCK:
        return PointMarkup(None, None, word)
    return PointMarkup(stone, _MARKS.get(shape), str(height) if height > 1 else None)


def legend(game: Game) -> str:
    """The meaning of the marks and labels, one line each."""
    looks = ((meaning, look(game, word)) for word, meaning in game.legend.items())
    return "\n".join(f"{what}: {shown}" for what, shown in looks if shown.mark or shown.label)


def setup(position: Position, before: Position | None = None) -> Markup:
    """The stones to add and remove to show a position, after another one or the empty board."""
    black, white = _stones(position)
    old_black, old_white = (0, 0) if before is None else _stones(before)
    changes = {
        "AB": black & ~old_black,
        "AW": white & ~old_white,
        "AE": (old_black | old_white) & ~(black | white),
    }
    return {name: _points(points, position.size) for name, points in changes.items() if points}


def marks(position: Position, last: Points = 0) -> Markup:
    """The marks and labels of a position; other points of the last turn get circles."""
    markup: Markup = {}
    for word, points in position.layers().items():
        shown = look(position.game, word)
        where = _points(points, position.size)
        if shown.mark is not None:
            markup.setdefault(shown.mark, []).extend(where)
        if shown.label is not None:
            markup.setdefault(LABEL, []).extend(f"{each}:{shown.label}" for each in where)
        if shown.mark is not None or shown.label is not None:
            last &= ~points
    if last:
        markup.setdefault(LAST_TURN, []).extend(_points(last, position.size))
    return markup


def _stones(position: Position) -> tuple[Points, Points]:
    stones = [0, 0]
    for word, points in position.layers().items():
        color = look(position.game, word).stone
        if color is not None:
            stones[color] |= points
    return stones[BLACK], stones[WHITE]


def _points(points: Points, size: int) -> list[str]:
    return [point(vertex, size) for vertex in vertices(points)]
