"""Opens records with the help of the board engine, which alone knows the rules."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from itertools import zip_longest
from typing import NamedTuple

from gtp_engine.board.table.clock_kinds import read_timing
from gtp_engine.board.table.clocks import read_times
from gtp_engine.board.table.follower import Follower
from gtp_engine.board.table.messages import INFO, CannotDo, Message, told
from gtp_engine.board.table.saving import LOAD, PLAIN, converted, say_lost
from gtp_engine.board.table.seat import BLACK, WHITE
from gtp_engine.board.table.shown_game import BoardGame, agreed, checked_position, learn, view_of
from gtp_engine.board.table.variations import LONGEST_COMMENT, GameNode, GameTree
from gtp_engine.gtp.wire.response import Response
from gtp_engine.rules.records.record import PASS, GameStart, Record, RecordNode, possible_records
from gtp_engine.rules.records.sgf import BadRecord

MOST_SECONDS = 10.0
"""Seconds for playing through variations; the remaining ones are kept, but not shown."""

Branch = tuple[RecordNode, RecordNode]
"""A node with several children, and one of them."""

_BATCH = 200  # turns played before other tasks may run
_STATUS = "game-status"


class ReadGame(NamedTuple):
    """The game of a record, which a board engine has played through.

    record -- its `lost` says what is not shown
    view   -- of the end of its main line
    """

    start: GameStart
    tree: GameTree
    record: Record
    view: Message


Reading = Callable[[], AbstractAsyncContextManager[Callable[[str], Awaitable[ReadGame]]]]
"""Lends a board engine as long as a block lasts: a function that reads the game of a text."""


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
    start, tree, record, _ = await read_game(game, reader, source)
    node = tree.end
    async with game.lock:
        (shown,) = await game.ask_at(start, node, "game-view")
        view = view_of(shown)
        found(node)
        game.start = start
        game.take(tree, node, view)
    say_lost(game, "The record was opened", record.lost)
    for sentence in record.guessed:
        game.emit(told(INFO, f"{sentence[0].upper()}{sentence[1:]}."))


async def read_game(game: BoardGame, reader: Follower, source: bytes | str) -> ReadGame:
    """The game of a file; see `open_record`. Raises CannotDo."""
    possible = await _read(source)
    for number, record in enumerate(possible, 1):
        try:
            return await _play_through(game, reader, source, record)
        except CannotDo:
            if number == len(possible):
                raise
    raise AssertionError


async def _play_through(
    game: BoardGame, reader: Follower, source: bytes | str, record: Record
) -> ReadGame:
    """Raises CannotDo."""
    guessed = record.guessed
    if record.display and LOAD in game.board.commands:
        # Only the rules tell the marks of the form from those of a person.
        content = source.encode() if isinstance(source, str) else source
        (record,) = await _read((await converted(reader, content, PLAIN))[0])
        record.guessed = guessed
    name, size, pie, position = record.start
    if position:
        checked_position(position)
    start = GameStart(name or game.start.game, size, pie or game.start.pie, position)
    beside = game.beside(reader)
    tree, left_out = await played_tree(beside, start, record)
    (shown,) = await beside.ask_at(start, tree.end, "game-view")
    view = view_of(shown)
    learn(tree.end, view)
    if left_out:
        what = "variation is" if left_out == 1 else "variations are"
        record.lost.append(f"{left_out} {what} not shown, but kept: against the rules, or too many")
    return ReadGame(agreed(start, view), tree, record, view)


async def _read(source: bytes | str) -> list[Record]:
    """Read in a thread, because a large file takes a second. Raises CannotDo."""
    try:
        return await asyncio.to_thread(possible_records, source)
    except BadRecord as error:
        raise CannotDo(f"The file cannot be opened: {error}.") from None


async def played_tree(game: BoardGame, start: GameStart, record: Record) -> tuple[GameTree, int]:
    """The tree of a record, and the number of variations that are only kept.

    Raises CannotDo if its main line breaks a rule; the board engine's position is then unknown.
    """
    tree, left_out = GameTree(game.tree.ids), 0
    tree.timing = read_timing(record.root)
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
    tree.opened = True
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
    looks = [_is_looked_at(*pair) for pair in zip_longest(part, part[1:])]
    lines: list[str] = []
    for turn, looked in zip(part, looks):
        lines += [f"play {turn.color} {turn.word}", *[look] * looked]
    answers = iter(await game.ask_at(start, parent, *lines))
    game.board.forget()
    added: dict[RecordNode, GameNode] = {}
    here = parent
    for turn, looked, before in zip(part, looks, [True, *looks]):
        if next(answers).success:
            if not before:
                here.to_move = turn.color
            here = tree.child(here, turn.color, turn.word) or tree.add(here, turn.color, turn.word)
            if looked:
                _learn(here, next(answers), look)
        elif turn.word == PASS and here.open and turn.color != here.to_move:
            # A runner that alternates colors passes while a turn is open.
            if looked:
                next(answers)
        else:
            if not before:
                (shown,) = await game.ask_at(start, here, look)
                _learn(here, shown, look)
            return added
        _take_over(tree, here, turn)
        added[turn] = here
    game.board.stand(start, here)
    return added


def _is_looked_at(turn: RecordNode, following: RecordNode | None) -> bool:
    """Whether a legal turn of the other color does not tell the state after this one."""
    return following is None or following.color == turn.color or following.word == PASS


def _take_over(tree: GameTree, node: GameNode, turn: RecordNode) -> None:
    """Keep what a record says in a node."""
    node.read.join(turn.properties)
    tree.comment(node, node.read.comment[:LONGEST_COMMENT])
    if turn.chance is not None:
        node.chance = turn.chance
    read_times(node, tree.timing)


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
