"""The look of a game in pictures: data in the game's file, read by everything that draws."""

import re
from collections.abc import Mapping
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import NamedTuple

from gtp_engine.rules.points.color import BLACK, WHITE, Color


class Shape(Enum):
    """The shape of a piece."""

    STONE = "stone"
    STACK = "stack"
    PAWN = "pawn"
    MARKER = "marker"
    BLOCK = "block"


class Ink(StrEnum):
    """The colors of a player's pieces, by name; engine/pictures/look.json defines them."""

    BLACK = "black"
    WHITE = "white"
    BLUE = "blue"
    ORANGE = "orange"


class Look(NamedTuple):
    """The look of a game. A new game needs none: everything has a default.

    inks      -- the colors of BLACK's and WHITE's pieces, which also differ in brightness
    shapes    -- the shapes of words of the diagram, by BLACK's first character; by default
                 capital letters are stones, small ones markers, and others blocks
    in_cells  -- whether pieces stand in squares instead of on intersections
    goals     -- whether BLACK owns the bottom and top edges, and WHITE left and right
    plain     -- the words of placed pieces, for boards set up from plain stones
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
        """The owner of the piece of a word of the diagram, or None."""
        return {"B": BLACK, "W": WHITE}.get(word[0].upper())

    @staticmethod
    def height(word: str) -> int:
        """The number in a word of the diagram, 1 without one."""
        digits = re.search("[0-9]+", word)
        return int(digits.group()) if digits else 1


_AS_BLACK = str.maketrans("Ww", "Bb")
