"""The empty board: wood, lines or cells, coordinates."""

from collections.abc import Iterator
from typing import Any

from gtp_engine.engine.pictures.brush import Brush
from gtp_engine.engine.pictures.geometry import CELL, MARGIN, board_side, center
from gtp_engine.engine.pictures.loader import look
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.points import ORTHOGONAL, bit, shift, vertices
from gtp_engine.rules.points.vertex import COLUMNS, Vertex

_BOARD = look()["board"]


def surface(brush: Brush, position: Position) -> Iterator[str]:
    """All parts of the board, from bottom to top."""
    size, of = position.size, position.game.look
    for layer in _BOARD["surface"]:
        if layer.get("on") in (None, "cells" if of.in_cells else "points"):
            yield from _layer(brush, layer, size)
    if of.goals:
        yield from _goals(brush, of.inks, CELL * size)
    if not of.in_cells:
        yield from _lines(brush, size)
    yield _diagonals(brush, position)
    first, last = _BOARD["hoshi_sizes"]
    if not of.in_cells and first <= size <= last:
        yield from _dots(brush, size)
    yield from _coordinates(brush, size)


def _layer(brush: Brush, layer: dict[str, Any], size: int) -> Iterator[str]:
    """A rectangle around the board or its cells, or around each cell."""
    grow, field = layer["grow"], CELL * size
    start, side = {
        "whole": (-grow, board_side(size) + 2 * grow),
        "field": (MARGIN - grow, field + 2 * grow),
        "cell": (MARGIN - grow, CELL + 2 * grow),
    }[layer["area"]]
    if layer["area"] != "cell":
        yield brush.element({"tag": "rect", **layer}, x=start, y=start, width=side, height=side)
        return
    shape = {"tag": "rect", "width": side, "height": side, "rx": layer.get("rx", 0)}
    style = {name: value for name, value in layer.items() if name != "rx"}
    cells = (
        brush.element(shape, x=start + CELL * column, y=start + CELL * row)
        for row in range(size)
        for column in range(size)
    )
    yield brush.element({"tag": "g", **style}, inside="".join(cells))


def _lines(brush: Brush, size: int) -> Iterator[str]:
    """The lines through the middles of the cells."""
    first = MARGIN + CELL // 2
    last = first + CELL * (size - 1)
    inner = range(first + CELL, last, CELL)
    path = "".join(f"M{first} {at}H{last}M{at} {first}V{last}" for at in inner)
    if path:
        yield brush.element({"tag": "path", "d": path, **_BOARD["line"]})
    border = f"M{first} {first}H{last}V{last}H{first}Z"
    yield brush.element({"tag": "path", "d": border, **_BOARD["border"]})


def _diagonals(brush: Brush, position: Position) -> str:
    """The lines between diagonal neighbors, in games that have some."""
    free, size = position.board, position.size
    path = "".join(
        "M{} {}L{} {}".format(*center(vertex, size), *center(neighbor, size))
        for direction in position.game.neighbors
        if direction not in ORTHOGONAL and direction > 0
        for vertex in vertices(free)
        for neighbor in vertices(shift(bit(vertex), direction) & free)
    )
    return path and brush.element({"tag": "path", "d": path, **_BOARD["line"]})


def _goals(brush: Brush, inks: tuple[str, str], side: int) -> Iterator[str]:
    """Bars along the edges: BLACK's at the bottom and top, WHITE's left and right."""
    near, far, thick = MARGIN, MARGIN + side, _BOARD["rail"]
    bar, (black, white) = {"tag": "rect", **_BOARD["goal"]}, inks
    for at in (near - thick, far):
        yield brush.element(bar, black, x=near, y=at, width=side, height=thick)
        yield brush.element(bar, white, x=at, y=near, width=thick, height=side)


def _dots(brush: Brush, size: int) -> Iterator[str]:
    """The dots for orientation on a large board."""
    edge = 2 if size < 13 else 3
    middle = [size // 2] if size % 2 else []
    places = [edge, *middle, size - 1 - edge]
    for column in places:
        for row in places:
            x, y = center(Vertex.at(column, row), size)
            yield brush.element({"tag": "circle", **_BOARD["dot"]}, cx=x, cy=y, r=_BOARD["hoshi"])


def _coordinates(brush: Brush, size: int) -> Iterator[str]:
    """Letters below and above, numbers on both sides."""
    data = _BOARD["coordinates"]
    style = {"tag": "g", **{name: value for name, value in data.items() if name != "tag"}}
    # The rails take some of the margin.
    near, fall = (MARGIN - _BOARD["rail"]) / 2, data["font-size"] * 0.36
    far = board_side(size) - near
    texts = []
    for number in range(size):
        x, y = center(Vertex.at(number, number), size)
        texts += [
            f'<text x="{at_x:g}" y="{at_y + fall:g}">{text}</text>'
            for at_x, at_y, text in (
                (x, near, COLUMNS[number]),
                (x, far, COLUMNS[number]),
                (near, y, number + 1),
                (far, y, number + 1),
            )
        ]
    yield brush.element(style, inside="".join(texts))
