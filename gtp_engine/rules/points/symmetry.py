"""Images of a square board: rotations and reflections."""

from itertools import product
from typing import NamedTuple

from gtp_engine.rules.points.points import Points, point_set, vertices
from gtp_engine.rules.points.vertex import Vertex


class Image(NamedTuple):
    """A rotation or reflection of a board. Transposition comes first: C4 becomes D3."""

    transposed: bool = False
    columns_reversed: bool = False
    rows_reversed: bool = False

    @property
    def number(self) -> int:
        """Its number in the kernel, 0 to 7."""
        return 4 * self.transposed + 2 * self.columns_reversed + self.rows_reversed

    @property
    def inverse(self) -> "Image":
        """The image that leads back."""
        if not self.transposed:
            return self
        return Image(True, self.rows_reversed, self.columns_reversed)

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
ROWS_REVERSED = Image(rows_reversed=True)

Symmetry = tuple[Image, ...]
"""The images of a board that have the same value, the identity first: a group."""

EDGES_KEPT: Symmetry = tuple(Image(False, *flips) for flips in product((False, True), repeat=2))
"""The four images that keep the edges of each color."""
SQUARE: Symmetry = (*EDGES_KEPT, *(image._replace(transposed=True) for image in EDGES_KEPT))
"""All eight images."""
DIAGONALS: Symmetry = (
    SAME,
    TRANSPOSED,
    Image(columns_reversed=True, rows_reversed=True),
    Image(True, True, True),
)
"""The identity, the reflections on both diagonals, and the half turn."""
DIAGONAL: Symmetry = (SAME, TRANSPOSED)
"""The identity and the reflection on the diagonal of A1."""
LEFT_RIGHT: Symmetry = (SAME, Image(columns_reversed=True))
"""The identity and the reflection that exchanges left and right."""
HALF_TURN: Symmetry = (SAME, Image(columns_reversed=True, rows_reversed=True))
"""The identity and the half turn."""
