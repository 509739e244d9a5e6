"""The seats of a game: who plays which color."""

from typing import Any, NamedTuple
from unicodedata import category

from gtp_engine.board.table.messages import Message

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


def opponent(color: str) -> str:
    """The other color."""
    return WHITE if color == BLACK else BLACK
