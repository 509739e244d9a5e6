"""Saves games as records, with the help of the board engine where its rules are needed."""

import asyncio
import base64
import binascii
import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import NamedTuple

from gtp_engine.board.table.clock_kinds import write_timing
from gtp_engine.board.table.clocks import write_times
from gtp_engine.board.table.follower import Follower
from gtp_engine.board.table.messages import INFO, CannotDo, Message, told
from gtp_engine.board.table.seat import BLACK, COLORS, WHITE, Seat, opponent, visible
from gtp_engine.board.table.shown_game import BoardGame, exchanged, learn, read_json, view_of
from gtp_engine.board.table.variations import LONGEST_COMMENT, GameNode, GameTree
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.rules.records.record import WINRATE, GameStart, Record, RecordNode, plain_text

PLAIN, DISPLAY, PAGE, REVIEW = "plain", "display", "page", "review"

LOAD = "game-load_record"

_RECORD, _PAGE = "game-record", "game-replay_page"
_CONVERTING = 60.0  # seconds for a record of thousands of variations in the display form

_LEVEL = re.compile("level ([1-9][0-9]?)")

# The properties of a player's name and strength.
NAMES = {BLACK: "PB", WHITE: "PW"}
RANKS = {BLACK: "BR", WHITE: "WR"}


class _Saved(NamedTuple):
    """A record that was made: the message, what its form cannot hold, and when it was made.

    changes -- see BoardGame
    """

    message: Message
    lost: list[str]
    changes: int


class Records:
    """The records of the shown game: each is made once, and kept until the game changes."""

    def __init__(
        self, game: BoardGame, reading: Callable[[], AbstractAsyncContextManager[Follower]]
    ) -> None:
        """Nothing is made yet.

        reading -- lends another board engine, which converts records to other forms
        """
        self._game, self._reading = game, reading
        self._made: dict[str, _Saved] = {}
        self._making = {form: asyncio.Lock() for form in (PLAIN, DISPLAY, PAGE)}

    async def saved(self, form: str) -> Message:
        """The message `record` with the game. Raises CannotDo.

        What the form cannot hold is told.
        """
        if form not in self._making:
            raise CannotDo("A record can be saved as plain, display or page.")
        found = await self._newest(form)
        say_lost(self._game, "The record was saved", found.lost)
        return found.message

    async def _newest(self, form: str) -> _Saved:
        """A record of the game as it is now. Raises CannotDo."""
        async with self._making[form]:
            found = self._made.get(form)
            if found is None or found.changes != self._game.changes:
                found = await (self._plain() if form == PLAIN else self._in_form(form))
                self._made[form] = found
            return found

    async def _plain(self) -> _Saved:
        game = self._game
        async with game.lock:
            await learn_result(game)
            record, changes = record_of(game.start, game.tree), game.changes
        text = await asyncio.to_thread(plain_text, record)
        name = f"{record.start.game}-{record.start.size}.sgf"
        return _Saved(_message(name, text, "application/x-go-sgf"), [], changes)

    async def _in_form(self, form: str) -> _Saved:
        board = self._game.board
        if missing := {LOAD, _PAGE} - board.commands:
            raise CannotDo(
                f"The board engine cannot save in this form: it has no command {min(missing)}."
            )
        plain = await self._newest(PLAIN)
        content, name = plain.message["text"].encode(), plain.message["name"]
        lost: list[str] = []
        async with self._reading() as reader:
            if form == PAGE:
                (text,) = await _asked(reader, content, _PAGE)
                shown = _message(f"{name.removesuffix('.sgf')}.html", text, "text/html")
            else:
                text, lost = await converted(reader, content, DISPLAY)
                shown = plain.message | {"text": text}
        return _Saved(shown, lost, plain.changes)


def saved_review(start: GameStart, page: str | None) -> Message:
    """The message `record` with the page of a review. Raises CannotDo without one."""
    if page is None:
        raise CannotDo("This game has not been reviewed yet.")
    return _message(f"review-{start.game}-{start.size}.html", page, "text/html")


def _message(name: str, text: str, kind: str) -> Message:
    return {"kind": "record", "name": name, "text": text, "type": kind}


def say_lost(game: BoardGame, done: str, lost: list[str]) -> None:
    """Tell what a record could not hold."""
    if lost:
        game.emit(told(INFO, f"{done}, but not all of it: {'; '.join(lost)}."))


async def _asked(reader: Follower, content: bytes, *lines: str) -> list[str]:
    """Replies about a record. Raises CannotDo."""
    load = f"{LOAD} {base64.b64encode(content).decode()}"
    try:
        await reader.ready()
        answers = await reader.ask_all([load, *lines], _CONVERTING)
    except EngineFault as fault:
        raise CannotDo(f"The record cannot be converted. {fault.brief}.") from None
    reader.forget()
    for answer in answers:
        if not answer.success:
            raise CannotDo(f"The board engine cannot convert the record: {answer.text[:200]}.")
    return [answer.text for answer in answers[1:]]


async def converted(reader: Follower, content: bytes, form: str) -> tuple[str, list[str]]:
    """A record in another form, and what that form cannot hold. Raises CannotDo."""
    written, reported = await _asked(reader, content, f"{_RECORD} {form}", "game-record_report")
    report = read_json(reported)
    lost = report.get("lost") if isinstance(report, dict) else None
    try:
        return base64.b64decode(written).decode(), list(map(str, lost or ()))
    except (binascii.Error, UnicodeDecodeError):
        raise CannotDo("The board engine's reply to `game-record` cannot be read.") from None


async def learn_result(game: BoardGame) -> None:
    """Ask for the result of a main line whose end was never shown. Raises CannotDo."""
    end = game.tree.end
    if end.over and not end.result:
        (shown,) = await game.ask_at(game.start, end, "game-view")
        learn(end, view_of(shown))


def record_of(start: GameStart, tree: GameTree) -> Record:
    """A game with its variations, and all that was read with it."""
    root = heading(tree)
    waiting = [(tree.root, root)]
    while waiting:
        node, written = waiting.pop()
        for child in node.children:
            last, word = _joined(child)
            written.children.append(_written(last, word))
            waiting.append((last, written.children[-1]))
        written.children += node.unplayed
        written.ends = not node.children
    return Record(start, root)


def heading(tree: GameTree) -> RecordNode:
    """The start of a game with what is said about all of it: names, levels, date and result.

    A record that was opened says names, levels and date itself, or does not know them.
    """
    root = _written(tree.root, "")
    write_timing(root, tree.timing)
    if not tree.opened:
        for color, seat in players_at_end(tree).items():
            root.put(NAMES[color], seat.engine or seat.name)
            root.put(RANKS[color], "" if seat.level is None else f"level {seat.level}")
        root.put("DT", datetime.fromtimestamp(tree.began).date().isoformat())
    if "RE" in root.properties and tree.end is not tree.read_end:
        root.put("RE", "")
        root.put("GC", "")
    if tree.result and "RE" not in root.properties:
        root.put("RE", tree.result)
    return root


def players_at_end(tree: GameTree) -> dict[str, Seat]:
    """Who played which color at the end of the main line."""
    turned = exchanged(tree.end)
    return {opponent(color) if turned else color: seat for color, seat in tree.players.items()}


def take_players(tree: GameTree) -> None:
    """Know who played the game of a record, if this program wrote it and an engine had a level.

    The game is then as if it had been played here; see `heading`.
    """
    root, at_end = tree.root.read, {}
    for color in COLORS:
        name, rank = root.text(NAMES[color]), _LEVEL.fullmatch(root.text(RANKS[color]))
        at_end[color] = Seat(name, int(rank[1])) if name and rank else Seat(name=visible(name))
    if any(seat.engine for seat in at_end.values()):
        tree.opened, tree.players = False, at_end
        tree.players = players_at_end(tree)  # both ways colors are exchanged alike


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
