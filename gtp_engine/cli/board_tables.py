"""The tables of a board, with a server or without: what each of them has, and how it begins."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from gtp_engine import ENGINE_NAME
from gtp_engine.board.journal.journal import Journal
from gtp_engine.board.journal.keeper import Keeper, keep_adaptive, kept_repetition
from gtp_engine.board.server.journal_answers import JournalAnswers
from gtp_engine.board.server.lobby import MAIN, is_for_exercises
from gtp_engine.board.server.play_desk import PlayDesk
from gtp_engine.board.table.adaptive import SharedLevel
from gtp_engine.board.table.explorer import Explorer
from gtp_engine.board.table.gathered import Gathered
from gtp_engine.board.table.messages import Listener
from gtp_engine.board.table.seat import ADAPTIVE, PERSON, Seat
from gtp_engine.board.table.table import Table
from gtp_engine.gtp.client.child import Launch

PACE = 0.6
"""Shortest time per turn, in seconds, while engines play each other, so that people can follow."""


@dataclass
class Tables:
    """What all tables of a board share, and how the first one begins.

    engines   -- those that can play, by name
    board     -- checks turns, draws and analyzes; None for our engine
    listeners -- of every message of every table
    game      -- the first game, None for the board engine's; so is `size`
    level     -- of the engine that plays the second color at first, None for its own
    anew      -- begin a game even if an earlier board has left one
    """

    engines: Mapping[str, Launch]
    journal: Journal
    explorer: Explorer
    board: Launch | None = None
    listeners: Collection[Listener] = ()
    game: str | None = None
    size: int | None = None
    level: int | str | None = ADAPTIVE
    anew: bool = False
    shared: SharedLevel = field(default_factory=SharedLevel)
    gathered: Gathered = field(init=False)

    def __post_init__(self) -> None:
        """The mistakes that come again are those of the journal."""
        self.gathered = Gathered(kept_repetition(self.journal))

    async def furnished(self, key: str, guests: Collection[str] = ()) -> PlayDesk:
        """The desk of a table, with the game of an earlier board or the first one.

        guests -- the roles that an earlier board has invited to this table

        Raises CannotDo or EngineFault.
        """
        table = Table(self.engines, board=self.board, shared_level=self.shared)
        table.keep_pace(PACE)
        table.study.explorer = self.explorer
        for listener in self.listeners:
            table.listen(listener)
        keeper = None if is_for_exercises(key) else Keeper(table, self.journal, key)
        try:
            await table.start(self.game, self.size)
            if key == MAIN:
                keep_adaptive(table, self.journal)
            if keeper is not None and (self.anew or not await keeper.resume(guests)):
                await table.set_seats(PERSON, Seat(next(iter(self.engines)), self.level))
        except BaseException:
            if keeper is not None:
                keeper.close()
            await table.close()
            raise
        levels = table.catalog.get("levels", ())
        journal = JournalAnswers(self.journal, keeper, table.reading, levels)
        return PlayDesk(table, ENGINE_NAME, not self.game, self.gathered, journal, keeper is None)
