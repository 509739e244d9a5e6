"""Games of the past by position: an engine of its own counts them while people play."""

import asyncio
import base64
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from gtp_engine.board.table.capabilities import Role
from gtp_engine.board.table.follower import Follower
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.shown_game import read_json
from gtp_engine.gtp.client.child import Launch
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.gtp.client.process import EngineProcess

_T = TypeVar("_T")

_BATCH = 20  # games that are counted before the next question is answered
_COUNTING = 60.0  # seconds for one of them, beside other work of the machine


class PastGames(Protocol):
    """Games that are read from a file. It is used in one thread, which is not that of its maker."""

    def more(self, most: int) -> Sequence[bytes]:
        """The next games as SGF, at most so many; none if all that exist by now have been read.

        Raises CannotDo, with a sentence, if they cannot be read now.
        """
        ...

    def restart(self) -> None:
        """Go back to the first game."""
        ...

    def close(self) -> None:
        """Close the file."""
        ...


class Explorer:
    """What was played in games of the past. It reads them when it is first asked.

    The engine forgets the games when it ends; the next one counts all of them anew.
    """

    def __init__(self, command: Launch, sources: Sequence[PastGames]) -> None:
        """Nothing is started or read yet; `command` is that of the engine."""
        self._engine = Follower(command, "explorer", Role.EXPLORER, _ignore, _ignore, _ignore)
        self._sources = sources
        self._thread = ThreadPoolExecutor(1, "games")
        self._filled: EngineProcess | None = None
        self._filling: asyncio.Task[None] | None = None
        self._fault: str | None = None

    async def played(self, position: str) -> Message:
        """The turns from a position: the fields of `game-explore`, and two more.

        filling -- more games are being counted
        fault   -- why some games cannot be read, in a sentence, or None

        Raises CannotDo.
        """
        try:
            engine = await self._engine.ready()
            if self._filling is None or self._filling.done():
                self._filling = asyncio.create_task(self._fill(engine))
            async with self._engine.lock:
                lines = [f"game-position {position}", "game-explore"]
                set_up, found = await self._engine.ask_all(lines, _COUNTING)
        except EngineFault as fault:
            raise CannotDo(f"{fault.brief}.") from None
        told = read_json(found.text) if set_up.success and found.success else None
        if not isinstance(told, dict):
            raise CannotDo(f"{self._engine.title} cannot look up this position.")
        return {**told, "filling": not self._filling.done(), "fault": self._fault}

    async def close(self) -> None:
        """End the engine, and close the files."""
        if self._filling is not None:
            self._filling.cancel()
        self._engine.down = True
        await self._engine.close()
        await self._read(self._close_sources)
        self._thread.shutdown(wait=False)

    async def _fill(self, engine: EngineProcess) -> None:
        """Count all games that the engine does not know yet."""
        if engine is not self._filled:
            await self._read(self._restart_sources)
            self._filled = engine
        while games := await self._read(self._more):
            lines = [f"game-explore_add {base64.b64encode(game).decode()}" for game in games]
            try:
                await self._engine.ask_all(lines, _COUNTING)
            except (EngineFault, CannotDo):
                self._filled = None
                return

    async def _read(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # In the thread of the sources ------------------------------------------------------------

    def _more(self) -> Sequence[bytes]:
        self._fault = None
        for source in self._sources:
            try:
                if games := source.more(_BATCH):
                    return games
            except CannotDo as error:
                self._fault = str(error)
        return ()

    def _restart_sources(self) -> None:
        for source in self._sources:
            source.restart()

    def _close_sources(self) -> None:
        for source in self._sources:
            source.close()


def _ignore(*told: object) -> None:
    """Whoever asks is told in another way."""
