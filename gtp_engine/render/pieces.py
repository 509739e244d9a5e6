"""The pieces as SVG: each a symbol around the origin, in a cell of CELL units."""

from collections.abc import Callable

from gtp_engine.look.loader import flat
from gtp_engine.rules.game import Game
from gtp_engine.rules.look import Shape

CELL = 40
OUTLINE = "#1f1f1f"
_NEUTRAL = "#a5a097"

# A stack is drawn with so many disks at most; the number tells the rest.
_MOST_DISKS = 4
_DISK_OFFSET = 2.6


def symbol_id(game: Game, word: str) -> str:
    """The name of the symbol of a piece, alike in all pictures of a game."""
    return f"{game.name}-{word.encode().hex()}"


def symbol(game: Game, word: str) -> str:
    """The definition of the symbol for a word of the diagram."""
    color = game.look.color(word)
    ink = _NEUTRAL if color is None else flat(game.look.inks[color])
    drawn = _SHAPES[game.look.shape(word)](ink, game.look.height(word))
    return f'<g id="{symbol_id(game, word)}">{drawn}</g>'


def _stone(ink: str, height: int) -> str:
    return _disk(ink, 17, 0) + (_number(ink, height, 0) if height > 1 else "")


def _stack(ink: str, height: int) -> str:
    disks = min(height, _MOST_DISKS)
    lowest = _DISK_OFFSET * (disks - 1) / 2
    levels = [lowest - _DISK_OFFSET * level for level in range(disks)]
    drawn = "".join(_disk(ink, 15, y) for y in levels)
    return drawn + (_number(ink, height, levels[-1]) if height > 1 else "")


def _pawn(ink: str, height: int) -> str:
    """A pawn of chess: the head on a body that widens to its foot."""
    body = "M-9 12.5 Q-9 8.5 -5.5 7 Q-3 3 -3 -1 L3 -1 Q3 3 5.5 7 Q9 8.5 9 12.5 Z"
    style = f'fill="{ink}" stroke="{_rim(ink)}" stroke-width="1.8" stroke-linejoin="round"'
    return f'<path d="{body}" {style}/><circle cy="-5.5" r="6" {style}/>'


def _marker(ink: str, height: int) -> str:
    return (
        f'<rect x="-9" y="-9" width="18" height="18" fill="{ink}" stroke="{OUTLINE}" '
        'stroke-width="1.8"/>'
    )


def _block(ink: str, height: int) -> str:
    """A full cell with a cross: no piece of a player is square and crossed."""
    return (
        f'<rect x="-18" y="-18" width="36" height="36" rx="2" fill="{ink}"/>'
        '<path d="M-10 -10 10 10M-10 10 10 -10" stroke="#6f6a61" stroke-width="3" '
        'stroke-linecap="round"/>'
    )


def _disk(ink: str, radius: float, y: float) -> str:
    at = f' cy="{y:g}"' if y else ""
    return f'<circle{at} r="{radius:g}" fill="{ink}" stroke="{_rim(ink)}" stroke-width="1.6"/>'


def _number(ink: str, number: int, y: float) -> str:
    return (
        f'<text y="{y + 6.5:g}" font-size="19" font-weight="bold" text-anchor="middle" '
        f'fill="{"#ffffff" if _dark(ink) else "#1f1f1f"}">{number}</text>'
    )


def _rim(ink: str) -> str:
    """An outline that is seen on the piece and on the board."""
    return "#000000" if ink == OUTLINE or not _dark(ink) else "#d9ecff"


def _dark(ink: str) -> bool:
    """Whether white text is easier to read on a color written `#rrggbb` than black."""
    red, green, blue = (int(ink[n : n + 2], 16) for n in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 128


_SHAPES: dict[Shape, Callable[[str, int], str]] = {
    Shape.STONE: _stone,
    Shape.STACK: _stack,
    Shape.PAWN: _pawn,
    Shape.MARKER: _marker,
    Shape.BLOCK: _block,
}
