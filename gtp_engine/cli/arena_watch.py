"""`gtp-arena watch`: shows the games of a match on a board in the browser during play."""

import argparse
import asyncio
import sys
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from gtp_engine.arena import ArenaError
from gtp_engine.arena.reporting.findings import Findings
from gtp_engine.arena.reporting.sheets import Sheet, sheets
from gtp_engine.arena.stats.tally import Tally
from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import Board, GameKey, GameResult, LiveGame, TurnRecord
from gtp_engine.cli.arena_games import UnplayableGame
from gtp_engine.cli.serving import (
    end_signal,
    listening,
    serve_room,
)
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import DEFAULTS
from gtp_engine.gtp.faults import EngineFault
from gtp_engine.log import log_to_stderr, on_first_use
from gtp_engine.records.record import GameStart
from gtp_engine.rules import find_game
from gtp_engine.rules.step import IllegalStep
from gtp_engine.table.messages import BLACK, ERROR, WHITE, CannotDo, Message, told
from gtp_engine.table.watching import WatchedGame, WatchTable

if TYPE_CHECKING:
    from gtp_engine.web.watch import WatchDesk

MOST_SHOWN = 500
"""The newest finished games that can be chosen."""

# The columns of a table of results that fit into the panel beside the board.
_COLUMNS = frozenset({"engine", "first", "second", "W-D-L", "score", "Elo"})

_EVERY = 0.7  # seconds between two readings of the file
_REST = 4.0  # seconds that a finished game stays visible while another one is in progress

_Found = TypeVar("_Found")


def main(options: argparse.Namespace) -> int:
    """Show the match until Ctrl-C or SIGTERM. Returns 0. Raises ArenaError or OSError."""
    on_first_use(log_to_stderr)
    try:
        asyncio.run(_serve(options))
    except (CannotDo, EngineFault) as error:
        print(f"gtp-arena watch: {error}", file=sys.stderr)
        return 2
    return 0


async def _serve(options: argparse.Namespace) -> None:
    """Show the match until a signal comes. Raises CannotDo, EngineFault, ArenaError or OSError."""
    from gtp_engine.web.room import Room
    from gtp_engine.web.watch import WatchDesk

    ended = end_signal()
    async with AsyncExitStack() as stack:
        # Only one thread uses the file.
        reader = stack.enter_context(ThreadPoolExecutor(1, "match"))
        table = WatchTable({}, board=options.board)
        stack.push_async_callback(table.close)
        chooser = _Chooser(table, reader)
        await chooser.open(options.db)
        stack.push_async_callback(chooser.close)
        server = listening(options)
        stack.push_async_callback(server.stop)
        await table.start()
        desk = WatchDesk(table, options.db.name, chooser.choose)
        room = Room(desk)
        stack.push_async_callback(room.close)
        await chooser.look(desk)
        following = asyncio.create_task(chooser.follow(desk))
        try:
            await serve_room(server, room, options, ended)
        finally:
            following.cancel()


class _Chooser:
    """Chooses the game on the table: the one that a viewer chose, or else one in progress."""

    def __init__(self, table: WatchTable, reader: ThreadPoolExecutor) -> None:
        self._table, self._reader = table, reader
        self._showing = asyncio.Lock()
        self._chosen: int | None = None
        self._shown: int | None = None
        self._over_since: float | None = None
        self._said = ""

    async def open(self, path: Path) -> None:
        """Open the file of the match. Raises ArenaError."""
        self._match = await self._read(lambda: FollowedMatch(path))

    async def close(self) -> None:
        """Close the file."""
        await self._read(self._match.close)

    async def follow(self, desk: "WatchDesk") -> None:
        """Read the file repeatedly; each new problem is announced to the viewers once."""
        while True:
            await asyncio.sleep(_EVERY)
            try:
                await self.look(desk)
                self._said = ""
            except (ArenaError, CannotDo, EngineFault) as error:
                if str(error) != self._said:
                    self._said = str(error)
                    desk.say(told(ERROR, self._said))

    async def look(self, desk: "WatchDesk") -> None:
        """Announce news of the match. Raises ArenaError, CannotDo or EngineFault."""
        standing = await self._read(self._match.look)
        if standing is not None:
            desk.tell_games(*standing)
        await self._show(self._wanted())

    async def choose(self, number: int) -> None:
        """Show a game that a viewer chose. Raises CannotDo."""
        try:
            await self._show(number)
        except ArenaError as error:
            raise CannotDo(f"{error}.") from None
        self._chosen = number

    def _wanted(self) -> int | None:
        """The number of the game to show; None if there is none."""
        if self._chosen is not None:
            return self._chosen
        live = self._match.live
        if self._shown is None or self._shown in live or not live:
            self._over_since = None
            return self._shown or (live[0] if live else self._match.newest)
        now = time.monotonic()
        self._over_since = self._over_since or now
        return live[0] if now > self._over_since + _REST else self._shown

    async def _show(self, number: int | None) -> None:
        if number is None:
            return
        async with self._showing:
            game = await self._read(lambda: self._match.game(number))
            if game is None:
                raise CannotDo("There is no such game in the match.")
            if game != self._table.watched:
                await self._table.show(game)
            self._shown = number

    async def _read(self, read: Callable[[], _Found]) -> _Found:
        return await asyncio.get_running_loop().run_in_executor(self._reader, read)


class MatchStanding(NamedTuple):
    """The standing of a match: see WatchDesk.tell_games."""

    games: list[Message]
    standings: list[Message]
    result: str


class FollowedMatch:
    """The match in a file. Each game gets a number, which it keeps after its end.

    live   -- the numbers of the games in progress at the last reading
    newest -- the number of the game that ended last, None before the first

    Use it in one thread.
    """

    def __init__(self, path: Path) -> None:
        """Open the file. Raises StoreFailed."""
        self._store = Store(path, to_read=True)
        self._match = self._store.match()
        self._tally = Tally(self._match.sprt.test() if self._match.sprt else None)
        self._over: deque[tuple[int, GameResult]] = deque(maxlen=MOST_SHOWN)
        self._live: dict[int, LiveGame] = {}
        self._numbers: dict[GameKey, int] = {}
        self._last = -1
        self.live: list[int] = []
        self.newest: int | None = None

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def look(self) -> MatchStanding | None:
        """The standing, if a game has begun or ended since the last call; else None.

        Raises StoreFailed.
        """
        before = self._last, self.live
        live = self._store.live()
        for number, result in self._store.games(max(self._last, 0)):
            self._tally.add(result, number)
            self._over.append((number, result))
            self._last = number
            self.newest = self._number(result.key)
        self._last = max(self._last, 0)
        over = {result.key for _, result in self._over}
        self._live = {self._number(game.key): game for game in live if game.key not in over}
        self.live = sorted(self._live)
        return None if before == (self._last, self.live) else self._standing()

    def game(self, number: int) -> WatchedGame | None:
        """A game by its number; None if there is none. Raises StoreFailed or UnplayableGame."""
        if (playing := self._live.get(number)) is not None:
            return _watched(number, playing.key, playing.opening, playing.turns)
        for place, result in self._over:
            if self._number(result.key) == number:
                turns = self._store.turns(place)
                ending = result.result, result.reason
                return _watched(number, result.key, result.opening, turns, ending)
        return None

    def _number(self, key: GameKey) -> int:
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def _standing(self) -> MatchStanding:
        found = Findings(self._tally, self._match)
        games = [self._shown(game.key, None) for _, game in sorted(self._live.items())]
        games += [self._shown(result.key, result.result) for _, result in reversed(self._over)]
        told = [found.headline, *found.sentences]
        return MatchStanding(games, _rows(sheets(found)), " ".join(_stopped(each) for each in told))

    def _shown(self, key: GameKey, result: str | None) -> Message:
        black, white = key.engines
        board = f"{find_game(key.board.game).title} {key.board.size}"
        return {
            "game": self._number(key),
            "black": black,
            "white": white,
            "text": f"{black} \u2013 {white}, {board}",
            "result": result,
        }


def _rows(found: list[Sheet]) -> list[Message]:
    """The ratings, or else the results of each pair of engines, as rows keyed by column."""
    for title in ("Ratings", "Head to head"):
        for sheet in found:
            if sheet.title == title:
                columns = (*sheet.words, *sheet.numbers)
                rows = (zip(columns, row) for row in sheet.rows)
                return [{name: cell for name, cell in row if name in _COLUMNS} for row in rows]
    return []


def _stopped(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _watched(
    number: int,
    key: GameKey,
    opening: tuple[str, ...],
    turns: tuple[TurnRecord, ...],
    ending: tuple[str, str] | None = None,
) -> WatchedGame:
    """A game as a table shows it. Raises UnplayableGame."""
    board = key.board
    given = [(color, word, None) for color, word in _opening(board, opening)]
    played = [(_color(turn), turn.word, turn.value) for turn in turns]
    start = GameStart(board.game, board.size, board.pie)
    return WatchedGame(str(number), start, key.engines, (*given, *played), ending)


def _color(turn: TurnRecord) -> str:
    return WHITE if turn.color else BLACK


@lru_cache(4096)
def _opening(board: Board, words: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The turns of the opening with their colors. Raises UnplayableGame."""
    session = Session(find_game(board.game), board.size, DEFAULTS.change("pie", board.pie))
    given = []
    try:
        for word in words:
            given.append((str(session.position.to_move), word))
            session.play(session.position.to_move, word)
    except (IllegalStep, ValueError) as error:
        raise UnplayableGame(f"the opening {' '.join(words)} cannot be played: {error}") from None
    return tuple(given)
