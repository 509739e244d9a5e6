"""The identity of engines: their own words, and a fingerprint of the programs they start."""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from os import X_OK, access
from pathlib import Path

from gtp_engine.platforms import split_command

BUILD = "game-build"
"""The command by which an engine reports its build, which its command line may not reveal."""

_DIGITS = 12
_PART = 2**20


def fingerprint(command: str, build: str = "") -> str:
    """A short fingerprint of the program that a command line starts; it changes with a rebuild.

    It covers the files named in the command: the program, all other executable files, and the
    first file that is not executable, such as an interpreter's script. Later ones may be logs,
    which change.

    build -- the engine's own report of its build
    """
    whole = hashlib.sha256(build.encode())
    for path in _files(command):
        with suppress(OSError):
            status = path.stat()
            whole.update(_content(path, status.st_ino, status.st_size, status.st_mtime_ns))
    return whole.hexdigest()[:_DIGITS]


def _files(command: str) -> Iterator[Path]:
    program, *words = split_command(command)
    found = shutil.which(program)
    if found is not None:
        yield Path(found)
    named = False
    for word in words:
        path = Path(word)
        with suppress(OSError, ValueError):  # a name that no file can have
            if path.is_file() and (access(path, X_OK) or not named):
                named = named or not access(path, X_OK)
                yield path


@lru_cache(64)
def _content(path: Path, inode: int, size: int, changed: int) -> bytes:
    """The digest of a file; cached until the file changes. Raises OSError."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(_PART):
            digest.update(part)
    return digest.digest()
