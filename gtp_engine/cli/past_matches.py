"""The games of match files, as the explorer of the board reads them."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from gtp_engine.arena.storage.store import Store, StoreFailed
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.cli.arena_games import UnplayableGame, sgf_of

MOST_GAMES = 20_000
"""The newest games of a file that are read: to count a game takes about 10 ms."""


def check_matches(paths: Sequence[Path]) -> None:
    """Raises StoreFailed, with a sentence, if a file is no match that can be read."""
    for path in paths:
        store = Store(path, to_read=True)
        try:
            store.match()
        finally:
            store.close()


class MatchGames:
    """The finished games of a match, from the first on, also of one that is being played.

    See table.explorer.PastGames.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet."""
        self._path = path
        self._store: Store | None = None
        self._last: int | None = None

    def more(self, most: int) -> list[bytes]:
        """The next games as SGF."""
        try:
            games: list[bytes] = []
            while not games and (read := list(islice(self._read(), most))):
                games = [game for game in read if game]
            return games
        except StoreFailed as error:
            raise CannotDo(f"{error}.") from None

    def restart(self) -> None:
        """Go back to the first game."""
        self._last = None

    def close(self) -> None:
        """Close the file."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def _read(self) -> Iterator[bytes]:
        """The games after the last one that was read; an unplayable one is empty."""
        if self._store is None:
            self._store = Store(self._path, to_read=True)
        if self._last is None:
            numbers = self._store.numbers()
            self._last = numbers[-MOST_GAMES] - 1 if len(numbers) >= MOST_GAMES else 0
        for number, result in self._store.games(self._last):
            self._last = number
            try:
                yield sgf_of(result, self._store.turns(number)).encode()
            except UnplayableGame:
                yield b""
