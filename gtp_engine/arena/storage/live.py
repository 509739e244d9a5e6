"""Games in progress, in the file of a match: only for viewers.

Each playing process rewrites its own games from time to time. The rows of a crashed process count
as long as its claims do. They need not be durable, so writes do not wait for the disk.
"""

import json
import time
from collections.abc import Iterable

from gtp_engine.arena.storage.database import Database
from gtp_engine.arena.storage.rows import LIVE_COLUMNS, insertion, read_live
from gtp_engine.arena.values import LiveGame

CLAIM_LAPSES = 120.0
"""Seconds without renewal after which a claim lapses, because its owner is gone."""

_CLAIMED = "game, size, first, second, number, half"


class LiveTable(Database):
    """The part of the file for games in progress. Use it in one thread."""

    def show_live(self, games: Iterable[LiveGame]) -> None:
        """Store the games that this process plays now, replacing its earlier ones."""
        rows = [
            (
                *(*game.key.board, *game.key[1:]),
                " ".join(game.opening),
                json.dumps(
                    [
                        (turn.engine, turn.color.letter, turn.word, turn.seconds, turn.value)
                        for turn in game.turns
                    ]
                ),
                self._owner,
            )
            for game in games
        ]
        with self._failures():
            self._db.execute("pragma synchronous = off")
            try:
                with self._transaction():
                    self._db.execute("delete from playing where owner = ?", (self._owner,))
                    self._db.executemany(
                        insertion("playing", f"{LIVE_COLUMNS}, owner", "replace"), rows
                    )
            finally:
                self._db.execute("pragma synchronous = full")

    def live(self) -> list[LiveGame]:
        """The games in progress in all processes, as last stored.

        Empty for files of earlier versions. Raises StoreFailed.
        """
        with self._failures():
            if not self._db.execute(
                "select 1 from sqlite_master where name = 'playing'"
            ).fetchone():
                return []
            rows = self._db.execute(
                f"select {LIVE_COLUMNS} from playing join claims using ({_CLAIMED}, owner)"
                " where claims.renewed > ?",
                (time.time() - CLAIM_LAPSES,),
            ).fetchall()
            return [read_live(row) for row in rows]
