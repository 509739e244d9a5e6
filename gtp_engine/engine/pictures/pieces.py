"""The pieces and marks as symbols around the origin, drawn from the look."""

from collections.abc import Iterator, Mapping
from typing import Any

from gtp_engine.engine.pictures.brush import Brush
from gtp_engine.engine.pictures.loader import look
from gtp_engine.rules.game import Game

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
