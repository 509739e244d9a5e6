"""The shapes of JSON values: what a field of a request takes, and how an unfit value is refused.

>>> integer(1, 9).read(4)
4
>>> array(integer(1, 9)).read([4, 40])
Traceback (most recent call last):
ValueError: item 2: expected integer 1..9, got 40
"""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from gtp_engine.base.option import Values, integers, numbers
from gtp_engine.base.option import choice as words
from gtp_engine.rules.points.color import Color

# An error shows so many characters of an unfit value.
_SHOWN = 60


class JsonShape(NamedTuple):
    """A set of JSON values.

    name -- for people
    read -- the value in Python; raises ValueError, with a phrase for people, for any other value
    """

    name: str
    read: Callable[[Any], Any]


def unfit(name: str, value: Any) -> ValueError:
    """The refusal of a value that has not the shape of this name."""
    told = json.dumps(value)
    return ValueError(f"expected {name}, got {told[:_SHOWN]}{'...' * (len(told) > _SHOWN)}")


def integer(lowest: int, highest: int) -> JsonShape:
    """The integers in a range."""
    return _number(integers(lowest, highest), (int,))


def number(lowest: float, highest: float) -> JsonShape:
    """The numbers in a range."""
    return _number(numbers(lowest, highest), (int, float))


def _number(values: Values, types: tuple[type, ...]) -> JsonShape:
    def read(value: Any) -> Any:
        if type(value) in types:  # True is no number
            with suppress(ValueError):
                values.check(value)
                return value
        raise unfit(values.name, value)

    return JsonShape(values.name, read)


def string(name: str, longest: int) -> JsonShape:
    """The strings with at most so many characters."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise unfit(name, value)
        if len(value) > longest:
            raise ValueError(f"expected at most {longest} characters, got {len(value)}")
        return value

    return JsonShape(name, read)


def choice(*allowed: str) -> JsonShape:
    """One of some words, in any letter case."""
    name = words(*allowed).name

    def read(value: Any) -> str:
        for word in allowed:
            if isinstance(value, str) and value.lower() == word.lower():
                return word
        raise unfit(name, value)

    return JsonShape(name, read)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise unfit("true or false", value)
    return value


TRUTH = JsonShape("true or false", _truth)


def _color(value: Any) -> Color:
    try:
        return Color.parse(value)
    except (AttributeError, ValueError):
        raise unfit("color", value) from None


COLOR = JsonShape("color", _color)


def _any_object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise unfit("object", value)
    return value


OBJECT = JsonShape("object", _any_object)


def array(item: JsonShape, least: int = 0, most: int = 10**6) -> JsonShape:
    """The arrays of values of a shape."""
    name = f"array of {item.name}"

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise unfit(name, value)
        if not least <= len(value) <= most:
            raise ValueError(f"expected {least} to {most} items, got {len(value)}")
        return tuple(_part(f"item {at}", item, each) for at, each in enumerate(value, 1))

    return JsonShape(name, read)


def pair(first: JsonShape, second: JsonShape) -> JsonShape:
    """The arrays of two values."""
    name = f"[{first.name}, {second.name}]"

    def read(value: Any) -> tuple[Any, Any]:
        if not isinstance(value, list) or len(value) != 2:
            raise unfit(name, value)
        return first.read(value[0]), second.read(value[1])

    return JsonShape(name, read)


def either(*shapes: JsonShape) -> JsonShape:
    """The values of several shapes."""
    name = " or ".join(shape.name for shape in shapes)

    def read(value: Any) -> Any:
        for shape in shapes:
            with suppress(ValueError):
                return shape.read(value)
        raise unfit(name, value)

    return JsonShape(name, read)


def record(name: str, make: Callable[..., Any], **parts: JsonShape) -> JsonShape:
    """The objects with exactly these keys; `make` gets their values by name."""

    def read(value: Any) -> Any:
        if not isinstance(value, dict) or value.keys() != parts.keys():
            raise unfit(f"object with {', '.join(parts)}", value)
        return make(*(_part(key, shape, value[key]) for key, shape in parts.items()))

    return JsonShape(name, read)


def _part(where: str, shape: JsonShape, value: Any) -> Any:
    try:
        return shape.read(value)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
