"""SQLite files of ours: recognised, made, written in transactions; their faults in sentences."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from gtp_engine.base.files import sentence_of

# What is wrong with a file, by the result codes of SQLite; the rest of a sentence with its name.
_REASONS = {
    sqlite3.SQLITE_BUSY: "is locked by another program; end that, or wait for it",
    sqlite3.SQLITE_CORRUPT: "is damaged",
    sqlite3.SQLITE_FULL: "cannot grow: the disk is full; free some space",
    sqlite3.SQLITE_LOCKED: "is locked by another program; end that, or wait for it",
    sqlite3.SQLITE_IOERR: "cannot be used: the disk reports an error or is full; check the disk",
    sqlite3.SQLITE_NOTADB: "is not a file of this program",
}


class Format(NamedTuple):
    """A kind of file.

    what        -- what people call such a file
    application -- the number by which SQLite files tell their programs apart
    version     -- of the tables
    schema      -- the statements that make the tables, each with a semicolon at its end
    """

    what: str
    application: int
    version: int
    schema: str


class OtherFormat(Exception):
    """A database of another program or version; the text says so."""


def recognise(db: sqlite3.Connection, path: Path, expected: Format) -> bool:
    """Whether a database has the expected format; False for an empty one. Raises OtherFormat."""
    questions = (
        "select count(*) from sqlite_master",
        "pragma application_id",
        "pragma user_version",
    )
    found, application, version = (db.execute(each).fetchone()[0] for each in questions)
    if not (found or application or version):
        return False
    if application != expected.application:
        raise OtherFormat(f"{path} is not a {expected.what} of this program")
    if version > expected.version:
        raise OtherFormat(f"{path} was made by a newer version of this program; use that one")
    if version < expected.version:
        older = "was made by an older version of this program"
        raise OtherFormat(f"{path} {older}; use that one, or move the file away")
    return True


def prepare(db: sqlite3.Connection, path: Path, expected: Format, synchronous: str) -> None:
    """Make a database ready to be written, with its tables if it is empty. Raises OtherFormat.

    synchronous -- SQLite's word for how far a commit waits for the disk
    """
    recognise(db, path, expected)
    db.execute("pragma journal_mode = wal")
    db.execute(f"pragma synchronous = {synchronous}")
    db.execute("pragma foreign_keys = on")
    with transaction(db):
        if recognise(db, path, expected):  # another process may have made the tables meanwhile
            return
        for statement in expected.schema.split(";"):
            db.execute(statement)
        db.execute(f"pragma application_id = {expected.application}")
        db.execute(f"pragma user_version = {expected.version}")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Write all that the block writes, or nothing."""
    db.execute("begin immediate")
    try:
        yield
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


def reading_address(path: Path, *, unchanging: bool = False) -> str:
    """The address of a database for `sqlite3.connect`, to be read only.

    unchanging -- nobody writes meanwhile, so that SQLite makes no files beside it
    """
    name = quote(path.absolute().as_posix())
    root = "" if name.startswith("/") else "/"
    return f"file://{root}{name}?mode=ro{'&immutable=1' if unchanging else ''}"


@contextmanager
def told_faults(
    path: Path, failed: Callable[[str, int], Exception], reading: bool = False
) -> Iterator[None]:
    """Raise faults of a file as what `failed` makes of a sentence and a result code of SQLite.

    The code is without its details, and 0 for other faults.
    """
    try:
        yield
    except (sqlite3.Error, OSError, OverflowError) as error:
        code = int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
        raise failed(_sentence_about(path, error, code, reading), code) from error
    except OtherFormat as error:
        raise failed(str(error), 0) from None
    except UnicodeDecodeError:  # SQLite quotes the damaged content, which may not be text
        raise failed(f"{path} is damaged", sqlite3.SQLITE_CORRUPT) from None


def _sentence_about(path: Path, error: Exception, code: int, reading: bool) -> str:
    """A sentence for people: what is wrong with a file, and what to do."""
    if path.is_dir():
        return f"{path} is a folder; name a file in it"
    if not path.parent.is_dir():
        return f"{path}: its folder does not exist; make it first"
    if isinstance(error, OSError):
        return sentence_of(error)
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY):
        how = "read" if reading else "written; it and its folder must be writable"
        return f"{path} cannot be {how}; check the permissions"
    return f"{path} {_REASONS[code]}" if code in _REASONS else f"{path}: {error}"
