"""The games of a match, in the order of play."""

import hashlib
from collections.abc import Iterator

from gtp_engine.arena.setup.config import Match
from gtp_engine.arena.values import GameKey


def games_of(match: Match) -> Iterator[GameKey]:
    """All games: both colors of a pair together, with equal progress for every pair of engines."""
    boards, pairings = list(match.played_boards()), list(match.pairings())
    for number in match.pairs:
        for board in boards:
            for first, second in pairings:
                for half in (0, 1):
                    yield GameKey(board, first.name, second.name, number, half)


def count_games(match: Match) -> int:
    """The number of games in the match."""
    return len(list(match.played_boards())) * len(list(match.pairings())) * 2 * len(match.pairs)


def seed_of(match: Match, key: GameKey) -> int:
    """The seed of a game; it depends on nothing but the match and the game."""
    text = f"{match.seed} {key}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


class GameSet:
    """A set of games of a match. It takes one byte for each game, because matches are long."""

    def __init__(self, match: Match) -> None:
        self._pairs = match.pairs
        self._marks = {
            (board, first.name, second.name): bytearray()
            for board in match.played_boards()
            for first, second in match.pairings()
        }
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __contains__(self, key: GameKey) -> bool:
        marks, place = self._marks.get(key[:3], b""), self._place(key)
        return 0 <= place < len(marks) and bool(marks[place])

    def add(self, key: GameKey) -> None:
        """Add a game; one that does not belong to the match is ignored."""
        if key.number not in self._pairs or key[:3] not in self._marks or key in self:
            return
        marks, place = self._marks[key[:3]], self._place(key)
        marks.extend(bytes(max(0, place + 1 - len(marks))))
        marks[place] = 1
        self._size += 1

    def _place(self, key: GameKey) -> int:
        return 2 * (key.number - self._pairs.start) + key.half
