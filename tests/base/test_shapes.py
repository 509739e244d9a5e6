"""Values from outside: what fits a declared shape, and the sentence about what does not."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

import pytest

from gtp_engine.base.shapes import (
    TEXT,
    Unfit,
    array,
    choice,
    choice_in_any_case,
    either,
    integer,
    or_null,
    read_json,
    shape_of,
    string,
    table,
)


class Leaf(NamedTuple):
    size: Annotated[int, integer(1, 9)]
    color: str = "green"


@dataclass(frozen=True)
class Branch:
    id: str
    leaf: tuple[Leaf, ...]
    marks: Mapping[str, str] = field(default_factory=dict)
    fork: Leaf | None = None
    dead: bool = False


class Tree(NamedTuple):
    branch: tuple[Branch, ...]


GOOD = {"branch": [{"id": "low", "leaf": [{"size": 1}, {"size": 2, "color": "red"}]}]}


def test_a_type_reads_what_its_fields_declare():
    assert shape_of(Tree).read(GOOD) == Tree((Branch("low", (Leaf(1), Leaf(2, "red"))),))
    more = {"id": "x", "leaf": [], "marks": {"a": "b"}, "fork": {"size": 3}, "dead": True}
    assert shape_of(Branch).read(more) == Branch("x", (), {"a": "b"}, Leaf(3), True)


@pytest.mark.parametrize(
    ("leaf", "said"),
    [
        (5, "branch low, leaf 2: expected object with size, color, got 5"),
        ({}, "branch low, leaf 2: size is missing"),
        ({"size": 0}, "branch low, leaf 2, size: expected integer 1..9, got 0"),
        ({"size": True}, "branch low, leaf 2, size: expected integer 1..9, got true"),
        ({"size": 1, "color": None}, "branch low, leaf 2, color: expected text, got null"),
        ({"size": 1, "colr": "red"}, '2: there is no key "colr"; did you mean color?'),
        ({"size": 1, "\x1b": "red"}, r'2: there is no key "\u001b"; there are size, color'),
        ({"size": "1" * 99}, f'size: expected integer 1..9, got "{"1" * 59}...'),
    ],
)
def test_a_sentence_tells_the_place_and_what_was_expected(leaf, said):
    wrong = {"branch": [{"id": "low", "leaf": [{"size": 1}, leaf]}]}
    with pytest.raises(Unfit, match=f"{re.escape(said)}$"):
        shape_of(Tree).read(wrong)


@pytest.mark.parametrize("name", ["", "two words", "x" * 41, 7, "\N{EURO SIGN}"])
def test_an_item_without_a_plain_id_is_named_by_its_number(name):
    with pytest.raises(Unfit, match="^branch 1"):
        shape_of(Tree).read({"branch": [{"id": name}]})


def test_other_keys_are_ignored_where_a_file_may_have_more():
    assert shape_of(Leaf, open_ended=True).read({"size": 1, "later": 2}) == Leaf(1)
    with pytest.raises(Unfit, match="size is missing"):
        shape_of(Leaf, open_ended=True).read({"later": 2})


@pytest.mark.parametrize(
    ("shape", "good", "bad"),
    [
        (string(longest=2, pattern="[a-z]*"), ["", "ab"], ["abc", "A", "a\n", 1, None]),
        (choice("on", "off"), ["on"], ["On", "", 1]),
        (array(TEXT, 1, 2), [["a"]], [[], ["a"] * 3, "a", [1], ("a",)]),
        (table(choice("a"), integer(), most=1), [{}, {"a": 1}], [{"b": 1}, {"a": "1"}, []]),
        (or_null(either(integer(), TEXT)), [None, 1, "a"], [1.5, True, []]),
    ],
)
def test_what_fits(shape, good, bad):
    assert all(map(shape.fits, good))
    assert not any(map(shape.fits, bad))


def test_a_word_in_any_case_is_the_one_that_was_declared():
    shape = choice_in_any_case("Pieces", "off")
    assert [shape.read(word) for word in ("PIECES", "pieces", "Off")] == ["Pieces", "Pieces", "off"]
    assert not any(map(shape.fits, ["piece", "", 1]))


def test_json_is_read_as_text_and_as_bytes():
    assert read_json('{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}
    assert read_json("\ufeff[]".encode()) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON: expecting value at column 1"),
        ("{", "not JSON: expecting property name"),
        ("NaN", "not JSON: NaN is no number"),
        ("-Infinity", "not JSON: -Infinity is no number"),
        ("1e400", "a number is too large"),
        ("1" * 5000, "a number is too large"),
        ("[" * 100_000, "brackets are nested too deeply"),
        ('{"a": 1, "a": 2}', "two values of one key"),
        (b'"\xff"', "not UTF-8"),
    ],
)
def test_a_text_that_is_not_json_is_refused_in_words(text, said):
    with pytest.raises(Unfit, match=f"^{said}"):
        read_json(text)


def test_a_value_that_is_nested_too_deeply_to_be_shown_is_refused_too():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(Unfit, match="expected text, got too many brackets"):
        TEXT.read(deep)
