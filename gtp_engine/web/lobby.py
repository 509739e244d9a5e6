"""The tables of a server: each is a desk with its pages; new ones are made on demand."""

import asyncio
from collections.abc import Awaitable, Callable

from gtp_engine.table.messages import CannotDo
from gtp_engine.web.room import Desk, Page, Room

MAIN = "1"
"""The key of the first table, which lasts as long as the server."""

EXERCISE = "exercise"
"""The key of the table for exercises: there is at most one, and it is no game of anybody."""

MOST_TABLES = 6
"""Most tables of games, the main one among them: each needs processes of its own."""

IDLE = 1800.0
"""Seconds after which a table that nobody is at ends; the main table stays."""

Furnish = Callable[[str], Awaitable[Desk]]
"""Makes the desk of a new table from its key. Raises CannotDo."""


class Lobby:
    """The tables by their keys, and the pages at them.

    rooms   -- the room of each table, by its key, in the order of their making
    entered -- set when the first page has entered
    """

    def __init__(self, main: Desk, furnish: Furnish | None = None) -> None:
        """Open the main table.

        furnish -- makes further tables; None if there is only one
        """
        self.rooms = {MAIN: Room(main, MAIN)}
        self.entered = asyncio.Event()
        self._furnish = furnish
        self._made = 1
        self._making = asyncio.Lock()
        self._ends: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def pages(self) -> list[Page]:
        """The pages at all tables."""
        return [page for room in self.rooms.values() for page in room.pages]

    async def room(self, key: str | None) -> Room:
        """The room of a table; None is a new one. Raises CannotDo.

        The table of exercises is made when it is first asked for. For an unknown key, such as that
        of a table that has ended, it is the main one.
        """
        made = key is None or (key == EXERCISE and self._furnish is not None)
        if key in self.rooms or not made:
            return self.rooms.get(key or MAIN, self.rooms[MAIN])
        async with self._making:
            if key is None:
                return await self._make(self._free_key())
            return self.rooms.get(key) or await self._make(key)

    def enter(self, room: Room, page: Page) -> None:
        """Let a page enter a room."""
        if waiting := self._ends.pop(room.key, None):
            waiting.cancel()
        room.enter(page)
        self.entered.set()

    def leave(self, room: Room, page: Page) -> None:
        """Let a page leave a room. If it was the last one, the table ends after a while."""
        room.leave(page)
        if not room.pages and room.key in self.rooms and room.key != MAIN:
            if before := self._ends.pop(room.key, None):
                before.cancel()
            loop = asyncio.get_running_loop()
            self._ends[room.key] = loop.call_later(IDLE, self._spawn_end, room.key)

    async def end(self, key: str) -> None:
        """End a table; its pages go to the main one. Raises CannotDo for the main table."""
        if key == MAIN:
            raise CannotDo("The first table stays open. Begin a new game there instead.")
        room = self.rooms.pop(key, None)
        if room is None:
            raise CannotDo("This table has ended already.")
        if waiting := self._ends.pop(key, None):
            waiting.cancel()
        for page in list(room.pages):
            page.move(self.rooms[MAIN])
        await room.close()

    async def close(self) -> None:
        """End all tables."""
        for waiting in self._ends.values():
            waiting.cancel()
        for task in self._tasks:
            task.cancel()
        for room in self.rooms.values():
            await room.close()

    async def _make(self, key: str) -> Room:
        if self._furnish is None:
            raise CannotDo("There is only one table here.")
        room = self.rooms[key] = Room(await self._furnish(key), key)
        return room

    def _free_key(self) -> str:
        if len(self.rooms.keys() - {EXERCISE}) >= MOST_TABLES:
            raise CannotDo(f"{MOST_TABLES} games are open. End one of them first.")
        self._made += 1
        return str(self._made)

    def _spawn_end(self, key: str) -> None:
        task = asyncio.get_running_loop().create_task(self.end(key))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
