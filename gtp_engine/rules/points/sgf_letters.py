"""Vertices as SGF writes them: two letters, column and row, from the upper left corner."""

from gtp_engine.rules.points.vertex import Vertex

_FIRST = ord("a")


def point(vertex: Vertex, size: int) -> str:
    """The letters of a vertex on a board of size x size."""
    return chr(_FIRST + vertex.column) + chr(_FIRST + size - 1 - vertex.row)


def vertex_of(text: str, size: int) -> Vertex:
    """The vertex of two letters. Raises ValueError if there is none on the board."""
    places = [ord(letter) - _FIRST for letter in text]
    if len(places) != len("aa") or not all(0 <= place < size for place in places):
        raise ValueError(f"{text[:40]} is not on the board")
    column, row = places
    return Vertex.at(column, size - 1 - row)
