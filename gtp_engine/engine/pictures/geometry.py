"""Places in a picture: lengths are hundredths of a cell, y grows downwards."""

from collections.abc import Iterator

from gtp_engine.engine.pictures.loader import look
from gtp_engine.rules.points.points import Points, vertices
from gtp_engine.rules.points.vertex import Vertex

CELL: int = look()["cell"]
MARGIN: int = look()["board"]["margin"]

_Corner = tuple[int, int]

# The sides of a cell, clockwise from the top: the neighbor there, and the corners where the side
# begins and ends, in columns and rows from the lower left corner of the cell.
_SIDES = (
    ((0, 1), (0, 1), (1, 1)),
    ((1, 0), (1, 1), (1, 0)),
    ((0, -1), (1, 0), (0, 0)),
    ((-1, 0), (0, 0), (0, 1)),
)


def board_side(size: int) -> int:
    """The width and height of a board with its margin."""
    return CELL * size + 2 * MARGIN


def center(vertex: Vertex, size: int) -> tuple[int, int]:
    """The center of a point."""
    half = MARGIN + CELL // 2
    return half + CELL * vertex.column, half + CELL * (size - 1 - vertex.row)


def outline(points: Points, size: int) -> str:
    """The closed lines around a set of cells, as the data of a path."""
    return "".join(f"M{'L'.join(_corner(at, size) for at in loop)}Z" for loop in _loops(points))


def _corner(at: _Corner, size: int) -> str:
    return f"{MARGIN + CELL * at[0]} {MARGIN + CELL * (size - at[1])}"


def _loops(points: Points) -> Iterator[list[_Corner]]:
    """The borders of a set of cells, each as the list of its corners."""
    following: dict[_Corner, list[_Corner]] = {}
    inside = {(vertex.column, vertex.row) for vertex in vertices(points)}
    for column, row in sorted(inside):
        for (right, up), start, end in _SIDES:
            if (column + right, row + up) not in inside:
                begun = following.setdefault((column + start[0], row + start[1]), [])
                begun.append((column + end[0], row + end[1]))
    while following:
        loop = [next(iter(following))]
        while len(loop) == 1 or loop[0] != loop[-1]:
            loop.append(_next(loop, following))
        yield [
            corner
            for before, corner, after in zip([loop[-2], *loop], loop[:-1], loop[1:])
            if _way(before, corner) != _way(corner, after)
        ]


def _next(loop: list[_Corner], following: dict[_Corner, list[_Corner]]) -> _Corner:
    """The corner at the end of the next side, which is removed from the remaining sides.

    Where two cells touch only at a corner, the border turns right, so that they stay apart.
    """
    at = loop[-1]
    ends = following[at]
    across, up = _way(loop[-2], at) if len(loop) > 1 else (0, 0)
    right = (at[0] + up, at[1] - across)
    end = ends.pop(ends.index(right) if right in ends else 0)
    if not ends:
        del following[at]
    return end


def _way(start: _Corner, end: _Corner) -> tuple[int, int]:
    return end[0] - start[0], end[1] - start[1]
