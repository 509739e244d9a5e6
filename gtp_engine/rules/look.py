"""How pictures show a game: data in the game's file, read by everything that draws."""

import re
from collections.abc import Mapping
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import NamedTuple

from gtp_engine.board.color import BLACK, WHITE, Color


class Shape(Enum):
    """What a piece looks like."""

    STONE = "stone"
    STACK = "stack"
    PAWN = "pawn"
    MARKER = "marker"
    BLOCK = "block"


class Ink(StrEnum):
    """The colors of a player's pieces, by name; look/look.json says what they look like."""

    BLACK = "black"
    WHITE = "white"
    BLUE = "blue"
    ORANGE = "orange"


class Look(NamedTuple):
    """The look of a game. A new game needs none: everything has a default.

    inks      -- what the pieces of BLACK and WHITE look like, told apart by their brightness too
    shapes    -- the shapes of words of the diagram, by their first character as BLACK has it;
                 by default capital letters are stones, small ones markers, and others blocks
    in_cells  -- whether pieces stand in squares, not where lines cross
    goals     -- whether BLACK has the bottom and top edges, and WHITE left and right
    plain     -- the words of pieces that are just placed, for boards set up from plain stones
    """

    inks: tuple[Ink, Ink] = (Ink.BLACK, Ink.WHITE)
    shapes: Mapping[str, Shape] = MappingProxyType({})
    in_cells: bool = False
    goals: bool = False
    plain: tuple[str, str] = ("B", "W")

    def shape(self, word: str) -> Shape:
        """The shape of a word of the diagram."""
        first = word[0].translate(_AS_BLACK)
        by_default = Shape.STONE if first.isupper() else Shape.MARKER
        return self.shapes.get(first, by_default if first.isalpha() else Shape.BLOCK)

    @staticmethod
    def color(word: str) -> Color | None:
        """Whose piece a word of the diagram is, or None."""
        return {"B": BLACK, "W": WHITE}.get(word[0].upper())

    @staticmethod
    def height(word: str) -> int:
        """The number in a word of the diagram, 1 without one."""
        digits = re.search("[0-9]+", word)
        return int(digits.group()) if digits else 1


_AS_BLACK = str.maketrans("Ww", "Bb")
