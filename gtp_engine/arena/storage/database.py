"""The file of a match as an SQLite database: its tables, opened and checked."""

import os
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial, wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from gtp_engine.arena import ArenaError
from gtp_engine.arena.storage.rows import Damaged
from gtp_engine.base.database import (
    Format,
    prepare,
    reading_address,
    recognise,
    told_faults,
    transaction,
)
from gtp_engine.base.retrying import Patience

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Self = TypeVar("_Self", bound="Database")

# Seconds for another program to free the file. SQLite itself waits for them, deaf to Ctrl-C.
_BUSY_SECONDS, _BUSY_SECONDS_IF_PATIENT = 60.0, 3.0

_LOCKS = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_OUTAGES = _LOCKS | {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
}

# The system's clock may be changed between two checks of a process.
_SAME_MOMENT = 30.0  # seconds

APPLICATION = 0x50415243  # "PARC"

_SCHEMA = """
create table match (config text not null);
create table engines (name text primary key, identity text not null, program text, uses text);
create table openings (
    game text, size integer, number integer, words text not null, value real,
    primary key (game, size, number)
);
create table claims (
    game text, size integer, first text, second text, number integer, half integer,
    owner text not null, renewed real not null,
    primary key (game, size, first, second, number, half)
);
create table games (
    id integer primary key,
    game text not null, size integer not null, pie text not null,
    first text not null, second text not null, number integer not null, half integer not null,
    black text not null, white text not null, opening text not null,
    winner text, result text not null, reason text not null, fault text,
    swapped integer not null, started real not null, seconds real not null,
    length integer not null, adjudicated text, worker text,
    unique (game, size, first, second, number, half)
);
create table turns (
    game_id integer not null references games, number integer not null,
    engine text not null, color text not null, word text not null, seconds real not null,
    value real, visits integer, comment text not null,
    processor real, waited real, late real, forgiven real, untimed real,
    paused real,
    primary key (game_id, number)
) without rowid;
create table evidence (
    game_id integer not null references games, engine text not null, lines text not null
);
create table voids (
    game text, size integer, first text, second text, number integer, half integer,
    reason text not null, time real not null
);
create table trials (
    number integer primary key, settings text not null, start integer not null,
    games integer not null
);
create table playing (
    game text, size integer, pie text not null, first text, second text, number integer,
    half integer, opening text not null, turns text not null, owner text not null,
    primary key (game, size, first, second, number, half)
);
"""

_FORMAT = Format("file", APPLICATION, 4, _SCHEMA)


class StoreFailed(ArenaError):
    """The file cannot be read or written; the text says why. Its content is not harmed."""


class StoreOutage(StoreFailed):
    """The same, by a cause that others can end: a lock, a full disk, a medium that is gone."""

    def __init__(self, reason: str, locked: bool) -> None:
        """`locked` tells whether another program holds the file."""
        super().__init__(reason)
        self.locked = locked

    @property
    def reason(self) -> str:
        """The same without what to do: who waits for the end need not do it."""
        return str(self).partition("; ")[0]


def patient(
    method: Callable[Concatenate[_Self, _P], _T],
) -> Callable[Concatenate[_Self, _P], _T]:
    """A method of a Database that is called again after each StoreOutage: see `patiently`."""

    @wraps(method)
    def called(self: _Self, /, *arguments: _P.args, **named: _P.kwargs) -> _T:
        return self.patiently(partial(method, self, *arguments, **named))

    return called


class Database:
    """The file. Use it in one thread."""

    def __init__(self, path: Path, to_read: bool = False, patience: Patience | None = None) -> None:
        """Open a file, or create it. Raises StoreFailed, and Outlasted as `patiently` does.

        to_read  -- open for reading only, so that the file may be on a read-only medium
        patience -- waits while the file is locked, and later for the end of any outage
        """
        self.path = path
        self._owner = this_process()
        self._to_read = to_read
        self._patience = patience
        if to_read and not path.exists():
            raise StoreFailed(f"{path} does not exist")
        self.patiently(self._open, only_locks=True)

    def patiently(self, work: Callable[[], _T], only_locks: bool = False) -> _T:
        """Do some work, again after each StoreOutage. Raises Outlasted if that takes too long.

        only_locks -- raise an outage that is no lock
        """
        while True:
            try:
                done = work()
            except StoreOutage as outage:
                if self._patience is None or (only_locks and not outage.locked):
                    raise
                self._patience.wait(outage.reason)
            else:
                if self._patience is not None:
                    self._patience.over(f"{self.path} can be used again")
                return done

    def _open(self) -> None:
        with self._failures():
            self._db = self._connect()
            try:
                if not self._to_read:
                    prepare(self._db, self.path, _FORMAT, synchronous="full")
                elif not recognise(self._db, self.path, _FORMAT):
                    raise StoreFailed(f"{self.path} contains no match yet")
            except BaseException:
                self._db.close()
                raise
            self._file = _identity(self.path)

    def _connect(self) -> sqlite3.Connection:
        busy = _BUSY_SECONDS if self._patience is None else _BUSY_SECONDS_IF_PATIENT
        connect = partial(sqlite3.connect, timeout=busy, isolation_level=None, uri=True)
        if not self._to_read:
            return connect(self.path, uri=False)
        try:
            db = connect(reading_address(self.path))
            db.execute("select 1 from sqlite_master")
        except sqlite3.OperationalError:
            # SQLite writes files beside the database even when reading.
            return connect(reading_address(self.path, unchanging=True))
        return db

    def _check_file(self) -> None:
        """Raises StoreFailed if the file was replaced, so that games would be lost."""
        if _identity(self.path) != self._file:
            raise StoreFailed(f"{self.path} was replaced during the match")

    def _transaction(self) -> AbstractContextManager[None]:
        return transaction(self._db)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            with told_faults(self.path, _failed, self._to_read):
                yield
        except Damaged as error:
            raise StoreFailed(f"{self.path} is damaged: {error}") from None

    @contextmanager
    def _in_game(self, game: int) -> Iterator[None]:
        try:
            yield
        except Damaged as error:
            raise StoreFailed(f"{self.path} is damaged: game {game}: {error}") from None


def _failed(sentence: str, code: int) -> StoreFailed:
    return StoreOutage(sentence, code in _LOCKS) if code in _OUTAGES else StoreFailed(sentence)


def _identity(path: Path) -> tuple[int, int]:
    """Identifies a file regardless of its name. Raises OSError."""
    status = path.stat()
    return status.st_dev, status.st_ino


# The owners of games in progress --------------------------------------------------------------


def this_process() -> str:
    """Host, id and start time of this process: unique for all time."""
    import psutil

    return f"{socket.gethostname()} {os.getpid()} {psutil.Process().create_time()}"


def is_alive(owner: object, renewed: object, since: float) -> bool:
    """Whether a process may still be playing a game it claimed: the claim was renewed recently, and
    the process is not known to have ended. An owner that is no valid process id counts as ended."""
    try:
        recent = float(renewed) > since  # type: ignore[arg-type]
        return recent and not _is_gone(str(owner))
    except (TypeError, ValueError, OverflowError):
        return False


def _is_gone(owner: str) -> bool:
    """Whether a process of this host has ended. Raises ValueError."""
    import psutil

    host, number, start = owner.rsplit(" ", 2)
    if host != socket.gethostname():
        return False
    try:
        return bool(abs(psutil.Process(int(number)).create_time() - float(start)) > _SAME_MOMENT)
    except psutil.NoSuchProcess:
        return True
