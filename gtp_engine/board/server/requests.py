"""The messages that a page may send: JSON objects of known kinds, checked before anything else.

A message that passes is still only a request: the table decides whether a word is a legal turn or a
name is an engine's. No page of ours sends a message that fails; its socket is closed.
"""

import binascii
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from gtp_engine.board.journal.journal import MOST_STARS
from gtp_engine.board.table.exercise import SETS
from gtp_engine.board.table.messages import ADAPTIVE, BLACK, COLORS, Message

LARGEST_MESSAGE = 2**16  # bytes
LARGEST_POSITION = 2**17  # bytes of a message with a position, which may contain a long history
LARGEST_GAME = 2**21  # bytes of a message with a game
DEEPEST = 8
"""The deepest nesting of lists and objects in a message."""

LONGEST_TIME = 10**6  # seconds of a clock

_MOST_COMMAS = LARGEST_MESSAGE  # as many as a comment may have; a list of more costs too much

_LARGEST = {
    "open": LARGEST_GAME,
    "position": LARGEST_POSITION,
    "link": LARGEST_POSITION,
}
_LARGEST_NUMBER = 2**53 - 1

_Check = Callable[[Any], bool]


class Unacceptable(Exception):
    """No page of ours sends this message; the text says why, in a few words."""


def _text(pattern: str, most: int) -> _Check:
    found = re.compile(pattern)
    return lambda value: (
        isinstance(value, str) and len(value) <= most and found.fullmatch(value) is not None
    )


def _number(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST_NUMBER


def _share(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1


def _stars(value: Any) -> bool:
    return _number(value) and value <= MOST_STARS


def _switch(value: Any) -> bool:
    return isinstance(value, bool)


def _one_of(*values: str) -> _Check:
    return lambda value: isinstance(value, str) and value in values


def _or_null(check: _Check) -> _Check:
    return lambda value: value is None or check(value)


_person = _text(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]*", 40)
# A GTP word: printable, without the sign that begins a comment.
_word = _text(r"[!\"$-~]+", 4096)
_name = _text(r"[A-Za-z0-9_.+-]+", 64)
_engine = _text(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+", 64)
_base = _text(r"https?://[A-Za-z0-9._~:\[\]-]+/(?:[A-Za-z0-9._~-]+/)*", 200)
_date = _text(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", 10)
_table = _text(r"[1-9][0-9]{0,5}|exercise", 8)
_position = _text(r"[ !\"$-~]+", LARGEST_POSITION)
_line = _text(r"[^\ud800-\udfff]*", 4096)
_vertex = _text(r"[A-HJ-T][1-9][0-9]?", 3)
_cell = _text(r"[A-Za-z0-9]+", 8)
_label = _text(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+", 40)
_MARK = {"kind": _text(r"[a-z]+", 10), "at": _vertex, "to": _vertex, "text": _label}
_MOST_MARKS, _MOST_CELLS = 400, 400
_comment = _text(r"[^\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]*", LARGEST_MESSAGE)


def _base64(value: Any) -> bool:
    if not isinstance(value, str) or len(value) > LARGEST_GAME:
        return False
    try:
        binascii.a2b_base64(value, strict_mode=True)
    except ValueError:
        return False
    return True


def _mark(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and {"kind", "at"} <= value.keys() <= _MARK.keys()
        and all(_MARK[name](text) for name, text in value.items())
    )


def _list_of(check: _Check, most: int) -> _Check:
    return lambda value: isinstance(value, list) and len(value) <= most and all(map(check, value))


def _cells(value: Any) -> bool:
    """The words of points."""
    return (
        isinstance(value, dict)
        and len(value) <= _MOST_CELLS
        and all(_vertex(at) and _cell(word) for at, word in value.items())
    )


def _names(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() <= set(COLORS)
        and all(map(_person, value.values()))
    )


def _seat(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    if value.get("kind") == "human":
        return (
            value.keys() <= {"kind", "guest", "name"}
            and value.get("guest", BLACK) in COLORS
            and _person(value.get("name", ""))
        )
    return (
        value.get("kind") == "engine"
        and value.keys() == {"kind", "engine", "level"}
        and _engine(value["engine"])
        and (value["level"] == ADAPTIVE or _or_null(_number)(value["level"]))
    )


def _clock(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"main", "increment"}
        and all(map(_number, value.values()))
        and 1 <= value["main"] <= LONGEST_TIME
        and value["increment"] <= LONGEST_TIME
    )


FIELDS: Mapping[str, Mapping[str, _Check]] = {
    "hello": {"table": _table},
    "enter": {"table": _or_null(_table)},
    "tables": {},
    "end": {"table": _table},
    "invite": {"role": _one_of(*COLORS, "watch"), "base": _base},
    "uninvite": {"guest": _number},
    "step": {"rev": _number, "word": _word},
    "try": {"rev": _number, "word": _word, "most": _share},
    "why": {"rev": _number, "word": _word},
    "preview": {"rev": _number, "word": _word},
    "undo": {},
    "redo": {},
    "goto": {"node": _number},
    "look": {"node": _number},
    "new": {
        "game": _name,
        "size": _number,
        "pie": _one_of("pieces", "sides", "off"),
        "black": _seat,
        "white": _seat,
        "clock": _or_null(_clock),
        "handicap": _number,
    },
    "seats": {"black": _seat, "white": _seat},
    "agree": {"yes": _switch},
    "resign": {"color": _one_of("black", "white")},
    "hint": {},
    "analyse": {"on": _switch},
    "pause": {"on": _switch},
    "interrupt": {},
    "comment": {"node": _number, "text": _comment},
    "marks": {"node": _number, "marks": _list_of(_mark, _MOST_MARKS)},
    "openings": {},
    "explore": {},
    "pieces": {},
    "edit": {"draft": _number, "color": _one_of("black", "white"), "cells": _cells},
    "drop": {"node": _number},
    "promote": {"node": _number},
    "open": {"data": _base64},
    "save": {"form": _one_of("plain", "display", "page", "review")},
    "position": {"text": _position},
    "link": {"game": _name, "size": _number, "position": _position},
    "console": {"engine": _engine, "line": _line},
    "restart": {"engine": _engine},
    "review": {"visits": _or_null(_number)},
    "rules": {},
    "samples": {},
    "exercise": {"set": _one_of(*SETS), "id": _or_null(_name)},
    "exercises": {"set": _one_of(*SETS), "game": _name},
    "mistakes": {"of": _one_of("black", "white", "both")},
    "daily": {"date": _date},
    "show": {},
    "visible": {"on": _switch},
    "lines": {"on": _switch},
    "watch": {"game": _number},
    "names": {"names": _names},
    "kept": {"from": _number, "only": _or_null(_name)},
    "keep_open": {"number": _number},
    "keep_rename": {"number": _number, "name": _person},
    "keep_delete": {"number": _number, "on": _switch},
    "keep_export": {"from": _number},
    "progress": {"set": _one_of(*SETS), "id": _name, "stars": _stars},
}
"""The kinds of messages with their fields, and the check of each."""

OPTIONAL: Mapping[str, frozenset[str]] = {
    "hello": frozenset({"table"}),
    "new": frozenset({"clock", "handicap"}),
}
"""The fields that a message of a kind may lack."""


def read_message(text: str | bytes) -> Message:
    """The message that a page sent. Raises Unacceptable."""
    if not isinstance(text, str):
        raise Unacceptable("not a text")
    size = len(text) if text.isascii() else len(text.encode(errors="replace"))
    if size > LARGEST_GAME:
        raise Unacceptable("too large")
    if text.count(",") > _MOST_COMMAS:
        raise Unacceptable("too many values")
    message = _parsed(text)
    kind = message.get("kind")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise Unacceptable("unknown kind")
    if size > _LARGEST.get(kind, LARGEST_MESSAGE):
        raise Unacceptable("too large")
    fields = FIELDS[kind]
    if message.keys() | OPTIONAL.get(kind, frozenset()) != {"kind", *fields}:
        raise Unacceptable(f"{kind} has different fields")
    for name, check in fields.items():
        if name in message and not check(message[name]):
            raise Unacceptable(f"{name} of {kind} is invalid")
    return message


def _parsed(text: str) -> Message:
    try:
        value = json.loads(text, parse_constant=_refuse, object_pairs_hook=_unlike)
    except (ValueError, RecursionError):
        raise Unacceptable("not JSON") from None
    if not isinstance(value, dict):
        raise Unacceptable("not an object")
    if _depth(value) > DEEPEST:
        raise Unacceptable("nested too deeply")
    return value


def _refuse(word: str) -> NoReturn:
    """Infinity and NaN are not JSON."""
    raise ValueError(word)


def _unlike(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; duplicate keys, which readers treat differently, raise ValueError."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("two values of one key")
    return found


def _depth(value: Any) -> int:
    """The depth of nested lists and objects, computed level by level, so without recursion."""
    depth, level = 0, [value]
    while level := [each for each in level if isinstance(each, dict | list)]:
        depth += 1
        level = [
            inner for each in level for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return depth
