"""Pictures of a position as SVG: ASCII, no empty lines, nothing loaded from elsewhere; and as PNG.

Everything is distinguishable by shape and brightness, never only by hue.
"""

from collections.abc import Iterator
from textwrap import wrap

from gtp_engine.base.extras import how_to_install
from gtp_engine.engine.pictures.brush import Brush, plain
from gtp_engine.engine.pictures.geometry import board_side, center, outline
from gtp_engine.engine.pictures.loader import look
from gtp_engine.engine.pictures.pieces import mark, piece
from gtp_engine.engine.pictures.scene import Scene
from gtp_engine.engine.pictures.surface import surface
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.diagram import EMPTY, rows
from gtp_engine.rules.points.points import Points, vertices
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Step

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
