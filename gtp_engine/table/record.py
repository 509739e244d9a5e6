"""A game with variations as SGF text: protocol_specs/records.md says which properties we use.

No rules are known here: a caller that opens a record plays its words on a board engine.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gtp_engine.table.follower import GameStart
from gtp_engine.table.messages import BLACK, WHITE, CannotDo
from gtp_engine.table.variations import LONGEST_COMMENT, MOST_NODES, GameNode, GameTree

LARGEST_RECORD = 2**20
"""Most characters of an opened record."""

PASS, RESIGN = "pass", "resign"

_APPLICATION = "gtp-board"
_COLUMNS = "ABCDEFGHJKLMNOPQRST"
_LETTERS = {BLACK: "B", WHITE: "W"}
_CLICK = re.compile("[a-s]{2}")
_WORD = re.compile(r"[!-\"$-~]{1,4000}")
_SETUP = ("AB", "AW", "AE")
_NUMBERED = re.compile(r"[0-9]+\. ")
_GIVEN_UP = re.compile(r"([BW])\+R(?:esign)?", re.IGNORECASE)

SgfValues = dict[str, str]


class RecordedTurn(NamedTuple):
    """A node of a record with a turn.

    parent -- the index of the turn before it in the list, -1 for the start
    chance -- Black's, 0 to 1, or None
    """

    parent: int
    color: str
    word: str
    comment: str
    chance: float | None


class Record(NamedTuple):
    """The contents of a file.

    start    -- its game, size and so on; the game is "" if the file names none
    turns    -- parents before their children, first children first
    comment  -- of the start
    given_up -- the color that resigned according to the result alone, or ""
    """

    start: GameStart
    turns: list[RecordedTurn]
    comment: str
    given_up: str


def read_record(text: str, pie: str) -> Record:
    """The record in a text; `pie` is the rule if it names none. Raises CannotDo."""
    if len(text) > LARGEST_RECORD:
        raise CannotDo(f"The file is too large: more than {LARGEST_RECORD} characters.")
    nodes = _nodes(text)
    try:
        _, _, root = next(nodes)
    except (ValueError, RecursionError) as error:
        raise CannotDo(f"That is not an SGF file: {error}.") from None
    start = _start(root, pie)
    turns: list[RecordedTurn] = []
    places = {-1: -1}  # from the number of a node to the index of its turn
    for number, parent, node in nodes:
        before = places[parent]
        turn = _turn(node, before, start.size)
        if turn is None:
            places[number] = before
            continue
        if len(turns) == MOST_NODES:
            raise CannotDo(f"The file contains more than {MOST_NODES} turns.")
        places[number] = len(turns)
        turns.append(turn)
    given_up = _GIVEN_UP.fullmatch(root.get("RE", ""))
    loser = "" if given_up is None else WHITE if given_up[1].upper() == "B" else BLACK
    return Record(start, turns, root.get("C", "")[:LONGEST_COMMENT], loser)


def _nodes(text: str) -> Iterator[tuple[int, int, SgfValues]]:
    """Number, parent's number and properties of each node; the root is -1, its own parent.

    Raises ValueError or RecursionError, before the root, for a text that is not SGF.
    """
    from sgfmill import sgf_grammar

    tree = sgf_grammar.parse_sgf_game(text.encode("utf-8", "replace"))
    number, waiting = -2, [(tree, -1)]
    while waiting:
        branch, parent = waiting.pop()
        for node in branch.sequence:
            number += 1
            values = {
                name: sgf_grammar.text_value(raw[0]).decode("utf-8", "replace")
                for name, raw in node.items()
            }
            yield number, parent, values
            parent = number
        waiting.extend((child, parent) for child in reversed(branch.children))


def _start(root: SgfValues, pie: str) -> GameStart:
    """Raises CannotDo."""
    name, size = root.get("GAME") or root.get("RU") or "", root.get("SZ", "")
    if not name and not root.get("AP", "").lower().startswith("gogui"):
        raise CannotDo("The file does not name its game (GAME or RU).")
    if "POS" not in root and any(each in root for each in _SETUP):
        raise CannotDo("The file begins with set-up stones but has no position text.")
    if any(each in root for each in ("B", "W", "TURN")):
        raise CannotDo("The file has a turn in its root.")
    if not (size.isascii() and size.isdigit() and len(size) < 4):
        if name:
            raise CannotDo("The file does not name the size of its board (SZ).")
        size = "19"
    if name and not _WORD.fullmatch(name):
        raise CannotDo("The file's name of the game cannot be read.")
    return GameStart(name, int(size), root.get("PIE", pie), " ".join(root.get("POS", "").split()))


def _turn(node: SgfValues, parent: int, size: int) -> RecordedTurn | None:
    """The turn of a node; None without a turn. Raises CannotDo."""
    names = [name for name in ("B", "W", "TURN") if name in node]
    if not names:
        if any(name in node for name in _SETUP):
            raise CannotDo("The file sets up stones inside the game.")
        return None
    if len(names) > 1:
        raise CannotDo("The file has a node with more than one turn.")
    if names == ["TURN"]:
        letter, _, word = node["TURN"].partition(" ")
    else:
        letter, word = names[0], _word(node[names[0]], size)
    color = {"b": BLACK, "w": WHITE}.get(letter.lower())
    if color is None or not _WORD.fullmatch(word):
        raise CannotDo(f"The file has a turn that cannot be read: {word[:60]!r}.")
    return RecordedTurn(parent, color, word, _comment(node), _chance(node.get("SBKV", "")))


def _comment(node: SgfValues) -> str:
    """A person's comment on a turn; records for viewers begin it with the turn itself."""
    text = node.get("C", "")
    first, _, others = text.partition("\n")
    if "TURN" in node and _NUMBERED.match(first):
        text = others
    return text[:LONGEST_COMMENT]


def _word(value: str, size: int) -> str:
    """A word, or the vertex of a click."""
    if value in ("", "tt"):
        return PASS
    if not _CLICK.fullmatch(value):
        return value
    column, row = (ord(letter) - ord("a") for letter in value)
    return f"{_COLUMNS[column]}{size - row}"


def _chance(text: str) -> float | None:
    try:
        percent = float(text)
    except ValueError:
        return None
    return round(percent / 100, 4) if 0 <= percent <= 100 else None


def written_record(tree: GameTree, start: GameStart, more: SgfValues) -> str:
    """The text of a game with its variations and comments, in the plain form.

    more -- further properties of the root
    """
    root = {"FF": "4", "CA": "UTF-8", "AP": _APPLICATION, "GAME": start.game}
    root |= {"SZ": str(start.size), "PIE": start.pie} | more
    if start.position:
        root["POS"] = start.position
    if tree.root.comment:
        root["C"] = tree.root.comment
    parts = ["(", _written(root)]
    # Either a node to write, or the text after one.
    waiting: list[GameNode | str] = [")\n", *_branches(tree.root)]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            parts.append(each)
            continue
        each, word = _joined(each)
        parts.append(f"\n{_written(_properties(each, word))}")
        waiting += _branches(each)
    return "".join(parts)


def _branches(node: GameNode) -> list[GameNode | str]:
    """The children, last first, each in parentheses where there are several."""
    if len(node.children) < 2:
        return list(node.children)
    found: list[GameNode | str] = []
    for child in reversed(node.children):
        found += [")", child, "\n("]
    return found


def _joined(node: GameNode) -> tuple[GameNode, str]:
    """The last node of a turn that is written in one word, and that word.

    A turn is written in parts if it has comments or branches inside.
    """
    words = [node.word]
    while node.open and len(node.children) == 1 and not node.comment:
        node = node.children[0]
        words.append(node.word)
    return node, "/".join(words)


def _properties(node: GameNode, word: str) -> SgfValues:
    properties = {_LETTERS[node.color]: word}
    if node.comment:
        properties["C"] = node.comment
    if node.chance is not None:
        properties["SBKV"] = f"{100 * node.chance:.2f}"
    return properties


def _written(node: SgfValues) -> str:
    return ";" + "".join(f"{name}[{_escaped(value)}]" for name, value in node.items())


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
