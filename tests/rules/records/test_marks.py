"""Marks in the properties of a node, both ways."""

import pytest

from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.records.marks import MOST_MARKS, PROPERTIES, Mark, put_marks, read_marks

SIZE = 5


def mark(kind: str, at: str, to: str = "", text: str = "") -> Mark:
    return Mark(kind, Vertex.parse(at), Vertex.parse(to) if to else None, text)


def told(properties: dict[str, list[str]], most: int = MOST_MARKS) -> list[str]:
    """Marks in short."""
    fields = (each.shown() for each in read_marks(properties, SIZE, most))
    return [" ".join(each.values()) for each in fields]


def test_every_kind_is_read():
    found = told(
        {
            "C": ["no mark"],
            "CR": ["aa", "ee"],
            "MA": ["ba"],
            "SQ": ["ca"],
            "TR": ["da"],
            "AR": ["aa:ee"],
            "LN": ["ae:ea"],
            "LB": ["cc:1", r"dd:a\:b"],
        }
    )
    assert found == [
        *("circle A5", "circle E1", "cross B5", "square C5", "triangle D5"),
        *("arrow A5 E1", "line A1 E5", "label C3 1", "label D2 a:b"),
    ]


def test_a_rectangle_is_all_of_its_points_and_a_repeated_mark_is_one():
    assert told({"CR": ["aa:bb", "bb"]}) == ["circle A5", "circle A4", "circle B5", "circle B4"]


@pytest.mark.parametrize("name", PROPERTIES.values())
def test_what_is_no_mark_on_this_board_is_passed_over_and_kept(name):
    for raw in ("", "a", "ff", "A1", "aa:", "ff:aa", "aa:ff", "aaa:bb", ":x"):
        if name == "LB" and raw in ("aa:ff", "aa:"):
            continue  # a label with a text, and one without
        properties = {name: [raw]}
        assert told(properties) == [], raw
        put_marks(properties, [mark("circle", "A1")], SIZE)
        assert raw in properties[name], raw


def test_only_what_was_shown_is_replaced():
    properties = {"CR": ["aa:bb", "zz"], "LB": ["aa:x"], "C": ["text"]}
    put_marks(properties, [mark("arrow", "A1", "B2")], SIZE)
    assert properties == {"CR": ["zz"], "C": ["text"], "AR": ["ae:bd"]}
    put_marks(properties, [], SIZE)
    assert properties == {"CR": ["zz"], "C": ["text"]}


def test_what_is_too_much_to_be_shown_stays():
    many = {"CR": [f"{a}{b}" for a in "abcde" for b in "abcde"] * 20, "LB": ["aa:x"]}
    put_marks(many, [], SIZE)
    assert many == {"LB": ["aa:x"]}


def test_marks_are_written_as_they_are_read():
    marks = (
        *(mark(kind, "B2") for kind in ("circle", "cross", "square", "triangle")),
        mark("arrow", "A1", "C3"),
        mark("line", "A1", "C3"),
        mark("label", "D4", text="a]:\\"),
    )
    properties: dict[str, list[str]] = {}
    put_marks(properties, marks, SIZE)
    assert read_marks(properties, SIZE) == marks
    assert [Mark.read(each.shown()) for each in marks] == list(marks)


def test_a_file_of_marks_costs_little():
    """A short text could stand for millions of points."""
    assert len(read_marks({"CR": ["aa:ss"] * 10_000}, 19)) <= MOST_MARKS


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "star", "at": "A1"},
        {"kind": "circle", "at": "I1"},
        {"kind": "circle", "at": "A1", "to": "B1"},
        {"kind": "arrow", "at": "A1"},
        {"kind": "arrow", "at": "A1", "to": "A1"},
        {"kind": "label", "at": "A1"},
        {"kind": "label", "at": "A1", "text": "  "},
        {"kind": "circle", "at": "A1", "text": "x"},
    ],
)
def test_what_is_no_mark_is_refused(fields):
    with pytest.raises(ValueError, match=r"not a"):
        Mark.read(fields)
