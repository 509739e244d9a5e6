"""The shapes of values from outside: JSON of clients, pages and files, and tables of TOML.

A shape is declared once. It reads a value, or says where the value does not fit and what was
expected:

    >>> array(integer(1, 9)).read([4, 40])
    Traceback (most recent call last):
    gtp_engine.base.shapes.Unfit: item 2: expected integer 1..9, got 40

A named tuple or a dataclass is the shape of the objects with its fields:

    >>> class Kettle(NamedTuple):
    ...     liters: Annotated[float, number(0, 3)]
    ...     colors: tuple[str, ...] = ()
    >>> shape_of(Kettle).read({"liters": 1.5, "colors": ["red"]})
    Kettle(liters=1.5, colors=('red',))
    >>> shape_of(Kettle).read({"liters": 1.5, "colors": ["red", 7]})
    Traceback (most recent call last):
    gtp_engine.base.shapes.Unfit: colors 2: expected text, got 7
"""

import json
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NoReturn,
    get_args,
    get_origin,
    get_type_hints,
)

from gtp_engine.base.numbers import finite
from gtp_engine.base.option import Values, integers, meant, numbers, options
from gtp_engine.base.option import choice as words

# An error shows so many characters of an unfit value, and of a name.
_SHOWN, _SHOWN_OF_A_NAME = 60, 40


class Unfit(ValueError):
    """A value has not the expected shape.

    text  -- what is wrong with it, in words for people
    place -- the keys, names and numbers that lead to it: `lesson a, task 2, hint`
    """

    def __init__(self, text: str, place: str = "") -> None:
        where = f"item{place}" if place.startswith(" ") else place
        super().__init__(f"{where}: {text}" if place else text)
        self.text, self.place = text, place

    def at(self, step: str) -> "Unfit":
        """The same, seen from one level further out. The step to an item begins with a blank."""
        inner = f", {self.place}" if self.place and self.place[0] != " " else self.place
        return Unfit(self.text, f"{step}{inner}")


class ValueShape(NamedTuple):
    """A set of values.

    name -- for people
    read -- the value in Python; raises Unfit for any other value
    """

    name: str
    read: Callable[[Any], Any]

    def fits(self, value: Any) -> bool:
        """Whether this is one of the values."""
        try:
            self.read(value)
        except Unfit:
            return False
        return True


def read_json(text: str | bytes) -> Any:
    """The value of a text in JSON. Raises Unfit.

    Numbers that are not finite, and two values of one key, are refused: readers differ about them.
    """
    try:
        return json.loads(
            text.decode("utf-8-sig") if isinstance(text, bytes) else text,
            parse_constant=_no_constant,
            parse_float=finite,
            object_pairs_hook=_once_each,
        )
    except UnicodeDecodeError:
        raise Unfit("not UTF-8") from None
    except json.JSONDecodeError as error:
        raise Unfit(f"not JSON: {error.msg.lower()} at column {error.colno}") from None
    except RecursionError:
        raise Unfit("brackets are nested too deeply") from None
    except Unfit:
        raise
    except ValueError:
        raise Unfit("a number is too large") from None


def _no_constant(name: str) -> NoReturn:
    raise Unfit(f"not JSON: {name} is no number")


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unfit("two values of one key")
    return found


def unfit(name: str, value: Any) -> Unfit:
    """The refusal of a value that has not the shape of this name."""
    try:
        shown = value[: _SHOWN + 1] if isinstance(value, str) else value
        told = json.dumps(shown, default=str)
    except RecursionError:
        told = "too many brackets"
    return Unfit(f"expected {name}, got {told[:_SHOWN]}{'...' * (len(told) > _SHOWN)}")


def integer(lowest: int | None = None, highest: int | None = None) -> ValueShape:
    """The integers, or those in a range."""
    return _in_range(integers(lowest, highest), int)


def number(lowest: float, highest: float) -> ValueShape:
    """The numbers in a range."""
    return _in_range(numbers(lowest, highest), float)


def _in_range(values: Values, kind: type) -> ValueShape:
    def read(value: Any) -> Any:
        if type(value) in (int, kind):  # True is no number
            with suppress(ValueError):
                values.check(value)
                return kind(value)
        raise unfit(values.name, value)

    return ValueShape(values.name, read)


def string(name: str = "text", longest: int | None = None, pattern: str = "") -> ValueShape:
    """The strings with at most so many characters, which match a pattern as a whole."""
    found = re.compile(pattern) if pattern else None

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise unfit(name, value)
        if longest is not None and len(value) > longest:
            raise Unfit(f"expected at most {longest} characters, got {len(value)}")
        if found is not None and not found.fullmatch(value):
            raise unfit(name, value)
        return value

    return ValueShape(name, read)


def parsed(name: str, parse: Callable[[str], Any]) -> ValueShape:
    """The strings that a function reads; it raises ValueError for others."""

    def read(value: Any) -> Any:
        with suppress(ValueError):
            if isinstance(value, str):
                return parse(value)
        raise unfit(name, value)

    return ValueShape(name, read)


def choice(*allowed: str) -> ValueShape:
    """One of some words, as they are written."""
    name = words(*allowed).name

    def read(value: Any) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        similar = meant(value[:_SHOWN_OF_A_NAME], allowed) if isinstance(value, str) else ""
        raise Unfit(f"{unfit(name, value)}{similar}")

    return ValueShape(name, read)


def choice_in_any_case(*allowed: str) -> ValueShape:
    """One of some words, in any letter case."""
    known = {word.lower(): word for word in allowed}
    name = words(*allowed).name

    def read(value: Any) -> str:
        if isinstance(value, str) and value.lower() in known:
            return known[value.lower()]
        raise unfit(name, value)

    return ValueShape(name, read)


def _of_type(name: str, kind: type) -> ValueShape:
    def read(value: Any) -> Any:
        if not isinstance(value, kind):
            raise unfit(name, value)
        return value

    return ValueShape(name, read)


TRUTH = _of_type("true or false", bool)
_LARGEST = sys.float_info.max
NUMBER = _in_range(numbers(-_LARGEST, _LARGEST)._replace(name="number"), float)
SHARE = number(0, 1)
OBJECT = _of_type("object", dict)
TEXT = string()
INTEGER = integer()


def array(item: ValueShape, least: int = 0, most: int = 10**6) -> ValueShape:
    """The arrays of values of a shape. A place is a number from 1, or the `id` or `name` there."""
    name = f"array of {item.name}"

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise unfit(name, value)
        if not least <= len(value) <= most:
            raise Unfit(f"expected {least} to {most} items, got {len(value)}")
        found = []
        for at, each in enumerate(value, 1):
            try:
                found.append(item.read(each))
            except Unfit as error:
                raise error.at(f" {_item(at, each)}") from None
        return tuple(found)

    return ValueShape(name, read)


def _item(number: int, value: Any) -> str:
    """The name of an item in places."""
    name = value.get("id", value.get("name")) if isinstance(value, dict) else None
    if isinstance(name, str) and len(name) <= _SHOWN_OF_A_NAME and re.fullmatch("[!-~]+", name):
        return name
    return str(number)


def pair(first: ValueShape, second: ValueShape) -> ValueShape:
    """The arrays of two values."""
    name = f"[{first.name}, {second.name}]"

    def read(value: Any) -> tuple[Any, Any]:
        if not isinstance(value, list) or len(value) != 2:
            raise unfit(name, value)
        return first.read(value[0]), second.read(value[1])

    return ValueShape(name, read)


def either(*shapes: ValueShape) -> ValueShape:
    """The values of several shapes."""
    name = " or ".join(shape.name for shape in shapes)

    def read(value: Any) -> Any:
        for shape in shapes:
            with suppress(Unfit):
                return shape.read(value)
        raise unfit(name, value)

    return ValueShape(name, read)


def or_null(shape: ValueShape) -> ValueShape:
    """The values of a shape, and null."""

    def read(value: Any) -> Any:
        return None if value is None else shape.read(value)

    return ValueShape(f"{shape.name} or null", read)


def table(key: ValueShape, part: ValueShape, most: int = 10**6) -> ValueShape:
    """The objects with any keys of a shape."""
    name = f"object of {part.name}"

    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise unfit(name, value)
        if len(value) > most:
            raise Unfit(f"expected at most {most} keys, got {len(value)}")
        return {key.read(each): read_at(each, part, inner) for each, inner in value.items()}

    return ValueShape(name, read)


def record(
    make: Callable[..., Any],
    parts: Mapping[str, ValueShape],
    optional: frozenset[str] = frozenset(),
    open_ended: bool = False,
) -> ValueShape:
    """The objects with certain keys; `make` gets their values by name.

    optional   -- keys that may be missing
    open_ended -- whether there may be other keys, which are ignored
    """
    name = f"object with {', '.join(parts)}"

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise unfit(name, value)
        for key in value:
            if key not in parts and not open_ended:
                shown = json.dumps(key[:_SHOWN_OF_A_NAME])
                known = meant(key[:_SHOWN_OF_A_NAME], parts) or f"; there are {', '.join(parts)}"
                raise Unfit(f"there is no key {shown}{known}")
        for key in parts:
            if key not in value and key not in optional:
                raise Unfit(f"{key} is missing")
        return make(
            **{key: read_at(key, shape, value[key]) for key, shape in parts.items() if key in value}
        )

    return ValueShape(name, read)


def read_at(step: str, shape: ValueShape, value: Any) -> Any:
    """The value, which stands at a step of a place; see Unfit.at. Raises Unfit."""
    try:
        return shape.read(value)
    except Unfit as error:
        raise error.at(step) from None


@cache
def shape_of(kind: Any, open_ended: bool = False) -> ValueShape:
    """The shape of the values of a type.

    The type is a named tuple or a dataclass, or what their fields may be: `str`, `int`, `float`,
    `bool`, words, a tuple of any length, a mapping, several of these or None, or Annotated with a
    shape. A field that is an option has the values of that; see option.py.

    open_ended -- for named tuples and dataclasses: see `record`
    """
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        found: ValueShape = args[1]
        return found
    if origin is Literal:
        return choice(*args)
    if origin is tuple:
        return array(shape_of(args[0], open_ended))
    if origin in (Mapping, dict):
        return table(shape_of(args[0]), shape_of(args[1], open_ended))
    if origin is UnionType:
        return _of_several([shape_of(each, open_ended) for each in args if each is not _NULL], args)
    hints = get_type_hints(kind, include_extras=True)
    parts = {name: shape_of(hint, open_ended) for name, hint in hints.items()}
    if isinstance(kind, type) and is_dataclass(kind):
        parts |= {each.name: _of_option(hints[each.name], each.values) for each in options(kind)}
        optional = {
            each.name for each in fields(kind) if (each.default, each.default_factory) != _NONE
        }
    else:
        optional = set(kind._field_defaults)
    return record(kind, parts, frozenset(optional), open_ended)


def _of_option(kind: Any, values: Values) -> ValueShape:
    """The shape of the values of an option, which are of a type."""
    if args := get_args(kind) if get_origin(kind) is UnionType else ():
        return _of_several([_of_option(each, values) for each in args if each is not _NULL], args)
    if kind in (int, float):
        return _in_range(values, kind)
    return choice(*values.words) if values.words and kind is not bool else shape_of(kind)


def _of_several(shapes: Sequence[ValueShape], kinds: Collection[Any]) -> ValueShape:
    """The shape of the values of several types, of which one may be that of None."""
    shape = either(*shapes) if len(shapes) > 1 else shapes[0]
    return or_null(shape) if _NULL in kinds else shape


_SIMPLE = {str: TEXT, int: INTEGER, float: NUMBER, bool: TRUTH}
_NULL = type(None)
_NONE = MISSING, MISSING
