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
