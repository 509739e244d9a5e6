"""The two colors."""

from enum import IntEnum


class Color(IntEnum):
    """BLACK or WHITE; as a number it indexes a pair with one entry per color.

    opponent -- the other color
    """

    BLACK = 0
    WHITE = 1

    opponent: "Color"

    @property
    def letter(self) -> str:
        """`b` or `w`, the short spelling of GTP."""
        return "bw"[self]

    @property
    def sign(self) -> str:
        """`B` or `W`, the spelling of results and records."""
        return "BW"[self]

    def __str__(self) -> str:
        return ("black", "white")[self]

    @classmethod
    def parse(cls, text: str) -> "Color":
        """The color spelled `b`, `w`, `black` or `white` in any case.

        Raises ValueError for any other text.
        """
        color = _SPELLINGS.get(text.lower()) if text.isascii() else None
        if color is None:
            raise ValueError(f"not a color: {text[:20]}")
        return color


BLACK, WHITE = Color.BLACK, Color.WHITE
BLACK.opponent, WHITE.opponent = WHITE, BLACK
_SPELLINGS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
