"""Robble on 3x3: the rules in Python compute everything about it."""

from functools import cache
from itertools import product

from gtp_engine.rules import find_game
from gtp_engine.rules.content import Content
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.robble import appearance_text

ROBBLE = find_game("robble")

Stones = tuple[int, int]
"""Of the color to move, and of its opponent."""

Side = tuple[Stones, Color]
"""A board seen by the color to move, and who that is."""


def board(stones: Stones, to_move: Color = BLACK, size: int = 3) -> Position:
    """A board without a past."""
    black, white = stones if to_move is BLACK else stones[::-1]
    layers = {word: points for word, points in (("B", black), ("W", white)) if points}
    return ROBBLE.position_type.assemble(Content(size, layers, to_move))


def with_past(at: Position, *seen: Position) -> Position:
    words = (appearance_text(each.seen[-1], each.size) for each in seen)
    return at.assemble(at.content._replace(fields={"seen": ",".join(words)}))


def occurs(seen: Side) -> bool:
    """Whether a game can lead to a board, without its past."""
    return board(*seen).flaw() is None


def side(at: Position) -> Side:
    stones = at.stones if at.to_move is BLACK else at.stones[::-1]
    return stones, at.to_move


@cache
def turns() -> dict[Stones, list[Stones] | float]:
    """All boards of 3x3: what the turns lead to, or what a full one is worth."""
    squares = [Vertex.at(column, row) for column, row in product(range(3), repeat=2)]
    found: dict[Stones, list[Stones] | float] = {}
    for colors in product((0, 1, 2), repeat=9):
        stones = tuple(
            sum(1 << square for square, color in zip(squares, colors) if color == wanted)
            for wanted in (1, 2)
        )
        at = board(stones)
        outcome = at.outcome()
        found[stones] = (
            [at.after(step).stones[::-1] for step in at.candidates()]
            if outcome is None
            else outcome.value
        )
    return found


@cache
def values(barred: tuple[Side, ...] = ()) -> dict[Side, float]:
    """What each board of 3x3 is worth for the color to move, where some are drawn.

    Won is what leads to a lost board, lost what leads to won boards only, until nothing changes.
    """
    ends = {stones: worth for stones, worth in turns().items() if isinstance(worth, float)}
    known = {(stones, color): ends[stones] for stones, color in product(ends, Color)}
    drawn = set(barred)
    others = {stones: after for stones, after in turns().items() if not isinstance(after, float)}
    while True:
        found = {}
        for stones, after in others.items():
            for color in Color:
                if (stones, color) in known or (stones, color) in drawn:
                    continue
                worths = [known.get((each, color.opponent)) for each in after]
                if 0 in worths or all(worth == 1 for worth in worths):
                    found[stones, color] = float(0 in worths)
        if not found:
            return {side: known.get(side, 0.5) for side in product(turns(), Color)}
        known |= found


def goes_on(stones: Stones) -> bool:
    return not isinstance(turns()[stones], float)
