"""The tree of a game and its variations. It stores words, colors and order, and knows no rules."""

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count

from gtp_engine.board.table.clock_kinds import Timing
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.seat import BLACK, Seat
from gtp_engine.rules.records.record import RecordNode

MOST_NODES = 20_000
LONGEST_COMMENT = 20_000
"""Most characters of a comment."""

MOST_COMMENTS = 4_000_000
"""Most characters of all comments together."""

_ENDS_LINE = re.compile(r"\r\n|[\v\f\r\x85\u2028\u2029]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")

ROOT = 0
"""The id of the start."""

Times = tuple[float | None, float | None]
"""Seconds left for Black and White; None where they are those of the node before."""


@dataclass(eq=False)
class GameNode:
    """A played word, and facts about the position after it.

    id      -- never used again in the same tree
    color   -- the color that played it, "" at the start
    number  -- number of its turn, from 1; 0 at the start
    open    -- whether the turn continues after it
    over    -- whether the game is over after it
    result  -- of the game that ends after it, such as `B+7`; "" while it is unknown
    to_move -- the color to move after it
    chance  -- Black's, 0 to 1, or None
    loss    -- the mover's lost chance, 0 to 1, or None
    best    -- the best word, "" if unknown
    why     -- sentences from a review
    place   -- larger than that of the siblings before it; it stays when one of these is removed
    times   -- what the clocks showed when the turn was over, None if nothing is known of them
    last    -- the child visited last
    read    -- what an opened record says here
    unplayed -- variations of that record that cannot be shown
    """

    id: int
    parent: "GameNode | None" = None
    color: str = ""
    word: str = ""
    number: int = 0
    open: bool = False
    over: bool = False
    result: str = ""
    to_move: str = BLACK
    comment: str = ""
    chance: float | None = None
    loss: float | None = None
    best: str = ""
    why: tuple[str, ...] = ()
    place: int = 0
    times: Times | None = None
    children: list["GameNode"] = field(default_factory=list)
    last: "GameNode | None" = None
    read: RecordNode = field(default_factory=RecordNode)
    unplayed: list[RecordNode] = field(default_factory=list)

    @property
    def plain(self) -> bool:
        """Whether nothing but its word has to be kept."""
        return not (self.comment or self.read.properties or self.unplayed)

    @property
    def begins(self) -> bool:
        """Whether it is the first of its turn."""
        return self.parent is not None and not self.parent.open

    def path(self) -> list["GameNode"]:
        """The nodes from the start to this one, without the start."""
        found: list[GameNode] = []
        node = self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def line(self) -> list["GameNode"]:
        """The nodes after this one: each the last visited child, or else the first."""
        found, node = [], self
        while node.children:
            node = node.last or node.children[0]
            found.append(node)
        return found

    def shown(self) -> Message:
        """The node in the form of a message."""
        return {
            "id": self.id,
            "parent": None if self.parent is None else self.parent.id,
            "color": self.color,
            "word": self.word,
            "number": self.number,
            "open": self.open,
            "comment": self.comment,
            "chance": self.chance,
            "loss": self.loss,
            "best": self.best or None,
            "why": list(self.why),
        }


class GameTree:
    """All nodes of a game, by id.

    ids      -- the ids of new nodes
    timing   -- the time of the players, None without a clock
    opened   -- whether it was read from a record; else it began here
    read_end -- where the main line of that record ends; None without one, or if it was removed
    began    -- when it began here, or was opened, in seconds since 1970
    changed  -- when its keeper last heard of a change
    players  -- by color as at the start; see who_played.py
    """

    def __init__(self, ids: Iterator[int] | None = None) -> None:
        """Only the start; a tree that replaces another shares its ids."""
        self.began = self.changed = time.time()
        self.players: Mapping[str, Seat] = {}
        self.root = GameNode(ROOT)
        self._nodes = {ROOT: self.root}
        self._on_main_line = self.root
        self.ids = count(ROOT + 1) if ids is None else ids
        self.timing: Timing | None = None
        self.opened = False
        self.read_end: GameNode | None = None
        self._comments = 0

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[GameNode]:
        """All nodes, parents before their children, first children first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def __contains__(self, node: GameNode) -> bool:
        return self._nodes.get(node.id) is node

    def node(self, number: int) -> GameNode:
        """The node with an id. Raises CannotDo."""
        try:
            return self._nodes[number]
        except KeyError:
            raise CannotDo("That turn no longer exists.") from None

    def child(self, parent: GameNode, color: str, word: str) -> GameNode | None:
        """The child with a word, if it exists."""
        for node in parent.children:
            if (node.color, node.word) == (color, word):
                return node
        return None

    def add(self, parent: GameNode, color: str, word: str) -> GameNode:
        """A new child, after the others. Raises CannotDo when the tree is full."""
        if len(self._nodes) > MOST_NODES:
            raise CannotDo(f"The tree is full with {MOST_NODES} turns: remove variations.")
        number = parent.number + (not parent.open)
        node = GameNode(next(self.ids), parent, color, word, number)
        if parent.children:
            node.place = parent.children[-1].place + 1
        self._nodes[node.id] = node
        parent.children.append(node)
        return node

    def comment(self, node: GameNode, text: str) -> None:
        """Set the comment of a node. Raises CannotDo if it is too long."""
        if len(text) > LONGEST_COMMENT:
            raise CannotDo(f"A comment may have at most {LONGEST_COMMENT} characters.")
        total = self._comments + len(text) - len(node.comment)
        if total > MOST_COMMENTS:
            raise CannotDo("The comments of this game are too long in total.")
        self._comments, node.comment = total, text

    def drop(self, node: GameNode) -> list[int]:
        """Remove a node and all after it. Returns their ids. Raises CannotDo at the start."""
        if node.parent is None:
            raise CannotDo("The start of the game cannot be removed.")
        node.parent.children.remove(node)
        if node.parent.last is node:
            node.parent.last = None
        if self.read_end is not None and node in (self.read_end, *self.read_end.path()):
            self.read_end = None
        self._on_main_line = self.root
        dropped, waiting = [], [node]
        while waiting:
            gone = waiting.pop()
            del self._nodes[gone.id]
            self._comments -= len(gone.comment)
            dropped.append(gone.id)
            waiting += gone.children
        return dropped

    def promote(self, node: GameNode) -> list[GameNode]:
        """Make a node and its ancestors first children. Returns the nodes with a new order."""
        self._on_main_line = self.root
        changed = []
        for each in node.path():
            assert each.parent is not None
            siblings = each.parent.children
            if siblings[0] is not each:
                siblings.remove(each)
                siblings.insert(0, each)
                for place, sibling in enumerate(siblings):
                    sibling.place = place
                changed += siblings
        return changed

    def main_line(self) -> list[GameNode]:
        """The first children, from the start."""
        found, node = [], self.root
        while node.children:
            node = node.children[0]
            found.append(node)
        return found

    def is_over(self, shown: GameNode) -> bool:
        """Whether the game is over: its main line, or the line that people look at.

        shown -- the node where they are
        """
        return self.end.over or [shown, *shown.line()][-1].over

    def left_open(self, node: GameNode) -> bool:
        """Whether the main line was left in the middle of the turn that a node is a part of."""
        end = self.end
        return end.open and end.number == node.number and node.parent in [self.root, *end.path()]

    @property
    def result(self) -> str:
        """The result of the main line, such as `B+7`; "" while it is open or unknown."""
        return self.end.result

    @property
    def end(self) -> GameNode:
        """The end of the main line."""
        while self._on_main_line.children:
            self._on_main_line = self._on_main_line.children[0]
        return self._on_main_line


def readable(typed: str) -> str:
    """A comment as people read it: only lines, without control characters."""
    return _CONTROL.sub("", _ENDS_LINE.sub("\n", typed))


def visit(node: GameNode) -> None:
    """Remember the way to a node, so that going forward follows it."""
    for each in node.path():
        assert each.parent is not None
        each.parent.last = each


def turns(nodes: list[GameNode]) -> list[tuple[str, str]]:
    """Colors and words of whole turns: the words of one turn are joined by `/`.

    The first of the nodes may continue a turn that was open before it.
    """
    found: list[tuple[str, str]] = []
    for index, node in enumerate(nodes):
        if index and not node.begins:
            color, word = found[-1]
            found[-1] = (color, f"{word}/{node.word}")
        else:
            found.append((node.color, node.word))
    return found
