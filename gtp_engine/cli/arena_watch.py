"""`gtp-arena watch`: shows the games of matches on a board in the browser during play."""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gtp_engine.arena import ArenaError
from gtp_engine.base.log import log_to_stderr, on_first_use
from gtp_engine.base.retrying import Outlasted
from gtp_engine.board.table.messages import ERROR, CannotDo, told
from gtp_engine.board.table.watching import WatchTable
from gtp_engine.cli.arena_followed import FollowedMatches
from gtp_engine.cli.arena_options import anchors
from gtp_engine.cli.serving import (
    end_signal,
    listening,
    serve_lobby,
)
from gtp_engine.gtp.client.faults import EngineFault

if TYPE_CHECKING:
    from gtp_engine.board.server.watch import WatchDesk

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
    from gtp_engine.board.server.invitations import Invitations
    from gtp_engine.board.server.lobby import Lobby
    from gtp_engine.board.server.network import Network
    from gtp_engine.board.server.watch import WatchDesk

    ended = end_signal()
    async with AsyncExitStack() as stack:
        # Only one thread uses the file.
        reader = stack.enter_context(ThreadPoolExecutor(1, "match"))
        table = WatchTable({}, board=options.board)
        stack.push_async_callback(table.close)
        chooser = _Chooser(table, reader)
        await chooser.open(options.db, anchors(options))
        stack.push_async_callback(chooser.close)
        server = listening(options)
        stack.push_async_callback(server.stop)
        await table.start()
        names = [path.name for path in options.db]
        title = names[0] if len(names) == 1 else f"{len(names)} matches"
        desk = WatchDesk(table, title, chooser.choose)
        lobby = Lobby(desk, Invitations(server.guests), network=Network(server))
        stack.push_async_callback(lobby.close)
        await chooser.look(desk)
        following = asyncio.create_task(chooser.follow(desk))
        try:
            await serve_lobby(server, lobby, options, ended)
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

    async def open(self, paths: Sequence[Path], anchors: Mapping[str, float]) -> None:
        """Open the files of the matches. Raises ArenaError."""
        self._matches = await self._read(lambda: FollowedMatches(paths, anchors))

    async def close(self) -> None:
        """Close the files."""
        await self._read(self._matches.close)

    async def follow(self, desk: "WatchDesk") -> None:
        """Read the files repeatedly; each new problem is announced to the viewers once."""
        while True:
            await asyncio.sleep(_EVERY)
            try:
                await self.look(desk)
                self._said = ""
            except (ArenaError, Outlasted, CannotDo, EngineFault) as error:
                if str(error) != self._said:
                    self._said = str(error)
                    desk.say(told(ERROR, self._said))

    async def look(self, desk: "WatchDesk") -> None:
        """Announce news of the matches. Raises ArenaError, CannotDo or EngineFault."""
        if await self._read(self._matches.look):
            desk.tell_games(*await self._read(self._matches.standing))
        await self._show(self._wanted())

    async def choose(self, number: int) -> None:
        """Show a game that a viewer chose. Raises CannotDo."""
        try:
            await self._show(number)
        except (ArenaError, Outlasted) as error:
            raise CannotDo(f"{error}.") from None
        self._chosen = number

    def _wanted(self) -> int | None:
        """The number of the game to show; None if there is none."""
        if self._chosen is not None:
            return self._chosen
        live = self._matches.live
        if self._shown is None or self._shown in live or not live:
            self._over_since = None
            return self._shown or (live[0] if live else self._matches.newest)
        now = time.monotonic()
        self._over_since = self._over_since or now
        return live[0] if now > self._over_since + _REST else self._shown

    async def _show(self, number: int | None) -> None:
        if number is None:
            return
        async with self._showing:
            game = await self._read(lambda: self._matches.game(number))
            if game is None:
                raise CannotDo("There is no such game in the match.")
            if game != self._table.watched:
                await self._table.show(game)
            self._shown = number

    async def _read(self, read: Callable[[], _Found]) -> _Found:
        return await asyncio.get_running_loop().run_in_executor(self._reader, read)
