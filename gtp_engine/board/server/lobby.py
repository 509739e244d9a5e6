"""The tables of a server: each is a desk with its pages; new ones are made on demand."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from gtp_engine.board.server.gate import HOST, Pass
from gtp_engine.board.server.invitations import Invitation, Invitations
from gtp_engine.board.server.room import Desk, Page, Room, letter
from gtp_engine.board.server.timers import Later, Waiting, later
from gtp_engine.board.table.messages import ERROR, CannotDo, Message, told
from gtp_engine.board.table.seat import COLORS
from gtp_engine.gtp.client.faults import EngineFault

if TYPE_CHECKING:
    from gtp_engine.board.server.network import Network

MAIN = "1"
"""The key of the first table, which lasts as long as the server."""

EXERCISE = "exercise"
"""The key of a table for exercises, alone or followed by `-` and a word: each page has its own."""

MOST_TABLES = 6
"""Most tables of games, the main one among them: each needs processes of its own."""

MOST_EXERCISES = 4
"""Most tables for exercises, unless more are in use: at most as many as a host may have pages."""

IDLE = 1800.0
"""Seconds after which a table that nobody is at ends; the main table stays."""

_ONLY_ONE = "There is only one table here."

ABOUT_TABLES = frozenset({"tables", "end", "invite", "uninvite", "network"})
"""The kinds of messages that the lobby answers, and no desk."""

Furnish = Callable[[str], Awaitable[Desk]]
"""Makes the desk of a new table from its key. Raises CannotDo."""


def is_for_exercises(key: str) -> bool:
    """Whether a table is for exercises; it is no game of anybody."""
    return key.startswith(EXERCISE)


class Lobby:
    """The tables by their keys, and the pages at them.

    rooms       -- the room of each table, by its key, in the order of their making
    invitations -- of guests to the tables
    network     -- how they come from other machines; None if they cannot
    entered     -- set when the first page has entered
    """

    def __init__(
        self,
        main: Desk,
        invitations: Invitations,
        furnish: Furnish | None = None,
        later: Later = later,
        network: "Network | None" = None,
    ) -> None:
        """Open the main table.

        furnish -- makes further tables; None if there is only one
        later   -- ends tables that nobody is at
        """
        self.invitations, self.network = invitations, network
        self.rooms = {MAIN: self._room_of(main, MAIN)}
        self.entered = asyncio.Event()
        self._furnish, self._later = furnish, later
        self._made = 1
        self._making = asyncio.Lock()
        self._ends: dict[str, Waiting] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def pages(self) -> list[Page]:
        """The pages at all tables."""
        return [page for room in self.rooms.values() for page in room.pages]

    async def room(self, key: str | None) -> Room:
        """The room of a table; None is a new one, or one that nobody uses. Raises CannotDo.

        A table for exercises is made when it is first asked for. For an unknown key, such as that
        of a table that has ended, it is the main one.
        """
        made = key is None or (is_for_exercises(key) and self._furnish is not None)
        if key in self.rooms or not made:
            return self.rooms.get(key or MAIN, self.rooms[MAIN])
        async with self._making:
            if key is None:
                unused = next(
                    (room for room in self.rooms.values() if not self._in_use(room)), None
                )
                return unused or await self._make_for_a_game()
            return self.rooms.get(key) or await self._make_for_exercises(key)

    async def restore(self, key: str) -> None:
        """Make a table that an earlier board had, if there is room for it. Raises CannotDo."""
        if key in self.rooms or len(self.rooms) >= MOST_TABLES or not key.isdecimal():
            return
        self._made = max(self._made, int(key))
        await self._make(key)

    async def invite_again(self, kept: Iterable[Message]) -> None:
        """Restore the invitations of an earlier board, where their tables are; see Invitations.

        A guest whose game went on has its seat already, wherever the players have exchanged colors.
        """
        for each in self.invitations.restore(one for one in kept if one["table"] in self.rooms):
            if each.admits.role in COLORS:
                with suppress(CannotDo):  # its seat is taken: by itself
                    await self.rooms[each.admits.table].seat_guest(each.admits.role, True)
            self._end_later(self.rooms[each.admits.table])

    def enter(self, room: Room, page: Page) -> None:
        """Let a page enter a room."""
        room.enter(page)
        self.entered.set()
        self._come_or_gone(room, page)

    def leave(self, room: Room, page: Page) -> None:
        """Let a page leave a room. If it was the last one, the table ends after a while."""
        if page in room.pages:
            room.leave(page)
            self._come_or_gone(room, page)

    def heard(self, room: Room, page: Page) -> None:
        """Note that a page has fallen silent, or answers again."""
        if page in room.pages:
            self._attend(room, page)

    async def answer(self, page: Page, table: str, message: Message) -> None:
        """Handle a request about tables and guests by a page at a table. Never raises."""
        try:
            match message:
                case {"kind": "tables"}:
                    self._tell_tables(page)
                case {"kind": "end", "table": str(key)}:
                    await self.end(key)
                case {"kind": "invite", "role": str(role), "base": str(base)}:
                    await self._invite(Pass(role, table), base)
                case {"kind": "uninvite", "guest": int(number)}:
                    await self._uninvite(number)
                case {"kind": "network", "on": bool(on)}:
                    self._open_network(on)
        except (CannotDo, EngineFault) as error:
            page.send(letter(told(ERROR, str(error))))

    def tables(self) -> Message:
        """The message `tables`, for hosts: the games that are in use, with their guests."""
        here = [page.admits for page in self.pages if page.hears]
        reached = None if self.network is None else self.network.address
        return {
            "kind": "tables",
            "public": reached is not None,
            "opened": self.network is not None and self.network.opened,
            "list": [
                {
                    "table": key,
                    "text": room.summary(),
                    "guests": [
                        each.shown(here.count(each.admits), reached)
                        for each in self.invitations.at(key)
                    ],
                }
                for key, room in self.rooms.items()
                if not is_for_exercises(key) and self._in_use(room)
            ],
        }

    def _in_use(self, room: Room) -> bool:
        """Whether its game has begun, or anybody is there or expected; exercises always are."""
        expected = room.pages or self.invitations.at(room.key)
        return is_for_exercises(room.key) or room.begun or bool(expected)

    async def end(self, key: str) -> None:
        """End a table; its pages go to the main one. Raises CannotDo for the main table."""
        if key == MAIN:
            raise CannotDo("The first table stays open. Begin a new game there instead.")
        room = self.rooms.get(key)
        if room is None:
            raise CannotDo("This table has ended already.")
        del self.rooms[key]  # before anything waits, so that nobody enters it or ends it again
        for each in self.invitations.at(key):
            self._dismiss(room, self.invitations.end(each.number))
        for page in list(room.pages):
            page.move(self.rooms[MAIN])
        self._leave_network()
        self._changed(room)
        await room.close(ended=True)

    async def _invite(self, admits: Pass, base: str) -> None:
        """Raises CannotDo."""
        if is_for_exercises(admits.table or ""):
            raise CannotDo("Nobody else can come to an exercise.")
        room = self.rooms[admits.table]
        made = self.invitations.make(admits, base)
        try:
            if admits.role in COLORS:
                await room.seat_guest(admits.role, True)
        except (CannotDo, EngineFault):
            self.invitations.end(made.number)
            raise
        self._changed(room)

    async def _uninvite(self, number: int) -> None:
        """Raises CannotDo."""
        ended = self.invitations.end(number)
        room = self.rooms[ended.admits.table]
        self._dismiss(room, ended)
        self._leave_network()
        if ended.admits.role in COLORS:
            await room.seat_guest(ended.admits.role, False)
        self._changed(room)

    def _open_network(self, on: bool) -> None:
        """Let guests come from the network, or no longer. Raises CannotDo."""
        if self.network is None:
            raise CannotDo("This board cannot be opened to the network.")
        if on:
            self.network.open()
        else:
            self.network.close()
        self._tell_hosts()

    def _tell_tables(self, page: Page) -> None:
        """Raises CannotDo, with a sentence for the page, if the links lead nowhere any more."""
        moved = self.network is not None and self.network.leave_former()
        page.send(letter(self.tables()))
        if moved:
            raise CannotDo(
                "This computer has another address now: the board is no longer open to your "
                "network. Open it again, and send the new link."
            )

    def _leave_network(self) -> None:
        """Close what was opened for guests when nobody is invited any more."""
        if self.network is not None and self.network.opened and not self.invitations:
            self.network.close()

    def _dismiss(self, room: Room, ended: Invitation) -> None:
        """End the pages that came by an invitation."""
        for page in list(room.pages):
            if page.admits is ended.admits:
                page.dismiss()

    def _come_or_gone(self, room: Room, page: Page) -> None:
        self._end_later(room)
        self._attend(room, page)

    def _attend(self, room: Room, page: Page) -> None:
        """Tell who is here; the host is at every table while a page of the host answers."""
        host = any(each.admits.role == HOST and each.hears for each in self.pages)
        if page.admits.role != HOST:
            self._tell_hosts()
        for each in self.rooms.values() if page.admits.role == HOST else (room,):
            each.attend(host)

    def _changed(self, room: Room) -> None:
        self._end_later(room)
        self._tell_hosts()

    def _end_later(self, room: Room) -> None:
        """Let a table end after a while if nobody is there or expected."""
        if waiting := self._ends.pop(room.key, None):
            waiting.cancel()
        empty = not room.pages and not self.invitations.at(room.key)
        if empty and room.key in self.rooms and room.key != MAIN:
            self._ends[room.key] = self._later(IDLE, partial(self._spawn_end, room.key))

    def _tell_hosts(self) -> None:
        tables = letter(self.tables())
        for page in self.pages:
            if page.admits.role == HOST:
                page.send(tables)

    async def close(self) -> None:
        """End all tables."""
        for waiting in self._ends.values():
            waiting.cancel()
        for task in self._tasks:
            task.cancel()
        for room in list(self.rooms.values()):
            await room.close()

    async def _make(self, key: str) -> Room:
        if self._furnish is None:
            raise CannotDo(_ONLY_ONE)
        room = self.rooms[key] = self._room_of(await self._furnish(key), key)
        self._changed(room)
        return room

    def _room_of(self, desk: Desk, key: str) -> Room:
        return Room(desk, key, alone=not self.invitations.most)

    async def _make_for_a_game(self) -> Room:
        """Make a table. If there are the most, the one that was left first ends for it."""
        if not self.invitations.most:
            raise CannotDo(_ONLY_ONE)
        if self._count(False) >= MOST_TABLES and self._left_first(False) is None:
            raise CannotDo(f"{MOST_TABLES} games are open. End one of them first.")
        self._made += 1
        room = await self._make(str(self._made))
        await self._end_left(False, MOST_TABLES, room.key)
        return room

    async def _make_for_exercises(self, key: str) -> Room:
        """Make a table for exercises, likewise; all may be in use."""
        room = await self._make(key)
        await self._end_left(True, MOST_EXERCISES, key)
        return room

    def _count(self, for_exercises: bool) -> int:
        return sum(is_for_exercises(key) == for_exercises for key in self.rooms)

    def _left_first(self, for_exercises: bool, kept: str = "") -> str | None:
        """The table that nobody has been at for longest."""
        keys = (key for key in self._ends if is_for_exercises(key) == for_exercises)
        return next((key for key in keys if key != kept), None)

    async def _end_left(self, for_exercises: bool, most: int, kept: str) -> None:
        """End tables at which nobody is, beyond the most that there may be."""
        while self._count(for_exercises) > most and (left := self._left_first(for_exercises, kept)):
            await self.end(left)

    def _spawn_end(self, key: str) -> None:
        task = asyncio.get_running_loop().create_task(self.end(key))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
