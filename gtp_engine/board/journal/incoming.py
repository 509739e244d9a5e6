"""Games of a file on their way into the journal: all of them, or none."""

import asyncio
import time
from collections import deque
from collections.abc import Hashable
from contextlib import suppress
from datetime import datetime

from gtp_engine.board.journal.journal import Added, Journal
from gtp_engine.board.journal.rows import LONGEST_GIVEN, game_row, node_row, picture_of
from gtp_engine.board.table.loading import Reading
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.saving import NAMES, RANKS, heading, take_players
from gtp_engine.board.table.seat import COLORS, PERSON, visible
from gtp_engine.board.table.stored_game import Kept
from gtp_engine.board.table.variations import turns
from gtp_engine.rules.records.record import games_of
from gtp_engine.rules.records.sgf import BadRecord

LARGEST_FILE = 2**23
"""Most bytes of a file: some thousand games."""

MOST_GAMES = 10_000

_AT_ONCE = 3.0  # seconds of reading until the page hears how far it is; each time an engine starts

_SAID = (*NAMES.values(), *RANKS.values(), "DT", "RE")  # by which games are told apart


class Incoming:
    """A file that comes in parts, is read game by game, and is then written at once.

    A game that the journal has already, or the file twice, is left out.
    """

    def __init__(self, journal: Journal, reading: Reading, size: int) -> None:
        """Nothing has come yet of `size` bytes. Raises CannotDo for a file that is too large."""
        if size > LARGEST_FILE:
            most = LARGEST_FILE // 2**20
            raise CannotDo(f"The file is too large: a file of games may have at most {most} MB.")
        self._journal, self._reading, self._size = journal, reading, size
        self._content = bytearray()
        self._texts: deque[str] | None = None
        self._total = self._known = 0
        self._added: list[Added] = []
        self._seen: set[Hashable] = set()
        self._turn = asyncio.Lock()

    def take(self, size: int, place: int, part: bytes) -> bool:
        """Take a part that begins at a place of a file; False if it is no next part of this one."""
        fits = (size, place) == (self._size, len(self._content)) and len(part) <= size - place
        if fits:
            self._content += part
        return fits

    async def go_on(self) -> Message:
        """Read some games; after the last one write all.

        Returns the message `importing`, in the end `imported`. Raises CannotDo, JournalFailed or
        EngineFault, and then nothing is written.
        """
        async with self._turn:
            if len(self._content) < self._size:
                return self._progress()
            if self._texts is None:
                self._texts = deque(await asyncio.to_thread(_split, bytes(self._content)))
                self._total = len(self._texts)
                return self._progress()
            await self._read_some(self._texts)
            if self._texts:
                return self._progress()
            self._journal.add(self._added)
            added, self._added = len(self._added), []
            return imported(added, self._known)

    def _progress(self) -> Message:
        total = None if self._texts is None else self._total
        done = 0 if self._texts is None else self._total - len(self._texts)
        return {"kind": "importing", "next": len(self._content), "done": done, "total": total}

    async def _read_some(self, texts: deque[str]) -> None:
        end = time.monotonic() + _AT_ONCE
        async with self._reading() as read:
            while texts and time.monotonic() < end:
                try:
                    start, tree, _, view = await read(texts[0])
                except CannotDo as error:
                    number = self._total - len(texts) + 1
                    raise CannotDo(f"Game {number} of the file: {error}") from None
                texts.popleft()
                take_players(tree)
                with suppress(ValueError):
                    # A record tells the day alone.
                    day = datetime.fromisoformat(tree.root.read.text("DT")[:10])
                    tree.began = tree.changed = day.replace(hour=12).timestamp()
                seats = dict.fromkeys(COLORS, PERSON) | dict(tree.players)
                self._add(Kept(start, tree, tree.end, seats, paused=False), view)

    def _add(self, game: Kept, view: Message) -> None:
        row, key = game_row(game), _key(game)
        if key in self._seen or any(_key(other) == key for other in self._journal.like(row)):
            self._known += 1
            return
        self._seen.add(key)
        name = visible(game.tree.root.read.text("GN"))[:LONGEST_GIVEN]
        self._added.append(Added(row, name, picture_of(view), list(map(node_row, game.tree))))


def imported(added: int, known: int, fault: str | None = None) -> Message:
    """The message `imported`; `fault` says why no game was added."""
    return {"kind": "imported", "added": added, "known": known, "fault": fault}


def _split(content: bytes) -> list[str]:
    """The games of a file. Raises CannotDo."""
    try:
        games = games_of(content)
    except BadRecord as error:
        raise CannotDo(f"The file cannot be read: {error}.") from None
    if len(games) > MOST_GAMES:
        raise CannotDo(f"The file is too large: it may have at most {MOST_GAMES:,} games.")
    return games


def _key(game: Kept) -> Hashable:
    """What two copies of a game have in common, whatever was said about their turns since."""
    said = heading(game.tree)
    line = tuple(turns(game.tree.main_line()))
    return game.start, line, tuple(said.text(name) for name in _SAID)
