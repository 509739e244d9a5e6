"""Matches as tables: read from TOML or flags, and as text in the store."""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from gtp_engine.arena.setup.config import TABLES, Engine, Match, Part, WrongMatch
from gtp_engine.base.files import read_file
from gtp_engine.base.option import meant

LARGEST_FILE = 2**20  # bytes of a TOML file

# A sequential test without a limit of games ends long before this.
MOST_TEST_GAMES = 100_000


def read_match(path: Path) -> dict[str, Any]:
    """The tables of a TOML file, for `make_match`. Raises WrongMatch, or OSError."""
    try:
        return tomllib.loads(read_text(path, LARGEST_FILE))
    except WrongMatch:
        raise
    except ValueError as error:  # not TOML, or a number with thousands of digits
        raise WrongMatch(f"{path}: {error}") from None
    except RecursionError:
        raise WrongMatch(f"{path}: brackets are nested too deeply") from None


def read_text(path: Path, most: int) -> str:
    """The text of a file of at most `most` bytes. Raises WrongMatch, or OSError."""
    content = read_file(path, most, streams=True)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        told = f"{path}, line {line}: this is not UTF-8; save the file as UTF-8"
        raise WrongMatch(told) from None


def make_match(tables: dict[str, Any]) -> Match:
    """The match that the tables describe. Raises WrongMatch."""
    return _converted({"games": MOST_TEST_GAMES} | tables if "sprt" in tables else tables)


def _converted(tables: dict[str, Any]) -> Match:
    """The match with exactly these values. Raises WrongMatch."""
    import msgspec  # a command line is checked without any library

    for sentence in _unknown_fields(tables):
        raise WrongMatch(sentence)
    try:
        match = msgspec.convert({"engines": []} | tables, Match)
    except msgspec.ValidationError as error:
        raise WrongMatch(_sentence(str(error), tables)) from None
    match.check()
    return match


def write_match(match: Match) -> str:
    """The match as text, for the store."""
    return json.dumps(tables_of(match), ensure_ascii=False, sort_keys=True)


def restore_match(text: str) -> Match:
    """The match from a text by `write_match`. Raises WrongMatch."""
    try:
        tables = json.loads(text)
    except (TypeError, ValueError) as error:
        raise WrongMatch(str(error)) from None
    except RecursionError:
        raise WrongMatch("brackets are nested too deeply") from None
    if not isinstance(tables, dict):
        raise WrongMatch("a match is a table")
    return _converted(tables)


def tables_of(part: Part) -> dict[str, Any]:
    """The tables of a match or of a part of it, without values that are the default."""
    tables = {}
    for field in fields(part):
        value = getattr(part, field.name)
        default = field.default if field.default_factory is MISSING else field.default_factory()
        if value != default:
            tables[field.name] = _plain(value)
    return tables


def _plain(value: Any) -> Any:
    """A value with tables and lists in place of parts and tuples."""
    if isinstance(value, Part):
        return tables_of(value)
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _unknown_fields(tables: dict[str, Any]) -> Iterator[str]:
    """A sentence for each name that no table declares."""
    given = [("The match" if name is None else name, kind) for name, kind in TABLES.items()]
    found = [(name, kind, tables if kind is Match else tables.get(name)) for name, kind in given]
    engines = tables.get("engines")
    if isinstance(engines, list | tuple):
        found += [("engines", Engine, engine) for engine in engines]
    for name, kind, table in found:
        known = {field.name for field in fields(kind)}
        for field in table if isinstance(table, dict) else ():
            if field not in known:
                yield f"{name} contains unknown field `{field}`{meant(field, known)}"


# Messages of msgspec, and what they call the kinds of values.
_MISSING = re.compile(r"Object missing required field `(\w+)`")
_UNEXPECTED = re.compile(r"Expected `(.+)`, got `(\w+)`")
_NO_WORD = re.compile(r"Invalid enum value '(.*)'", re.DOTALL)
_PLACE = re.compile(r"(.*) - at .*`\$\.?(.*)`", re.DOTALL)
_KINDS = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "an integer",
    "object": "a table",
    "str": "text",
}

_WORDS = {
    f"{table}.{name}" if table else name: get_args(kind)
    for table, part in TABLES.items()
    for name, kind in get_type_hints(part).items()
    if get_origin(kind) is Literal
}
"""The words that a value may be, by the name of the value."""


def _sentence(message: str, tables: dict[str, Any]) -> str:
    """What a message of msgspec says, for people."""
    found = _PLACE.fullmatch(message)
    told, place = (found[1], found[2].replace("[...]", "")) if found else (message, "")
    where = f"{_named(place, tables)}: " if place else ""
    if missing := _MISSING.fullmatch(told):
        return f"{where}`{missing[1]}` is missing"
    if unexpected := _UNEXPECTED.fullmatch(told):
        kinds = [_KINDS[kind] for kind in unexpected[1].split(" | ") if kind in _KINDS]
        return f"{where}expected {' or '.join(kinds)}, got {_KINDS.get(unexpected[2], 'nothing')}"
    if (wrong := _NO_WORD.fullmatch(told)) and (words := _WORDS.get(place)):
        similar = meant(wrong[1], words)
        return f"{where}expected {'|'.join(words)}, got: {wrong[1][:40]}{similar}"
    return f"{where}{told}"


def _named(place: str, tables: dict[str, Any]) -> str:
    """A place such as `engines[1].time`, with the name of the engine instead of its number."""
    found = re.fullmatch(r"engines\[(\d+)\]\.?(.*)", place)
    if found is None:
        return place
    number = int(found[1])
    engine = tables["engines"][number]
    name = engine.get("name") if isinstance(engine, dict) else None
    words = ["engines", name if isinstance(name, str) else f"number {number + 1}", found[2]]
    return ": ".join(filter(None, words))
