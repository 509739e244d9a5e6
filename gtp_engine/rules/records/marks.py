"""Marks on the board that a record keeps in a node: arrows, lines, signs on points, and labels."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import NamedTuple

from gtp_engine.rules.points.sgf_letters import point, vertex_of
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.records.sgf import Properties, raw_of, text_of

ARROW, LINE, LABEL = "arrow", "line", "label"

PROPERTIES = {
    "circle": "CR",
    "cross": "MA",
    "square": "SQ",
    "triangle": "TR",
    ARROW: "AR",
    LINE: "LN",
    LABEL: "LB",
}
"""The property of each kind of mark."""

MOST_MARKS = 400
"""Most marks of a node that are shown; a record keeps all."""

MOST_MARKS_IN_ALL = 20_000
"""The same for all nodes of a game together."""


class Mark(NamedTuple):
    """A mark; it has `to` if it is an arrow or a line, and `text` if it is a label.

    kind -- one of PROPERTIES
    """

    kind: str
    at: Vertex
    to: Vertex | None = None
    text: str = ""

    @classmethod
    def read(cls, value: Mapping[str, str]) -> "Mark":
        """The mark with these fields. Raises ValueError."""
        kind, at = value["kind"], Vertex.parse(value["at"])
        to = Vertex.parse(value["to"]) if "to" in value else None
        text = value.get("text", "").strip()
        needed = (kind in (ARROW, LINE), kind == LABEL)
        if kind not in PROPERTIES or needed != (to is not None, bool(text)) or to == at:
            raise ValueError(f"not a mark: {dict(value)}")
        return cls(kind, at, to, text)

    def shown(self) -> dict[str, str]:
        """Its fields, as `read` takes them."""
        fields = {"kind": self.kind, "at": str(self.at), "text": self.text}
        if self.to is not None:
            fields["to"] = str(self.to)
        return {name: value for name, value in fields.items() if value}


def read_marks(properties: Properties, size: int, most: int = MOST_MARKS) -> tuple[Mark, ...]:
    """The first marks of a node, each once. What is no mark on this board is passed over."""
    found = (
        _marks(kind, raw, size)
        for kind, name in PROPERTIES.items()
        for raw in properties.get(name, ())
    )
    return tuple(dict.fromkeys(islice(chain.from_iterable(found), most)))


def shown_marks(properties: Properties, size: int, most: int = MOST_MARKS) -> list[dict[str, str]]:
    """The same, each as its fields."""
    return [mark.shown() for mark in read_marks(properties, size, most)]


def put_marks(properties: Properties, marks: Iterable[Mark], size: int) -> None:
    """Replace the marks that `read_marks` shows. What it does not show stays in the properties."""
    wanted, known = tuple(marks), frozenset(read_marks(properties, size))
    for kind, name in PROPERTIES.items():
        kept = [
            raw
            for raw in properties.get(name, ())
            if next(_marks(kind, raw, size), None) not in known
        ]
        values = kept + [_raw(mark, size) for mark in wanted if mark.kind == kind]
        if values:
            properties[name] = values
        else:
            properties.pop(name, None)


def number_of_marks(properties: Properties) -> int:
    """About how many marks a node has: a rectangle of points is one."""
    return sum(len(properties.get(name, ())) for name in PROPERTIES.values())


def _marks(kind: str, raw: str, size: int) -> Iterator[Mark]:
    """The marks of a raw value: none if it is unreadable, several for a rectangle of points."""
    first, colon, rest = raw.partition(":")
    try:
        at = vertex_of(first, size)
        to = vertex_of(rest, size) if colon and kind != LABEL else at
    except ValueError:
        return
    if kind == LABEL:
        if text := text_of(rest).strip():
            yield Mark(kind, at, text=text)
    elif kind in (ARROW, LINE):
        if to != at:
            yield Mark(kind, at, to)
    else:
        for column in range(at.column, to.column + 1):
            for row in range(at.row, to.row - 1, -1):
                yield Mark(kind, Vertex.at(column, row))


def _raw(mark: Mark, size: int) -> str:
    at = point(mark.at, size)
    if mark.kind == LABEL:
        return f"{at}:{raw_of(mark.text)}"
    return at if mark.to is None else f"{at}:{point(mark.to, size)}"
