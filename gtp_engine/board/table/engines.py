"""The engines of a table by name: those that can play, the board engine and the analyst."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from gtp_engine.board.table.capabilities import Role
from gtp_engine.board.table.follower import Follower
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.news import LONGEST_LINE_SHOWN, News
from gtp_engine.board.table.shown_game import read_json
from gtp_engine.gtp.client.child import Launch
from gtp_engine.gtp.client.faults import EngineFault

BOARD, ANALYST = "board", "analyst"
"""The names of the engines without a seat."""

OUR_ENGINE = (sys.executable, "-I", "-m", "gtp_engine")
"""Words of a command that starts the engine of this package."""


class Engines:
    """The engines of a table; each starts when it is first needed.

    board   -- checks turns and draws, and never searches
    analyst -- analyzes
    players -- those that can take a seat, by name
    """

    def __init__(
        self,
        players: Mapping[str, Launch],
        board: Launch | None,
        analyst: Launch | None,
        news: News,
        changed: Callable[[], None],
        now: Callable[[], float],
    ) -> None:
        """Nothing is started yet; `changed` is called when an engine has started or failed.

        players -- commands by name
        board   -- its command; None for our engine
        analyst -- its command; None for the same as `board`
        now     -- seconds of a clock that never goes back
        """
        if taken := {BOARD, ANALYST} & set(players):
            raise ValueError(
                f"the name {min(taken)} is reserved; choose another name for the engine"
            )

        def follower(command: Launch, name: str, role: Role) -> Follower:
            tell = partial(news.tell, engine=name)
            return Follower(command, name, role, news.hear, tell, changed, now)

        board = OUR_ENGINE if board is None else board
        self.board = follower(board, BOARD, Role.BOARD)
        self._reader = Follower(board, BOARD, Role.BOARD, _ignore, _ignore, _ignore)
        self._reading = asyncio.Lock()
        self.analyst = follower(board if analyst is None else analyst, ANALYST, Role.ANALYST)
        self.players = {
            name: follower(command, name, Role.PLAYER) for name, command in players.items()
        }
        self._all = {BOARD: self.board, ANALYST: self.analyst} | self.players

    def named(self, name: str) -> Follower:
        """The engine with a name. Raises CannotDo."""
        if name not in self._all:
            raise CannotDo(f"There is no engine {name[:60]}.")
        return self._all[name]

    def shown(self) -> list[Message]:
        """For each engine `name`, `title`, `running`, `down`, `fault` and `missing` (sentences)."""
        return [follower.shown() for follower in self._all.values()]

    @asynccontextmanager
    async def reader(self) -> AsyncIterator[Follower]:
        """Another board engine, for one record: while it works, and if it fails, the game goes on.

        It starts when it is first asked, and ends with the block. There is one at a time.
        """
        async with self._reading:
            if not self.board.down:
                await self._reader.restart()
            try:
                yield self._reader
            finally:
                await self._reader.close()

    async def close(self) -> None:
        """End all of them, for good."""
        every = [*self._all.values(), self._reader]
        for follower in every:
            follower.down = True  # so that no waiting caller starts it again
        for follower in every:
            await follower.close()

    async def say(self, name: str, line: str) -> None:
        """Send a line that a person typed. Raises CannotDo."""
        follower = self.named(name)
        if len(line) > LONGEST_LINE_SHOWN or not line.isascii() or not line.isprintable():
            raise CannotDo("A line for an engine must be plain text, and not too long.")
        await _ready(follower)
        follower.say(line)

    async def commands(self, name: str) -> Message:
        """The message `commands`: its reply to `game-commands`, or to `list_commands`."""
        follower = self.named(name)
        await _ready(follower)
        known: Any = [{"name": name} for name in sorted(follower.commands)]
        if "game-commands" in follower.commands:
            (answer,) = await follower.ask_all(["game-commands"])
            known = (read_json(answer.text) if answer.success else None) or known
        return {"kind": "commands", "engine": name, "list": known}


def _ignore(*told: object) -> None:
    """Whoever reads a record is told in another way."""


async def _ready(follower: Follower) -> None:
    """Start an engine if necessary. Raises CannotDo."""
    try:
        await follower.ready()
    except EngineFault as fault:
        raise CannotDo(f"{fault.brief}.") from None
