"""Vertices: the points of a board, named by a column letter and a row number."""

import re

MIN_SIZE, MAX_SIZE = 2, 19
# One more number than a column needs: the gap keeps columns apart when a set of vertices is
# shifted (see points.py). With it a vertex has the same number on every board.
STRIDE = MAX_SIZE + 1
COLUMNS = "ABCDEFGHJKLMNOPQRST"

PATTERN = r"[A-HJ-Ta-hj-t]0*(?:1[0-9]|[1-9])(?![0-9])"
"""A regular expression for the names of all vertices up to MAX_SIZE, in any case."""


class Vertex(int):
    """A point of a board, as the number column * STRIDE + row, both counted from 0.

    Numbers follow the order of names: by column, then by row.

    >>> Vertex.parse("c4").column, Vertex.parse("c4").row, Vertex.at(2, 3)
    (2, 3, C4)
    """

    __slots__ = ()

    @property
    def column(self) -> int:
        """0 for column A, from the left."""
        return self // STRIDE

    @property
    def row(self) -> int:
        """0 for row 1, from the bottom."""
        return self % STRIDE

    def __str__(self) -> str:
        return NAMES[self]

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(NAMES[self], spec) if spec else NAMES[self]

    @classmethod
    def at(cls, column: int, row: int) -> "Vertex":
        """The vertex in a column and a row, both counted from 0."""
        return VERTICES[column * STRIDE + row]

    @classmethod
    def parse(cls, text: str) -> "Vertex":
        """The vertex with a name such as `C4`, in any case.

        Raises ValueError if no board has such a vertex (there is no column I).
        """
        if not re.fullmatch(PATTERN, text):
            raise ValueError(f"not a vertex: {text}")
        return cls.at(COLUMNS.index(text[0].upper()), int(text[1:]) - 1)


VERTICES = tuple(Vertex(number) for number in range(MAX_SIZE * STRIDE))
NAMES = tuple(f"{COLUMNS[vertex.column]}{vertex.row + 1}" for vertex in VERTICES)
