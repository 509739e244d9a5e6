"""A pair of sets of points, one per color."""

from gtp_engine.board.color import BLACK, Color
from gtp_engine.board.points import Points

Pair = tuple[Points, Points]
"""The set of BLACK, and that of WHITE."""


def put(sets: Pair, color: Color, points: Points, without: Points = 0) -> Pair:
    """A pair of sets, with points added to and others removed from the set of one color."""
    black, white = sets
    if color is BLACK:
        return (black | points) & ~without, white
    return black, (white | points) & ~without
