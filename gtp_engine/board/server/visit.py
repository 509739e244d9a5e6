"""A page at a table, whatever carries its messages: a WebSocket, or a worker of a browser."""

import asyncio
from contextlib import suppress

from gtp_engine.board.server.gate import HOST, Pass
from gtp_engine.board.server.lobby import ABOUT_TABLES, MAIN, Lobby
from gtp_engine.board.server.outbox import Letter, Outbox
from gtp_engine.board.server.page_messages import MOST_AT_ONCE
from gtp_engine.board.server.room import CONSOLE, Room, letter
from gtp_engine.board.table.messages import ERROR, CannotDo, Message, told
from gtp_engine.gtp.client.faults import EngineFault

ALIVE = "alive"
"""The kind of a page's heartbeat, both the question and the answer."""


class Visit:
    """What a page does in the lobby: a part of a `room.Page`, which also has `deliver` and ends."""

    def come(self, lobby: Lobby, admits: Pass) -> None:
        """Stand in the lobby; no messages are sent before the page has said hello."""
        self.admits = admits
        self.visible, self.listens, self.hears = True, False, True
        self.turn = asyncio.Lock()
        self._lobby = lobby
        self._room = lobby.rooms[MAIN]
        self._outbox = Outbox(lambda: self._room.anew(self))
        self._ended = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._writer: asyncio.Task[None] | None = None

    async def deliver(self, text: str) -> None:
        """Send a text; return when the page can take the next one."""
        raise NotImplementedError

    async def lives(self) -> bool:
        """See Page."""
        return not self._ended

    def dismiss(self) -> None:
        """See Page."""
        self.go()

    def go(self) -> None:
        """Leave for good; requests in progress continue."""
        self._ended = True
        if self._writer is not None:
            self._writer.cancel()
        self._lobby.leave(self._room, self)

    def send(self, letter: Letter) -> None:
        """Send a message when the page has read the earlier ones."""
        self._outbox.put(letter)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.get_running_loop().create_task(self._write())

    def move(self, room: Room) -> None:
        """Go to another room, as a page that is new there."""
        if room is self._room:
            return
        self._lobby.leave(self._room, self)
        self._outbox.clear()
        self._room = room
        self._lobby.enter(room, self)
        if self.admits.role == HOST:
            self.send(letter(self._lobby.tables()))

    async def greet(self, table: str) -> None:
        """Enter the room of a table, or else the main one."""
        with suppress(CannotDo, EngineFault):
            self._room = await self._lobby.room(table)
        if not self._ended:
            self._lobby.enter(self._room, self)

    async def handle(self, read: Message) -> None:
        """Do what a message asks for, or begin it; while much is in progress, wait."""
        if read["kind"] == "hello":
            await self.greet(read.get("table", MAIN))
        elif read["kind"] == "enter":
            await self._enter(read["table"])
        elif read["kind"] in ABOUT_TABLES:
            await self._lobby.answer(self, self._room.key, read)
        elif read["kind"] == ALIVE:
            self.send(letter({"kind": ALIVE}))
        elif read["kind"] == "visible":
            self._show(read["on"])
        elif read["kind"] == "lines":
            self._listen(read["on"])
        else:
            while len(self._tasks) >= MOST_AT_ONCE[self.admits.role]:
                await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            # By the room that the page is in now; it may enter another one right behind.
            task = asyncio.get_running_loop().create_task(self._answer(self._room, read))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _answer(self, room: Room, message: Message) -> None:
        await room.answer(self, message)

    async def _enter(self, table: str | None) -> None:
        """Go to a table; None is a new one."""
        try:
            room = await self._lobby.room(table)
        except (CannotDo, EngineFault) as error:
            self.send(letter(told(ERROR, str(error))))
            return
        if not self._ended:
            self.move(room)

    def _show(self, on: bool) -> None:
        self.visible = on
        if not on:
            self._outbox.forget("frame")
        self._room.look()

    def _listen(self, on: bool) -> None:
        """Begin with the last lines of the engines, or end."""
        self.listens = on
        for each in self._room.anew(self) if on else ():
            if each.kind == CONSOLE:
                self.send(each)

    async def _write(self) -> None:
        """Send the waiting messages, each after the page has accepted the one before."""
        while (letter := self._outbox.take()) is not None:
            await self.deliver(letter.text)
