"""Pictures of a position as SVG: ASCII, no empty lines, nothing loaded from elsewhere.

Everything is told apart by shape and brightness, never by hue alone.
"""

from collections.abc import Collection, Iterator
from html import escape
from textwrap import wrap

from gtp_engine.board.color import Color
from gtp_engine.board.diagram import EMPTY, rows
from gtp_engine.board.points import ORTHOGONAL, Points, bit, shift, vertices
from gtp_engine.board.vertex import COLUMNS, Vertex
from gtp_engine.look.loader import flat
from gtp_engine.render.pieces import CELL, OUTLINE, symbol, symbol_id
from gtp_engine.render.scene import Scene
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.step import Step

MARGIN = 32
_LINE_HEIGHT = 21
_CHARACTER = 7.6
_MOST_LINES = 3
_NARROWEST = 330
FONTS = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
_GROUND = "#f1dcb0"
_PAPER, _LINES, _TEXT = "#ffffff", "#8b7445", "#333333"
_CHANGED, _HEAT = "#ffe873", "#6a2c91"
_HOSHI_SIZES = range(9, 20)


def picture(scene: Scene) -> str:
    """The whole picture, with its caption."""
    position = scene.position
    board = board_side(position.size)
    width = max(board, _NARROWEST if scene.caption else 0)
    caption = list(_caption(scene, board, width))
    height = board + (len(caption) * _LINE_HEIGHT + 8 if caption else 0)
    left = (width - board) // 2
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{-left} 0 {width} {height}" font-family="{FONTS}" role="img">',
        f"<title>{_plain(' '.join(scene.caption) or position.game.title)}</title>",
        definitions(position.game, position.layers()),
        f'<rect x="{-left}" width="{width}" height="{height}" fill="{_PAPER}"/>',
        ground(position),
        *under(scene),
        *grid(position),
        *pieces(position),
        *over(scene),
        *caption,
        "</svg>",
    ]
    return "\n".join(filter(None, lines))


def board_side(size: int) -> int:
    """How wide and high a board is with its coordinates."""
    return CELL * size + 2 * MARGIN


def definitions(game: Game, words: Collection[str]) -> str:
    """The symbols of some pieces."""
    return "<defs>" + "".join(symbol(game, word) for word in sorted(words)) + "</defs>"


def center(vertex: Vertex, size: int) -> tuple[int, int]:
    """Where a point is."""
    half = MARGIN + CELL // 2
    return half + CELL * vertex.column, half + CELL * (size - 1 - vertex.row)


# The board -----------------------------------------------------------------------------------


def ground(position: Position) -> str:
    """The area of the board."""
    side, color = CELL * position.size, _GROUND
    return f'<rect x="{MARGIN}" y="{MARGIN}" width="{side}" height="{side}" fill="{color}"/>'


def grid(position: Position) -> Iterator[str]:
    """The lines of the board, its edges and coordinates."""
    size, look = position.size, position.game.look
    if look.goals:
        yield from _goals((flat(look.inks[0]), flat(look.inks[1])), CELL * size)
    yield _grid(size, look.in_cells)
    yield _diagonals(position)
    if not look.in_cells and size in _HOSHI_SIZES:
        yield from _dots(size)
    yield from _coordinates(size)


def _grid(size: int, in_cells: bool) -> str:
    """The lines: around the cells, or through their middles."""
    count = size + 1 if in_cells else size
    first = MARGIN if in_cells else MARGIN + CELL // 2
    last = first + CELL * (count - 1)
    path = "".join(
        f"M{first} {at}H{last}M{at} {first}V{last}" for at in range(first, last + 1, CELL)
    )
    return f'<path d="{path}" fill="none" stroke="{_LINES}" stroke-width="1.3"/>'


def _diagonals(position: Position) -> str:
    """The lines between diagonal neighbors, in games that have some."""
    free, size = position.board, position.size
    path = "".join(
        "M{} {}L{} {}".format(*center(vertex, size), *center(neighbor, size))
        for direction in position.game.neighbors
        if direction not in ORTHOGONAL and direction > 0
        for vertex in vertices(free)
        for neighbor in vertices(shift(bit(vertex), direction) & free)
    )
    return path and f'<path d="{path}" fill="none" stroke="{_LINES}" stroke-width="1.3"/>'


def _goals(inks: tuple[str, str], side: int) -> Iterator[str]:
    """Bars along the edges: BLACK's at the bottom and top, WHITE's left and right."""
    near, far, thick = MARGIN, MARGIN + side, 7
    black, white = (f'fill="{ink}" stroke="{OUTLINE}" stroke-width="1"' for ink in inks)
    for at in (near - thick, far):
        yield f'<rect x="{near}" y="{at}" width="{side}" height="{thick}" {black}/>'
        yield f'<rect x="{at}" y="{near}" width="{thick}" height="{side}" {white}/>'


def _dots(size: int) -> Iterator[str]:
    """The dots by which one finds one's way on a large board."""
    edge = 2 if size < 13 else 3
    middle = [size // 2] if size % 2 else []
    places = [edge, *middle, size - 1 - edge]
    for column in places:
        for row in places:
            x, y = center(Vertex.at(column, row), size)
            yield f'<circle cx="{x}" cy="{y}" r="3" fill="{_LINES}"/>'


def _coordinates(size: int) -> Iterator[str]:
    """Letters below and above, numbers on both sides."""
    far = board_side(size)
    yield f'<g font-size="14" text-anchor="middle" fill="{_TEXT}">'
    for number in range(size):
        x, y = center(Vertex.at(number, number), size)
        yield "".join(
            f'<text x="{at_x}" y="{at_y}">{text}</text>'
            for at_x, at_y, text in (
                (x, MARGIN - 12, COLUMNS[number]),
                (x, far - 10, COLUMNS[number]),
                (MARGIN // 2 - 2, y + 5, number + 1),
                (far - MARGIN // 2 + 2, y + 5, number + 1),
            )
        )
    yield "</g>"


# What is on it -------------------------------------------------------------------------------


def pieces(position: Position) -> Iterator[str]:
    """All pieces, as uses of their symbols."""
    size = position.size
    for row, words in zip(range(size - 1, -1, -1), rows(size, position.layers())):
        for column, word in enumerate(words):
            if word != EMPTY:
                x, y = center(Vertex.at(column, row), size)
                yield f'<use href="#{symbol_id(position.game, word)}" x="{x}" y="{y}"/>'


def under(scene: Scene) -> Iterator[str]:
    """What lies below the pieces: patches, what the last turn changed, the heat."""
    size = scene.position.size
    for points, owner in scene.patches:
        yield from _patch(scene, points, owner)
    for vertex in vertices(scene.changed):
        yield _square(vertex, size, CELL, f'fill="{_CHANGED}" fill-opacity="0.9"')
    for vertex, warmth in scene.heat.items():
        opacity = f'fill-opacity="{0.08 + 0.72 * warmth.strength:.2f}"'
        yield _square(vertex, size, CELL - 4, f'rx="4" fill="{_HEAT}" {opacity}')
    for step in scene.steps:
        if _goes(step):
            yield _way(step, size)
    for vertex in vertices(scene.selected):
        style = f'fill="#ffffff" stroke="{OUTLINE}" stroke-width="3" stroke-dasharray="6 3"'
        yield _square(vertex, size, CELL - 3, style)


def over(scene: Scene) -> Iterator[str]:
    """What lies above the pieces: the last turn, what may be clicked, numbers of the heat."""
    size = scene.position.size
    if scene.decisive:
        yield from _frame(scene.decisive, size)
    for number, step in enumerate(scene.steps):
        yield from _mark(scene, step, number == 0)
    for vertex in vertices(scene.targets):
        x, y = center(vertex, size)
        yield (
            f'<circle cx="{x}" cy="{y}" r="4.5" fill="#ffffff" stroke="{OUTLINE}" '
            'stroke-width="2.4"/>'
        )
    for vertex, warmth in scene.heat.items():
        x, y = center(vertex, size)
        yield (
            f'<text x="{x}" y="{y + 4.5:g}" font-size="13" font-weight="bold" '
            f'text-anchor="middle" fill="{OUTLINE}" stroke="#ffffff" stroke-width="3" '
            f'paint-order="stroke">{_plain(warmth.text)}</text>'
        )


def _patch(scene: Scene, points: Points, owner: Color | None) -> Iterator[str]:
    """An area in the color of its owner, with a line around it."""
    size = scene.position.size
    outline = "".join(_borders(points, size))
    if owner is not None:
        ink = flat(scene.position.game.look.inks[owner])
        tint = f'fill="{ink}" fill-opacity="0.45"'
        for vertex in vertices(points):
            yield _square(vertex, size, CELL, tint)
    yield (
        f'<path d="{outline}" stroke="{OUTLINE}" stroke-width="2.4" stroke-dasharray="5 3" '
        'fill="none"/>'
    )


def _frame(points: Points, size: int) -> Iterator[str]:
    """A strong line around an area."""
    outline = "".join(_borders(points, size))
    for ink, width in (("#ffffff", 6.5), ("#b0005a", 4)):
        yield (
            f'<path d="{outline}" stroke="{ink}" stroke-width="{width}" stroke-linecap="round" '
            'fill="none"/>'
        )


def _borders(points: Points, size: int) -> Iterator[str]:
    """The edges between a set of cells and the rest."""
    half = CELL // 2
    for vertex in vertices(points):
        x, y = center(vertex, size)
        column, row = vertex.column, vertex.row
        for there, path in (
            ((column - 1, row), f"M{x - half} {y - half}v{CELL}"),
            ((column + 1, row), f"M{x + half} {y - half}v{CELL}"),
            ((column, row + 1), f"M{x - half} {y - half}h{CELL}"),
            ((column, row - 1), f"M{x - half} {y + half}h{CELL}"),
        ):
            inside = all(0 <= number < size for number in there)
            if not inside or not points & bit(Vertex.at(*there)):
                yield path


def _goes(step: Step) -> bool:
    """Whether something went from a first to a second point."""
    return "}-{" in step.kind.template


def _way(step: Step, size: int) -> str:
    """A line below the pieces, from where something came."""
    (x, y), (to_x, to_y) = (center(vertex, size) for vertex in step.vertices)
    return f'<path d="M{x} {y}L{to_x} {to_y}" stroke="{OUTLINE}" stroke-width="4"/>'


def _mark(scene: Scene, step: Step, first: bool) -> Iterator[str]:
    """The corners of the cell where a turn began, an arrow for what went somewhere else."""
    size = scene.position.size
    if _goes(step):
        yield from _arrow(center(step.vertices[0], size), center(step.vertices[1], size))
    if first and step.vertices:
        x, y = center(step.vertices[0], size)
        path = f"M{x - 18} {y - 10}v-8h8M{x + 10} {y - 18}h8v8M{x + 18} {y + 10}v8h-8"
        yield (
            f'<path d="{path}M{x - 10} {y + 18}h-8v-8" fill="none" stroke="{OUTLINE}" '
            'stroke-width="3"/>'
        )


def _arrow(start: tuple[int, int], goal: tuple[int, int]) -> Iterator[str]:
    """A short one onto the rim of a piece, from the direction of another point: it hides none."""
    across, down = goal[0] - start[0], goal[1] - start[1]
    length = (across * across + down * down) ** 0.5
    x, y = across / length, down / length
    tail = goal[0] - 29 * x, goal[1] - 29 * y
    tip = goal[0] - 12 * x, goal[1] - 12 * y
    left = tip[0] - 7 * x + 6 * y, tip[1] - 7 * y - 6 * x
    right = tip[0] - 7 * x - 6 * y, tip[1] - 7 * y + 6 * x
    path = "M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f} {:.1f} {:.1f}".format(
        *tail, *tip, *left, *tip, *right
    )
    for ink, width in ((OUTLINE, 6), ("#ffffff", 2.8)):
        yield (
            f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{width}" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )


def _square(vertex: Vertex, size: int, side: int, style: str) -> str:
    x, y = center(vertex, size)
    corner = f'x="{x - side / 2:g}" y="{y - side / 2:g}"'
    return f'<rect {corner} width="{side}" height="{side}" {style}/>'


# Words ---------------------------------------------------------------------------------------


def _caption(scene: Scene, board: int, width: int) -> Iterator[str]:
    room = int((width - 16) / _CHARACTER)
    y = board + 13
    for number, line in enumerate(scene.caption):
        weight = "" if number else ' font-weight="bold"'
        for text in wrap(line, room, max_lines=_MOST_LINES, placeholder=" ..."):
            yield (
                f'<text x="{board / 2:g}" y="{y}" font-size="13"{weight} text-anchor="middle" '
                f'fill="{_TEXT}">{_plain(text)}</text>'
            )
            y += _LINE_HEIGHT


def _plain(text: str) -> str:
    """Any text as XML in ASCII."""
    return escape(text).encode("ascii", "xmlcharrefreplace").decode()
