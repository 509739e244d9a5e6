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
from gtp_engine.board.journal.file import JournalFailed
from gtp_engine.board.journal.journal import Journal, JournalGames
from gtp_engine.board.server.invitations import Invitations
from gtp_engine.board.server.lobby import MAIN, Lobby
from gtp_engine.board.server.port import PagePort
from gtp_engine.board.table.explorer import Explorer
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
_NOT_KEPT = "This tab keeps your games only until it is closed."


class Copy:
    """The browser's copy of the journal's file, which follows it."""

    def __init__(self, save: Callable[[], Awaitable[str]]) -> None:
        """`save` makes a copy; it returns why the browser refused, "" if it did not."""
        self._save = save
        self._journal: Journal | None = None
        self._due = False
        self._saving: asyncio.Task[None] | None = None
        self._fault = ""

    def opened(self, path: Path) -> Journal:
        """The journal in a file. Raises JournalFailed."""
        self._journal = Journal(path, before_write=self.follow)
        return self._journal

    def follow(self) -> None:
        """Copy the file soon. Raises JournalFailed if the browser refused the last copy."""
        self._due = True
        if self._saving is None or self._saving.done():
            self._saving = asyncio.get_running_loop().create_task(self._copy())
        if self._fault:
            raise JournalFailed(self._fault)

    async def _copy(self) -> None:
        """Copy the file until the copy is the newest."""
        while self._due and self._journal is not None:
            await asyncio.sleep(_LATER)
            self._due = False
            try:
                self._journal.gather()
                self._fault = await self._save()
            except JournalFailed as error:
                self._fault = str(error)


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
    journal = _journal(str(given.folder), str(given.trouble), Copy(given.save))
    lobby = await opened(partial(InnerEngine, turns, _program), journal)
    gc.freeze()  # most objects of the program stay for ever; see Turns
    return _Port(lobby, given.post, turns)


class _Port(PagePort):
    """The port of the page: searches make way for what it asks."""

    def __init__(self, lobby: Lobby, post: Callable[[str], object], turns: Turns) -> None:
        super().__init__(lobby, post)
        self._turns = turns

    def hear(self, text: str) -> None:
        """See PagePort."""
        self._turns.make_way()
        super().hear(text)


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
