"""Games as SGF files: protocol_specs/records.md lists the properties.

The grammar of SGF comes from sgfmill; this module maps properties to the session.
"""

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from gtp_engine.board.color import BLACK, WHITE, Color
from gtp_engine.engine.history import Thought
from gtp_engine.engine.session import RESIGN, Session
from gtp_engine.files import CannotRead, read_file, write_file
from gtp_engine.notation.items import PASS_WORD
from gtp_engine.notation.markup import vertex_of
from gtp_engine.notation.position_text import read_position
from gtp_engine.numbers import finite, whole
from gtp_engine.records.forms import (
    GAME,
    LINE,
    RULES,
    TURN,
    VISITS,
    WHY,
    WINRATE,
    Form,
    Told,
    Unwritable,
    nodes,
    told_node,
)
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import IllegalStep, Pie

# A long game with comments takes some ten thousand bytes.
LARGEST_FILE = 2**20

Properties = dict[str, str]

__all__ = ["CannotLoad", "Form", "Told", "Unwritable", "load", "replay", "save", "sgf_text"]

_USUAL_CHARSET = "utf-8"
_CHARSETS = {_USUAL_CHARSET, "iso8859-1", "cp1252", "gb2312", "gbk", "gb18030", "big5", "euc_kr"}

_SETUP = ("AB", "AW", "AE")
_CLICK = re.compile("[a-s]{2}")
_PASSES = ("", "tt")
_GIVEN_UP = re.compile(r"([BW])\+R(?:esign)?", re.IGNORECASE)

# GoGui and its tools name themselves, and leave out the game if it was never set.
_GOGUI = "gogui"
_GOGUI_SIZE = "19"

Remarks = dict[int, Properties]
"""The properties of nodes by the number of plays so far: the root is 0."""


class CannotLoad(Exception):
    """The file is missing, unreadable, too large, not SGF, or not a game of ours."""


def sgf_text(
    session: Session,
    form: Form = Form.PLAIN,
    more: Mapping[str, str] | None = None,
    further: Iterable[Told] = (),
) -> str:
    """The record of the game so far. Raises Unwritable.

    more    -- further properties of the root
    further -- turns after those of the game, for the plain form; they are not played here
    """
    from sgfmill import sgf_grammar

    root, *turns = nodes(session, form)
    root |= {name: [value] for name, value in (more or {}).items()}
    turns += [told_node(turn, session.game) for turn in further]
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = [
        {
            name: [sgf_grammar.escape_text(value.encode()) for value in values]
            for name, values in node.items()
        }
        for node in (root, *turns)
    ]
    text: bytes = sgf_grammar.serialise_game_tree(tree)
    return text.decode()


def load(
    session: Session, path: str, number: int | None = None, remarks: Remarks | None = None
) -> None:
    """Replace the game by that of a file, up to before turn `number`, counted from 1.

    `remarks` receives the remarks in the file. Raises CannotLoad without any change.
    """
    try:
        data = read_file(path, LARGEST_FILE)
    except CannotRead as error:
        raise CannotLoad(str(error)) from None
    replay(session, data, number, remarks)


def replay(
    session: Session, data: bytes, number: int | None = None, remarks: Remarks | None = None
) -> None:
    """Replace the game by that of an SGF text. Raises CannotLoad without any change."""
    before = session.state
    try:
        found = _nodes(data)
        root = next(found)
        _set_up(session, root)
        if remarks is not None:
            remarks[0] = root
        begun = 0
        for node in found:
            said = _said(node, session.position)
            if said is None or _filler(session, *said):
                continue
            begun += not session.turn_open or said[1] == RESIGN
            if number is not None and begun >= number:
                return
            session.play(*said, node.get("BY", ""), _stamp(node), _thought(node))
            if remarks is not None:
                remarks[session.frame.number] = node
        _give_up(session, root)
    except (KeyError, ValueError, OverflowError, IllegalStep) as error:
        session.state = before
        raise CannotLoad(str(error)) from error


def _set_up(session: Session, root: Properties) -> None:
    start = _start(session, root)
    if "POS" not in root and any(name in root for name in _SETUP):
        raise ValueError("stones set up, but no position text")
    if any(name in root for name in ("B", "W", TURN)):
        raise ValueError("a turn in the root")
    session.set_position(start)
    session.set_komi(finite(root.get("KM", "0")))


def _start(session: Session, root: Properties) -> Position:
    name = root.get(GAME) or root.get(RULES)
    pie = Pie(root.get("PIE", session.settings.pie))
    if name is None and root.get("AP", "").lower().startswith(_GOGUI):
        return session.game.start(whole(root.get("SZ", _GOGUI_SIZE)), pie)
    if name is None or "SZ" not in root:
        raise ValueError(f"{GAME} and SZ do not name a board")
    game, size = find_game(name), whole(root["SZ"])
    start = read_position(root["POS"]) if "POS" in root else game.start(size, pie)
    if (start.game, start.size) != (game, size):
        raise ValueError("POS is a position of another game or size")
    return start


def _said(node: Properties, position: Position) -> tuple[Color, str] | None:
    """The color and the word of a node; None without a turn."""
    names = [name for name in ("B", "W", TURN) if name in node]
    if len(names) > 1:
        raise ValueError("a node with more than one turn")
    if TURN in node:
        letter, _, word = node[TURN].partition(" ")
        return Color.parse(letter), word
    if any(name in node for name in _SETUP):
        raise ValueError("stones set up inside a game")
    if not names:
        return None
    color, word = BLACK if names == ["B"] else WHITE, node[names[0]]
    if word in _PASSES:
        return color, PASS_WORD
    return color, str(vertex_of(word, position.size)) if _CLICK.fullmatch(word) else word


def _filler(session: Session, color: Color, word: str) -> bool:
    """Whether it is a pass of a runner that alternates colors, while a turn is open."""
    return session.turn_open and word == PASS_WORD and color is not session.position.to_move


def _give_up(session: Session, root: Properties) -> None:
    """Resign for the color to move, if only the result says so."""
    given_up = _GIVEN_UP.fullmatch(root.get("RE", ""))
    if given_up and session.outcome is None:
        loser = Color.parse(given_up[1]).opponent
        if loser is session.position.to_move:
            session.play(loser, RESIGN)


def _thought(node: Properties) -> Thought | None:
    if VISITS not in node:
        return None
    percent, visits = finite(node[WINRATE]), whole(node[VISITS])
    if not (0 <= percent <= 100 and visits > 0):
        raise ValueError("search results without a chance or visits")
    why = node.get(WHY, "")
    return Thought(round(percent / 100, 4), visits, node.get(LINE, ""), why)


def _stamp(node: Properties) -> float | None:
    if "TIME" not in node:
        return None
    stamp = datetime.fromisoformat(node["TIME"])
    if stamp.tzinfo is None:
        raise ValueError("a time without a time zone")
    seconds = stamp.timestamp()
    datetime.fromtimestamp(seconds, UTC)  # Raises for a year that cannot be written again.
    return seconds


def _nodes(data: bytes) -> Iterator[Properties]:
    """The nodes of the main line. Raises ValueError for a text that is not SGF."""
    from sgfmill import sgf_grammar

    tree = sgf_grammar.parse_sgf_game(data)
    charset = _charset(tree.sequence[0].get("CA", [b""])[0])
    while True:
        for node in tree.sequence:
            yield {
                name: sgf_grammar.text_value(values[0]).decode(charset, "replace")
                for name, values in node.items()
            }
        if not tree.children:
            return
        tree = tree.children[0]


def _charset(name: bytes) -> str:
    """The encoding of a record; our own properties are always ASCII."""
    try:
        known = codecs.lookup(name.decode("ascii")).name
    except (LookupError, ValueError):
        return _USUAL_CHARSET
    return known if known in _CHARSETS else _USUAL_CHARSET


def save(
    session: Session,
    path: str,
    form: Form = Form.PLAIN,
    more: Mapping[str, str] | None = None,
) -> None:
    """Write the record to a file. Raises Unwritable or OSError."""
    write_file(path, sgf_text(session, form, more).encode())
