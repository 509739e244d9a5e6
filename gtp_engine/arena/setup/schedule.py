"""Which games a match consists of, in the order in which they are played."""

import hashlib
from collections.abc import Iterator

from gtp_engine.arena.records import GameKey
from gtp_engine.arena.setup.config import Match


def games_of(match: Match) -> Iterator[GameKey]:
    """All games: both colors of a pair together, and every two engines equally often so far."""
    boards, pairings = list(match.played_boards()), list(match.pairings())
    for number in match.pairs:
        for board in boards:
            for first, second in pairings:
                for half in (0, 1):
                    yield GameKey(board, first.name, second.name, number, half)


def count_games(match: Match) -> int:
    """How many games that are."""
    return len(list(match.played_boards())) * len(list(match.pairings())) * 2 * len(match.pairs)


def seed_of(match: Match, key: GameKey) -> int:
    """The seed of a game: the same for the same game of a match, whenever it is played."""
    text = f"{match.seed} {key}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1
