"""The types of values of options and settings: range, text, and how they are read and shown."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

AUTO = "auto"
ON, OFF = "on", "off"

# A list to choose from is not longer.
_MOST_WORDS = 20


class ValueType(NamedTuple):
    """The values of an option: their name for the user, the pattern of their texts, their range.

    convert    -- gives the value of a text
    as_written -- whether capitals matter
    words      -- the texts of all values where those are few, else none
    """

    name: str
    pattern: str
    convert: Callable[[str], Any]
    lowest: float | None = None
    highest: float | None = None
    as_written: bool = False
    words: tuple[str, ...] = ()

    def parse(self, text: str) -> Any:
        """The value of a text. Raises ValueError where it is none."""
        text = text if self.as_written else text.lower()
        if not re.fullmatch(self.pattern, text):
            raise ValueError(f"not {self.name}")
        value = self.convert(text)
        if self.lowest is not None and value < self.lowest:
            raise ValueError(f"not {self.name}")
        if self.highest is not None and value > self.highest:
            raise ValueError(f"not {self.name}")
        return value


def shown(value: Any) -> Any:
    """A value as the wire shows it: None is `auto`, True and False are `on` and `off`."""
    if value is None:
        return AUTO
    if isinstance(value, bool):
        return ON if value else OFF
    return value


def choice(*words: str) -> ValueType:
    """One of some words."""
    return ValueType("|".join(words), "|".join(words), str, words=words)


def switch(default: bool) -> ValueType:
    """On or off, the default first."""
    words = (ON, OFF) if default else (OFF, ON)
    return ValueType("|".join(words), "|".join(words), lambda text: text == ON, words=words)


def whole(lowest: int, highest: int) -> ValueType:
    """An integer in a range."""
    numbers = range(lowest, highest + 1)
    words = tuple(map(str, numbers)) if len(numbers) <= _MOST_WORDS else ()
    name = f"integer {lowest}..{highest}"
    return ValueType(name, r"[0-9]{1,19}", int, lowest, highest, words=words)


def number(lowest: float, highest: float) -> ValueType:
    """A number in a range."""
    return ValueType(
        f"number {lowest:.12g}..{highest:.12g}",
        r"[0-9]{1,12}(\.[0-9]{0,12})?",
        float,
        lowest,
        highest,
    )


def or_auto(values: ValueType) -> ValueType:
    """The same, or `auto` for each game's own number, which is None."""

    def convert(text: str) -> Any:
        return None if text == AUTO else values.parse(text)

    words = (AUTO, *values.words) if values.words else ()
    return ValueType(f"{values.name} or {AUTO}", f"{values.pattern}|{AUTO}", convert, words=words)
