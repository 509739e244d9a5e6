"""Keeps in the journal the game of a table, after each change, the adaptive level, and mistakes."""

import asyncio
import json
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from datetime import date

from gtp_engine.base.log import logger
from gtp_engine.board.journal.file import JournalFailed
from gtp_engine.board.journal.journal import Journal
from gtp_engine.board.journal.rows import GameRow, game_row, node_row, picture_of
from gtp_engine.board.table.adaptive import Adaptive
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.repetition import Repetition
from gtp_engine.board.table.table import Table
from gtp_engine.board.table.variations import GameNode, GameTree
from gtp_engine.rules.records.marks import number_of_marks

_CLOCK = 0.25
"""Seconds between two notes of a running clock, unless very much time is left."""

_CLOCK_PART = 7200
"""Which part of the time that is left may pass between two notes: in days, half a minute."""


class Keeper:
    """The game of one table in the journal.

    It hears of each change before the pages do, so they never see a turn that is not kept. A game
    without a turn, a comment or a mark is kept only while it is shown to a guest. If the journal
    fails, the game goes on, the people are told once, and what is missing is written at the next
    change.

    key  -- the key of the table
    game -- the id of its game, None while that is not kept
    """

    def __init__(self, table: Table, journal: Journal, key: str) -> None:
        """Begin to listen; whoever listens later hears after the journal."""
        self.key = key
        self.game: int | None = None
        self._table, self._journal = table, journal
        self._tree: GameTree | None = None
        self._shown: GameNode | None = None
        self._coming: tuple[GameTree, int] | None = None
        self._whole = True
        self._changed: dict[int, GameNode] = {}
        self._dropped: list[int] = []
        self._written: tuple[GameRow, str] | None = None
        self._failed = False
        self._clock: asyncio.TimerHandle | None = None
        self._stop = table.listen(self._hear)

    async def resume(self, guests: Collection[str] = ()) -> bool:
        """Go on with the game that this table showed when a board ended; tells whether it does.

        guests -- see Keeping.resume
        """
        try:
            for game in self._journal.shown_at(self.key):
                if self._journal.claim(game):
                    await self._show(game, guests)
                    return True
        except JournalFailed as error:
            self._table.tell(f"{self._public(error)}.", True)
        except CannotDo as error:
            self._table.tell(f"The last game cannot be shown. {error}", True)
        return False

    async def open(self, game: int) -> None:
        """Show a game of the list, which goes on. Raises CannotDo without any change."""
        if game == self.game:
            return
        try:
            if not self._journal.claim(game):
                raise CannotDo("This game is at another table, or on another board.")
            await self._show(game)
        except JournalFailed as error:
            raise CannotDo(f"{error}.") from None

    def close(self, ended: bool = False) -> None:
        """Stop listening, and let go of the game.

        ended -- whether the table ends, not the board: the next board goes on with a game that is
                 not over only if the board has ended
        """
        self._stop()
        self._note_clock()
        self._stop_clock()
        if ended or (self._tree is not None and self._tree.end.over):
            self._leave()
        elif self.game is not None:
            self._journal.release(self.game)

    async def _show(self, game: int, guests: Collection[str] = ()) -> None:
        """Show a game that was claimed. Raises CannotDo and JournalFailed."""
        try:
            kept = self._journal.load(game, self._table.keeping.kept.tree.ids)
            self._coming = kept.tree, game
            await self._table.keeping.resume(kept, guests)
        except BaseException:
            self._journal.release(game)
            raise
        finally:
            self._coming = None

    def _hear(self, message: Message) -> None:
        if message["kind"] == "state":
            self._note_times()
            self._write()
            self._follow_clock()
        elif message["kind"] == "nodes":
            if message["reset"]:
                self._begin()
            else:
                self._note([node["id"] for node in message["set"]], message["drop"])
            self._write()

    def _begin(self) -> None:
        """Turn to another game, which is new to the journal, or comes from it with new ids."""
        self._keep_clock()
        self._leave()
        self._tree, self._whole = self._table.keeping.kept.tree, True
        if self._coming is not None and self._coming[0] is self._tree:
            self.game = self._coming[1]

    def _leave(self) -> None:
        """Let go of the game that was shown."""
        game, self.game = self.game, None
        empty = self._tree is not None and _is_empty(self._tree)
        self._changed, self._dropped, self._written = {}, [], None
        if game is not None:
            self._attempt(lambda: (self._journal.delete if empty else self._journal.hide)(game))
            self._journal.release(game)

    def _note(self, changed: Iterable[int], dropped: Iterable[int]) -> None:
        tree = self._table.keeping.kept.tree
        tree.changed = time.time()
        self._changed |= {number: tree.node(number) for number in changed}
        for number in dropped:
            self._changed.pop(number, None)
            self._dropped.append(number)

    def _note_times(self) -> None:
        """Its clocks are told after a turn, and when they stop: also that of a node left behind."""
        kept = self._table.keeping.kept
        for node in (self._shown, kept.node):
            if node is not None and node.times is not None and node in kept.tree:
                self._changed[node.id] = node
        self._shown = kept.node

    def _follow_clock(self) -> None:
        """While a clock runs, keep from time to time what is left: the board may be killed."""
        running = self._table.keeping.running
        if running is None:
            self._stop_clock()
        elif self._clock is None:
            seconds = max(_CLOCK, min(running) / _CLOCK_PART)
            self._clock = asyncio.get_running_loop().call_later(seconds, self._tick)

    def _tick(self) -> None:
        self._clock = None
        self._note_clock()
        self._follow_clock()

    def _note_clock(self) -> None:
        """Keep what a running clock shows at the shown node.

        Whoever takes the next turn back gets its time back, so that writes the node's own times.
        """
        keeping, game = self._table.keeping, self.game
        node, running = keeping.kept.node, keeping.running
        if game is not None and running is not None and not self._whole:
            self._changed[node.id] = node
            self._attempt(lambda: self._journal.write_node(game, node_row(node, running)))

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _keep_clock(self) -> None:
        """Keep what the running turn has used before another game is shown."""
        game, node, written = self.game, self._shown, self._written
        self._shown = None
        if node is None or node.times is None or self._tree is None or node not in self._tree:
            return
        if game is not None and written is not None:
            self._attempt(lambda: self._journal.write_node(game, node_row(node)))

    def _write(self) -> None:
        """Write what has changed since the last time."""
        kept = self._table.keeping.kept
        guest = any(seat.guest for seat in kept.seats.values())
        if self.game is None and _is_empty(kept.tree) and not guest:
            return
        row, picture = game_row(kept), picture_of(self._table.view)
        if self._whole or self._changed or self._dropped or (row, picture) != self._written:
            self._attempt(lambda: self._put(row, picture))

    def _put(self, row: GameRow, picture: str) -> None:
        """Raises JournalFailed."""
        nodes = self._table.keeping.kept.tree if self._whole else self._changed.values()
        self.game = self._journal.write(
            self.game,
            row,
            picture,
            map(node_row, nodes),
            None if self._whole else self._dropped,
            table=self.key,
        )
        self._whole, self._changed, self._dropped = False, {}, []
        self._written = row, picture

    def _attempt(self, work: Callable[[], object]) -> None:
        try:
            work()
        except JournalFailed as error:
            if not self._failed:
                text = f"Your games are not kept now: {self._public(error)}."
                self._table.tell_after_state(text, True)
            self._failed = True
        else:
            if self._failed:
                self._table.tell_after_state("Your games are kept again.", False)
            self._failed = False

    def _public(self, error: JournalFailed) -> str:
        """What guests may know of a failure: not the folder, which the log names."""
        logger().warning("{}.", error)
        path = self._journal.path
        return str(error) if path is None else str(error).replace(str(path), path.name)


def _is_empty(tree: GameTree) -> bool:
    """Whether a game has no turn, and nothing was said about its start."""
    root = tree.root
    return len(tree) == 1 and not (root.comment or number_of_marks(root.read.properties))


_ADAPTIVE = "adaptive"
_RETURNING = "returning mistakes"


def keep_adaptive(table: Table, journal: Journal) -> None:
    """Set the adaptive level, and note it whenever it changes at any table that shares it.

    table -- the first one, which was started

    A journal that fails keeps nothing; its keeper tells the people.
    """
    with suppress(JournalFailed, ValueError):
        match json.loads(journal.note(_ADAPTIVE) or "null"):
            case [int(level), bool(climbing)] if table.adaptive.knows(level):
                table.adaptive.state = Adaptive(level, climbing)
    noted = table.adaptive.state

    def hear() -> None:
        nonlocal noted
        if table.adaptive.state != noted:
            noted = table.adaptive.state
            with suppress(JournalFailed):
                journal.keep_note(_ADAPTIVE, json.dumps(noted))

    table.adaptive.shared_level.listen(hear)


def kept_repetition(journal: Journal, today: Callable[[], date] = date.today) -> Repetition:
    """The mistakes that come again, noted after each change.

    A journal that fails keeps nothing; a note that cannot be read is left as it is until then.
    """

    def keep(text: str) -> None:
        with suppress(JournalFailed):
            journal.keep_note(_RETURNING, text)

    returning = Repetition(keep, today)
    with suppress(JournalFailed, ValueError):
        returning.read(journal.note(_RETURNING) or "[]")
    return returning
