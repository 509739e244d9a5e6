"""Files of numbers that searches use: swap maps, weights. Whoever reads one trusts what it gets.

A file is one line of JSON, then the payload, which is whatever bytes its kind has. The line says
what the file is: `kind`, `version` (of the form of the payload), free facts, `bytes` (of the
payload) and `sha256`, the checksum of all the rest: of the line without it, written with sorted
keys and no blanks, a line feed, and the payload.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from gtp_engine.files import CannotRead, read_file, write_file

Facts = Mapping[str, Any]
"""What a header says beside the form: names, and values that JSON has."""

LARGEST = 4 * 2**20
"""The most bytes of a file."""

_LONGEST_HEADER = 2**16
_OWN = frozenset({"kind", "version", "bytes", "sha256"})


class UnusableFile(Exception):
    """The file is missing or not what it should be; the text is one line that says why."""


class Stored(NamedTuple):
    """What a file holds."""

    facts: Facts
    payload: bytes


def write_stored(path: Path, kind: str, version: int, facts: Facts, payload: bytes) -> None:
    """Write a file, whole or not at all: another process sees the old one or the new one.

    Raises OSError, and ValueError for what no reader would take: facts named like what the form
    itself says, or too many bytes.
    """
    if taken := _OWN & facts.keys():
        raise ValueError(f"facts cannot be named {', '.join(sorted(taken))}")
    header = {"kind": kind, "version": version, **facts, "bytes": len(payload)}
    line = json.dumps({**header, "sha256": _checksum(header, payload)}).encode() + b"\n"
    if len(line) > _LONGEST_HEADER or len(line) + len(payload) > LARGEST:
        raise ValueError(f"{path} would be too large")
    write_file(path, line + payload)


def read_stored(path: Path, kind: str, version: int) -> Stored:
    """Read a file of a kind, in the form of a version. Raises UnusableFile."""
    try:
        content = read_file(path, LARGEST)
    except CannotRead as error:
        raise UnusableFile(str(error)) from None
    header, payload = _split(path, content)
    if header.get("kind") != kind:
        raise UnusableFile(f"{path} holds no {kind}")
    if header.get("version") != version:
        found = repr(header.get("version"))[:20]
        raise UnusableFile(f"{path} has version {found}; this engine reads version {version}")
    if header.get("bytes") != len(payload):
        expected = repr(header.get("bytes"))[:20]
        raise UnusableFile(f"{path} is cut off or too long: {len(payload)} bytes, not {expected}")
    checksum = header.pop("sha256", None)
    if checksum != _checksum(header, payload):
        raise UnusableFile(f"{path} was altered: its checksum does not fit")
    facts = {name: value for name, value in header.items() if name not in _OWN}
    return Stored(facts, payload)


def _split(path: Path, content: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the payload."""
    line, end, payload = content.partition(b"\n")
    try:
        header = json.loads(line) if end and len(line) < _LONGEST_HEADER else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise UnusableFile(f"{path} begins with no header, or is cut off inside it")
    return header, payload


def _checksum(header: Facts, payload: bytes) -> str:
    """Of a header without its checksum, and the payload."""
    line = json.dumps(header, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(line.encode() + b"\n" + payload).hexdigest()
