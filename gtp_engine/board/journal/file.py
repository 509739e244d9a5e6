"""The file of the journal: an SQLite database, opened, checked and upgraded."""

import os
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from gtp_engine.base.database_faults import code_of, sentence_about
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
    shown_at text, deleted real
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

_OPENED = """
alter table games add column opened integer not null default 0;
update games set opened = read_end is not null;
"""

_UPGRADES: Sequence[str] = (_SCHEMA, _OPENED)
"""The statements that lead from each version to the next; an empty file has version 0."""


class JournalFailed(Exception):
    """The journal cannot be read or written; the text says why, in a sentence for people."""


class JournalFile:
    """The file. Use it in one thread. Several processes may use it at the same time.

    path -- None for a journal in memory, which ends with the process
    """

    def __init__(self, path: Path | None, largest: int = LARGEST, second: bool = False) -> None:
        """Open a file, or create it with its folder, for this user alone. Raises JournalFailed.

        second -- this process has it open already: this one claims nothing, since its end would
                  free the claims of the first (see platforms.lock_byte)
        """
        self.path = path
        self._locks: int | None = None
        with self._failures():
            if path is not None and not second:
                self._create(path)
            self._db = sqlite3.connect(
                ":memory:" if path is None else path, timeout=_BUSY_SECONDS, isolation_level=None
            )
            try:
                self._prepare(largest)
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
        with self._failures():
            self._db.execute("begin immediate")
            try:
                yield self._db
                self._db.execute("commit")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                raise

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
        if not stat.S_ISREG(path.stat().st_mode):
            raise JournalFailed(
                sentence_about(path, OSError()) if path.is_dir() else f"{path} is not a plain file"
            )
        with path.open("rb") as file:
            begins = file.read(len(_BEGINNING))
        if begins and begins != _BEGINNING:  # SQLite takes a few bytes for an empty file
            raise JournalFailed(f"{path} is not a file of this program")
        if begins:
            with closing(sqlite3.connect(_to_look_at(path), uri=True)) as db:
                self._version_of(db)

    def _version_of(self, db: sqlite3.Connection) -> int:
        """The version of a journal; 0 for an empty file. Raises JournalFailed for another file."""
        found = db.execute("select count(*) from sqlite_master").fetchone()[0]
        program = db.execute("pragma application_id").fetchone()[0]
        version = db.execute("pragma user_version").fetchone()[0]
        if program != APPLICATION and (found or program or version):
            raise JournalFailed(f"{self.path} is not a journal of this program")
        if version > len(_UPGRADES):
            raise JournalFailed(
                f"{self.path} was written by a newer version of this program; use that one"
            )
        return int(version)

    def _prepare(self, largest: int) -> None:
        db = self._db
        version = self._version_of(db)
        db.execute("pragma journal_mode = wal")
        # The system keeps what was written when a process is killed; only a power cut may take the
        # last turns.
        db.execute("pragma synchronous = normal")
        db.execute("pragma foreign_keys = on")
        page = db.execute("pragma page_size").fetchone()[0]
        db.execute(f"pragma max_page_count = {largest // page}")
        if version < len(_UPGRADES):
            self._upgrade()

    def _upgrade(self) -> None:
        with self.writing() as db:
            # Another process may have done it meanwhile.
            version = db.execute("pragma user_version").fetchone()[0]
            for script in _UPGRADES[version:]:
                for statement in filter(str.strip, script.split(";")):
                    db.execute(statement)
            db.execute(f"pragma application_id = {APPLICATION}")
            db.execute(f"pragma user_version = {len(_UPGRADES)}")

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, OverflowError) as error:
            if code_of(error) == sqlite3.SQLITE_FULL:
                raise JournalFailed(
                    f"{self.path} cannot grow: delete some games, or free some space on the disk"
                ) from error
            raise JournalFailed(sentence_about(self.path or Path(), error)) from error
        except UnicodeDecodeError:  # SQLite quotes the damaged content, which may not be text
            raise JournalFailed(f"{self.path} is damaged") from None


def _to_look_at(path: Path) -> str:
    """The address of a database that SQLite reads, and leaves as it is.

    SQLite makes files beside a database that it may share, unless it is told that nobody writes
    there; but what a killed program wrote last is only in the file whose name ends with `-wal`.
    """
    path = path.resolve()  # SQLite, too, looks beside the file that a link leads to
    name = quote(path.as_posix())
    root = "" if name.startswith("/") else "/"
    used = path.with_name(f"{path.name}-wal").exists()
    return f"file://{root}{name}?mode=ro{'' if used else '&immutable=1'}"
