"""Lines of a client, read from a file descriptor."""

import os
from codecs import BOM_UTF8
from collections.abc import Iterator

_CHUNK = 2**16


def read_lines(descriptor: int, longest: int) -> Iterator[tuple[bytes, bool]]:
    """The lines without their ends, and whether each was cut because it was too long.

    The last one may lack its end. A byte order mark at the beginning is dropped, because editors on
    Windows write one.

    longest -- bytes of a line; what follows them is skipped, so that memory stays bounded
    """
    for number, (line, cut) in enumerate(_lines(descriptor, longest)):
        yield (line if number else line.removeprefix(BOM_UTF8)), cut


def _lines(descriptor: int, longest: int) -> Iterator[tuple[bytes, bool]]:
    begun, cut = b"", False
    while chunk := _read_chunk(descriptor):
        if cut:
            _, ended, chunk = chunk.partition(b"\n")
            if not ended:
                continue
            yield begun, True
            begun = b""
        *whole, rest = (begun + chunk).split(b"\n")
        for line in whole:
            yield line[:longest], len(line) > longest
        begun, cut = rest[:longest], len(rest) > longest
    if begun:
        yield begun, cut


def _read_chunk(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""
