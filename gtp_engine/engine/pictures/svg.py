"""A board as SVG, and as PNG where that package is there: brushes, pieces, the surface."""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from textwrap import wrap
from typing import Any

from gtp_engine.base.optional_packages import how_to_install
from gtp_engine.engine.pictures.loader import look, paint, roles
from gtp_engine.engine.pictures.scene import Scene
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.diagram import EMPTY, rows
from gtp_engine.rules.points.points import ORTHOGONAL, Points, bit, shift, vertices
from gtp_engine.rules.points.vertex import COLUMNS, Vertex
from gtp_engine.rules.step import Step

Element = Mapping[str, Any]
"""A tag and attributes, as in look.json."""

_GRADIENT = "@"

# Keys of an element that are not SVG attributes.
_OWN_KEYS = ("tag", "stops", "sizes", "dy", "area", "grow", "on")


def plain(text: str) -> str:
    """Any text as XML in ASCII."""
    return escape(text).encode("ascii", "xmlcharrefreplace").decode()


class Brush:
    """Draws in the colors of one board, and collects the definitions of the document."""

    def __init__(self, board: str) -> None:
        self._board = board
        self._defined: dict[str, str] = {}

    def element(self, data: Element, ink: str | None = None, inside: str = "", **more: Any) -> str:
        """An element with more attributes, whose names are written as in Python."""
        attributes = {name: value for name, value in data.items() if name not in _OWN_KEYS}
        attributes |= {name.replace("_", "-"): value for name, value in more.items()}
        written = "".join(f' {name}="{self._value(v, ink)}"' for name, v in attributes.items())
        tag = data["tag"]
        return f"<{tag}{written}>{inside}</{tag}>" if inside else f"<{tag}{written}/>"

    def text(self, data: Element, words: str, ink: str | None = None, **more: Any) -> str:
        """A text of the look, in the size for its length, with its base line below y."""
        sizes = data.get("sizes")
        if sizes:
            more["font_size"] = sizes[min(len(words), len(sizes)) - 1]
        more["y"] = more.get("y", 0) + data.get("dy", 0)
        return self.element(data, ink, plain(words), **more)

    def symbol(self, name: str, drawn: Iterable[str]) -> str:
        """Define a symbol that is used repeatedly. Returns its id."""
        if name not in self._defined:
            self._defined[name] = f'<g id="{name}">{"".join(drawn)}</g>'
        return name

    def definitions(self) -> str:
        """All definitions in use; call it after drawing everything else."""
        return f"<defs>{''.join(self._defined.values())}</defs>"

    def _value(self, value: object, ink: str | None) -> str:
        if not isinstance(value, str):
            return f"{value:g}"
        if value.startswith(_GRADIENT):
            return f"url(#{self._gradient(value[1:], ink)})"
        return paint(value, roles(self._board, ink)) if "{" in value else value

    def _gradient(self, name: str, ink: str | None) -> str:
        """Define a gradient. Returns its id; one without colors of an ink is shared by all."""
        data = look()["gradients"][name]
        own = any(_names_ink(color) for _, color, *_ in data["stops"])
        known = f"{name}-{ink}" if ink is not None and own else name
        if known not in self._defined:
            stops = "".join(self._stop(ink, *stop) for stop in data["stops"])
            self._defined[known] = self.element(data, ink, stops, id=known)
        return known

    def _stop(self, ink: str | None, offset: float, color: str, opacity: float = 1) -> str:
        more = {} if opacity == 1 else {"stop-opacity": opacity}
        return self.element({"tag": "stop", "offset": offset, "stop-color": color, **more}, ink)


def _names_ink(color: str) -> bool:
    """Whether the color depends on an ink."""
    board = next(iter(look()["boards"].values()))["roles"]
    return any(role not in board for role in re.findall(r"\{(.+?)\}", color))


# The pieces and marks as symbols around the origin, drawn from the look ---------------------------

# The ink of neutral pieces.
_NEUTRAL = "neutral"


def symbol_id(game: Game, word: str) -> str:
    """The id of a piece's symbol, the same in all pictures of a game."""
    return f"{game.name}-{word.encode().hex()}"


def piece(brush: Brush, game: Game, word: str) -> str:
    """Define the symbol for a word of the diagram. Returns its id."""
    color = game.look.color(word)
    ink = _NEUTRAL if color is None else game.look.inks[color]
    shape = look()["shapes"][game.look.shape(word).value]
    return brush.symbol(symbol_id(game, word), _drawn(brush, shape, ink, game.look.height(word)))


def mark(brush: Brush, name: str, ink: str | None = None) -> str:
    """Define the symbol of a mark that follows no path. Returns its id."""
    parts = look()["marks"][name]["parts"]
    known = f"mark-{name}" if ink is None else f"mark-{name}-{ink}"
    return brush.symbol(known, (brush.element(part, ink) for part in parts))


def _drawn(brush: Brush, shape: Mapping[str, Any], ink: str, height: int) -> Iterator[str]:
    """A piece of a shape; its height appears as levels, if the shape has some, and as a number."""
    for part in (*shape.get("shadow", ()), *shape.get("parts", ())):
        yield brush.element(part, ink)
    highest = 0.0
    if "levels" in shape:
        levels = shape["levels"]
        count = min(height, levels["most"])
        lowest = levels["rise"] * (count - 1) / 2
        for level in range(count):
            highest = lowest - levels["rise"] * level
            for part in levels["parts"]:
                yield brush.element(part, ink, cy=part.get("cy", 0) + highest)
    for part in shape.get("top", ()):
        yield brush.element(part, ink, cy=part.get("cy", 0) + highest)
    if height > 1 and "number" in shape:
        yield brush.text(shape["number"], str(height), ink, y=highest)


# Places in a picture: lengths are hundredths of a cell, y grows downwards -------------------------

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


# The empty board: wood, lines or cells, coordinates -----------------------------------------------

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


# The whole picture, and its words ---------------------------------------------------------------

FONTS = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
PIXEL = 2.5
"""The hundredths of a cell per pixel, in a picture at its normal size."""

BOARDS = tuple(look()["boards"])
"""The names of the boards that a picture may show; the first one is the default."""

# Paper and text around a board, by its theme.
_COLORS = {"light": ("#f6f3ed", "#2b2722"), "dark": ("#15181c", "#e9e6e0")}
_FRAME = 10
_FONT_SIZE, _LINE_HEIGHT, _CHARACTER = 33, 52, 19
_MOST_LINES = 3
_NARROWEST = 825


def picture(scene: Scene, board: str = BOARDS[0]) -> str:
    """The whole picture, with its caption, on one of BOARDS."""
    position, brush = scene.position, Brush(board)
    paper, ink = _COLORS[look()["boards"][board]["theme"]]
    side = board_side(position.size) + 2 * _FRAME
    width = max(side, _NARROWEST if scene.caption else 0)
    caption = list(_caption(scene, side, width, ink))
    height = side + (len(caption) * _LINE_HEIGHT + 20 if caption else 0)
    left = (width - side) // 2 + _FRAME
    drawn = [
        *surface(brush, position),
        *under(brush, scene),
        *pieces(brush, scene),
        *over(brush, scene),
    ]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width / PIXEL:g}" '
        f'height="{height / PIXEL:g}" viewBox="{-left} {-_FRAME} {width} {height}" '
        f'font-family="{FONTS}" role="img">',
        f"<title>{plain(' '.join(scene.caption) or position.game.title)}</title>",
        brush.definitions(),
        f'<rect x="{-left}" y="{-_FRAME}" width="{width}" height="{height}" fill="{paper}"/>',
        *drawn,
        *caption,
        "</svg>",
    ]
    return "\n".join(filter(None, lines))


# What is on the board ------------------------------------------------------------------------


def pieces(brush: Brush, scene: Scene) -> Iterator[str]:
    """All pieces, as references to their symbols."""
    position, size = scene.position, scene.position.size
    for row, words in zip(range(size - 1, -1, -1), rows(size, position.layers())):
        for column, word in enumerate(words):
            if word != EMPTY:
                known = piece(brush, position.game, word)
                yield _use(known, Vertex.at(column, row), size)


def under(brush: Brush, scene: Scene) -> Iterator[str]:
    """The layer below the pieces: changes of the last turn, patches, the heat map."""
    size = scene.position.size
    for vertex in vertices(scene.changed):
        yield _use(mark(brush, "changed"), vertex, size)
    for points, owner in scene.patches:
        yield from _patch(brush, scene, points, owner)
    for vertex, warmth in scene.heat.items():
        opacity = f' fill-opacity="{0.08 + 0.72 * warmth.strength:.2f}"'
        yield _use(mark(brush, "heat"), vertex, size, opacity)
    for step in scene.steps:
        if _goes(step):
            (x, y), (to_x, to_y) = (center(vertex, size) for vertex in step.vertices)
            yield from _along(brush, "way", f"M{x} {y}L{to_x} {to_y}")


def over(brush: Brush, scene: Scene) -> Iterator[str]:
    """The layer above the pieces: the last turn, legal clicks, numbers of the heat map."""
    size = scene.position.size
    if scene.decisive:
        yield from _along(brush, "decisive", outline(scene.decisive, size))
    for number, step in enumerate(scene.steps):
        yield from _mark(brush, scene, step, number == 0)
    for vertex in vertices(scene.selected):
        yield _use(mark(brush, "selected"), vertex, size)
    for vertex in vertices(scene.targets):
        yield _use(mark(brush, "target"), vertex, size)
    for vertex, warmth in scene.heat.items():
        x, y = center(vertex, size)
        label = look()["marks"]["label"]["number"]
        yield brush.text(label, warmth.text, x=x, y=y)


def _patch(brush: Brush, scene: Scene, points: Points, owner: Color | None) -> Iterator[str]:
    """An area in the color of its owner, with a line around it."""
    size = scene.position.size
    if owner is not None:
        ink = scene.position.game.look.inks[owner]
        for vertex in vertices(points):
            yield _use(mark(brush, "owner", ink), vertex, size)
    yield from _along(brush, "patch", outline(points, size))


def _goes(step: Step) -> bool:
    """Whether the step moved something from its first point to its second."""
    return "}-{" in step.kind.template


def _mark(brush: Brush, scene: Scene, step: Step, first: bool) -> Iterator[str]:
    """The corners of the cell where a turn began, and an arrow to its goal if it has one."""
    size = scene.position.size
    if _goes(step):
        start, goal = (center(vertex, size) for vertex in step.vertices)
        yield from _along(brush, "arrow", _arrow(start, goal))
    if first and step.vertices:
        yield _use(mark(brush, "last"), step.vertices[0], size)


def _arrow(start: tuple[int, int], goal: tuple[int, int]) -> str:
    """A short arrow onto the rim of a piece, from another point's direction; it hides no piece."""
    across, down = goal[0] - start[0], goal[1] - start[1]
    length = (across * across + down * down) ** 0.5
    x, y = across / length, down / length
    tail = goal[0] - 72 * x, goal[1] - 72 * y
    tip = goal[0] - 30 * x, goal[1] - 30 * y
    left = tip[0] - 17 * x + 15 * y, tip[1] - 17 * y - 15 * x
    right = tip[0] - 17 * x - 15 * y, tip[1] - 17 * y + 15 * x
    return "M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f} {:.1f} {:.1f}".format(
        *tail, *tip, *left, *tip, *right
    )


def _along(brush: Brush, name: str, path: str) -> Iterator[str]:
    """A mark along a path."""
    for part in look()["marks"][name]["parts"]:
        yield brush.element(part, d=path)


def _use(known: str, vertex: Vertex, size: int, more: str = "") -> str:
    """A symbol on a point."""
    x, y = center(vertex, size)
    return f'<use href="#{known}" x="{x}" y="{y}"{more}/>'


# Words ---------------------------------------------------------------------------------------


def _caption(scene: Scene, board: int, width: int, ink: str) -> Iterator[str]:
    room = int((width - 40) / _CHARACTER)
    middle, y = board / 2 - _FRAME, board + 28
    for number, line in enumerate(scene.caption):
        weight = "" if number else ' font-weight="bold"'
        for text in wrap(line, room, max_lines=_MOST_LINES, placeholder=" ..."):
            yield (
                f'<text x="{middle:g}" y="{y}" font-size="{_FONT_SIZE}"{weight} '
                f'text-anchor="middle" fill="{ink}">{plain(text)}</text>'
            )
            y += _LINE_HEIGHT


class NoPng(Exception):
    """The library is not installed; the text says how to install it."""


def png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG, by default at twice its size. Raises NoPng."""
    try:
        import resvg_py
    except ImportError:
        raise NoPng(f"PNG pictures need resvg-py: {how_to_install('png')}") from None
    zoom = None if width else 2
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, zoom=zoom))


def has_fonts() -> bool:
    """Whether PNG pictures can show letters: that needs a font."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
    written = svg.format(f'<text y="18" font-family="{FONTS}">A</text>')
    return png(svg.format("")) != png(written)
