"""Games as SGF files: protocol_specs/notation.md says which properties we use.

The format's own grammar comes from sgfmill; this module maps properties to the session.
"""

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from sgfmill import sgf_grammar

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.board.color import Color
from gtp_engine.notation.position_text import read_position, write_position
from gtp_engine.rules import find_game
from gtp_engine.rules.step import IllegalStep, Pie
from gtp_engine.session.session import Session
from gtp_engine.session.settings import finite

# A long game with comments takes some ten thousand bytes.
LARGEST_FILE = 2**20

Properties = dict[str, str]

Remarks = dict[int, Properties]
"""What the nodes of a file hold, by the number of plays made so far: the root is 0."""


class CannotLoad(Exception):
    """The file is missing, unreadable, too large, no SGF, or no game of ours."""


def sgf_text(session: Session) -> str:
    """The record of the game so far."""
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = [
        {name: [sgf_grammar.escape_text(value.encode())] for name, value in node.items()}
        for node in (_root(session), *_turn_nodes(session))
    ]
    text: bytes = sgf_grammar.serialise_game_tree(tree)
    return text.decode()


def _root(session: Session) -> Properties:
    start = session.state.start
    root = {
        "FF": "4",
        "CA": "UTF-8",
        "AP": f"{ENGINE_NAME}:{__version__}",
        "GAME": session.game.name,
        "SZ": str(start.size),
        "PIE": start.pie.value,
        "KM": repr(session.state.komi),
    }
    if start != session.game.start(start.size, start.pie):
        root["POS"] = write_position(start)
    history = session.history()
    for color in Color:
        authors = {play.by for play in history if play.color is color and play.by}
        if authors:
            root[f"P{color.sign}"] = ", ".join(sorted(authors))
    if history:
        root["DT"] = datetime.fromtimestamp(history[0].time, UTC).date().isoformat()
    outcome = session.outcome
    if outcome is not None:
        root |= {"RE": session.result or "", "GC": outcome.reason}
    return root


def _turn_nodes(session: Session) -> Iterator[Properties]:
    for turn in session.turns():
        stamp = datetime.fromtimestamp(turn.plays[0].time, UTC).isoformat()
        node = {turn.color.sign: turn.word, "TIME": stamp}
        authors = [play.by for play in turn.plays if play.by]
        if authors:
            node["BY"] = authors[0]
        yield node


def load(
    session: Session, path: str, number: int | None = None, remarks: Remarks | None = None
) -> None:
    """Replace the game by that of a file, up to before turn `number`, counted from 1.

    `remarks` is filled with what the file says. Raises CannotLoad, and then nothing has changed.
    """
    replay(session, _read_file(path), number, remarks)


def replay(
    session: Session, data: bytes, number: int | None = None, remarks: Remarks | None = None
) -> None:
    """Replace the game by that of an SGF text. Raises CannotLoad, and then nothing has changed."""
    before = session.state
    try:
        root, *nodes = _nodes(data)
        _set_up(session, root)
        if remarks is not None:
            remarks[0] = root
        turns = [node for node in nodes if "B" in node or "W" in node]
        for node in turns if number is None else turns[: max(0, number - 1)]:
            color, other = (Color.BLACK, "W") if "B" in node else (Color.WHITE, "B")
            if other in node:
                raise ValueError("a node with a turn of both colors")
            session.play(color, node[color.sign], node.get("BY", ""), _stamp(node))
            if remarks is not None:
                remarks[session.frame.number] = node
    except (KeyError, ValueError, OverflowError, IllegalStep) as error:
        session.state = before
        raise CannotLoad(str(error)) from error


def _set_up(session: Session, root: Properties) -> None:
    game, size, pie = find_game(root["GAME"]), int(root["SZ"]), Pie(root["PIE"])
    start = read_position(root["POS"]) if "POS" in root else game.start(size, pie)
    if (start.game, start.size) != (game, size):
        raise ValueError("POS is a position of another game or size")
    session.set_position(start)
    session.set_komi(finite(root.get("KM", "0")))


def _stamp(node: Properties) -> float | None:
    if "TIME" not in node:
        return None
    stamp = datetime.fromisoformat(node["TIME"])
    if stamp.tzinfo is None:
        raise ValueError("a time without time zone")
    seconds = stamp.timestamp()
    datetime.fromtimestamp(seconds, UTC)  # Raises for a year that we could not write again.
    return seconds


def _nodes(data: bytes) -> Iterator[Properties]:
    """The nodes of the main line. Raises ValueError for what is no SGF."""
    tree = sgf_grammar.parse_sgf_game(data)
    while True:
        for node in tree.sequence:
            yield {
                name: sgf_grammar.text_value(values[0]).decode("utf-8", "replace")
                for name, values in node.items()
            }
        if not tree.children:
            return
        tree = tree.children[0]


def _read_file(path: str) -> bytes:
    """The content of a regular file of bearable size. Raises CannotLoad."""
    try:
        # Not to be blocked by a pipe that nobody writes to.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_FILE:
                raise CannotLoad(f"{path} is no file of at most {LARGEST_FILE} bytes")
            return file.read(LARGEST_FILE)
    except (OSError, ValueError) as error:
        raise CannotLoad(str(error)) from error


def save(session: Session, path: str) -> None:
    """Write the record to a file: all of it, or the file stays as it was.

    Raises OSError, or RuntimeError for a loop of links.
    """
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise OSError(f"{path} is no regular file")
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        draft.write_text(sgf_text(session), encoding="utf-8")
        os.replace(draft, target)
    finally:
        draft.unlink(missing_ok=True)
