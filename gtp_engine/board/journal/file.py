"""The file of the journal: an SQLite database, opened and checked."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from gtp_engine.base.database import (
    Format,
    prepare,
    reading_address,
    recognise,
    told_faults,
    transaction,
)
from gtp_engine.base.platforms import lock_byte, make_private, unlock_byte

APPLICATION = 0x50504A52  # "PPJR"

LARGEST = 2**30
"""Most bytes of the file: about 100,000 games. Then it keeps no more until some are deleted."""

_BEGINNING = b"SQLite format 3\0"  # of each file of SQLite

_BUSY_SECONDS = 1.0  # for another board to finish writing; the pages wait meanwhile

_SCHEMA = """
create table games (
    id integer primary key autoincrement, began real not null, changed real not null,
    game text not null, size integer not null, pie text not null, position text not null,
    control text not null, node integer not null, read_end integer, seats text not null,
    players text not null, paused integer not null, black text not null, white text not null,
    human text not null, level text not null, result text not null, winner text not null,
    turns integer not null, name text not null default '', picture text not null default '',
    shown_at text, deleted real, opened integer not null
);
create index games_by_change on games (changed);
create table nodes (
    game integer not null references games on delete cascade, id integer not null,
    parent integer, place integer not null, color text not null, word text not null,
    facts text not null, primary key (game, id)
) without rowid;
create table progress (
    kind text not null, id text not null, stars integer not null, primary key (kind, id)
) without rowid;
create table notes (key text primary key, value text not null) without rowid;
"""

_FORMAT = Format("journal", APPLICATION, 2, _SCHEMA)


class JournalFailed(Exception):
    """The journal cannot be read or written; the text says why, in a sentence for people."""


class JournalFile:
    """The file. Use it in one thread. Several processes may use it at the same time.

    path -- None for a journal in memory, which ends with the process
    """

    def __init__(
        self,
        path: Path | None,
        largest: int = LARGEST,
        second: bool = False,
        before_write: Callable[[], object] = lambda: None,
    ) -> None:
        """Open a file, or create it with its folder, for this user alone. Raises JournalFailed.

        second       -- this process has it open already: this one claims nothing, since its end
                        would free the claims of the first (see platforms.lock_byte)
        before_write -- see Journal
        """
        self.path = path
        self._before_write = before_write
        self._locks: int | None = None
        with self._failures():
            if path is not None and not second:
                self._create(path)
            self._db = sqlite3.connect(
                ":memory:" if path is None else path, timeout=_BUSY_SECONDS, isolation_level=None
            )
            try:
                # The system keeps what was written when a process is killed; only a power cut may
                # take the last turns.
                prepare(self._db, path or Path(), _FORMAT, synchronous="normal")
                page = self._db.execute("pragma page_size").fetchone()[0]
                self._db.execute(f"pragma max_page_count = {largest // page}")
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        """Close the file, and free its locks."""
        with suppress(sqlite3.Error):
            self._db.close()
        if self._locks is not None:
            os.close(self._locks)
            self._locks = None

    def rows(self, question: str, *given: Any) -> list[tuple[Any, ...]]:
        """The answer to a question. Raises JournalFailed."""
        with self._failures():
            return self._db.execute(question, given).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Write in the block: all of it, or nothing. Raises JournalFailed."""
        self._before_write()
        with self._failures(), transaction(self._db):
            yield self._db

    def gather(self) -> None:
        """Have all in the one file, and nothing beside it. Raises JournalFailed."""
        self.rows("pragma wal_checkpoint(truncate)")

    def claim(self, game: int) -> bool:
        """Take a game for this process until `release`; False if another one has it."""
        if self._locks is None:
            return True
        with self._failures():
            return lock_byte(self._locks, game)

    def release(self, game: int) -> None:
        """Give a game back."""
        if self._locks is not None:
            with suppress(OSError):
                unlock_byte(self._locks, game)

    def _create(self, path: Path) -> None:
        if path.exists():
            self._recognise(path)
        elif not path.parent.exists():
            path.parent.mkdir(mode=0o700, parents=True)
        # SQLite gives the files beside it the same mode. It holds the token of the page.
        number = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            make_private(number)
        finally:
            os.close(number)
        self._locks = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)

    def _recognise(self, path: Path) -> None:
        """Look at a file without changing it, or what is beside it.

        Raises JournalFailed, or an error of SQLite, for one that is no journal of ours.
        """
        if path.is_dir():
            raise IsADirectoryError
        if not path.is_file():
            raise JournalFailed(f"{path} is not a plain file")
        with path.open("rb") as file:
            begins = file.read(len(_BEGINNING))
        if begins and begins != _BEGINNING:  # SQLite takes a few bytes for an empty file
            raise JournalFailed(f"{path} is not a file of this program")
        if begins:
            with closing(sqlite3.connect(_to_look_at(path), uri=True)) as db:
                recognise(db, path, _FORMAT)

    def _failures(self) -> AbstractContextManager[None]:
        return told_faults(self.path or Path(), self._failed)

    def _failed(self, sentence: str, code: int) -> JournalFailed:
        if code == sqlite3.SQLITE_FULL:
            return JournalFailed(
                f"{self.path} cannot grow: delete some games, or free some space on the disk"
            )
        return JournalFailed(sentence)


def _to_look_at(path: Path) -> str:
    """The address of a database that SQLite reads, and leaves as it is.

    SQLite makes files beside a database that it may share, unless it is told that nobody writes
    there; but what a killed program wrote last is only in the file whose name ends with `-wal`.
    """
    path = path.resolve()  # SQLite, too, looks beside the file that a link leads to
    used = path.with_name(f"{path.name}-wal").exists()
    return reading_address(path, unchanging=not used)
