"""What engines are: by what they say, and by the programs that their commands start."""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from os import X_OK, access
from pathlib import Path

from gtp_engine.platforms import split_command

BUILD = "game-build"
"""The command by which an engine tells its build: its files alone need not be in its command."""

_DIGITS = 12
_PART = 2**20


def fingerprint(command: str, build: str = "") -> str:
    """A short word for the program that a command line starts, another one once it is rebuilt.

    It stands for the content of the files that the command names: its program, all others that can
    be executed, and the first that cannot, such as the script of an interpreter. Later ones may be
    logs, which change.

    build -- what the engine says of its own build
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
        with suppress(OSError, ValueError):  # what no file can be called
            if path.is_file() and (access(path, X_OK) or not named):
                named = named or not access(path, X_OK)
                yield path


@lru_cache(64)
def _content(path: Path, inode: int, size: int, changed: int) -> bytes:
    """The digest of a file, read once while it stays the same. Raises OSError."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(_PART):
            digest.update(part)
    return digest.digest()
