"""Matches as tables: read from TOML or flags, kept as text in the store, and compared."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

from gtp_engine.arena.setup.config import TABLES, Match, Part, WrongMatch
from gtp_engine.base.files import read_file
from gtp_engine.base.option import options
from gtp_engine.base.shapes import OBJECT, TEXT, Unfit, read_json, shape_of

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
    """The match that the tables describe. Raises WrongMatch, also for a value without effect."""
    match = _converted({"games": MOST_TEST_GAMES} | tables if "sprt" in tables else tables)
    random, judge = match.openings.source == "random", bool(match.openings.judge)
    rules = match.adjudication
    _check_used("openings", match.openings, "a random source", random, "turns", "judge", "balance")
    _check_used("openings", match.openings, "a judge", judge, "balance")
    _check_used("adjudication", rules, "resign", bool(rules.resign), "resign_turns", "resign_both")
    _check_used("adjudication", rules, "a judge", bool(rules.judge), "judge_seconds")
    return match


def _check_used(table: str, part: Part, needed: str, there: bool, *names: str) -> None:
    """Raises WrongMatch for a value other than the default one, if it has no effect."""
    named = tables_of(part)
    for name in () if there else names:
        if name in named:
            raise WrongMatch(f"{table}: {name} needs {needed}")


def _converted(tables: dict[str, Any]) -> Match:
    """The match with exactly these values. Raises WrongMatch."""
    try:
        match: Match = shape_of(Match).read({"engines": []} | tables)
    except Unfit as error:
        raise WrongMatch(str(error)) from None
    match.check()
    return match


def write_match(match: Match) -> str:
    """The match as text, for the store."""
    return json.dumps(tables_of(match), ensure_ascii=False, sort_keys=True)


def restore_match(text: str) -> Match:
    """The match from a text by `write_match`. Raises WrongMatch."""
    try:
        tables = OBJECT.read(read_json(TEXT.read(text)))
    except Unfit as error:
        raise WrongMatch(str(error)) from None
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


# The amount and the place of play may change from run to run, and so may the given ratings; any
# other change is another match.
_FREE = {
    f"{name}.{each.name}" if name else each.name
    for name, table in TABLES.items()
    for each in options(table)
    if each.free
}


def differences(before: Match, now: Match, words: tuple[str, str] = ("before", "now")) -> list[str]:
    """The differences between two matches, one line per value.

    Engines may be added to a match anywhere, except in a tuning; the others must keep their order.

    words -- what tells the two values of a line apart
    """
    if before.tune is None:
        known = {engine.name for engine in before.engines}
        now = replace(now, engines=tuple(each for each in now.engines if each.name in known))
    old, new = (dict(_flat("", _comparable(match))) for match in (before, now))
    return [
        f"{key}: {old.get(key, 'default')} {words[0]}, {new.get(key, 'default')} {words[1]}"
        for key in sorted(old | new)
        if key not in _FREE and old.get(key) != new.get(key)
    ]


def _comparable(match: Match) -> dict[str, Any]:
    """The tables, plus the order of the engines, which decides the opponents."""
    names = ", ".join(engine.name for engine in match.engines)
    return tables_of(replace(match, anchors={})) | {"order of engines": names}


def _flat(prefix: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The leaves of nested tables, by dotted names."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{prefix}.{key}" if prefix else key, inner)
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            label = inner["name"] if isinstance(inner, dict) else str(number)
            yield from _flat(f"{prefix}.{label}", inner)
    else:
        yield prefix, value
