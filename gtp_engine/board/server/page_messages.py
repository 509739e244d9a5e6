"""The messages that a page may send: JSON objects of known kinds, checked before anything else.

`KINDS` says of each kind everything that does not depend on the game: its fields and its size, who
may send it, whether it waits for the ones before, and what a table with a guest does with it. A
message that passes is still only a request: the table decides whether a word is a legal turn or a
name is an engine's. No page of ours sends a message that fails; its socket is closed.
"""

import binascii
from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from gtp_engine.base.shapes import (
    OBJECT,
    SHARE,
    TRUTH,
    Unfit,
    ValueShape,
    array,
    choice,
    either,
    integer,
    or_null,
    read_at,
    read_json,
    record,
    string,
    table,
    unfit,
)
from gtp_engine.board.journal.journal import MOST_STARS
from gtp_engine.board.journal.rows import LONGEST_GIVEN
from gtp_engine.board.server.gate import HOST, WATCH
from gtp_engine.board.table.clock_kinds import KINDS as TIMINGS
from gtp_engine.board.table.clock_kinds import LONGEST_TIME
from gtp_engine.board.table.messages import Message
from gtp_engine.board.table.practice import DAYS, SETS
from gtp_engine.board.table.seat import ADAPTIVE, COLORS

LARGEST_MESSAGE = 2**16  # bytes
LARGEST_POSITION = 2**17  # bytes of a message with a position, which may contain a long history
LARGEST_GAME = 2**21  # bytes of a message with a game
DEEPEST = 8
"""The deepest nesting of lists and objects in a message."""

_MOST_COMMAS = LARGEST_MESSAGE  # a list of more costs too much, and no comment has room for so many

_LONGEST_REASON = 120  # what the frame that closes a socket can hold


class Unacceptable(Exception):
    """No page of ours sends this message; the text says why, in a few words."""


PHRASES = {
    "hello": "Hello",
    "luck": "Good luck",
    "well": "Well played",
    "thanks": "Thanks",
    "sorry": "Sorry",
    "moment": "One moment",
    "game": "Good game",
}
"""All that the players of a game can say to each other, by the words that stand for it."""

_NUMBER = integer(0, 2**53 - 1)
_STARS = integer(0, MOST_STARS)

# What a person types or pastes may have any sign: the table leaves out what has no place there.
_TYPED = r"[^\ud800-\udfff]*"
_PERSON = string("name", LONGEST_GIVEN, _TYPED)
# A GTP word: printable, without the sign that begins a comment.
_WORD = string("word", 4096, r"[!\"$-~]+")
_NAME = string("name", 64, r"[A-Za-z0-9_.+-]+")
_ENGINE = string("name of an engine", 64, r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_BASE = string("address", 200, r"https?://[A-Za-z0-9._~:\[\]-]+/(?:[A-Za-z0-9._~-]+/)*")
_DATE = string("date", 10, r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TABLE = string("table", 25, r"[1-9][0-9]{0,5}|exercise(?:-[a-z0-9]{1,16})?")
_POSITION = string("position text", LARGEST_POSITION, _TYPED)
_LINE = string("line", 4096, _TYPED)
_VERTEX = string("vertex", 3, r"[A-HJ-T][1-9][0-9]?")
_CELL = string("word of a point", 8, r"[A-Za-z0-9]+")
_LABEL = string("label", 40, r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_COMMENT = string("text", LARGEST_GAME, _TYPED)
_COLOR = choice(*COLORS)
_SET = choice(*SETS)
_MARK = record(
    dict,
    {"kind": string("kind of mark", 10, r"[a-z]+"), "at": _VERTEX, "to": _VERTEX, "text": _LABEL},
    optional=frozenset({"to", "text"}),
)
_MARKS = array(_MARK, most=400)
_CELLS = table(_VERTEX, _CELL, most=400)
_NAMES = table(_COLOR, _PERSON)
_SEAT = either(
    record(
        dict,
        {"kind": choice("human"), "guest": _COLOR, "name": _PERSON},
        optional=frozenset({"guest", "name"}),
    ),
    record(
        dict,
        {
            "kind": choice("engine"),
            "engine": _ENGINE,
            "level": or_null(either(choice(ADAPTIVE), _NUMBER)),
        },
    ),
)
_CLOCK = either(
    *(
        record(dict, {"main": integer(1, LONGEST_TIME), name: integer(0, LONGEST_TIME)})
        if kind.has_main
        else record(dict, {name: integer(1, LONGEST_TIME)})
        for name, kind in TIMINGS.items()
    )
)


def _base64(value: Any) -> str:
    text: str = string("Base64", LARGEST_GAME).read(value)
    try:
        binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        raise unfit("Base64", value) from None
    return text


_BASE64 = ValueShape("Base64", _base64)


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

    fields   -- the shape of each field
    shared   -- what a table with a guest does with it; unless it is said, it must wait for the end
    guests   -- the roles of guests that may send it; all others end their sockets by it
    narrower -- shapes of fields for guests alone
    optional -- fields that it may lack
    largest  -- most bytes
    in_order -- whether it is answered after those before it; what takes long, or must not wait, is
                answered at once
    others   -- whether it makes sense only where others can come from other machines
    """

    fields: Mapping[str, ValueShape]
    shared: Shared = Shared.OVER
    guests: tuple[str, ...] = ()
    narrower: Mapping[str, ValueShape] = {}
    optional: frozenset[str] = frozenset()
    largest: int = LARGEST_MESSAGE
    in_order: bool = True
    others: bool = False


_ALONE, _CONSENT, _NEVER = Shared.ALONE, Shared.CONSENT, Shared.NEVER
_PLAYING = COLORS
_ALL_GUESTS = (*COLORS, WATCH)

_SEATS = {"black": _SEAT, "white": _SEAT}
_MOVED = {"rev": _NUMBER, "word": _WORD}

KINDS: Mapping[str, Kind] = {
    # Before and beside the table.
    "hello": Kind({"table": _TABLE}, guests=_ALL_GUESTS, optional=frozenset({"table"})),
    "enter": Kind({"table": or_null(_TABLE)}),
    "tables": Kind({}, others=True),
    "end": Kind({"table": _TABLE}, others=True),
    "invite": Kind({"role": choice(*COLORS, WATCH), "base": _BASE}, others=True),
    "uninvite": Kind({"guest": _NUMBER}, others=True),
    "network": Kind({"on": TRUTH}, others=True),
    "visible": Kind({"on": TRUTH}, guests=_ALL_GUESTS),
    "alive": Kind({}, _ALONE, _ALL_GUESTS),
    "lines": Kind({"on": TRUTH}),
    "watch": Kind({"game": _NUMBER}, in_order=False, others=True),
    # The game.
    "step": Kind(_MOVED, _ALONE, _PLAYING),
    "try": Kind({**_MOVED, "most": SHARE}, in_order=False),
    "why": Kind(_MOVED, _ALONE, _PLAYING),
    "preview": Kind(_MOVED, _ALONE, _PLAYING),
    "undo": Kind({}, _CONSENT, _PLAYING),
    "redo": Kind({}),
    "goto": Kind({"node": _NUMBER}),
    "new": Kind(
        {
            "game": _NAME,
            "size": _NUMBER,
            "pie": choice("pieces", "sides", "off"),
            **_SEATS,
            "clock": or_null(_CLOCK),
            "handicap": _NUMBER,
        },
        _CONSENT,
        _PLAYING,
        optional=frozenset({"clock", "handicap"}),
    ),
    "seats": Kind(_SEATS),
    "names": Kind({"names": _NAMES}, _ALONE, _PLAYING),
    "agree": Kind({"number": _NUMBER, "yes": TRUTH}, _ALONE, _PLAYING, others=True),
    "resign": Kind({"color": _COLOR}, _ALONE, _PLAYING),
    "claim": Kind({}, _ALONE, _PLAYING, others=True),
    "say": Kind({"phrase": choice(*PHRASES)}, _ALONE, _PLAYING, in_order=False, others=True),
    "pause": Kind({"on": TRUTH}, _CONSENT, _PLAYING, in_order=False),
    # The study of a game.
    "look": Kind({"node": _NUMBER}, _ALONE, _ALL_GUESTS),
    "comment": Kind({"node": _NUMBER, "text": _COMMENT}, _ALONE, largest=LARGEST_GAME),
    "marks": Kind({"node": _NUMBER, "marks": _MARKS}, _ALONE),
    "pieces": Kind({}, _ALONE),
    "edit": Kind({"draft": _NUMBER, "color": _COLOR, "cells": _CELLS}, _ALONE),
    "drop": Kind({"node": _NUMBER}),
    "promote": Kind({"node": _NUMBER}),
    "rules": Kind({}, _ALONE, _ALL_GUESTS),
    "samples": Kind({}, _ALONE),
    # Help of engines: Table.check_help refuses it while a guest plays.
    "hint": Kind({}, _ALONE, in_order=False),
    "analyse": Kind({"on": TRUTH}, _ALONE),
    "interrupt": Kind({}, _ALONE, in_order=False),
    "openings": Kind({}, _ALONE),
    "explore": Kind({}, _ALONE, in_order=False),
    "review": Kind({"visits": or_null(_NUMBER)}, _ALONE, in_order=False),
    "console": Kind({"engine": _ENGINE, "line": _LINE}, _ALONE, in_order=False),
    "restart": Kind({"engine": _ENGINE}, _ALONE, in_order=False),
    # Records and positions.
    "open": Kind({"data": _BASE64}, largest=LARGEST_GAME, in_order=False),
    "save": Kind(
        {"form": choice("plain", "display", "page", "review")},
        _ALONE,
        _ALL_GUESTS,
        narrower={"form": choice("plain")},
        in_order=False,
    ),
    "position": Kind({"text": _POSITION}, largest=LARGEST_POSITION),
    "link": Kind({"game": _NAME, "size": _NUMBER, "position": _POSITION}, largest=LARGEST_POSITION),
    # Exercises.
    "exercise": Kind({"set": _SET, "id": or_null(_NAME)}, _NEVER),
    "exercises": Kind({"set": _SET, "game": _NAME}, _ALONE),
    "mistakes": Kind({"of": choice(*COLORS, "both")}),
    "guesses": Kind({"of": choice(*COLORS, "both")}),
    "daily": Kind({"date": _DATE}, _ALONE),
    "show": Kind({}),
    # The journal.
    "kept": Kind({"from": _NUMBER, "only": or_null(_NAME)}, _ALONE),
    "paths": Kind({}, _ALONE),
    "keep_open": Kind({"number": _NUMBER}, _NEVER),
    "keep_rename": Kind({"number": _NUMBER, "name": _PERSON}, _ALONE),
    "keep_delete": Kind({"number": _NUMBER, "on": TRUTH}, _ALONE),
    "keep_export": Kind({"from": _NUMBER}, _ALONE, in_order=False),
    "keep_import": Kind(
        {"from": _NUMBER, "size": _NUMBER, "data": _BASE64},
        _ALONE,
        largest=LARGEST_GAME,
        in_order=False,
    ),
    "progress": Kind({"set": choice(*SETS, DAYS), "id": _NAME, "stars": _STARS}, _ALONE),
}
"""All kinds of messages."""

_SHAPES = {
    name: record(dict, {"kind": choice(name), **kind.fields}, kind.optional)
    for name, kind in KINDS.items()
}

MAY_SEND: Mapping[str, frozenset[str]] = {
    role: frozenset(kind for kind, each in KINDS.items() if role in each.guests)
    for role in _ALL_GUESTS
}
"""For each role of a guest the kinds that it may send."""

MAY_SEND_ALONE = frozenset(kind for kind, each in KINDS.items() if not each.others)
"""The kinds that a host may send where nobody else can come."""

_PRIVATE = frozenset({"commands", "console", "journal"})

LARGEST_OF_A_GUEST = 2**13
"""Bytes of a guest's message."""

MOST_PAGES = {HOST: 8, WATCH: 8, **dict.fromkeys(COLORS, 3)}
"""Most pages at a time by one token, by its role."""

RATE = {HOST: (50.0, 100.0), **dict.fromkeys(_ALL_GUESTS, (20.0, 60.0))}
"""Messages per second, and at once, by the role."""

RATE_OF_HELLO = {HOST: (100.0, 200.0), **dict.fromkeys(_ALL_GUESTS, (2.0, 20.0))}
"""Hellos per second, and at once, by one token, by its role."""

RATE_OF_PHRASES = 0.25, 3.0
"""Phrases per second, and at once, of each player."""

MOST_AT_ONCE = {HOST: 16, **dict.fromkeys(_ALL_GUESTS, 4)}
"""Most messages of a page handled at a time, by its role; the next one stays unread."""


def may_send(role: str, message: Message) -> bool:
    """Whether the holder of a role may send a message."""
    kind = KINDS[message["kind"]]
    return role == HOST or (
        role in kind.guests
        and all(shape.fits(message[name]) for name, shape in kind.narrower.items())
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
    try:
        message: Message = OBJECT.read(read_json(text))
        if _depth(message) > DEEPEST:
            raise Unfit("nested too deeply")
        kind = message.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            raise Unfit("unknown kind")
        if size > KINDS[kind].largest:
            raise Unfit("too large")
        read_at(kind, _SHAPES[kind], message)
    except Unfit as error:
        raise Unacceptable(str(error)[:_LONGEST_REASON]) from None
    return message


def _depth(value: Any) -> int:
    """The depth of nested lists and objects, computed level by level, so without recursion."""
    depth, level = 0, [value]
    while level := [each for each in level if isinstance(each, dict | list)]:
        depth += 1
        level = [
            inner for each in level for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return depth
