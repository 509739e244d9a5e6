"""The identity of engines: their own words, and a fingerprint of the programs they start."""

import hashlib
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from os import X_OK, access
from pathlib import Path

from gtp_engine.base.platforms import split_command

BUILD = "game-build"
"""The command by which an engine reports its build, which its command line may not reveal."""

_LONGEST_NAME = 80  # of a net
_BACKENDS = {"kernel": "in the kernel", "python": "in Python"}

_DIGITS = 12

# Options whose files an engine reads. It may write those of others.
_READ = re.compile("[-_](?:book|cfg|conf|model|net|param|weights)", re.IGNORECASE)
_PART = 2**20


def fingerprint(command: str, build: str = "") -> str:
    """A short fingerprint of the program that a command line starts; it changes with a rebuild.

    It covers the files named in the command: the program, all other executable files, those of
    options that name a configuration, a net or a book (`--config FILE`, `--config=FILE`), and the
    first other file, such as an interpreter's script. Later ones may be logs, which change.

    build -- the engine's own report of its build. A line with `isa` tells of the machine, and
             changes neither turns nor results
    """
    lines = [line for line in build.splitlines() if not line.startswith("isa ")]
    whole = hashlib.sha256("\n".join(lines).encode())
    for path in _files(command):
        with suppress(OSError):
            status = path.stat()
            whole.update(_content(path, status.st_ino, status.st_size, status.st_mtime_ns))
    return whole.hexdigest()[:_DIGITS]


def used(game: str, build: str) -> str:
    """What an engine plays a game with, in words, by its report of its build; "" if that is silent.

    The first line names the build, and each other one has two words or more: `backend`, and what
    searches; or a game, and its net.
    """
    told = dict(line.split(" ", 1) for line in build.splitlines()[1:] if " " in line)
    backend = _BACKENDS.get(told.get("backend", ""), "")
    net = "".join(filter(str.isprintable, told.get(game, "")))[:_LONGEST_NAME]
    if not (backend or net):
        return ""
    place = f" {backend}," if backend else ""
    return f"{game}{place} {f'with the net {net}' if net else 'without a net'}"


def _files(command: str) -> Iterator[Path]:
    program, *words = split_command(command)
    found = shutil.which(program)
    if found is not None:
        yield Path(found)
    named = False
    for before, word in zip([program, *words], words):
        option, value = _option(before, word)
        path = Path(value)
        with suppress(OSError, ValueError):  # a name that no file can have
            first = not (named or word.startswith("-"))
            if path.is_file() and (access(path, X_OK) or _READ.search(option) or first):
                named = named or not access(path, X_OK)
                yield path


def _option(before: str, word: str) -> tuple[str, str]:
    """The option whose value a word of a command line holds, "" without one, and the value."""
    if word.startswith("-"):
        option, _, value = word.partition("=")
        return option, value
    return before if before.startswith("-") and "=" not in before else "", word


@lru_cache(64)
def _content(path: Path, inode: int, size: int, changed: int) -> bytes:
    """The digest of a file; cached until the file changes. Raises OSError."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(_PART):
            digest.update(part)
    return digest.digest()
