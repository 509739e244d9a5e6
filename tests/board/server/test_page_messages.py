"""The messages that a page may send."""

import json
import re
from pathlib import Path

import pytest

from gtp_engine.board.server.page_messages import (
    DEEPEST,
    KINDS,
    LARGEST_GAME,
    LARGEST_MESSAGE,
    Unacceptable,
    read_message,
)

HUMAN = {"kind": "human"}
ENGINE = {"kind": "engine", "engine": "A", "level": 5}
GOOD = {
    "hello": {"table": "2"},
    "enter": {"table": None},
    "tables": {},
    "end": {"table": "2"},
    "invite": {"role": "white", "base": "https://games.example:8443/boards/"},
    "uninvite": {"guest": 3},
    "network": {"on": True},
    "look": {"node": 3},
    "agree": {"number": 1, "yes": True},
    "step": {"rev": 1, "word": "C4"},
    "try": {"rev": 1, "word": "C4", "most": 0.05},
    "why": {"rev": 1, "word": "sB2-A2"},
    "preview": {"rev": 0, "word": "E1xF3"},
    "undo": {},
    "redo": {},
    "goto": {"node": 3},
    "new": {"game": "x", "size": 7, "pie": "pieces", "black": HUMAN, "white": ENGINE}
    | {"clock": {"main": 300, "increment": 5}, "handicap": 2},
    "seats": {"black": {**ENGINE, "level": "adaptive"}, "white": {**ENGINE, "level": None}},
    "resign": {"color": "black"},
    "hint": {},
    "analyse": {"on": True},
    "pause": {"on": False},
    "interrupt": {},
    "comment": {"node": 0, "text": "Guter Zug: \N{GREEK SMALL LETTER ALPHA}\n\tja"},
    "marks": {
        "node": 1,
        "marks": [
            {"kind": "arrow", "at": "A1", "to": "T19"},
            {"kind": "label", "at": "C4", "text": "1"},
        ],
    },
    "openings": {},
    "explore": {},
    "pieces": {},
    "edit": {"draft": 1, "color": "white", "cells": {"C4": "B2", "D4": "x"}},
    "drop": {"node": 2},
    "promote": {"node": 2},
    "open": {"data": "KDtGRls0XSk="},
    "save": {"form": "display"},
    "position": {"text": "x 3 .B./BBb/ww. b open=yes"},
    "link": {"game": "x", "size": 3, "position": "x 3 .../.../... b"},
    "console": {"engine": "A", "line": "name"},
    "restart": {"engine": "A"},
    "review": {"visits": None},
    "rules": {},
    "samples": {},
    "exercises": {"set": "lessons", "game": "x"},
    "exercise": {"set": "lessons", "id": "x.place.1"},
    "mistakes": {"of": "both"},
    "guesses": {"of": "black"},
    "daily": {"date": "2026-11-26"},
    "show": {},
    "visible": {"on": False},
    "alive": {},
    "claim": {},
    "say": {"phrase": "thanks"},
    "lines": {"on": True},
    "watch": {"game": 12},
    "names": {"names": {"black": "J\u00f6rg"}},
    "kept": {"from": 24, "only": None},
    "paths": {},
    "keep_open": {"number": 3},
    "keep_rename": {"number": 3, "name": "My best \u2026"},
    "keep_delete": {"number": 3, "on": True},
    "keep_export": {"from": 0},
    "keep_import": {"from": 0, "size": 3, "data": "KDsp"},
    "progress": {"set": "daily", "id": "2026-11-28", "stars": 2},
}
# For each field of any message values that it cannot have.
NEVER = [
    [],
    {},
    1.5,
    -1,
    2**53,
    "\ud800",
    "x" * (LARGEST_GAME),
    ["C4"],
    {"kind": "human", "x": 1},
]
EMPTY = [("marks", []), ("cells", {}), ("names", {})]
WRONG = {
    "rev": [None, True, "1", 1.0],
    "node": [None, True, "1"],
    "size": [None, True, "7"],
    "visits": [True, "100"],
    "most": [None, True, "0.1", 2],
    "word": [
        None,
        1,
        "",
        "C4 D4",
        "C4\n",
        "C4\nquit",
        "# interrupt",
        "C4\t",
        "\N{EM DASH}",
        "a" * 5000,
    ],
    "game": [None, "", "x y", "../x", "x\n", "<b>", "x" * 65],
    "pie": [None, "", "on", True],
    "of": [None, "", "b", "Black"],
    "date": [None, "", "today", "2026-11-2", "2026-11-26 ", 20261126],
    "handicap": [None, -1, True, "2"],
    "set": [None, "", "lesson", True],
    "id": [1, "", "x y", "../x", "x" * 65],
    "black": [
        None,
        "human",
        {"kind": "engine"},
        {"kind": "cat"},
        {**ENGINE, "level": "5"},
        {**ENGINE, "level": []},
    ],
    "white": [
        None,
        {**HUMAN, "guest": "host"},
        {**ENGINE, "guest": "white"},
        {**ENGINE, "command": "rm"},
        {**ENGINE, "level": True},
        {**ENGINE, "engine": ""},
    ],
    "color": [None, "", "b", "Black"],
    "names": [
        None,
        "Ann",
        {"red": "Ann"},
        {"black": None},
        {"black": "x" * 41},
        {"white": "\ud800"},
    ],
    "from": [None, True, "1"],
    "only": ["", "x y", "../x"],
    "phrase": [None, "", "Thanks", "thanks\n", "I win"],
    "number": [None, True, "1"],
    "name": [None, 1, "x" * 41],
    "stars": [None, True, "1", 10],
    "on": [None, 0, 1, "true"],
    "text": [None, 1, "\ud800"],
    "data": [None, 1, "(;)", "AAA", "AAAA\n", "A===", "\ud800"],
    "form": [None, "clicks", "../x"],
    "position": [None, 1],
    "engine": [None, "", "A\n", "A" * 65, "\x9b"],
    "line": [None, 1, "x" * 5000],
    "marks": [
        None,
        {"kind": "circle", "at": "A1"},
        [{"kind": "circle"}],
        [{"kind": "circle", "at": "I1"}],
        [{"kind": "circle", "at": "A1", "x": "1"}],
        [{"kind": "circle", "at": "A1\n"}],
        [{"kind": "label", "at": "A1", "text": "\n"}],
        [{"kind": "label", "at": "A1", "text": "x" * 41}],
        [{"kind": "circle", "at": "A1"}] * 401,
    ],
    "draft": [None, "1"],
    "cells": [
        None,
        ["A1"],
        {"I1": "B"},
        {"A1": "#"},
        {"A1": "B quit"},
        {"A1": 1},
        {"A1\n": "B"},
        {f"A{n}": "B" for n in range(500)},
    ],
    "clock": [
        {"main": 300},
        {"main": 0, "increment": 5},
        {"main": 10**7, "increment": 0},
        {"main": 60, "increment": True},
        {"main": "60", "increment": 0},
        {"main": 60, "increment": 0, "delay": 5},
        {"main": 60, "turn": 5},
        {"turn": 0},
    ],
    "role": [None, "host", "Black"],
    "base": [
        None,
        "",
        "http://x",
        "ftp://x/",
        "http://x/?a",
        "http://x/#a",
        "http://x/<b>/",
        "javascript:x/",
        "http://" + "x" * 200 + "/",
    ],
    "guest": [None, "1"],
    "yes": [None, 1],
    "table": [1, "", "0", "x", "../1", "1\n", "1" * 7],
}


@pytest.mark.parametrize("values", ["[]," * 600_000 + "[]", "1e5," * 500_000 + "1"])
def test_a_message_of_many_values_is_refused_before_it_is_parsed(values):
    with pytest.raises(Unacceptable, match="too many values"):
        read_message(f'{{"kind":"open","data":[{values}]}}')


PAGE = Path(__file__).parents[3] / "protocol_specs" / "clients" / "board-server.md"


def test_the_specification_lists_every_message_with_its_fields():
    section = PAGE.read_text().split("## To the server")[1].split("## From the server")[0]
    found = {}
    for line in section.splitlines():
        if line.startswith("| `"):
            kinds, fields = re.findall(r"[^|]+", line)[:2]
            found |= dict.fromkeys(re.findall(r"`(\w+)`", kinds), re.findall(r"`(\w+)`", fields))
    assert found == {kind: list(each.fields) for kind, each in KINDS.items()}


def read(**message):
    return read_message(json.dumps(message))


def test_every_kind_is_tried():
    assert GOOD.keys() == KINDS.keys()
    assert {name: set(fields) for name, fields in GOOD.items()} == {
        name: set(each.fields) for name, each in KINDS.items()
    }
    assert {name for each in KINDS.values() for name in each.fields} - {"text"} <= set(WRONG)


@pytest.mark.parametrize("kind", KINDS)
def test_a_message_of_the_page_is_let_through(kind):
    assert read(kind=kind, **GOOD[kind]) == {"kind": kind, **GOOD[kind]}


@pytest.mark.parametrize("kind", KINDS)
def test_fields_are_neither_more_nor_fewer(kind):
    with pytest.raises(Unacceptable, match='there is no key "extra"'):
        read(kind=kind, **GOOD[kind], extra=1)
    for name in GOOD[kind].keys() - KINDS[kind].optional:
        fewer = {key: value for key, value in GOOD[kind].items() if key != name}
        with pytest.raises(Unacceptable, match=f"{name} is missing"):
            read(kind=kind, **fewer)


@pytest.mark.parametrize(
    "kind, name", [(kind, name) for kind in KINDS for name in KINDS[kind].fields]
)
def test_fields_have_their_types(kind, name):
    # A game may end in a megabyte, and a line for the console is looked at later.
    for value in [*NEVER, *WRONG[name]]:
        if (name, value) in EMPTY:
            continue
        with pytest.raises(Unacceptable):
            read(kind=kind, **GOOD[kind] | {name: value})


@pytest.mark.parametrize("kind", [None, 1, "", "Step", "quit", "play", ["step"], {"a": 1}, "state"])
def test_no_other_kind_is_known(kind):
    with pytest.raises(Unacceptable, match="unknown kind"):
        read(kind=kind)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '"undo"',
        '{"kind":"undo"} x',
        '{"kind":"undo","kind":"hint"}',
        '{"kind":"goto","node":NaN}',
        '{"kind":"goto","node":Infinity}',
        '{"kind":"goto","node":1e400}',
        '{"kind":"goto","node":' + "1" * 5000 + "}",
        "[" * 100_000,
        '{"a":' * 100_000,
        b'{"kind":"undo"}',
    ],
)
def test_what_is_no_json_object_is_refused(text):
    with pytest.raises(Unacceptable):
        read_message(text)


def test_nesting_is_bounded():
    deep = 1
    for _ in range(DEEPEST):
        deep = [deep]
    with pytest.raises(Unacceptable, match="nested too deeply"):
        read(kind="undo", x=deep)
    with pytest.raises(Unacceptable, match='there is no key "x"'):
        read(kind="undo", x=deep[0])


TYPED = "a\tb\x0bc \N{EN DASH} # \x9b\n"


@pytest.mark.parametrize(
    "kind, name",
    [
        ("comment", "text"),
        ("position", "text"),
        ("link", "position"),
        ("keep_rename", "name"),
        ("names", "names"),
    ],
)
def test_what_a_person_may_paste_reaches_the_table(kind, name):
    value = {"black": TYPED} if name == "names" else TYPED
    assert read(kind=kind, **GOOD[kind] | {name: value})[name] == value


def test_size_is_bounded_in_bytes():
    largest = LARGEST_MESSAGE - len(json.dumps({"kind": "undo", "x": ""}))
    with pytest.raises(Unacceptable, match="no key"):
        read(kind="undo", x="x" * largest)
    with pytest.raises(Unacceptable, match="too large"):
        read(kind="undo", x="x" * (largest + 1))
    three_bytes_each = '{"kind":"undo","x":"' + "\N{EURO SIGN}" * 22_000 + '"}'
    with pytest.raises(Unacceptable, match="too large"):
        read_message(three_bytes_each)
    assert read(kind="open", data="x" * (LARGEST_GAME - 32))
    with pytest.raises(Unacceptable, match="too large"):
        read(kind="open", data="x" * LARGEST_GAME)


@pytest.mark.parametrize(
    "kind, name", [(kind, name) for kind, each in KINDS.items() for name in sorted(each.optional)]
)
def test_an_optional_field_may_be_missing(kind, name):
    fewer = {key: value for key, value in GOOD[kind].items() if key != name}
    assert read(kind=kind, **fewer) == {"kind": kind, **fewer}
