"""Values of a configuration, each declared once: a field with its bounds, flag and meaning.

    games: Annotated[int, Option("games for each two engines", 2, 10**7)] = 100

The checks, the command line, and the set of values that may change between runs come from that.
"""

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from types import NoneType
from typing import Any, NamedTuple, get_args, get_type_hints

# A number with more digits would fill the screen.
_LONGEST_NUMBER = 20


class Option(NamedTuple):
    """Properties of a value beside its name, type and default.

    meaning   -- for the help of its flag, which appends the default
    low, high -- bounds of a number, both included
    flag      -- the flag without dashes, if it is not the field's name; "" for no flag
    free      -- whether it may change between runs of one match
    """

    meaning: str = ""
    low: float | None = None
    high: float | None = None
    flag: str | None = None
    free: bool = False


class Declared(NamedTuple):
    """A field with an Option.

    flag -- without dashes, "" if it has none
    """

    key: str
    kind: type
    default: Any
    flag: str
    option: Option


@dataclass(frozen=True)
class Part:
    """A table of a configuration: a frozen dataclass, whose fields may have an Option."""


def declared(table: type[Part]) -> Iterator[Declared]:
    """The fields of a table that have an Option, in order."""
    hints = get_type_hints(table, include_extras=True)
    for field in fields(table):
        for option in get_args(hints[field.name])[1:]:
            if isinstance(option, Option):
                flag = field.name.replace("_", "-") if option.flag is None else option.flag
                kind = _kind(hints[field.name].__origin__)
                default = None if field.default is MISSING else field.default
                yield Declared(field.name, kind, default, flag, option)


def out_of_bounds(part: Part) -> Iterator[str]:
    """A sentence for each number of a table that is out of bounds."""
    for key, _, _, _, option in declared(type(part)):
        value = getattr(part, key)
        if value is None or option.low is None or option.high is None:
            continue
        if not option.low <= value <= option.high:
            told = value if abs(value) < 10**_LONGEST_NUMBER else "such a number"
            yield f"{key}: {told} is not in {option.low}..{option.high}"


def _kind(hint: Any) -> type:
    """The type of a value that is not None: `int` of `int | None`, `str` of `Literal["a", "b"]`."""
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    if not kinds:
        return hint if isinstance(hint, type) else type(hint)
    return type(kinds[0]) if isinstance(kinds[0], str) else _kind(kinds[0])
