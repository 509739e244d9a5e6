"""Opens and saves records with the help of the board engine, which alone knows the rules."""

import asyncio
import base64
import binascii
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from gtp_engine.gtp.faults import EngineFault
from gtp_engine.gtp.response import Response
from gtp_engine.records.record import (
    PASS,
    WINRATE,
    GameStart,
    Record,
    RecordNode,
    plain_text,
    read_record,
)
from gtp_engine.records.sgf import BadRecord
from gtp_engine.table.clocks import read_control, read_times, write_control, write_times
from gtp_engine.table.follower import Follower
from gtp_engine.table.messages import BLACK, INFO, WHITE, CannotDo, Message, told
from gtp_engine.table.shown_game import (
    BoardGame,
    checked_position,
    learn,
    read_json,
    view_of,
)
from gtp_engine.table.variations import LONGEST_COMMENT, GameNode, GameTree

PLAIN, DISPLAY, PAGE, REVIEW = "plain", "display", "page", "review"

MOST_SECONDS = 10.0
"""Seconds for playing through variations; the remaining ones are kept, but not shown."""

Branch = tuple[RecordNode, RecordNode]
"""A node with several children, and one of them."""

_BATCH = 200  # turns played before other tasks may run
_CONVERTING = 60.0  # seconds for a record of thousands of variations in the display form
_STATUS = "game-status"
_LOAD, _RECORD, _PAGE = "game-load_record", "game-record", "game-replay_page"


async def open_record(
    game: BoardGame, reader: Follower, source: bytes | str, found: Callable[[GameNode], None]
) -> None:
    """Show the game of a file, at the end of its main line.

    The shown game goes on until then.

    reader -- another board engine
    source -- the content of the file, or a text that was decoded already
    found  -- receives that node before it is shown

    Raises CannotDo without any change. What is not shown is told.
    """
    record = await _read(source)
    if record.display and _LOAD in game.board.commands:
        # Only the rules tell the marks of the form from those of a person.
        content = source.encode() if isinstance(source, str) else source
        record = await _read((await _converted(reader, content, PLAIN))[0])
    name, size, pie, position = record.start
    if position:
        checked_position(position)
    start = GameStart(name or game.start.game, size, pie or game.start.pie, position)
    tree, left_out = await played_tree(game.beside(reader), start, record)
    node = tree.end
    async with game.lock:
        (shown,) = await game.ask_at(start, node, "game-view")
        view = view_of(shown)
        game.start = start
        found(node)
        game.take(tree, node, view)
    if left_out:
        what = "variation is" if left_out == 1 else "variations are"
        record.lost.append(f"{left_out} {what} not shown, but kept: against the rules, or too many")
    _tell(game, "The record was opened", record.lost)


def _tell(game: BoardGame, done: str, lost: list[str]) -> None:
    if lost:
        game.emit(told(INFO, f"{done}, but not all of it: {'; '.join(lost)}."))


async def _read(source: bytes | str) -> Record:
    """Read in a thread, because a large file takes a second. Raises CannotDo."""
    try:
        return await asyncio.to_thread(read_record, source)
    except BadRecord as error:
        raise CannotDo(f"The file cannot be opened: {error}.") from None


async def _asked(reader: Follower, content: bytes, *lines: str) -> list[str]:
    """Replies about a record. Raises CannotDo."""
    load = f"{_LOAD} {base64.b64encode(content).decode()}"
    try:
        await reader.ready()
        answers = await reader.ask_all([load, *lines], _CONVERTING)
    except EngineFault as fault:
        raise CannotDo(f"The record cannot be converted. {fault}.") from None
    reader.forget()
    for answer in answers:
        if not answer.success:
            raise CannotDo(f"The board engine cannot convert the record: {answer.text[:200]}.")
    return [answer.text for answer in answers[1:]]


async def _converted(reader: Follower, content: bytes, form: str) -> tuple[str, list[str]]:
    """A record in another form, and what that form cannot hold. Raises CannotDo."""
    written, reported = await _asked(reader, content, f"{_RECORD} {form}", "game-record_report")
    report = read_json(reported)
    lost = report.get("lost") if isinstance(report, dict) else None
    try:
        return base64.b64decode(written).decode(), list(map(str, lost or ()))
    except (binascii.Error, UnicodeDecodeError):
        raise CannotDo("The board engine's reply to `game-record` cannot be read.") from None


async def saved(
    game: BoardGame,
    reading: Callable[[], AbstractAsyncContextManager[Follower]],
    form: str,
    names: dict[str, str],
) -> Message:
    """The message `record` with the game. Raises CannotDo.

    reading -- lends another board engine, which converts the record to the display form
    names   -- the names of the players, by color; "" for people

    What the form cannot hold is told.
    """
    if form not in (PLAIN, DISPLAY, PAGE):
        raise CannotDo("A record can be saved as plain, display or page.")
    async with game.lock:
        record = await _record_of(game, names)
    text = await asyncio.to_thread(plain_text, record)
    name = f"{record.start.game}-{record.start.size}"
    if form != PLAIN:
        if missing := {_LOAD, _PAGE} - game.board.commands:
            raise CannotDo(
                f"The board engine cannot save in this form: it has no command {min(missing)}."
            )
        async with reading() as reader:
            if form == PAGE:
                (text,) = await _asked(reader, text.encode(), _PAGE)
                return _message(f"{name}.html", text, "text/html")
            text, lost = await _converted(reader, text.encode(), DISPLAY)
        _tell(game, "The record was saved", lost)
    return _message(f"{name}.sgf", text, "application/x-go-sgf")


def saved_review(start: GameStart, page: str | None) -> Message:
    """The message `record` with the page of a review. Raises CannotDo without one."""
    if page is None:
        raise CannotDo("This game has not been reviewed yet.")
    return _message(f"review-{start.game}-{start.size}.html", page, "text/html")


def _message(name: str, text: str, kind: str) -> Message:
    return {"kind": "record", "name": name, "text": text, "type": kind}


async def _record_of(game: BoardGame, names: dict[str, str]) -> Record:
    """The shown game with its variations, and all that was read with it."""
    tree, end = game.tree, game.tree.end
    root = _written(tree.root, "")
    write_control(root, tree.control)
    for key, color in (("PB", BLACK), ("PW", WHITE)):
        if key not in root.properties:
            root.put(key, names.get(color, ""))
    if "RE" in root.properties and end is not tree.read_end:
        root.put("RE", "")
        root.put("GC", "")
    if end.over and "RE" not in root.properties:
        (shown,) = await game.ask_at(game.start, end, "game-view")
        outcome = view_of(shown).get("outcome")
        if isinstance(outcome, dict) and isinstance(outcome.get("result"), str):
            root.put("RE", outcome["result"])
    waiting = [(tree.root, root)]
    while waiting:
        node, written = waiting.pop()
        for child in node.children:
            last, word = _joined(child)
            written.children.append(_written(last, word))
            waiting.append((last, written.children[-1]))
        written.children += node.unplayed
        written.ends = not node.children
    return Record(game.start, root)


def _written(node: GameNode, word: str) -> RecordNode:
    """A node of the tree with what was read in it, and what people and the analyst have added."""
    written = RecordNode(node.color, word, dict(node.read.properties))
    if node.comment != node.read.comment[:LONGEST_COMMENT]:
        written.put("C", node.comment)
    if node.chance is not None and node.chance != node.read.chance:
        written.put(WINRATE, f"{100 * node.chance:.2f}")
    write_times(node, written)
    return written


def _joined(node: GameNode) -> tuple[GameNode, str]:
    """The last node of a turn that is written in one word, and that word.

    A turn is written in parts if something is said or branches inside.
    """
    words = [node.word]
    while node.open and len(node.children) == 1 and node.plain:
        node = node.children[0]
        words.append(node.word)
    return node, "/".join(words)


async def played_tree(game: BoardGame, start: GameStart, record: Record) -> tuple[GameTree, int]:
    """The tree of a record, and the number of variations that are only kept.

    Raises CannotDo if its main line breaks a rule; the board engine's position is then unknown.
    """
    tree, left_out = GameTree(game.tree.ids), 0
    tree.control = read_control(record.root)
    await game.ask_at(start, tree.root)
    _take_over(tree, tree.root, record.root)
    nodes = {record.root: tree.root}
    main = record.root.following
    end_of_patience = time.monotonic() + MOST_SECONDS
    waiting = _branches(record.root)
    while waiting:
        parent, first = waiting.pop()
        run = _line(first)
        added: dict[RecordNode, GameNode] = {}
        if first is main or time.monotonic() < end_of_patience:
            added = await add_turns(game, start, tree, nodes[parent], run)
            nodes |= added
        if (missing := next((turn for turn in run if turn not in added), None)) is not None:
            before = parent if missing is first else run[run.index(missing) - 1]
            if first is main:
                raise await _illegal(game, start, nodes[before], missing)
            left_out += 1
            nodes[before].unplayed.append(missing)
        for turn in reversed(added):
            waiting += _branches(turn, turn.following)
    end = tree.read_end = tree.end
    loser, word = record.given_up
    if loser == end.to_move and not end.over:
        await _add_word(game, start, tree, end, loser, word)
        tree.read_end = tree.end
    return tree, left_out


def _branches(node: RecordNode, taken: RecordNode | None = None) -> list[Branch]:
    """The children of a node with their parent, the last first, without one of them."""
    return [(node, child) for child in reversed(node.children) if child is not taken]


def _line(first: RecordNode) -> list[RecordNode]:
    """A turn, and those that continue its line."""
    line = [first]
    while (following := line[-1].following) is not None:
        line.append(following)
    return line


async def add_turns(
    game: BoardGame, start: GameStart, tree: GameTree, parent: GameNode, run: list[RecordNode]
) -> dict[RecordNode, GameNode]:
    """Add the turns of a line, as far as they are legal. Returns the nodes for those."""
    added: dict[RecordNode, GameNode] = {}
    here = parent
    for first in range(0, len(run), _BATCH):
        part = run[first : first + _BATCH]
        added |= await _add_part(game, start, tree, here, part)
        if part[-1] not in added:
            break
        here = added[part[-1]]
    return added


async def _add_part(
    game: BoardGame, start: GameStart, tree: GameTree, parent: GameNode, part: list[RecordNode]
) -> dict[RecordNode, GameNode]:
    look = _STATUS if _STATUS in game.board.commands else "game-view"
    lines = [line for turn in part for line in (f"play {turn.color} {turn.word}", look)]
    answers = await game.ask_at(start, parent, *lines)
    game.board.forget()
    added: dict[RecordNode, GameNode] = {}
    here = parent
    for turn, played, shown in zip(part, answers[::2], answers[1::2]):
        if played.success:
            here = tree.child(here, turn.color, turn.word) or tree.add(here, turn.color, turn.word)
            _learn(here, shown, look)
        elif not (turn.word == PASS and here.open and turn.color != here.to_move):
            return added  # A runner that alternates colors passes while a turn is open.
        _take_over(tree, here, turn)
        added[turn] = here
    game.board.stand(start, here)
    return added


def _take_over(tree: GameTree, node: GameNode, turn: RecordNode) -> None:
    """Keep what a record says in a node."""
    node.read.join(turn.properties)
    tree.comment(node, node.read.comment[:LONGEST_COMMENT])
    if turn.chance is not None:
        node.chance = turn.chance
    read_times(node, tree.control)


async def _add_word(
    game: BoardGame, start: GameStart, tree: GameTree, parent: GameNode, color: str, word: str
) -> None:
    played, shown = await game.ask_at(start, parent, f"play {color} {word}", "game-view")
    game.board.forget()
    if played.success:
        learn(tree.add(parent, color, word), view_of(shown))


def _learn(node: GameNode, shown: Response, look: str) -> None:
    if look != _STATUS:
        learn(node, view_of(shown))
        return
    status = dict(line.partition(" ")[::2] for line in shown.text.split("\n"))
    node.open, node.over = status.get("turn") == "open", status.get("over") == "yes"
    node.to_move = WHITE if status.get("to_move") == WHITE else BLACK


async def _illegal(
    game: BoardGame, start: GameStart, parent: GameNode, turn: RecordNode
) -> CannotDo:
    """The error for an illegal turn."""
    count, color = parent.number + (not parent.open), turn.color.capitalize()
    where = "" if turn.place is None else f" ({turn.place})"
    what = f"Turn {count} of the file{where} breaks a rule: {color} {turn.word[:60]}."
    refused = await game.objection(turn.color, turn.word, place=(start, parent))
    return CannotDo(f"{what} {refused['text']}")
