"""SGF as text and as a tree of nodes, with all properties and all their values in order.

What a file means plainly, though it breaks the grammar, is read and told. The escapes inside values
come from sgfmill, whose functions take bytes.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

LARGEST_RECORD = 2**20
"""Most bytes of a record that is read."""

MOST_NODES = 40_000
"""Most nodes of its game: each becomes several objects, and a file may hold a million."""

Properties = dict[str, list[str]]
"""Raw values by name: a raw value stands between the brackets of a file, with its escapes."""

_START = re.compile(rb"\(\s*;")
_START_WITHOUT_NODE = re.compile(rb"\(\s*[A-Z][A-Za-z0-9]*\s*\[")
_TOKEN = re.compile(
    rb"""\s* (?: \[ (?P<value> [^\]\\]* (?: \\. [^\]\\]* )* ) \]
              | (?P<name> [A-Za-z][A-Za-z0-9]* )
              | (?P<sign> [;()] ) )""",
    re.DOTALL | re.VERBOSE,
)
_OPEN_VALUE = re.compile(rb"\s*\[")
_LOWER_CASE = bytes(range(ord("a"), ord("z") + 1))  # of the long names in old files: `AddBlack`
# The end of a value is optional, so that a file of brackets is passed over once.
_VALUE_OR_DELIMITER = re.compile(rb"\[[^\]\\]*(?:\\.[^\]\\]*)*\]?|[;()]", re.DOTALL)


# Properties that say all by being there, or for which "normal" is understood.
_MARKS = ("BM", "DD", "DM", "DO", "GB", "GW", "HO", "IT", "KO", "TE", "UC", "VW")
_TURNS = ("B", "W", "TURN")


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


class ReadTree(NamedTuple):
    """The first game of a text.

    lost    -- what was not read
    guessed -- sentences about what breaks the grammar, and how it was read
    """

    root: SgfNode
    lost: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()


def read_tree(text: str) -> ReadTree:
    """The first game in a text. Raises BadRecord for anything else."""
    if len(text) > LARGEST_RECORD:
        raise BadRecord(f"the record is larger than {LARGEST_RECORD} bytes")
    parser = _Parser(text.encode("utf-8", "replace"))
    root = parser.root()
    lost = ("the further games of the file",) if parser.more else ()
    return ReadTree(root, lost, tuple(dict.fromkeys(parser.guessed)))


def split_games(text: str) -> list[str]:
    """The texts of all games of a file, without what stands between them.

    Each can be read by `read_tree`, as far as it is SGF. Raises BadRecord where no game begins.
    """
    data = text.encode("utf-8", "replace")
    games: list[str] = []
    end = 0
    while _START.search(data, end) or not games:
        start, depth, end = _beginning(data, end), 0, len(data)
        for found in _VALUE_OR_DELIMITER.finditer(data, start):
            depth += {b"(": 1, b")": -1}.get(found[0], 0)
            if not depth:
                end = found.end()
                break
        games.append(data[start:end].decode())
    return games


class _Parser:
    """Builds a tree from tokens, and counts lines and columns.

    more    -- whether further games follow the first
    guessed -- sentences about what was mended
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.more = False
        self.guessed: list[str] = []
        self._offset = self._named = self._counted = 0
        self._line = self._column = 1
        self._before: list[SgfNode] = []  # the nodes before the open parentheses
        self._last = self._top = SgfNode()
        self._properties: Properties | None = None
        self._name = ""
        self._values: list[str] | None = None
        self._without_node = False  # the root does not begin with `;`

    def root(self) -> SgfNode:
        """The root of the first game. Raises BadRecord."""
        self._offset = end = _beginning(self._data)
        self._check_size()
        for found in _tokens(self._data, self._offset):
            kind = found.lastgroup or ""
            self._offset, end = found.start(kind), found.end()
            if kind == "value":
                self._add_value(found[kind])
                continue
            self._end_property()
            if kind == "name":
                self._add_property(found[kind].translate(None, _LOWER_CASE).decode())
            else:
                self._delimit(found[kind])
        self.more = _START.search(self._data, end) is not None
        if self._before:
            self._mend_end(end)
        root = self._top.children[0]
        return _joined(root) if self._without_node else root

    def _mend_end(self, end: int) -> None:
        """Accept a game without its last parenthesis. Raises BadRecord if more is missing."""
        self._offset = end
        left = self._data[end:].lstrip()[:1]
        if left:
            raise self._bad("a value does not end" if left == b"[" else "that is not SGF")
        self._end_property()
        if len(self._before) > 1:
            raise self._bad("the game does not end")
        self.guessed.append("the last `)` is missing: the game was read to the end of the file")

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

    def _delimit(self, sign: bytes) -> None:
        self._properties = None
        if sign == b"(":
            self._before.append(self._last)
        elif sign == b")":
            self._last = self._before.pop()
        else:
            self._add_node()

    def _add_node(self) -> None:
        node = SgfNode({}, self._place())
        self._last.children.append(node)
        self._last, self._properties = node, node.properties

    def _add_property(self, name: str) -> None:
        if not self._top.children:
            self._add_node()
            self._without_node = True
            self.guessed.append("what stands before the first `;` was read as part of the root")
        if self._properties is None or not name:
            raise self._bad("a property outside a node" if name else "a property without a name")
        self._name, self._named = name, self._offset
        self._values = self._properties.setdefault(name, [])

    def _add_value(self, raw: bytes) -> None:
        if self._values is None:
            self._offset -= 1
            raise self._bad("a value without a property")
        self._values.append(raw.decode())

    def _end_property(self) -> None:
        """Raises BadRecord for a property that needs a value and has none."""
        if self._values == []:
            if self._name not in _MARKS:
                self._offset = self._named
                raise self._bad("a property without a value")
            self._values.append("")
            self.guessed.append(f"{self._name} has no value: it was read as {self._name}[]")
        self._values = None

    def _place(self) -> Place:
        passed = self._data[self._counted : self._offset].decode()
        breaks = passed.count("\n")
        self._line += breaks
        self._column = len(passed) - passed.rfind("\n") if breaks else self._column + len(passed)
        self._counted = self._offset
        return Place(self._line, self._column)

    def _bad(self, reason: str) -> BadRecord:
        return BadRecord(reason, self._place())


def _joined(root: SgfNode) -> SgfNode:
    """A root with the node behind it, if that is the first with `;` and has no turn."""
    if len(root.children) == 1 and not any(name in root.children[0].properties for name in _TURNS):
        (node,) = root.children
        for name, values in node.properties.items():
            root.properties.setdefault(name, []).extend(values)
        root.children = node.children
    return root


def _tokens(data: bytes, start: int) -> Iterator[re.Match[bytes]]:
    """The tokens from an open parenthesis on: to the one that closes it, or as far as they go."""
    depth = 0
    while found := _TOKEN.match(data, start):
        yield found
        start = found.end()
        depth += {b"(": 1, b")": -1}.get(found["sign"], 0)
        if not depth:
            return


def _beginning(data: bytes, place: int = 0) -> int:
    """Where the first game from a place on begins, even if its root does not begin with `;`.

    Raises BadRecord.
    """
    start = _START.search(data, place)
    end = start.start() if start else len(data)
    while early := _START_WITHOUT_NODE.search(data, place, end):
        if start is None:
            return early.start()
        before: str | None = None
        for token in _tokens(data, early.start()):
            place = token.end()
            if before == "name" and token.lastgroup != "value":  # words of a letter
                break
            if place > end:  # what looked like the beginning belongs to this game
                return early.start()
            before = token.lastgroup
        if _OPEN_VALUE.match(data, place):  # nothing behind it is outside a value
            break
    if start is None:
        raise BadRecord("that is not an SGF file: there is no `(;` in it")
    return end


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
