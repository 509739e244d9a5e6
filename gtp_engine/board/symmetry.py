"""Images of a square board: rotations and reflections."""

from enum import Enum
from itertools import product
from typing import NamedTuple

from gtp_engine.board.points import Points, point_set, vertices
from gtp_engine.board.vertex import Vertex


class Image(NamedTuple):
    """A rotation or reflection of a board. Transposition comes first: C4 becomes D3."""

    transposed: bool = False
    columns_reversed: bool = False
    rows_reversed: bool = False

    def of_vertex(self, vertex: Vertex, size: int) -> Vertex:
        """The image of a vertex on a board of size x size."""
        column, row = vertex.column, vertex.row
        if self.transposed:
            column, row = row, column
        last = size - 1
        return Vertex.at(
            last - column if self.columns_reversed else column,
            last - row if self.rows_reversed else row,
        )

    def of_points(self, points: Points, size: int) -> Points:
        """The image of a set of points on a board of size x size."""
        return point_set(self.of_vertex(vertex, size) for vertex in vertices(points))


SAME = Image()
TRANSPOSED = Image(transposed=True)
HALF_TURN = Image(columns_reversed=True, rows_reversed=True)

_FLIPS = tuple(Image(False, *flips) for flips in product((False, True), repeat=2))


class Symmetry(Enum):
    """The images of a board that have the same value, the identity first.

    SQUARE     -- all eight
    EDGES_KEPT -- the four that keep each color's pair of edges
    HALF_TURN  -- the identity and the half turn
    NONE       -- the identity alone
    """

    SQUARE = (*_FLIPS, *(image._replace(transposed=True) for image in _FLIPS))
    EDGES_KEPT = _FLIPS
    HALF_TURN = (SAME, HALF_TURN)
    NONE = (SAME,)

    @property
    def images(self) -> tuple[Image, ...]:
        """The images."""
        images: tuple[Image, ...] = self.value
        return images
