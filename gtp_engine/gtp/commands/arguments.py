"""Types of arguments, and the error texts that several commands share."""

from gtp_engine.base.numbers import finite, whole
from gtp_engine.engine.session import Session
from gtp_engine.gtp.wire.registry import Argument
from gtp_engine.rules import find_game
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.vertex import Vertex as _Vertex

INVALID_COLOR = "invalid color"
INVALID_TURN = "invalid color or coordinate"
ILLEGAL_MOVE = "illegal move"
CANNOT_UNDO = "cannot undo"


def _color(text: str, session: Session) -> Color:
    return session.game.parse_color(text)


COLOR = Argument("COLOR", _color, depends=True)
VERTEX = Argument("VERTEX", _Vertex.parse)
GAME = Argument("GAME", find_game, failure="unknown game")
INTEGER = Argument("N", whole)
NUMBER = Argument("NUMBER", finite)


def word(name: str) -> Argument:
    """Any word, with a name for the syntax."""
    return Argument(name)


def unquoted(text: str) -> str:
    """A word without the quotes around it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


FILE = Argument("FILE", unquoted)
# A setting may be a file.
VALUE = Argument("VALUE", unquoted)


def bounded(name: str, number: Argument, lowest: float, highest: float) -> Argument:
    """INTEGER or NUMBER in a range, with a name for the syntax."""

    def convert(text: str) -> int | float:
        value: int | float = number.convert(text)
        if not lowest <= value <= highest:
            raise ValueError(f"not in {lowest}..{highest}")
        return value

    return Argument(name, convert)


SECONDS = bounded("SECONDS", NUMBER, 0, 10**6)
VISITS = bounded("VISITS", INTEGER, 1, 10**9)


def choice(*words: str) -> Argument:
    """One of some words, in any letter case."""

    def convert(text: str) -> str:
        if text.lower() not in words:
            raise ValueError(f"not {words}")
        return text.lower()

    return Argument("|".join(words), convert)
