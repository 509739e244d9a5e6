"""Data files of searches: swap maps and weights. A reader can trust the content of a checked file.

A file is one line of JSON, and then the payload, as bytes. The line contains `kind`, `version` (of
the payload's format), free facts, `bytes` (length of the payload) and `sha256`. The checksum covers
three parts: the line without the checksum, with sorted keys and no blanks; a line feed; and the
payload.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from gtp_engine.base.files import CannotRead, read_file, write_file

Facts = Mapping[str, Any]
"""The free facts of a header: names with JSON values."""

LARGEST = 4 * 2**20
"""The most bytes of a file that a reader accepts."""

_LONGEST_HEADER = 2**16
_OWN = frozenset({"kind", "version", "bytes", "sha256"})


class UnusableFile(ValueError):
    """The file is missing or invalid; the text gives the reason in one line."""


class Stored(NamedTuple):
    """The contents of a file."""

    facts: Facts
    payload: bytes


def write_stored(
    path: Path, kind: str, version: int, facts: Facts, payload: bytes, *, largest: int = LARGEST
) -> None:
    """Write a file atomically: other processes see either the old file or the new one.

    Raises OSError. Raises ValueError for facts with reserved names, and for a file of more than
    `largest` bytes.
    """
    if taken := _OWN & facts.keys():
        raise ValueError(f"facts cannot be named {', '.join(sorted(taken))}")
    header = {"kind": kind, "version": version, **facts, "bytes": len(payload)}
    line = json.dumps({**header, "sha256": _checksum(header, payload)}).encode() + b"\n"
    if len(line) > _LONGEST_HEADER or len(line) + len(payload) > largest:
        raise ValueError(f"{path} would be too large")
    write_file(path, line + payload)


def read_stored(path: Path, kind: str, version: int, *, largest: int = LARGEST) -> Stored:
    """Read a file of this kind and version. Raises UnusableFile."""
    try:
        content = read_file(path, largest)
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
    """Split a file into its header and its payload."""
    line, end, payload = content.partition(b"\n")
    try:
        header = json.loads(line) if end and len(line) < _LONGEST_HEADER else None
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise UnusableFile(f"{path} does not begin with a complete header")
    return header, payload


def _checksum(header: Facts, payload: bytes) -> str:
    """The checksum of a header, without its checksum, and the payload."""
    from hashlib import sha256

    line = json.dumps(header, sort_keys=True, separators=(",", ":"))
    return sha256(line.encode() + b"\n" + payload).hexdigest()
