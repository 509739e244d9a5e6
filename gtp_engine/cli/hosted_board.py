"""The board where JavaScript runs it: its tables, its engines and its journal in one interpreter.

They are those of `gtp-board`. Engines are sessions that take turns (browser/inner_engine.py), the
page talks over a port, and the browser keeps a copy of the journal's file.
"""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gtp_engine import ENGINE_NAME
from gtp_engine.base.log import logger
from gtp_engine.board.journal.file import JournalFailed
from gtp_engine.board.journal.journal import Journal, JournalGames
from gtp_engine.board.server.invitations import Invitations
from gtp_engine.board.server.lobby import MAIN, Lobby
from gtp_engine.board.server.port import PagePort
from gtp_engine.board.server.room import letter
from gtp_engine.board.table.explorer import Explorer
from gtp_engine.board.table.messages import ERROR, INFO, told
from gtp_engine.browser import core
from gtp_engine.browser.host import Host
from gtp_engine.browser.inner_engine import InnerEngine, Turns
from gtp_engine.cli.board_tables import Tables
from gtp_engine.cli.hosted import Program, prepare
from gtp_engine.gtp.client.child import Launch

if TYPE_CHECKING:
    from gtp_engine.browser.javascript import JavaScriptStacks

_NAME = "journal.db"
_LATER = 0.05  # seconds from a change of the journal to its copy; the page gets its answer first
_REST, _LONGEST_REST = 10, 1.0  # after a copy, in times that it took; seconds
_AGAIN, _LONGEST_PAUSE = 10.0, 300.0  # seconds until what was refused is tried again
_NOT_KEPT = "This tab keeps your games only until it is closed."
_FAILS, _WORKS = "Your games are not kept now: {}.", "Your games are kept again."


class Copy:
    """The browser's copy of the journal's file, which follows it.

    What the browser refuses stays due: it is tried again at the next change, and from time to time
    without one, since the person may go on in a way that changes nothing, or not at all. Meanwhile
    the journal takes all changes.

    fault -- why the browser refused the last copy, "" if it did not
    tell  -- gets the fault when it begins, and "" when it is over
    """

    def __init__(self, save: Callable[[], Awaitable[str]]) -> None:
        """`save` makes a copy; it returns why the browser refused, "" if it did not."""
        self.fault = ""
        self.tell: Callable[[str], object] = lambda fault: None
        self._save = save
        self._journal: Journal | None = None
        self._due, self._changed = asyncio.Event(), False
        self._saving: asyncio.Task[None] | None = None
        self._rested = 0.0

    def opened(self, path: Path) -> Journal:
        """The journal in a file. Raises JournalFailed."""
        self._journal = Journal(path, before_write=self.follow)
        return self._journal

    def follow(self) -> None:
        """Copy the file soon: it is about to change."""
        self._due.set()
        self._changed = True
        if self._saving is None or self._saving.done():
            self._saving = asyncio.get_running_loop().create_task(self._copy())

    async def _copy(self) -> None:
        """Copy the file until the copy is the newest."""
        loop, pause = asyncio.get_running_loop(), _AGAIN
        while self._due.is_set() and self._journal is not None:
            # A running clock changes the journal all the time, and each copy is one of all games.
            await asyncio.sleep(max(_LATER, self._rested - loop.time()))
            self._due.clear()
            self._changed = False
            began = loop.time()
            fault = await self._refusal(self._journal)
            self._rested = loop.time() + min(_REST * (loop.time() - began), _LONGEST_REST)
            self._note(fault)
            if fault:
                timer = loop.call_later(pause, self._due.set)
                await self._due.wait()
                timer.cancel()
            pause = min(2 * pause, _LONGEST_PAUSE) if fault and not self._changed else _AGAIN

    async def _refusal(self, journal: Journal) -> str:
        """Copy the file; returns why that failed, "" if it did not."""
        try:
            journal.gather()
            return await self._save()
        except JournalFailed as error:
            return str(error).replace(str(journal.path), _NAME)
        except Exception as error:  # JavaScript throws what it likes
            return f"the browser says: {error}"

    def _note(self, fault: str) -> None:
        before, self.fault = self.fault, fault
        if fault and not before:
            logger().warning("{}.", fault)
        if bool(fault) != bool(before):
            self.tell(fault)


def begun(given: Any) -> Awaitable[PagePort]:
    """The board, as the port of its page.

    given -- the worker, an object of JavaScript; see site/board-worker.js
    """
    from gtp_engine.browser.javascript import JavaScriptStacks, use_own_loop

    use_own_loop()  # a task belongs to the loop in which it begins
    return _begun(given, JavaScriptStacks(given))


async def _begun(given: Any, stacks: "JavaScriptStacks") -> PagePort:
    turns = Turns(stacks, stacks)
    prepare(turns, stacks.memory_mb)
    core.between_slices(turns.listen, short=True)
    copy = Copy(given.save)
    journal = _journal(str(given.folder), str(given.trouble), copy)
    lobby = await opened(partial(InnerEngine, turns, _program), journal)
    gc.freeze()  # most objects of the program stay for ever; see Turns
    return Port(lobby, given.post, copy, turns.make_way)


class Port(PagePort):
    """The port of the page: searches make way for what it asks, and it hears of a failing copy."""

    def __init__(
        self,
        lobby: Lobby,
        post: Callable[[str], object],
        copy: Copy,
        make_way: Callable[[], object],
    ) -> None:
        """See PagePort; `make_way` has searches do so."""
        super().__init__(lobby, post)
        self._copy, self._make_way = copy, make_way
        copy.tell = self._tell

    def hear(self, text: str) -> None:
        """See PagePort."""
        self._make_way()
        super().hear(text)

    async def greet(self, table: str) -> None:
        """See Visit."""
        await super().greet(table)
        if self._copy.fault:
            self._tell(self._copy.fault)

    def _tell(self, fault: str) -> None:
        """Tell a page that has said hello; another one hears it then."""
        if self in self._lobby.pages:
            level, text = (ERROR, _FAILS.format(fault)) if fault else (INFO, _WORKS)
            self.send(letter(told(level, text)))


def _program(host: Host) -> Program:
    return Program(host, ())


def _journal(folder: str, trouble: str, copy: Copy) -> Journal:
    """The journal in a folder; in memory without one, or if its file cannot be used.

    trouble -- why there is no folder
    """
    if folder:
        try:
            return copy.opened(Path(folder, _NAME))
        except JournalFailed as error:
            trouble = f"{error}."
    return Journal(trouble=f"{trouble} {_NOT_KEPT}")


async def opened(engine: Launch, journal: Journal) -> Lobby:
    """The tables; nobody else can come to them. Raises CannotDo or EngineFault."""
    past = [] if journal.path is None else [JournalGames(journal.path)]
    tables = Tables({ENGINE_NAME: engine}, journal, Explorer(engine, past), board=engine)
    return Lobby(await tables.furnished(MAIN), Invitations({}, most=0), tables.furnished)
