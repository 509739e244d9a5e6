"""SGF as text and as a tree of nodes, with all properties and all their values in order.

The grammar comes from sgfmill, whose functions take bytes.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

LARGEST_RECORD = 2**20
"""Most bytes of a record that is read."""

MOST_NODES = 40_000
"""Most nodes of its game: each becomes several objects, and a file may hold a million."""

Properties = dict[str, list[str]]
"""Raw values by name: a raw value stands between the brackets of a file, with its escapes."""

_START = re.compile(rb"\(\s*;")
# The end of a value is optional, so that a file of brackets is passed over once.
_VALUE_OR_DELIMITER = re.compile(rb"\[[^\]\\]*(?:\\.[^\]\\]*)*\]?|[;()]", re.DOTALL)


class Place(NamedTuple):
    """A place in a text; both numbers count from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


class BadRecord(ValueError):
    """A text is not a record of ours; `reason` says why, and `place` says where."""

    def __init__(self, reason: str, place: Place | None = None) -> None:
        super().__init__(reason if place is None else f"{place}: {reason}")
        self.reason, self.place = reason, place


@dataclass(eq=False)
class SgfNode:
    """A node with its properties; the first child continues the main line."""

    properties: Properties = field(default_factory=dict)
    place: Place | None = None
    children: list["SgfNode"] = field(default_factory=list)


def text_of(raw: str) -> str:
    """The text of a raw value: without escapes, and without line breaks that only wrap it."""
    from sgfmill import sgf_grammar

    text: bytes = sgf_grammar.text_value(raw.encode())
    return text.decode()


def raw_of(text: str) -> str:
    """The raw value of a text."""
    from sgfmill import sgf_grammar

    raw: bytes = sgf_grammar.escape_text(text.encode("utf-8", "replace"))
    return raw.decode()


def read_tree(text: str) -> tuple[SgfNode, list[str]]:
    """The root of the first game in a text, and what was not read.

    Raises BadRecord for anything else.
    """
    if len(text) > LARGEST_RECORD:
        raise BadRecord(f"the record is larger than {LARGEST_RECORD} bytes")
    parser = _Parser(text.encode("utf-8", "replace"))
    root = parser.root()
    return root, ["the further games of the file"] if parser.more else []


class _Parser:
    """Builds a tree from the tokens of sgfmill, and counts lines and columns for them.

    more -- whether further games follow the first
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.more = False
        self._offset = self._counted = 0
        self._line = self._column = 1
        self._before: list[SgfNode] = []  # the nodes before the open parentheses
        self._last = self._top = SgfNode()
        self._properties: Properties | None = None
        self._values: list[str] | None = None

    def root(self) -> SgfNode:
        """The root of the first game. Raises BadRecord."""
        from sgfmill import sgf_grammar

        start = _START.search(self._data)
        if start is None:
            raise BadRecord("that is not an SGF file: there is no `(;` in it")
        self._offset = start.start()
        self._check_size()
        tokens, end = sgf_grammar.tokenise(self._data, self._offset)
        for kind, token in tokens:
            if kind == "V":
                self._add_value(token)
            else:
                if self._values == []:
                    raise self._bad("a property without a value")
                self._values = None
                if kind == "I":
                    self._add_property(token.decode("ascii"))
                else:
                    self._delimit(token)
        self.more = _START.search(self._data, end) is not None
        if self._before:
            self._offset = end
            left = self._data[end:].lstrip()[:1]
            said = {b"": "the game does not end", b"[": "a value does not end"}
            raise self._bad(said.get(left, "that is not SGF"))
        return self._top.children[0]

    def _check_size(self) -> None:
        """Refuse a game with too many nodes before all its tokens are made.

        A variation has a node at least, so parentheses are counted alike.
        """
        counts = Counter({b";": 0, b"(": 0, b")": 0})
        if max(self._data.count(sign, self._offset) for sign in counts) <= MOST_NODES:
            return
        for found in _VALUE_OR_DELIMITER.finditer(self._data, self._offset):
            counts[found[0][:1]] += 1
            if counts[b"("] == counts[b")"]:
                return
            if max(counts[b";"], counts[b"("]) > MOST_NODES:
                raise BadRecord(f"the record contains more than {MOST_NODES} nodes")

    def _delimit(self, token: bytes) -> None:
        self._offset = self._data.index(token, self._offset)
        self._properties = None
        if token == b"(":
            self._before.append(self._last)
        elif token == b")":
            self._last = self._before.pop()
        else:
            node = SgfNode({}, self._place())
            self._last.children.append(node)
            self._last, self._properties = node, node.properties
        self._offset += 1

    def _add_property(self, name: str) -> None:
        if self._properties is None or not name:
            raise self._bad("a property outside a node" if name else "a property without a name")
        self._values = self._properties.setdefault(name, [])

    def _add_value(self, raw: bytes) -> None:
        self._offset = self._data.index(b"[", self._offset)
        if self._values is None:
            raise self._bad("a value without a property")
        self._values.append(raw.decode())
        self._offset += len(raw) + 2

    def _place(self) -> Place:
        passed = self._data[self._counted : self._offset].decode()
        breaks = passed.count("\n")
        self._line += breaks
        self._column = len(passed) - passed.rfind("\n") if breaks else self._column + len(passed)
        self._counted = self._offset
        return Place(self._line, self._column)

    def _bad(self, reason: str) -> BadRecord:
        return BadRecord(reason, self._place())


def write_tree(root: SgfNode) -> str:
    """The text of a game, in UTF-8 if it is written to a file; it ends with a line feed."""
    from sgfmill import sgf_grammar

    parts = []
    waiting: list[SgfNode | str] = [")\n", root, "("]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            parts.append(each)
            continue
        parts.append(";")
        parts += [f"{name}[{']['.join(values)}]" for name, values in each.properties.items()]
        several = len(each.children) > 1
        for child in reversed(each.children):
            waiting += [")", child, "("] if several else [child]
    text: bytes = sgf_grammar.block_format([part.encode() for part in parts])
    return text.decode()
