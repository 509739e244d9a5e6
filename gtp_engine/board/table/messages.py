"""The messages of a table to its viewers: JSON objects with a `kind`."""

from collections.abc import Callable
from typing import Any, NamedTuple
from unicodedata import category

Message = dict[str, Any]
"""A JSON object. Its key `kind` is the kind of message; `Table` lists the kinds."""

Listener = Callable[[Message], None]
"""Receives each message, in order; it must not wait."""

INFO, ERROR = "info", "error"
ADAPTIVE = "adaptive"
"""The level of a seat whose engine adapts to the person: see adaptive.py."""

BLACK, WHITE = "black", "white"
COLORS = (BLACK, WHITE)


class Seat(NamedTuple):
    """The player of a color: a person, or an engine at a level.

    engine -- the name of an engine, None for a person
    guest  -- the color for which a person was invited who sits here, None for others
    level  -- the engine's setting `level`, or ADAPTIVE; None to leave it unchanged
    name   -- of the person, "" if unknown
    """

    engine: str | None = None
    level: int | str | None = None
    guest: str | None = None
    name: str = ""

    @classmethod
    def read(cls, value: Any) -> "Seat":
        """The seat in a message. Raises ValueError."""
        match value:
            case {"kind": "human"}:
                name = value.get("name", "")
                shown = visible(name) if isinstance(name, str) else ""
                return cls(guest=value.get("guest"), name=shown)
            case {"kind": "engine", "engine": str(name), **rest}:
                level = rest.get("level")
                if level in (None, ADAPTIVE) or type(level) is int:
                    return cls(name, level)
        raise ValueError("a seat is a human, or an engine with a name and a level")

    @property
    def is_human(self) -> bool:
        """Whether a person plays."""
        return self.engine is None

    def shown(self) -> Message:
        """The seat in the form of a message."""
        if self.engine is not None:
            return {"kind": "engine", "engine": self.engine, "level": self.level}
        known = {"guest": self.guest, "name": self.name}
        return {"kind": "human"} | {key: value for key, value in known.items() if value}


PERSON = Seat()

# Signs without a shape of their own: they could make a name look like another one, or turn the text
# around it.
_INVISIBLE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})


def visible(name: str) -> str:
    """A name without its invisible signs, and without blanks at its ends."""
    return "".join(sign for sign in name if category(sign) not in _INVISIBLE).strip()


class CannotDo(Exception):
    """A request cannot be fulfilled; the text says why, in a sentence for people.

    engine -- the name of the engine that has failed, if that is why
    """

    def __init__(self, text: str, engine: str | None = None) -> None:
        super().__init__(text)
        self.engine = engine


GUEST_PLAYS = "A guest plays here. Close the invitation to do this."
"""Why a game with a guest is not replaced or disturbed."""

NO_HELP = "The engine gives no help while a guest plays."
"""Why there is no analysis, hint or review, and no game of the past."""


def told(level: str, text: str, engine: str | None = None) -> Message:
    """A sentence for people; `level` is INFO or ERROR.

    engine -- the name of the engine that has failed: when it runs again, the sentence is outdated
    """
    message = {"kind": "told", "level": level, "text": text}
    return message if engine is None else message | {"engine": engine}


def opponent(color: str) -> str:
    """The other color."""
    return WHITE if color == BLACK else BLACK
