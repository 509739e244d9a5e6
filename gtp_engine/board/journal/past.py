"""The finished games of the journal, as the explorer of the board reads them."""

from pathlib import Path

from gtp_engine.board.journal.file import JournalFailed
from gtp_engine.board.journal.journal import Journal
from gtp_engine.board.table.messages import CannotDo


class JournalGames:
    """The games of the journal that are over. See table.explorer.PastGames.

    A game that is changed after its end, or deleted, counts as it was until the board ends.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet."""
        self._path = path
        self._journal: Journal | None = None
        self._last: tuple[float, int] = (0.0, 0)
        self._known: set[int] = set()

    def more(self, most: int) -> list[bytes]:
        """The next games as SGF."""
        try:
            if self._journal is None:
                self._journal = Journal(self._path, second=True)
            games: list[bytes] = []
            while not games and (read := self._journal.over(self._last, most)):
                self._last = read[-1][:2]
                new = (text for _, game, text in read if game not in self._known)
                games = [text.encode() for text in new if text]
                self._known.update(game for _, game, _ in read)
            return games
        except JournalFailed as error:
            raise CannotDo(f"{error}.") from None

    def restart(self) -> None:
        """Go back to the first game."""
        self._last = (0.0, 0)
        self._known.clear()

    def close(self) -> None:
        """Close the file."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None
