"""Pictures in GoGui's language of marks, for a board on which every piece is a stone or nothing."""

from collections.abc import Iterable, Iterator, Mapping

from gtp_engine.engine.pictures.scene import Scene
from gtp_engine.rules.game import Position
from gtp_engine.rules.look import Shape
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.points.diagram import draw
from gtp_engine.rules.points.points import Points, named, vertices
from gtp_engine.rules.points.vertex import Vertex

BLACK_STONE, WHITE_STONE = "X", "O"

_SELECTED, _TARGET = "yellow", "#00c000"
_BLOCK = "black"
_GOOD, _BAD = (0x3B, 0x7D, 0xD8), (0xF0, 0x8A, 0x1D)


def stones(position: Position) -> str:
    """GoGui's board with the pieces shown as stones: stones, stacks, pawns."""
    look = position.game.look
    layers = {BLACK_STONE: 0, WHITE_STONE: 0}
    for word, points in position.layers().items():
        color = look.color(word)
        if color is not None and look.shape(word) is not Shape.MARKER:
            layers[(BLACK_STONE, WHITE_STONE)[color]] |= points
    return draw(position.size, layers)


def gfx(scene: Scene) -> str:
    """Lines that turn the stones into our pieces, and add the marks."""
    position, lines = scene.position, [*_pieces(scene.position)]
    for patch, owner in scene.patches if position.open else ():
        if owner is not None:
            lines.append(label(patch, position.game.color_names[owner][0]))
    return "\n".join([*lines, *_marks(scene)])


def _pieces(position: Position) -> Iterator[str]:
    """Markers tint their point, pawns have a triangle, stacks their height; blocks are dark."""
    look = position.game.look
    for word, points in position.layers().items():
        shape, color = look.shape(word), look.color(word)
        if shape is Shape.MARKER and color is not None:
            yield f"{'BLACK' if color is BLACK else 'WHITE'} {named(points)}"
        elif shape is Shape.PAWN:
            yield f"TRIANGLE {named(points)}"
        elif shape is Shape.BLOCK:
            yield paint(points, _BLOCK)
        elif look.height(word) > 1:
            yield label(points, str(look.height(word)))


def _marks(scene: Scene) -> Iterator[str]:
    if scene.last:
        yield f"CIRCLE {named(scene.last)}"
    unsaid = scene.changed & ~scene.last
    for points in scene.labels.values():
        unsaid &= ~points
    if unsaid:
        yield f"MARK {named(unsaid)}"
    if scene.targets:
        yield paint(scene.targets, _TARGET)
    if scene.selected:
        yield paint(scene.selected, _SELECTED)
    if scene.decisive:
        yield f"SQUARE {named(scene.decisive)}"
    for word, points in scene.labels.items():
        yield label(points, word)
    for line in scene.caption[-1:]:
        yield text(line)


def paint(points: Points, color: str) -> str:
    """The background of points."""
    return f"COLOR {color} {named(points)}"


def label(points: Points, label: str) -> str:
    """The same text on several points."""
    return " ".join(["LABEL", *(f"{vertex} {label}" for vertex in vertices(points))])


def influence(shares: Mapping[Vertex, float]) -> str:
    """Squares on vertices, by shares from 0 to 1 for dark ones, down to -1 for light ones."""
    return " ".join(["INFLUENCE", *(f"{vertex} {share:z.2f}" for vertex, share in shares.items())])


def variation(moves: Iterable[tuple[Color, Vertex]]) -> str:
    """Numbered stones."""
    return " ".join(["VAR", *(f"{color.letter} {vertex}" for color, vertex in moves)])


def text(line: str) -> str:
    """A line for the status bar."""
    return f"TEXT {line}"


def balance(value: float) -> str:
    """A color between orange (0), white (0.5) and blue (1), distinguishable if color-blind."""
    end = _GOOD if value > 0.5 else _BAD
    share = abs(2 * value - 1)
    red, green, blue = (round(255 + (part - 255) * share) for part in end)
    return f"#{red:02x}{green:02x}{blue:02x}"
