"""A game as a tree of turns: what the properties of SGF mean (protocol_specs/clients/records.md).

No rule is known here. What is read is kept whole: a property that means nothing to us stays in its
node, byte for byte, and a node without a turn is joined to the turn before it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.base.numbers import finite
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.sgf_letters import vertex_of
from gtp_engine.rules.records.charsets import DecodedText, readings
from gtp_engine.rules.records.sgf import (
    LARGEST_RECORD,
    BadRecord,
    Place,
    Properties,
    SgfNode,
    raw_of,
    read_tree,
    split_games,
    text_of,
    write_tree,
)

MOST_TURNS = 20_000
"""Most turns of a record, with its variations."""

# Readers of GM take GAME for an old name of it and then find no Go; therefore the second property.
GAME, RULES = "GAME", "RU"

# The turn in the display form: a color and a word.
TURN = "TURN"

# The result of a search: Black's chance in percent, as in Sabaki, visits, expected turns, remarks.
WINRATE, VISITS, LINE, WHY = "SBKV", "VISITS", "LINE", "WHY"

PASS = "pass"

RESIGN, TIMEOUT = "resign", "timeout"
LOSING = {RESIGN: "R", TIMEOUT: "T"}
"""The words by which the color to move loses the game, with their letters in results."""

PIES = ("pieces", "sides", "off")
SETUP = ("AB", "AW", "AE")

# The writer makes these anew: they say how the game is written, or follow from its turns.
_OF_THE_FORM = {"FF", "CA", "AP", "GM", "SZ", "PIE", "POS", "PL", "B", "W", TURN, *SETUP}
_TEXTS = ("C", "GC", "N")

_WORD = re.compile(r"[!$-~]{1,4000}")  # a word of a line of GTP, without quotes and comments
_GAME_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_POSITION = re.compile(r"[ !$-~]+")
_SIZE = re.compile(r"([0-9]{1,4})(?:\s*:\s*([0-9]{1,4}))?")
_CLICK = re.compile("[a-s]{2}")
_LOST = re.compile(r"([BW])\+([RT])(?:esign|ime)?", re.IGNORECASE)
# Go is GM[1] without a game's name; RU names its rules there, in many spellings.
_GO = "1"
_RULES_OF_GO = re.compile(
    r"(?:japanese|chinese|korean|jp|cn|kr|aga|bga|nz|new zealand|ing|goe|tromp)\b.*", re.IGNORECASE
)
# GoGui and its tools name themselves, and leave out game and size if they were never set.
_GOGUI, _GOGUI_SIZE = "gogui", 19


class GameStart(NamedTuple):
    """The start of a game.

    game     -- its name, "" if the file names none
    pie      -- one of PIES, "" if the file names none
    position -- the text of a set-up position, "" for the usual start
    """

    game: str
    size: int
    pie: str = ""
    position: str = ""


@dataclass(eq=False)
class RecordNode:
    """A turn, a part of one, or the start of the game.

    color      -- `black` or `white`; "" at the start
    properties -- all but the turn and what follows from the form of the record
    children   -- the first continues the main line
    ends       -- the main line ends here: all children are variations
    display    -- marks of the display form are among the properties
    """

    color: str = ""
    word: str = ""
    properties: Properties = field(default_factory=dict)
    place: Place | None = None
    children: list["RecordNode"] = field(default_factory=list)
    ends: bool = False
    display: bool = False

    @property
    def sign(self) -> str:
        """`B` or `W`."""
        return self.color[0].upper()

    @property
    def following(self) -> "RecordNode | None":
        """The next node of the main line."""
        return self.children[0] if self.children and not self.ends else None

    def text(self, name: str) -> str:
        """The first value of a property as text, "" without one."""
        values = self.properties.get(name)
        return text_of(values[0]) if values else ""

    def put(self, name: str, text: str) -> None:
        """Replace a property; an empty text removes it."""
        if text:
            self.properties[name] = [raw_of(text)]
        else:
            self.properties.pop(name, None)

    def join(self, other: Properties) -> None:
        """Add the properties of another node: texts as further lines, other values as they are."""
        for name, values in other.items():
            mine = self.properties.get(name, [])
            if name in _TEXTS and mine and values != mine:
                self.properties[name] = ["\n".join((*mine, *values))]
            else:
                known = set(mine)
                self.properties[name] = mine + [each for each in values if each not in known]

    def take(self, child: "RecordNode") -> None:
        """Join a child that is no turn; its children take its place."""
        place = self.children.index(child)
        self.children[place : place + 1] = child.children
        self.ends = self.ends or not (place or child.children)
        self.join(child.properties)

    @property
    def comment(self) -> str:
        """What a person or a program said about it."""
        return self.text("C")

    @property
    def author(self) -> str:
        """The program that chose the turn, "" if unknown."""
        return self.text("BY")

    @property
    def chance(self) -> float | None:
        """Black's, 0 to 1; None without a readable one."""
        percent = number_in(self.text(WINRATE))
        return None if percent is None or not 0 <= percent <= 100 else round(percent / 100, 4)

    @property
    def visits(self) -> int | None:
        """The visits behind the chance; None without a readable number."""
        text = self.text(VISITS)
        return int(text) if re.fullmatch("[1-9][0-9]{0,17}", text) else None

    @property
    def time(self) -> float | None:
        """When the turn was made, in seconds since 1970; None without a readable time."""
        try:
            moment = datetime.fromisoformat(self.text("TIME"))
            if moment.tzinfo is None:
                return None
            seconds = moment.timestamp()
            utc(seconds)  # a year that no calendar has in UTC
        except (ValueError, OverflowError, OSError):
            return None
        return seconds


@dataclass(eq=False)
class Record:
    """A game with its variations.

    root    -- the start; its properties hold names, date, result and whatever else the file says
    lost    -- what could not be read
    guessed -- sentences about what the file does not say itself
    """

    start: GameStart
    root: RecordNode
    lost: list[str] = field(default_factory=list)
    guessed: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[RecordNode]:
        """All nodes, parents before their children, first children first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    @property
    def last(self) -> RecordNode:
        """The end of the main line."""
        node = self.root
        while node.following is not None:
            node = node.following
        return node

    @property
    def display(self) -> bool:
        """Whether some of its marks belong to the display form."""
        return any(node.display for node in self)

    @property
    def given_up(self) -> tuple[str, str]:
        """Which color lost by a losing word, and the word, according to the result.

        Both are "" without such a result.
        """
        found = _LOST.fullmatch(self.root.text("RE"))
        if found is None:
            return "", ""
        word = next(word for word, letter in LOSING.items() if letter == found[2].upper())
        return str(Color.parse(found[1]).opponent), word


class Ending(NamedTuple):
    """How a game ended, as a match tells it; its rules may not have ended it.

    result -- as in a record
    reason -- why, in words
    """

    result: str
    reason: str

    def shown(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """The `outcome` for the view of the last position, if that one has none."""
        winner = {"B": "black", "W": "white"}.get(self.result[:1])
        colors = view["game"]["colors"]
        return {
            "winner": winner,
            "result": self.result,
            "margin": None,
            "title": f"{colors[winner]['title']} wins" if winner else "Draw",
            "text": f"{self.reason[:1].upper()}{self.reason[1:]}",
            "rule": None,
            "points": [],
        }


def number_in(text: str) -> float | None:
    """The finite number in a text; None for any other text."""
    try:
        return finite(text)
    except ValueError:
        return None


def utc(seconds: float) -> datetime:
    """A moment, from seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC)


def read_record(source: bytes | str) -> Record:
    """The first game of a file, or of a text that was decoded already.

    Raises BadRecord, with the place, also for two turns in one node and for stones set up without
    a position text.
    """
    return possible_records(source)[0]


def possible_records(source: bytes | str) -> list[Record]:
    """What the first game of a file may be, the likeliest first.

    There are several if the character set must be guessed: those with the most turns, since a wrong
    set loses turns. Raises BadRecord as `read_record`.
    """
    if len(source) > LARGEST_RECORD:
        raise BadRecord(f"the record is larger than {LARGEST_RECORD} bytes")
    possible = [DecodedText(source)] if isinstance(source, str) else readings(source)
    found, refused = list[tuple[int, int, int, Record]](), list[BadRecord]()
    for reading in possible:
        try:
            record = _read(reading)
        except BadRecord as error:
            refused.append(error)
        else:
            mended = len(record.guessed) - len(reading.guessed)
            found.append((sum(1 for _ in record), mended, reading.odd, record))
    if not found:
        raise refused[0] if len(possible) == 1 else doubtful(refused[0])
    most = max(turns for turns, *_ in found)
    whole = sorted((each for each in found if each[0] == most), key=lambda each: each[1:3])
    return [record for *_, record in whole]


def games_of(content: bytes) -> list[str]:
    """The texts of all games of a file, in its likeliest character set; for `possible_records`.

    Raises BadRecord where no game begins.
    """
    return split_games(readings(content)[0].text)


def doubtful(error: BadRecord) -> BadRecord:
    """The same error of a file whose character set had to be guessed."""
    return BadRecord(
        f"{error.reason}; perhaps CA names the wrong character set, or none", error.place
    )


def _read(reading: DecodedText) -> Record:
    """Raises BadRecord."""
    tree, lost, mended = read_tree(reading.text)
    start = _start(tree)
    root = RecordNode(properties=_kept(tree), place=tree.place)
    record = Record(start, root, [*reading.lost, *lost], (*reading.guessed, *mended))
    record.root.display = "GM" in tree.properties and GAME not in tree.properties
    waiting = [(child, record.root) for child in reversed(tree.children)]
    count = 0
    while waiting:
        node, parent = waiting.pop()
        turn = _turn(node, start.size)
        if turn is None:
            parent.join(_kept(node))
            # The main line ends with a node that has no turn; what follows is a variation.
            parent.ends = parent.ends or not (node.children or parent.children)
        else:
            count += 1
            if count > MOST_TURNS:
                raise BadRecord(f"the record contains more than {MOST_TURNS} turns", node.place)
            child = RecordNode(*turn, _kept(node), node.place, display=TURN in node.properties)
            _drop_title(child)
            parent.children.append(child)
            parent = child
        waiting.extend((child, parent) for child in reversed(node.children))
    return record


def _kept(node: SgfNode) -> Properties:
    """The properties that a record keeps as they are."""
    game = node.properties.get(GAME) or node.properties.get(RULES)
    return {
        name: list(values)
        for name, values in node.properties.items()
        if name not in _OF_THE_FORM and not (name in (GAME, RULES) and values == game)
    }


def _start(root: SgfNode) -> GameStart:
    """Raises BadRecord."""
    name, size, pie, application, position = (
        " ".join(_first(root, key).split())
        for key in (GAME if GAME in root.properties else RULES, "SZ", "PIE", "AP", "POS")
    )
    by_gogui = not name and application.lower().startswith(_GOGUI)
    of_go = not name or (GAME not in root.properties and _RULES_OF_GO.fullmatch(name))
    if of_go and not by_gogui and _first(root, "GM").strip() == _GO:
        raise BadRecord("this is a record of Go", root.place)
    if any(key in root.properties for key in ("B", "W", TURN)):
        raise BadRecord("a turn in the root", root.place)
    if not position and any(key in root.properties for key in SETUP):
        raise BadRecord("stones set up, but no position text (POS)", root.place)
    if not (name or by_gogui):
        raise BadRecord(f"no game is named ({GAME} or {RULES})", root.place)
    if name and not _GAME_NAME.fullmatch(name):
        raise BadRecord(f"{_quoted(name)} is no name of a game", root.place)
    if not (size or by_gogui):
        raise BadRecord("SZ is missing", root.place)
    found = _SIZE.fullmatch(size or (str(_GOGUI_SIZE) if by_gogui else ""))
    if found is None or (found[2] is not None and int(found[2]) != int(found[1])):
        raise BadRecord(f"SZ is the size of a square board, not {_quoted(size)}", root.place)
    if pie.lower() not in ("", *PIES):
        raise BadRecord(f"PIE is pieces, sides or off, not {_quoted(pie)}", root.place)
    if position and not _POSITION.fullmatch(position):
        raise BadRecord("POS is not a position text", root.place)
    return GameStart(name, int(found[1]), pie.lower(), position)


def _turn(node: SgfNode, size: int) -> tuple[str, str] | None:
    """The turn of a node; None without one. Raises BadRecord."""
    found = [(name, raw) for name in ("B", "W", TURN) for raw in node.properties.get(name, ())]
    if len(found) > 1:
        raise BadRecord("more than one turn in a node", node.place)
    if TURN not in node.properties and any(name in node.properties for name in SETUP):
        raise BadRecord("stones set up inside the game", node.place)
    if not found:
        return None
    name, raw = found[0]
    text = text_of(raw)
    color, word = (name, text) if name != TURN else (text.split(None, 1) + ["", ""])[:2]
    word = "".join(line.strip() for line in word.split("\n"))
    try:
        mover = str(Color.parse(color))
    except ValueError:
        raise BadRecord(f"TURN begins with a color, not {_quoted(color)}", node.place) from None
    if name != TURN and word in ("", "tt"):
        return mover, PASS
    if _CLICK.fullmatch(word):
        return mover, _clicked(word, size, node)
    if not _WORD.fullmatch(word):
        raise BadRecord(f"{_quoted(word)} is not a turn", node.place)
    return mover, word


def _clicked(word: str, size: int, node: SgfNode) -> str:
    try:
        return str(vertex_of(word, size))
    except ValueError:
        raise BadRecord(f"{word} is not on a board of size {size}", node.place) from None


def _drop_title(node: RecordNode) -> None:
    """Remove the line of a comment in the display form that repeats the turn."""
    first, _, rest = node.comment.partition("\n")
    if node.display and re.fullmatch(rf"[0-9]+\. .* {re.escape(node.word)}", first):
        node.put("C", rest)


def _first(node: SgfNode, name: str) -> str:
    values = node.properties.get(name)
    return text_of(values[0]) if values else ""


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:40]}...")


def plain_text(record: Record) -> str:
    """The plain form: each node holds a turn as its word."""
    return write_tree(plain_tree(record))


def plain_tree(record: Record) -> SgfNode:
    """The nodes of the plain form."""
    root = root_node(record, GAME)
    waiting = [(record.root, root)]
    while waiting:
        node, written = waiting.pop()
        if node.ends and node.children:
            written.children.append(SgfNode())
        for child in node.children:
            properties = {child.sign: [raw_of(child.word)], **child.properties}
            written.children.append(SgfNode(properties))
            waiting.append((child, written.children[-1]))
    return root


def root_node(record: Record, game: str, more: Properties | None = None) -> SgfNode:
    """The root of a record, its properties by name.

    game -- the property that names the game
    more -- what the form adds
    """
    start = record.start
    own = {"FF": "4", "CA": "UTF-8", "AP": f"{ENGINE_NAME}:{__version__}", game: start.game}
    own |= {"SZ": str(start.size), "PIE": start.pie, "POS": start.position}
    ours = {name: [raw_of(text)] for name, text in own.items() if text}
    found = record.root.properties | (more or {}) | ours
    return SgfNode(dict(sorted(found.items(), key=lambda item: (item[0] != "FF", item[0]))))
