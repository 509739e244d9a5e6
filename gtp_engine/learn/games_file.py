"""The file of a generation's games, one game on each line."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from gtp_engine.files import append_line, replacing
from gtp_engine.learn.game_records import SelfplayGame, games_in
from gtp_engine.learn.samples import records


class GamesFile:
    """The games of a generation. Each game is on the disk before the next one is added."""

    def __init__(self, path: Path, wanted: int | None) -> None:
        """Open the file. Raises OSError.

        wanted -- the wanted number of games; None for no limit
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
        """The number of games in the file."""
        return len(self._known)

    @property
    def complete(self) -> bool:
        """Whether the file has all wanted games."""
        return self._wanted is not None and self.count >= self._wanted

    @property
    def left(self) -> int | None:
        """The most games that can still be taken; None for no limit."""
        return None if self._wanted is None else max(0, self._wanted - self._next)

    def take(self) -> int | None:
        """The number of the next game to play; None if there are enough games."""
        while self._next in self._known:
            self._next += 1
        if self._wanted is not None and self._next >= self._wanted:
            return None
        self._next += 1
        return self._next - 1

    def add(self, record: SelfplayGame) -> None:
        """Append a game. Raises OSError."""
        if record.number not in self._known:
            append_line(self._path, record.line())
            self._known.add(record.number)


def join_games(game: str, sources: Iterable[Path], target: Path) -> int:
    """Write the games of some files into one, numbered anew; returns how many. Raises OSError.

    The numbers follow the order of the files. A fit prefers the highest ones.
    """
    with replacing(target) as file:
        count = 0
        for record in chain.from_iterable(games_in(source, game) for source in sources):
            file.write(record._replace(number=count).line().encode() + b"\n")
            count += 1
    return count


def _cut_off_part(path: Path) -> None:
    """Remove an incomplete last line, which an interrupted write leaves."""
    with path.open("rb+") as file:
        whole = 0
        for line in file:
            whole += len(line) if line.endswith(b"\n") else 0
        file.truncate(whole)
