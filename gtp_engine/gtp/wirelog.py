"""All that goes over the pipes of an engine, in a file of its own that cannot fill the disk."""

import time
from contextlib import suppress
from pathlib import Path

LARGEST_LOG = 2**23  # bytes of a file; the one before it is kept
_LONGEST_LINE = 2**16  # bytes: more of an unfinished line are not kept waiting


class WireLog:
    """Lines with the seconds since the start: to the engine (`>`), from it (`<`), its stderr (`!`).

    A file that has become too large takes the name with `.old` at its end, in place of an earlier
    one. What cannot be written, as on a full disk, is left out: a log harms no game.
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
        """Add what came over one of the pipes; unfinished lines wait for their end."""
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
        """Write what is unfinished, and end the file."""
        for mark in [mark for mark, rest in self._unfinished.items() if rest]:
            self.write(mark, b"\n")
        with suppress(OSError):
            self._file.close()

    def _turn_over(self) -> None:
        self._file.close()
        self._path.replace(self._path.with_name(f"{self._path.name}.old"))
        self._file = self._path.open("wb")
        self._size = 0
