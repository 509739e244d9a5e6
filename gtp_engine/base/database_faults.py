"""What is wrong with an SQLite file, in sentences for people."""

import sqlite3
from pathlib import Path

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


def code_of(error: Exception) -> int:
    """The result code of SQLite, without its details; 0 for other errors."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def sentence_about(path: Path, error: Exception, to_read: bool = False) -> str:
    """A sentence for people: what is wrong with a file, and what to do."""
    if path.is_dir():
        return f"{path} is a folder; name a file in it"
    if not path.parent.is_dir():
        return f"{path}: its folder does not exist; make it first"
    if isinstance(error, OSError):
        return sentence_of(error)
    code = code_of(error)
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY):
        how = "read" if to_read else "written; it and its folder must be writable"
        return f"{path} cannot be {how}; check the permissions"
    return f"{path} {_REASONS[code]}" if code in _REASONS else f"{path}: {error}"
