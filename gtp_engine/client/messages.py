"""What a table says to those who look at it: JSON objects with a `kind`."""

from collections.abc import Callable
from typing import Any, NamedTuple

Message = dict[str, Any]
"""A JSON object. Its key `kind` says what it is; `Table` lists the kinds."""

Listener = Callable[[Message], None]
"""Hears each message, in order; it must not wait."""

INFO, ERROR = "info", "error"
BLACK, WHITE = "black", "white"
COLORS = (BLACK, WHITE)


class Seat(NamedTuple):
    """Who plays a color: a person, or an engine at a level.

    engine -- the name of an engine, None for a person
    level  -- its setting `level`, None to leave it as it is
    """

    engine: str | None = None
    level: int | None = None

    @classmethod
    def read(cls, value: Any) -> "Seat":
        """The seat in a message. Raises ValueError."""
        match value:
            case {"kind": "human"}:
                return cls()
            case {"kind": "engine", "engine": str(name), **rest}:
                level = rest.get("level")
                if level is None or (isinstance(level, int) and not isinstance(level, bool)):
                    return cls(name, level)
        raise ValueError("a seat is a human, or an engine with a name and a level")

    @property
    def is_human(self) -> bool:
        """Whether a person plays."""
        return self.engine is None

    def shown(self) -> Message:
        """The seat as it stands in a message."""
        if self.engine is None:
            return {"kind": "human"}
        return {"kind": "engine", "engine": self.engine, "level": self.level}


PERSON = Seat()


class CannotDo(Exception):
    """What a person asked for is not possible; the text says why, in a sentence."""


def told(level: str, text: str) -> Message:
    """A sentence for people; `level` is INFO or ERROR."""
    return {"kind": "told", "level": level, "text": text}


def opponent(color: str) -> str:
    """The other color."""
    return WHITE if color == BLACK else BLACK
