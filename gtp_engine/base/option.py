"""Options: how one is declared, read, checked and shown.

An option is a field of a dataclass:

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Kettle:
    ...     liters: float = option(1.5, numbers(0, 3), "water in the kettle")
    ...     whistle: bool = switch(True, "whistle when the water boils")
    >>> liters, whistle = options(Kettle)
    >>> liters.help
    'water in the kettle (number 0..3; default 1.5)'
    >>> whistle.values.parse("off")
    False
    >>> liters.values.parse("4")
    Traceback (most recent call last):
    ValueError: expected number 0..3, got: 4

The command line (`cli/flags.py`), the environment, the settings of GTP, GoGui's dialog, TOML files,
helps and documents are made from the declaration.
"""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import field, fields
from typing import Any, NamedTuple

AUTO = "auto"
ON, OFF = "on", "off"

_INTEGER = "-?[0-9]{1,19}"

# A list to choose from is not longer.
_MOST_WORDS = 20

# An error shows so many characters of a wrong value.
_SHOWN = 40


class Values(NamedTuple):
    """The values of an option: their name for people, the pattern of their texts, their range.

    convert    -- gives the value of a text
    as_written -- whether capitals matter
    words      -- the texts of all values where those are few, else none
    auto       -- whether `auto` is a value, too; it stands for None
    """

    name: str
    pattern: str
    convert: Callable[[str], Any]
    lowest: float | None = None
    highest: float | None = None
    as_written: bool = False
    words: tuple[str, ...] = ()
    auto: bool = False

    def parse(self, text: str) -> Any:
        """The value of a text. Raises ValueError, with a sentence for people."""
        read = text if self.as_written else text.lower()
        if self.auto and read == AUTO:
            return None
        value: Any = None
        with suppress(ValueError):
            if re.fullmatch(self.pattern, read, re.DOTALL):
                value = self.convert(read)
        if value is None or not self._holds(value):
            raise self._unexpected(text)
        return value

    def check(self, value: Any) -> None:
        """Raises ValueError, with a sentence for people, for a number out of range."""
        if not self._holds(value):
            raise self._unexpected(str(value))

    def _holds(self, value: Any) -> bool:
        if value is None or self.lowest is None or self.highest is None:
            return True
        return bool(self.lowest <= value <= self.highest)

    def _unexpected(self, text: str) -> ValueError:
        told = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        return ValueError(f"expected {self.name}, got: {told}")


def choice(*words: str) -> Values:
    """One of some words."""
    return Values("|".join(words), "|".join(map(re.escape, words)), str, words=words)


def integers(lowest: int | None = None, highest: int | None = None) -> Values:
    """The integers, or those in a range."""
    if lowest is None or highest is None:
        return Values("integer", _INTEGER, int)
    few = highest - lowest < _MOST_WORDS
    words = tuple(map(str, range(lowest, highest + 1))) if few else ()
    return Values(f"integer {lowest}..{highest}", _INTEGER, int, lowest, highest, words=words)


def numbers(lowest: float, highest: float) -> Values:
    """The numbers in a range."""
    return Values(
        f"number {lowest:.12g}..{highest:.12g}",
        r"-?([0-9]{1,12}(\.[0-9]{0,12})?|\.[0-9]{1,12})(e[+-]?[0-9]{1,2})?",
        float,
        lowest,
        highest,
    )


def any_text(name: str = "text", shortest: int = 0) -> Values:
    """Any text, such as the path of a file."""
    return Values(name, f".{{{shortest},4096}}", str, as_written=True)


def or_auto(values: Values) -> Values:
    """The same, or `auto`: the program's own choice, which is None."""
    words = (AUTO, *values.words) if values.words else ()
    return values._replace(name=f"{values.name} or {AUTO}", words=words, auto=True)


def shown(value: Any) -> Any:
    """A value as people read it: None is `auto`, True and False are `on` and `off`."""
    if value is None:
        return AUTO
    if isinstance(value, bool):
        return ON if value else OFF
    return value


class Option(NamedTuple):
    """A declared option.

    meaning -- one line for lists
    detail  -- what else the reference says: formula, source
    flag    -- on the command line, without the first dashes
    free    -- whether it may change while what it describes goes on, as a match does
    """

    name: str
    default: Any
    values: Values
    meaning: str
    detail: str = ""
    flag: str = ""
    free: bool = False

    @property
    def help(self) -> str:
        """The meaning, the values and the default, in one line."""
        notes = [] if self.values.convert is str and not self.values.words else [self.values.name]
        told = f"{self.default:g}" if isinstance(self.default, float) else shown(self.default)
        if self.default != "" and (self.default is not None or self.values.auto):
            notes.append(f"default {told}")
        return f"{self.meaning} ({'; '.join(notes)})" if notes else self.meaning


def option(
    default: Any,
    values: Values,
    meaning: str,
    detail: str = "",
    *,
    flag: str = "",
    free: bool = False,
) -> Any:
    """A field of a dataclass that is an option; see Option. The flag is the name with dashes."""
    declared = Option("", default, values, meaning, detail, flag, free)
    return field(default=default, metadata={"option": declared})


def switch(default: bool, meaning: str, detail: str = "", **more: Any) -> Any:
    """An option that is on or off. Its words are listed with the default first."""
    words = (ON, OFF) if default else (OFF, ON)
    values = choice(*words)._replace(convert=lambda text: text == ON)
    return option(default, values, meaning, detail, **more)


def options(of: type) -> tuple[Option, ...]:
    """The options that a dataclass declares, in order."""
    found = [(each.name, each.metadata["option"]) for each in fields(of) if each.metadata]
    return tuple(
        each._replace(name=name, flag=each.flag or name.replace("_", "-")) for name, each in found
    )


def option_of(declared: Iterable[Option], name: str) -> Option:
    """An option by its name. Raises KeyError."""
    return {each.name: each for each in declared}[name]


def meant(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?` with the most similar of the known words; "" if none is similar."""
    from difflib import get_close_matches

    similar = get_close_matches(word, known, n=1)
    return f"; did you mean {similar[0]}?" if similar else ""
