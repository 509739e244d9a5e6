"""The file of a match as an SQLite database: opened, checked and upgraded."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gtp_engine.arena.errors import ArenaError
from gtp_engine.arena.storage.owners import this_process
from gtp_engine.arena.storage.rows import Damaged
from gtp_engine.arena.storage.schema import APPLICATION, PLAYING, SCHEMA, VERSION, upgrades, views

_BUSY_SECONDS = 60.0


class StoreFailed(ArenaError):
    """The file cannot be read or written; the text says why. Its content is not harmed."""


class Database:
    """The file. Use it in one thread."""

    def __init__(self, path: Path, to_read: bool = False) -> None:
        """Open a file, or create it. Raises StoreFailed.

        to_read -- open for reading only, so that the file may be on a read-only medium
        """
        self.path = path
        self._owner = this_process()
        self._to_read = to_read
        if to_read and not path.exists():
            raise StoreFailed(f"{path} does not exist")
        with self._failures():
            self._db = self._connect()
            try:
                self._check_kind()
                if not to_read:
                    self._prepare()
            except BaseException:
                self._db.close()
                raise
            self._file = _identity(path)

    def _connect(self) -> sqlite3.Connection:
        def connect(name: str | Path, uri: bool = False) -> sqlite3.Connection:
            return sqlite3.connect(name, timeout=_BUSY_SECONDS, isolation_level=None, uri=uri)

        if not self._to_read:
            return connect(self.path)
        name = self.path.absolute().as_uri()
        try:
            db = connect(f"{name}?mode=ro", uri=True)
            db.execute("select 1 from sqlite_master")
        except (
            sqlite3.OperationalError
        ):  # SQLite writes files beside the database even when reading
            return connect(f"{name}?mode=ro&immutable=1", uri=True)
        return db

    def _check_kind(self) -> None:
        db = self._db
        if not db.execute("select count(*) from sqlite_master").fetchone()[0]:
            if self._to_read:
                raise StoreFailed(f"{self.path} contains no match yet")
            return
        if db.execute("pragma application_id").fetchone()[0] != APPLICATION:
            raise StoreFailed(f"{self.path} is not a file of this program")
        version = db.execute("pragma user_version").fetchone()[0]
        if not 1 <= version <= VERSION:
            raise StoreFailed(
                f"{self.path} has version {version}; this program reads versions 1 to {VERSION}"
            )
        if self._to_read:
            for statement in views(version):
                db.execute(statement)

    def _prepare(self) -> None:
        db = self._db
        db.execute("pragma journal_mode = wal")
        db.execute("pragma synchronous = full")
        db.execute("pragma foreign_keys = on")
        with self._transaction():
            if not db.execute("select count(*) from sqlite_master").fetchone()[0]:
                for statement in SCHEMA.split(";"):
                    db.execute(statement)
                db.execute(f"pragma application_id = {APPLICATION}")
                db.execute(PLAYING)
                db.execute(f"pragma user_version = {VERSION}")
                return
            db.execute(PLAYING)
            for statement in upgrades(db.execute("pragma user_version").fetchone()[0]):
                db.execute(statement)

    def _check_file(self) -> None:
        """Raises StoreFailed if the file was replaced, so that games would be lost."""
        if _identity(self.path) != self._file:
            raise StoreFailed(f"{self.path} was replaced during the match")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("rollback")
            raise
        self._db.execute("commit")

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, OverflowError) as error:
            raise StoreFailed(f"{self.path}: {error}") from error
        except UnicodeDecodeError:  # SQLite quotes the damaged content, which may not be text
            raise StoreFailed(f"{self.path} is damaged") from None
        except Damaged as error:
            raise StoreFailed(f"{self.path} is damaged: {error}") from None

    @contextmanager
    def _in_game(self, game: int) -> Iterator[None]:
        try:
            yield
        except Damaged as error:
            raise StoreFailed(f"{self.path} is damaged: game {game}: {error}") from None


def _identity(path: Path) -> tuple[int, int]:
    """Identifies a file regardless of its name. Raises OSError."""
    status = path.stat()
    return status.st_dev, status.st_ino
