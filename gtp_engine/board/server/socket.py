"""The WebSocket of one page."""

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any, cast

from tornado.iostream import IOStream
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from gtp_engine.board.server.gate import HOST, Gate
from gtp_engine.board.server.lobby import Lobby
from gtp_engine.board.server.page_messages import (
    LARGEST_MESSAGE,
    LARGEST_OF_A_GUEST,
    MOST_PAGES,
    RATE,
    Unacceptable,
    may_send,
    read_message,
)
from gtp_engine.board.server.room import Page, Room, letter
from gtp_engine.board.server.static import Guarded
from gtp_engine.board.server.timers import Later, Waiting, later
from gtp_engine.board.server.token_limits import Allowance, Holders
from gtp_engine.board.server.visit import ALIVE, Visit
from gtp_engine.board.table.messages import Message

POLICY_VIOLATION, TRY_LATER, NOT_INVITED = 1008, 1013, 4001
"""Close codes: for messages that no page of ours sends, for too many pages, and for a guest whose
invitation was closed."""

FIRST_MESSAGE = 10.0  # seconds within which a socket must say hello

SILENCE = 6.0
"""Seconds after which a visible page that has sent heartbeats no longer hears us."""

WORK = 1.0
"""Seconds between two heartbeats of ours while a message takes long, and later ones are unread."""

PROBE = 2.0
"""Seconds within which a page must answer a ping to keep its place when another page comes."""


class PageSocket(Visit, Guarded, WebSocketHandler):
    """Passes messages between a page and the room it is in."""

    def initialize(self, lobby: Lobby, holders: Holders, later: Later) -> None:
        """Attach to a lobby; no messages are sent before the page has said hello.

        holders -- who have come by each token
        later   -- ends the socket if no hello comes, or no answer to a ping
        """
        self._gate: Gate = self.settings["gate"]  # of the address that the page came to
        self._later = later
        self._token = self._gate.token_of(self.request.path) or ""
        self.come(lobby, self._gate.passes[self._token])
        self._holder = holders.of(self.admits)
        self._allowance = Allowance(*RATE[self.admits.role])
        self._greeted = False
        self._pings: set[asyncio.Future[bool]] = set()
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
            await self.handle(read)
        finally:
            self._working.cancel()

    def on_close(self) -> None:
        """Leave the room; requests in progress continue."""
        for waiting in (self._patience, self._silence, self._working):
            if waiting is not None:
                waiting.cancel()
        self.go()
        self._holder.forget(self)

    async def deliver(self, text: str) -> None:
        """See Visit: returns when the page has accepted the message."""
        await self.write_message(text)

    async def _write(self) -> None:
        """Send what waits, as long as the socket is open."""
        with suppress(WebSocketClosedError):
            await super()._write()

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

    def dismiss(self) -> None:
        """End: the invitation was closed."""
        self._end(NOT_INVITED, "the invitation was closed")

    def cut(self) -> None:
        """End without waiting for the browser: its token has too many sockets at no table."""
        self._leave(TRY_LATER, "too many pages")
        self._stream.close()

    async def _answer(self, room: Room, message: Message) -> None:
        """Let the room answer; records of one token are made one after the other."""
        if message["kind"] == "save":
            async with self._holder.saving:
                await super()._answer(room, message)
        else:
            await super()._answer(room, message)

    async def greet(self, table: str) -> None:
        """Enter the room of a table once, if there is a place for this page."""
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
        await super().greet(self.admits.table or table)
        if not self._ended:
            self._holder.forget(self)

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
