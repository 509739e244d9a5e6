"""Games in progress, as the threads that play them tell it."""

import threading

from gtp_engine.arena.records import GameKey, LiveGame, TurnRecord


class LiveGames:
    """What the games in progress have come to; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._openings: dict[GameKey, tuple[str, ...]] = {}
        self._turns: dict[GameKey, list[TurnRecord]] = {}
        self._changed = True

    def begin(self, key: GameKey, opening: tuple[str, ...]) -> None:
        """The engines of a game are seated."""
        with self._lock:
            self._openings[key], self._turns[key] = opening, []
            self._changed = True

    def add(self, key: GameKey, turn: TurnRecord) -> None:
        """A turn was made in a game that has begun."""
        with self._lock:
            self._turns[key].append(turn)
            self._changed = True

    def end(self, key: GameKey) -> None:
        """A game is over, or came to nothing; it may never have begun."""
        with self._lock:
            self._openings.pop(key, None)
            self._changed |= self._turns.pop(key, None) is not None

    def news(self) -> list[LiveGame] | None:
        """All games in progress; None where nothing has changed since the last call."""
        with self._lock:
            if not self._changed:
                return None
            self._changed = False
            return [
                LiveGame(key, self._openings[key], tuple(turns))
                for key, turns in self._turns.items()
            ]
