"""The messages that a page may send: JSON objects of known kinds, checked before anything else.

`KINDS` says of each kind everything that does not depend on the game: its fields and its size, who
may send it, whether it waits for the ones before, and what a table with a guest does with it. A
message that passes is still only a request: the table decides whether a word is a legal turn or a
name is an engine's. No page of ours sends a message that fails; its socket is closed.
"""

import binascii
import json
import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, NamedTuple, NoReturn

from gtp_engine.board.journal.journal import MOST_STARS
from gtp_engine.board.server.gate import HOST, WATCH
from gtp_engine.board.table.exercise import SETS
from gtp_engine.board.table.messages import ADAPTIVE, BLACK, COLORS, Message

LARGEST_MESSAGE = 2**16  # bytes
LARGEST_POSITION = 2**17  # bytes of a message with a position, which may contain a long history
LARGEST_GAME = 2**21  # bytes of a message with a game
DEEPEST = 8
"""The deepest nesting of lists and objects in a message."""

LONGEST_TIME = 10**6  # seconds of a clock

_MOST_COMMAS = LARGEST_MESSAGE  # as many as a comment may have; a list of more costs too much

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


class Shared(Enum):
    """What a table does with a player's message while a guest plays there.

    ALONE   -- it does it, because nobody is disturbed; what helps a player is refused by the table
    CONSENT -- it asks the other player first
    OVER    -- it refuses it until the game is over
    NEVER   -- it refuses it also then: it would take the guest's seat
    """

    ALONE = "alone"
    CONSENT = "consent"
    OVER = "over"
    NEVER = "never"


class Kind(NamedTuple):
    """A kind of message.

    fields   -- the check of each field
    shared   -- what a table with a guest does with it; unless it is said, it must wait for the end
    guests   -- the roles of guests that may send it; all others end their sockets by it
    narrower -- checks of fields that hold for guests alone
    optional -- fields that it may lack
    largest  -- most bytes
    in_order -- whether it is answered after those before it; what takes long, or must not wait, is
                answered at once
    """

    fields: Mapping[str, _Check]
    shared: Shared = Shared.OVER
    guests: tuple[str, ...] = ()
    narrower: Mapping[str, _Check] = {}
    optional: frozenset[str] = frozenset()
    largest: int = LARGEST_MESSAGE
    in_order: bool = True


_ALONE, _CONSENT, _NEVER = Shared.ALONE, Shared.CONSENT, Shared.NEVER
_PLAYING = COLORS
_ALL_GUESTS = (*COLORS, WATCH)

_SEATS = {"black": _seat, "white": _seat}
_MOVED = {"rev": _number, "word": _word}

KINDS: Mapping[str, Kind] = {
    # Before and beside the table.
    "hello": Kind({"table": _table}, guests=_ALL_GUESTS, optional=frozenset({"table"})),
    "enter": Kind({"table": _or_null(_table)}),
    "tables": Kind({}),
    "end": Kind({"table": _table}),
    "invite": Kind({"role": _one_of(*COLORS, WATCH), "base": _base}),
    "uninvite": Kind({"guest": _number}),
    "visible": Kind({"on": _switch}, guests=_ALL_GUESTS),
    "alive": Kind({}, _ALONE, _ALL_GUESTS),
    "lines": Kind({"on": _switch}),
    "watch": Kind({"game": _number}, in_order=False),
    # The game.
    "step": Kind(_MOVED, _ALONE, _PLAYING),
    "try": Kind({**_MOVED, "most": _share}, in_order=False),
    "why": Kind(_MOVED, _ALONE, _PLAYING),
    "preview": Kind(_MOVED, _ALONE, _PLAYING),
    "undo": Kind({}, _CONSENT, _PLAYING),
    "redo": Kind({}),
    "goto": Kind({"node": _number}),
    "new": Kind(
        {
            "game": _name,
            "size": _number,
            "pie": _one_of("pieces", "sides", "off"),
            **_SEATS,
            "clock": _or_null(_clock),
            "handicap": _number,
        },
        _CONSENT,
        _PLAYING,
        optional=frozenset({"clock", "handicap"}),
    ),
    "seats": Kind(_SEATS),
    "names": Kind({"names": _names}, _ALONE, _PLAYING),
    "agree": Kind({"yes": _switch}, _ALONE, _PLAYING),
    "resign": Kind({"color": _one_of(*COLORS)}, _ALONE, _PLAYING),
    "claim": Kind({}, _ALONE, _PLAYING),
    "pause": Kind({"on": _switch}, _CONSENT, _PLAYING, in_order=False),
    # The study of a game.
    "look": Kind({"node": _number}, _ALONE, _ALL_GUESTS),
    "comment": Kind({"node": _number, "text": _comment}, _ALONE),
    "marks": Kind({"node": _number, "marks": _list_of(_mark, _MOST_MARKS)}, _ALONE),
    "pieces": Kind({}, _ALONE),
    "edit": Kind({"draft": _number, "color": _one_of(*COLORS), "cells": _cells}, _ALONE),
    "drop": Kind({"node": _number}),
    "promote": Kind({"node": _number}, _ALONE),
    "rules": Kind({}, _ALONE, _ALL_GUESTS),
    "samples": Kind({}, _ALONE),
    # Help of engines: Table.check_help refuses it while a guest plays.
    "hint": Kind({}, _ALONE, in_order=False),
    "analyse": Kind({"on": _switch}, _ALONE),
    "interrupt": Kind({}, _ALONE, in_order=False),
    "openings": Kind({}, _ALONE),
    "explore": Kind({}, _ALONE, in_order=False),
    "review": Kind({"visits": _or_null(_number)}, _ALONE, in_order=False),
    "console": Kind({"engine": _engine, "line": _line}, _ALONE, in_order=False),
    "restart": Kind({"engine": _engine}, _ALONE, in_order=False),
    # Records and positions.
    "open": Kind({"data": _base64}, largest=LARGEST_GAME, in_order=False),
    "save": Kind(
        {"form": _one_of("plain", "display", "page", "review")},
        _ALONE,
        _ALL_GUESTS,
        narrower={"form": _one_of("plain")},
        in_order=False,
    ),
    "position": Kind({"text": _position}, largest=LARGEST_POSITION),
    "link": Kind({"game": _name, "size": _number, "position": _position}, largest=LARGEST_POSITION),
    # Exercises.
    "exercise": Kind({"set": _one_of(*SETS), "id": _or_null(_name)}, _NEVER),
    "exercises": Kind({"set": _one_of(*SETS), "game": _name}, _ALONE),
    "mistakes": Kind({"of": _one_of(*COLORS, "both")}),
    "daily": Kind({"date": _date}, _ALONE),
    "show": Kind({}),
    # The journal.
    "kept": Kind({"from": _number, "only": _or_null(_name)}, _ALONE),
    "keep_open": Kind({"number": _number}, _NEVER),
    "keep_rename": Kind({"number": _number, "name": _person}, _ALONE),
    "keep_delete": Kind({"number": _number, "on": _switch}, _ALONE),
    "keep_export": Kind({"from": _number}, _ALONE, in_order=False),
    "progress": Kind({"set": _one_of(*SETS), "id": _name, "stars": _stars}, _ALONE),
}
"""All kinds of messages."""

MAY_SEND: Mapping[str, frozenset[str]] = {
    role: frozenset(kind for kind, each in KINDS.items() if role in each.guests)
    for role in _ALL_GUESTS
}
"""For each role of a guest the kinds that it may send."""

_PRIVATE = frozenset({"commands", "console", "journal"})

LARGEST_OF_A_GUEST = 2**13
"""Bytes of a guest's message."""

MOST_PAGES = {HOST: 8, WATCH: 8, **dict.fromkeys(COLORS, 3)}
"""Most pages at a time by one token, by its role."""

RATE = {HOST: (50.0, 100.0), **dict.fromkeys(_ALL_GUESTS, (20.0, 60.0))}
"""Messages per second, and at once, by the role."""

RATE_OF_HELLO = {HOST: (100.0, 200.0), **dict.fromkeys(_ALL_GUESTS, (2.0, 20.0))}
"""Hellos per second, and at once, by one token, by its role."""

MOST_AT_ONCE = {HOST: 16, **dict.fromkeys(_ALL_GUESTS, 4)}
"""Most messages of a page handled at a time, by its role; the next one stays unread."""


def may_send(role: str, message: Message) -> bool:
    """Whether the holder of a role may send a message."""
    kind = KINDS[message["kind"]]
    return role == HOST or (
        role in kind.guests and all(check(message[name]) for name, check in kind.narrower.items())
    )


def may_hear(role: str, kind: str) -> bool:
    """Whether the holder of a role is told the messages of a kind."""
    return role == HOST or kind not in _PRIVATE


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
    if not isinstance(kind, str) or kind not in KINDS:
        raise Unacceptable("unknown kind")
    declared = KINDS[kind]
    if size > declared.largest:
        raise Unacceptable("too large")
    if message.keys() | declared.optional != {"kind", *declared.fields}:
        raise Unacceptable(f"{kind} has different fields")
    for name, check in declared.fields.items():
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
