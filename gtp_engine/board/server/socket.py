"""The WebSocket of one page."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any, cast

from tornado.iostream import IOStream
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from gtp_engine.board.server.gate import HOST, Gate
from gtp_engine.board.server.lobby import ABOUT_TABLES, MAIN, Lobby
from gtp_engine.board.server.outbox import Letter, Outbox
from gtp_engine.board.server.requests import (
    LARGEST_MESSAGE,
    LARGEST_OF_A_GUEST,
    MOST_AT_ONCE,
    MOST_PAGES,
    RATE,
    Unacceptable,
    may_send,
    read_message,
)
from gtp_engine.board.server.room import CONSOLE, Page, Room, letter
from gtp_engine.board.server.static import Guarded
from gtp_engine.board.server.timers import Later, Waiting, later
from gtp_engine.board.server.token_limits import Allowance, Holders
from gtp_engine.board.table.messages import ERROR, CannotDo, Message, told
from gtp_engine.gtp.client.faults import EngineFault

POLICY_VIOLATION, TRY_LATER, NOT_INVITED = 1008, 1013, 4001
"""Close codes: for messages that no page of ours sends, for too many pages, and for a guest whose
invitation was closed."""

FIRST_MESSAGE = 10.0  # seconds within which a socket must say hello

ALIVE = "alive"
"""The kind of a page's heartbeat, both the question and the answer."""

SILENCE = 6.0
"""Seconds after which a visible page that has sent heartbeats no longer hears us."""

WORK = 1.0
"""Seconds between two heartbeats of ours while a message takes long, and later ones are unread."""

PROBE = 2.0
"""Seconds within which a page must answer a ping to keep its place when another page comes."""


class PageSocket(Guarded, WebSocketHandler):
    """Passes messages between a page and the room it is in."""

    def initialize(self, lobby: Lobby, holders: Holders, later: Later) -> None:
        """Attach to a lobby; no messages are sent before the page has said hello.

        holders -- who have come by each token
        later   -- ends the socket if no hello comes, or no answer to a ping
        """
        self._gate: Gate = self.settings["gate"]  # of the address that the page came to
        self._later = later
        self._token = self._gate.token_of(self.request.path) or ""
        self.admits = self._gate.passes[self._token]
        self._holder = holders.of(self.admits)
        self.visible, self.listens, self.hears = True, False, True
        self.turn = asyncio.Lock()
        self._lobby = lobby
        self._room = lobby.rooms[MAIN]
        self._allowance = Allowance(*RATE[self.admits.role])
        self._outbox = Outbox(lambda: self._room.anew(self))
        self._greeted = self._ended = False
        self._pings: set[asyncio.Future[bool]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writer: asyncio.Task[None] | None = None
        self._patience: Waiting | None = None
        self._silence: Waiting | None = None
        self._working: Waiting | None = None

    def check_origin(self, origin: str) -> bool:
        """Accept: the gate has checked it before."""
        return True

    def open(self, *args: str, **kwargs: str) -> None:
        """Start waiting for the first message."""
        assert self.ws_connection is not None
        self._stream = cast(IOStream, self.ws_connection.stream)
        self.set_nodelay(True)
        self._holder.wait(self)
        self._patience = self._later(
            FIRST_MESSAGE, partial(self._end, POLICY_VIOLATION, "no hello in time")
        )

    async def on_message(self, message: str | bytes) -> None:
        """Handle a message; while too many are in progress, the next one stays unread."""
        if self._ended:
            return
        try:
            if not self._allowance.take(1.0 + len(message) / LARGEST_MESSAGE):
                raise Unacceptable("too many messages")
            if self.admits.role != HOST and len(message) > LARGEST_OF_A_GUEST:
                raise Unacceptable("too large")
            read = read_message(message)
            if not may_send(self.admits.role, read):
                raise Unacceptable("not for guests")
            if not self._greeted and read["kind"] != "hello":
                raise Unacceptable("no hello")
        except Unacceptable as error:
            self._end(POLICY_VIOLATION, str(error))
            return
        self._note_life(read["kind"] == ALIVE)
        self._working = self._later(WORK, self._beat)
        try:
            await self._handle(read)
        finally:
            self._working.cancel()

    async def _handle(self, read: Message) -> None:
        """Do what a message asks for, or begin it."""
        if read["kind"] == "hello":
            await self._greet(read.get("table", MAIN))
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
            task = asyncio.get_running_loop().create_task(self._answer(read))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def on_close(self) -> None:
        """Leave the room; requests in progress continue."""
        self._ended = True
        for waiting in (self._patience, self._silence, self._working):
            if waiting is not None:
                waiting.cancel()
        if self._writer is not None:
            self._writer.cancel()
        self._lobby.leave(self._room, self)
        self._holder.forget(self)

    def send(self, letter: Letter) -> None:
        """Send a message when the page has read the earlier ones."""
        self._outbox.put(letter)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.get_running_loop().create_task(self._write())

    async def lives(self) -> bool:
        """Whether the browser answers a ping; if not, the socket ends."""
        answered = asyncio.get_running_loop().create_future()
        self._pings.add(answered)
        end = self._later(PROBE, partial(_settle, answered, False))
        try:
            self.ping()
            if await answered:
                return True
        except WebSocketClosedError:
            pass
        finally:
            end.cancel()
            self._pings.discard(answered)
        self._end(TRY_LATER, "no answer")
        return False

    def on_pong(self, data: bytes) -> None:
        """Note that the browser answers."""
        for answered in self._pings:
            _settle(answered, True)

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

    def dismiss(self) -> None:
        """End: the invitation was closed."""
        self._end(NOT_INVITED, "the invitation was closed")

    def cut(self) -> None:
        """End without waiting for the browser: its token has too many sockets at no table."""
        self._leave(TRY_LATER, "too many pages")
        self._stream.close()

    async def _answer(self, message: Message) -> None:
        """Let the room answer; records of one token are made one after the other."""
        if message["kind"] == "save":
            async with self._holder.saving:
                await self._room.answer(self, message)
        else:
            await self._room.answer(self, message)

    async def _greet(self, table: str) -> None:
        if self._greeted:
            return
        self._greeted = True
        if self._patience is not None:
            self._patience.cancel()
        if not (self._holder.hellos.take() and await self._has_place()):
            self._end(TRY_LATER, "too many pages")
            return
        if self._token not in self._gate.passes:
            self.dismiss()
            return
        with suppress(CannotDo, EngineFault):  # then it enters the main room
            self._room = await self._lobby.room(self.admits.table or table)
        if not self._ended:
            self._holder.forget(self)
            self._lobby.enter(self._room, self)

    async def _has_place(self) -> bool:
        """Whether one more page may enter. Pages that no longer answer make way."""
        most = MOST_PAGES[self.admits.role]
        if len(self._siblings) >= most:
            await asyncio.gather(*(page.lives() for page in self._siblings))
        return len(self._siblings) < most

    @property
    def _siblings(self) -> list[Page]:
        """The pages that have come by the same token."""
        return [page for page in self._lobby.pages if page.admits is self.admits]

    async def _enter(self, table: str | None) -> None:
        """Go to a table; None is a new one."""
        try:
            room = await self._lobby.room(table)
        except (CannotDo, EngineFault) as error:
            self.send(letter(told(ERROR, str(error))))
            return
        if not self._ended:
            self.move(room)

    def _note_life(self, beats: bool) -> None:
        """The page has sent something; `beats` says that it is its heartbeat.

        Browsers slow down the timers of hidden pages, so only a visible one can fall silent. One
        that never sends heartbeats, such as a script, cannot either.
        """
        known = self._silence is not None
        if self._silence is not None:
            self._silence.cancel()
        if beats or known:
            self._silence = self._later(SILENCE, self._fall_silent)
        if not self.hears:
            self.hears = True
            self._lobby.heard(self._room, self)

    def _beat(self) -> None:
        """A message takes long. The page's heartbeats wait behind it: answer, and do not judge."""
        if self._silence is not None and not self._ended:
            self.send(letter({"kind": ALIVE}))
            self._note_life(True)
        self._working = self._later(WORK, self._beat)

    def _fall_silent(self) -> None:
        if self.visible and not self._ended:
            self.hears = False
            self._lobby.heard(self._room, self)

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
        try:
            while (letter := self._outbox.take()) is not None:
                await self.write_message(letter.text)
        except WebSocketClosedError:
            return

    def _end(self, code: int, reason: str) -> None:
        """Close the socket with a reason; its connection stays until the browser agrees."""
        self._leave(code, reason)
        if not self._stream.closed():
            self._holder.wait(self)

    def _leave(self, code: int, reason: str) -> None:
        self._ended = True
        self._lobby.leave(self._room, self)
        self.close(code, reason)


def _settle(answered: "asyncio.Future[bool]", lives: bool) -> None:
    if not answered.done():
        answered.set_result(lives)


def route(lobby: Lobby, later: Later = later) -> tuple[str, type[WebSocketHandler], dict[str, Any]]:
    """The route of the socket, after the token; see PageSocket."""
    return "socket", PageSocket, {"lobby": lobby, "holders": Holders(), "later": later}
