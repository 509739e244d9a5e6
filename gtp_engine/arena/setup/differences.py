"""The differences that make two configurations two different matches."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gtp_engine.arena.setup.config import TABLES, Match
from gtp_engine.arena.setup.tables import tables_of
from gtp_engine.base.option import options

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
