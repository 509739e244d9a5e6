"""Sets of vertices, each kept as one integer: bit n stands for vertex number n.

Union, intersection and difference are `|`, `&` and `& ~`; the empty set is 0, and
`points.bit_count()` is the size. A shift moves a whole set at once: by 1 one row up, by
STRIDE one column to the right. What leaves the board lands in the gap between columns or
outside every column, so a shifted set must be intersected with points of the board.

>>> corner = bit(Vertex.parse("a1"))
>>> named(around(corner) & board_points(5))
'A2 B1'
"""

from collections.abc import Iterable, Iterator
from functools import cache

from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.points.vertex import STRIDE, VERTICES, Vertex

Points = int

NORTH, EAST, SOUTH, WEST = 1, STRIDE, -1, -STRIDE
DIRECTIONS = (NORTH, EAST, SOUTH, WEST)

ORTHOGONAL = DIRECTIONS
HEXAGONAL = (*DIRECTIONS, NORTH + WEST, SOUTH + EAST)
"""The directions to the neighbors of a point: four, or six on a board of hexagons."""
DIAGONAL = (NORTH + EAST, SOUTH + EAST, SOUTH + WEST, NORTH + WEST)


def bit(vertex: Vertex) -> Points:
    """The set of one vertex."""
    return 1 << vertex


def point_set(vertices: Iterable[Vertex]) -> Points:
    """The set of the given vertices."""
    points = 0
    for vertex in vertices:
        points |= 1 << vertex
    return points


def union(sets: Iterable[Points]) -> Points:
    """The union of several sets."""
    points = 0
    for each in sets:
        points |= each
    return points


def vertices(points: Points) -> Iterator[Vertex]:
    """The vertices of a set, by column, then by row."""
    while points:
        low = points & -points
        yield VERTICES[low.bit_length() - 1]
        points ^= low


def lowest(points: Points) -> Vertex:
    """The first vertex of a nonempty set, by column, then by row."""
    return VERTICES[(points & -points).bit_length() - 1]


def shift(points: Points, direction: int) -> Points:
    """A set moved one step in a direction; intersect the result with the board."""
    return points << direction if direction > 0 else points >> -direction


def around(points: Points, directions: tuple[int, ...] = ORTHOGONAL) -> Points:
    """All neighbors of a set; intersect the result with the board."""
    if directions is ORTHOGONAL:
        return points << 1 | points >> 1 | points << STRIDE | points >> STRIDE
    neighbors = 0
    for direction in directions:
        neighbors |= shift(points, direction)
    return neighbors


@cache
def board_points(size: int) -> Points:
    """All points of a board of size x size."""
    column = (1 << size) - 1
    return sum(column << (STRIDE * number) for number in range(size))


@cache
def edges(size: int) -> tuple[Points, Points, Points, Points]:
    """The points on the bottom, top, left and right edge; a corner is on two of them."""
    board = board_points(size)
    left = board & ((1 << STRIDE) - 1)
    bottom = sum(1 << (STRIDE * number) for number in range(size))
    return bottom, bottom << (size - 1), left, left << (STRIDE * (size - 1))


def neighbors(vertex: Vertex, size: int) -> Points:
    """The orthogonal neighbors of a vertex on a board."""
    return around(bit(vertex)) & board_points(size)


def named(points: Points) -> str:
    """Vertices in words: `C4 D4`."""
    return " ".join(str(vertex) for vertex in vertices(points))


Pair = tuple[Points, Points]
"""The set of BLACK, and that of WHITE."""


def put(sets: Pair, color: Color, points: Points, without: Points = 0) -> Pair:
    """A pair of sets, with points added to and others removed from the set of one color."""
    black, white = sets
    if color is BLACK:
        return (black | points) & ~without, white
    return black, (white | points) & ~without
