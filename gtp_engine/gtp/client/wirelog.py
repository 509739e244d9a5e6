"""A log file of everything on the pipes of an engine, limited in size."""

import time
from contextlib import suppress
from pathlib import Path

LARGEST_LOG = 2**23  # most bytes of a file; one older file is kept
_LONGEST_LINE = 2**16  # most bytes of an unfinished line before it is written


class WireLog:
    """Lines with the seconds since the start: to the engine (`>`), from it (`<`), its stderr (`!`).

    A file that has become too large is renamed with `.old` at its end, replacing an earlier one.
    Lines that cannot be written, for example on a full disk, are dropped: a log must not harm a
    game.
    """

    def __init__(self, path: Path, largest: int = LARGEST_LOG) -> None:
        """Begin the file. Raises OSError."""
        self._path = path
        self._largest = largest
        self._begun = time.monotonic()
        self._unfinished: dict[str, bytes] = {}
        self._file = path.open("wb")
        self._size = 0

    def write(self, mark: str, data: bytes) -> None:
        """Add data from one of the pipes; unfinished lines wait for their end."""
        *lines, rest = (self._unfinished.get(mark, b"") + data).split(b"\n")
        if len(rest) > _LONGEST_LINE:
            lines, rest = [*lines, rest], b""
        self._unfinished[mark] = rest
        head = f"{time.monotonic() - self._begun:10.3f} {mark} ".encode()
        with suppress(OSError, ValueError):
            for line in lines:
                self._size += self._file.write(head + line + b"\n")
                if self._size > self._largest:
                    self._turn_over()
            self._file.flush()

    def close(self) -> None:
        """Write the unfinished lines, and close the file."""
        for mark in [mark for mark, rest in self._unfinished.items() if rest]:
            self.write(mark, b"\n")
        with suppress(OSError):
            self._file.close()

    def _turn_over(self) -> None:
        self._file.close()
        self._path.replace(self._path.with_name(f"{self._path.name}.old"))
        self._file = self._path.open("wb")
        self._size = 0
