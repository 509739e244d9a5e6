"""All pages of one desk: its messages go to each of them, and their requests go to it."""

import asyncio
import json
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Protocol

from gtp_engine.base.log import logger
from gtp_engine.board.server.gate import HOST, WATCH, Pass
from gtp_engine.board.server.outbox import Letter
from gtp_engine.board.server.page_messages import KINDS, MAY_SEND, MAY_SEND_ALONE, may_hear
from gtp_engine.board.table.messages import ERROR, CannotDo, Listener, Message, told
from gtp_engine.gtp.client.faults import EngineFault

CONSOLE = "console"
"""The kind of the lines to and from engines; only a page that shows them gets them."""


class Desk(Protocol):
    """A game at a board that people play, or a match that they watch."""

    def hello(self) -> Message:
        """The message `hello`: everything available, beside the game."""
        ...

    def anew(self) -> list[Message]:
        """The messages that initialize a new page."""
        ...

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Subscribe to all messages for all pages. Returns a function that unsubscribes."""
        ...

    def summary(self) -> str:
        """What is played there, in a few words."""
        ...

    @property
    def begun(self) -> bool:
        """Whether the game is more than an untouched board."""
        ...

    async def seat_guest(self, color: str, there: bool) -> None:
        """Give the seat of a color to a guest, or take it back. Raises CannotDo."""
        ...

    def attend(self, here: Collection[str]) -> None:
        """Hear the role of each page that answers."""
        ...

    async def answer(self, message: Message, role: str) -> Message | None:
        """Handle the request of a page with a role. Returns the message for that page alone.

        The message was checked, and its role may send it. Raises CannotDo, or
        gtp.faults.EngineFault, with a sentence.
        """
        ...

    async def set_visible(self, on: bool) -> None:
        """Report whether anybody looks."""
        ...

    async def close(self, ended: bool = False) -> None:
        """End everything that was started.

        ended -- whether this table ends, and the server goes on
        """
        ...


class Page(Protocol):
    """A viewer's page.

    admits  -- what it may do
    visible -- whether its tab is in front
    listens -- whether it shows the lines of the engines
    hears   -- whether it answers, as far as we know
    turn    -- held by its request in progress that has an order, so that no page passes others
    """

    admits: Pass
    visible: bool
    listens: bool
    hears: bool
    turn: asyncio.Lock

    def move(self, room: "Room") -> None:
        """Go to another room."""
        ...

    def send(self, letter: Letter) -> None:
        """Send a message as soon as possible; must not wait."""
        ...

    async def lives(self) -> bool:
        """Whether it still answers; if not, it ends."""
        ...

    def dismiss(self) -> None:
        """End its socket: the invitation was closed."""
        ...


_OF_THE_HOST = ("progress", "lasts")  # what `hello` tells from the journal


class Room:
    """The desk of a table with its pages.

    key   -- names the table
    pages -- in the order of their entering
    """

    def __init__(self, desk: Desk, key: str, alone: bool = False) -> None:
        """`alone` says that nobody can come from other machines."""
        self.key = key
        self._alone = alone
        self.pages: list[Page] = []
        self._desk = desk
        self._turn = asyncio.Lock()
        self._looked_at = False
        self._hello = desk.hello()
        self._engines: object = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._stop_listening = desk.listen(self._tell_all)

    def enter(self, page: Page) -> None:
        """Add a page, initialize it, and send it all messages from now on."""
        self.pages.append(page)
        for each in self.anew(page):
            page.send(each)
        self.look()

    def leave(self, page: Page) -> None:
        """Remove a page, if it is still there."""
        if page in self.pages:
            self.pages.remove(page)
            self.look()

    def look(self) -> None:
        """Tell the desk whether anybody looks, if that has changed."""
        looked_at = any(page.visible for page in self.pages)
        if looked_at != self._looked_at:
            self._looked_at = looked_at
            task = asyncio.get_running_loop().create_task(self._tell_desk(looked_at))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def anew(self, page: Page) -> list[Letter]:
        """The messages that initialize a page."""
        heard = (each for each in self._desk.anew() if _hears(page, each["kind"]))
        return list(map(letter, (self._greeting(page.admits.role), *heard)))

    def summary(self) -> str:
        """What is played here, in a few words."""
        return self._desk.summary()

    @property
    def begun(self) -> bool:
        """Whether the game is more than an untouched board."""
        return self._desk.begun

    async def seat_guest(self, color: str, there: bool) -> None:
        """Give the seat of a color to a guest, or take it back. Raises CannotDo."""
        async with self._turn:
            await self._desk.seat_guest(color, there)

    def attend(self, host: bool) -> None:
        """Tell the desk who is here; `host` says whether a page of the host is at any table."""
        here = [page.admits.role for page in self.pages if page.hears]
        self._desk.attend(here + [HOST] * host)

    async def answer(self, page: Page, message: Message) -> None:
        """Handle a page's request, and send it the result. Never raises."""
        role = page.admits.role
        try:
            if KINDS[message["kind"]].in_order:
                async with page.turn, self._turn:
                    reply = await self._desk.answer(message, role)
            else:
                reply = await self._desk.answer(message, role)
        except CannotDo as error:
            reply = told(ERROR, str(error), error.engine)
        except EngineFault as error:
            reply = told(ERROR, f"{error}.")
        except Exception as error:  # one page's request must not end everybody's game
            logger().exception("{} failed", message["kind"])
            reply = told(ERROR, f"Internal error of the server: {type(error).__name__}.")
        if reply is not None and page in self.pages:
            page.send(letter(reply))

    async def close(self, ended: bool = False) -> None:
        """End the desk; see Desk."""
        self._stop_listening()
        for task in self._tasks:
            task.cancel()
        await self._desk.close(ended)

    def _tell_all(self, message: Message) -> None:
        if hearing := [page for page in self.pages if _hears(page, message["kind"])]:
            written = letter(message)
            for page in hearing:
                page.send(written)
        if message["kind"] == "state" and message.get("engines") != self._engines:
            self._engines = message.get("engines")
            self._tell_of_engines()

    def _tell_of_engines(self) -> None:
        """Send `hello` again when an engine has started or ended."""
        if (hello := self._desk.hello()) != self._hello:
            self._hello = hello
            for page in self.pages:
                page.send(letter(self._greeting(page.admits.role)))

    def _greeting(self, role: str) -> Message:
        hello = self._desk.hello() | {"table": self.key, "role": role}
        if role == HOST:
            return hello | {"may_send": sorted(MAY_SEND_ALONE)} if self._alone else hello
        shown = {key: value for key, value in hello.items() if key not in _OF_THE_HOST}
        return shown | {"readonly": role == WATCH, "may_send": sorted(MAY_SEND[role])}

    async def _tell_desk(self, looked_at: bool) -> None:
        """Nobody waits for a result; the desk reports failing engines."""
        with suppress(CannotDo, EngineFault):
            await self._desk.set_visible(looked_at)


def _hears(page: Page, kind: str) -> bool:
    """Whether a page is told the messages of a kind now."""
    shows = {"frame": page.visible, CONSOLE: page.listens}.get(kind, True)
    return shows and may_hear(page.admits.role, kind)


def letter(message: Message) -> Letter:
    """A message in JSON in ASCII, so that one character is one byte."""
    return Letter(message["kind"], json.dumps(message, separators=(",", ":")))
