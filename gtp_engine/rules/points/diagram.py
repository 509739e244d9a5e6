"""Boards as text: rows from the top, one word per point, `.` for an empty one.

. . B
W . .
. b .
"""

from collections.abc import Mapping

from gtp_engine.rules.points.points import Points, vertices
from gtp_engine.rules.points.vertex import COLUMNS, MAX_SIZE, MIN_SIZE, Vertex

EMPTY = "."

Layers = Mapping[str, Points]


def rows(size: int, layers: Layers) -> list[list[str]]:
    """The words of a board, top row first, from a set of points per word."""
    table = [[EMPTY] * size for _ in range(size)]
    for word, points in layers.items():
        for vertex in vertices(points):
            table[size - 1 - vertex.row][vertex.column] = word
    return table


def layers_of(table: list[list[str]]) -> dict[str, Points]:
    """The set of points of each word except `.`, from rows of words, top row first.

    Raises ValueError unless the rows form a square of MIN_SIZE to MAX_SIZE.
    """
    size = len(table)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"a board has {MIN_SIZE} to {MAX_SIZE} rows, not {size}")
    layers: dict[str, Points] = {}
    for row, words in zip(range(size - 1, -1, -1), table):
        if len(words) != size:
            raise ValueError(f"row {row + 1} has {len(words)} points, not {size}")
        for column, word in enumerate(words):
            if word != EMPTY:
                layers[word] = layers.get(word, 0) | 1 << Vertex.at(column, row)
    return layers


def by_row(size: int) -> list[Vertex]:
    """The vertices of a board by row, from the top: the order of diagrams and position texts."""
    return [Vertex.at(column, row) for row in range(size - 1, -1, -1) for column in range(size)]


def draw(size: int, layers: Layers) -> str:
    """The diagram of a board, words separated by blanks."""
    return "\n".join(" ".join(words) for words in rows(size, layers))


def framed(size: int, layers: Layers, marked: Points = 0) -> str:
    """The diagram with column letters and row numbers; marked points are in parentheses."""
    plain = rows(size, layers)
    widest = max(len(word) for words in plain for word in words)
    table = [[f" {word:<{widest}} " for word in words] for words in plain]
    for vertex in vertices(marked):
        words = table[size - 1 - vertex.row]
        words[vertex.column] = f"({words[vertex.column][1:-1]})"
    header = "   " + " ".join(f" {letter:<{widest}} " for letter in COLUMNS[:size]).rstrip()
    lines = (f"{row:2} {' '.join(words)} {row}" for row, words in zip(range(size, 0, -1), table))
    return "\n".join((header, *lines, header))


def parse(text: str) -> tuple[int, dict[str, Points]]:
    """The size and the set of points of each word, from a diagram.

    Raises ValueError unless the text is a square of MIN_SIZE to MAX_SIZE.
    """
    table = [line.split() for line in text.strip().splitlines()]
    return len(table), layers_of(table)
