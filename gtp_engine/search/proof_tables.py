"""Files with the table of a solver, so that a long search can go on after its end.

A file is one line of JSON, then entries of 24 bytes, then the SHA-256 of all before it. Entries are
those of the kernel: place in the table, key, and proof numbers. Tables take gigabytes, so they are
written and read in parts.
"""

import hashlib
import json
from collections.abc import Callable
from itertools import chain
from pathlib import Path

from gtp_engine.base.files import CannotRead, read_in_parts, replacing
from gtp_engine.base.signals import keeping
from gtp_engine.rules.game import Position
from gtp_engine.search.data_file import UnusableFile
from gtp_engine.search.solution import ENTRY, Prover

KIND, VERSION = "proof table", 1
_DIGEST = hashlib.sha256().digest_size


def save_table(path: Path, solver: Prover, position: Position, hash_mb: int) -> None:
    """Write the table of a solver; a file is replaced when the new one is complete.

    Raises OSError.
    """
    digest = hashlib.sha256()
    parts = solver.saved_parts()
    first = next(parts)  # the solver has stopped
    with keeping(), replacing(path) as file:

        def write(part: bytes) -> None:
            digest.update(part)
            file.write(part)

        write(_header(position, hash_mb))
        for part in chain([first], parts):
            write(part)
        file.write(digest.digest())


def load_table(path: Path, solver: Prover, position: Position, hash_mb: int) -> None:
    """Give the entries of a file to a solver of the same game, size and memory.

    Raises UnusableFile, in one line. Then the solver may have some entries.
    """
    expected = _header(position, hash_mb)
    digest = hashlib.sha256()
    try:
        checksum = _give(path, digest.update)
        _check_header(path, expected)
        if checksum != digest.digest():
            raise UnusableFile(f"{path} was cut off or altered: its checksum does not fit")
        rest = bytearray()

        def restore(part: bytes) -> None:
            rest.extend(part)
            end = len(rest) - (len(rest) - len(expected)) % ENTRY
            try:
                solver.restore(bytes(rest[len(expected) : end]))
            except ValueError as error:
                raise UnusableFile(f"{path} was altered: it holds {error}") from None
            del rest[len(expected) : end]

        _give(path, restore)
    except CannotRead as error:
        raise UnusableFile(str(error)) from None


def _header(position: Position, hash_mb: int) -> bytes:
    facts = {"kind": KIND, "version": VERSION, "game": position.game.name}
    return json.dumps({**facts, "size": position.size, "hash_mb": hash_mb}).encode() + b"\n"


def _check_header(path: Path, expected: bytes) -> None:
    line = next(read_in_parts(path), b"").partition(b"\n")[0] + b"\n"
    if line == expected:
        return
    try:
        found = json.loads(line)
        facts = [f"{found[name]}" for name in ("kind", "version", "game", "size", "hash_mb")]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise UnusableFile(f"{path} holds no {KIND}") from None
    wanted = json.loads(expected).values()
    told = " ".join(facts)[:80]
    raise UnusableFile(f"{path} is {told!a}, not {' '.join(map(str, wanted))!r} (with hash_mb)")


def _give(path: Path, use: Callable[[bytes], object]) -> bytes:
    """Give all of a file but its checksum to a function. Returns the checksum."""
    held = b""
    for part in read_in_parts(path):
        held += part
        use(held[:-_DIGEST])
        held = held[-_DIGEST:]
    return held
