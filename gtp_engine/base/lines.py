"""Lines of a client, read from a file descriptor."""

import os
from codecs import BOM_UTF8
from collections.abc import Iterator

_CHUNK = 2**16


class LineSplitter:
    """Makes lines of what arrives in pieces: each without its end, and whether it was cut.

    A line is cut where it is too long. A byte order mark at the beginning is dropped, because
    editors on Windows write one.

    longest -- bytes of a line; what follows them is skipped, so that memory stays bounded
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._begun, self._cut = b"", False
        self._first = True

    def add(self, chunk: bytes) -> Iterator[tuple[bytes, bool]]:
        """The lines that end in this piece."""
        if self._cut:
            _, ended, chunk = chunk.partition(b"\n")
            if not ended:
                return
            yield self._whole(self._begun, True)
            self._begun, self._cut = b"", False
        *lines, rest = (self._begun + chunk).split(b"\n")
        for line in lines:
            yield self._whole(line[: self._longest], len(line) > self._longest)
        self._begun, self._cut = rest[: self._longest], len(rest) > self._longest

    def end(self) -> Iterator[tuple[bytes, bool]]:
        """The last line, if it has no end."""
        if self._begun:
            yield self._whole(self._begun, self._cut)

    def _whole(self, line: bytes, cut: bool) -> tuple[bytes, bool]:
        first, self._first = self._first, False
        return line.removeprefix(BOM_UTF8) if first else line, cut


def read_lines(descriptor: int, longest: int) -> Iterator[tuple[bytes, bool]]:
    """The lines from a file descriptor, as a LineSplitter makes them; the last may lack its end."""
    splitter = LineSplitter(longest)
    while chunk := _read_chunk(descriptor):
        yield from splitter.add(chunk)
    yield from splitter.end()


def _read_chunk(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""
