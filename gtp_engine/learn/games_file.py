"""The games of a generation in their file, a line each."""

from pathlib import Path

from gtp_engine.files import append_line
from gtp_engine.learn.samples import records
from gtp_engine.learn.selfplay import SelfplayGame


class GamesFile:
    """The games of a generation; each is on the disk before the next one is looked at."""

    def __init__(self, path: Path, wanted: int | None) -> None:
        """Raises OSError.

        wanted -- how many, None for no bound
        """
        self._path = path
        self._wanted = wanted
        self._known: set[int] = set()
        self._next = 0
        if path.exists():
            _cut_off_part(path)
            self._known = {game.number for game in records(path)}

    @property
    def count(self) -> int:
        """The games that are there."""
        return len(self._known)

    @property
    def complete(self) -> bool:
        """Whether all wanted games are there."""
        return self._wanted is not None and self.count >= self._wanted

    @property
    def left(self) -> int | None:
        """The games that were not taken yet, at most; None for no bound."""
        return None if self._wanted is None else max(0, self._wanted - self._next)

    def take(self) -> int | None:
        """The number of a game to play; None where there are enough."""
        while self._next in self._known:
            self._next += 1
        if self._wanted is not None and self._next >= self._wanted:
            return None
        self._next += 1
        return self._next - 1

    def add(self, record: SelfplayGame) -> None:
        """Keep a game. Raises OSError."""
        if record.number not in self._known:
            append_line(self._path, record.line())
            self._known.add(record.number)


def _cut_off_part(path: Path) -> None:
    """Remove the end of a line whose writing was interrupted."""
    with path.open("rb+") as file:
        whole = 0
        for line in file:
            whole += len(line) if line.endswith(b"\n") else 0
        file.truncate(whole)
