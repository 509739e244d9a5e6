"""Games in progress, as reported by the threads that play them."""

import threading

from gtp_engine.arena.values import GameKey, LiveGame, TurnRecord


class LiveGames:
    """The state of the games in progress; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._openings: dict[GameKey, tuple[str, ...]] = {}
        self._turns: dict[GameKey, list[TurnRecord]] = {}
        self._changed = True

    def begin(self, key: GameKey, opening: tuple[str, ...]) -> None:
        """Register a game whose engines are ready."""
        with self._lock:
            self._openings[key], self._turns[key] = opening, []
            self._changed = True

    def add(self, key: GameKey, turn: TurnRecord) -> None:
        """Add a turn to a registered game."""
        with self._lock:
            self._turns[key].append(turn)
            self._changed = True

    def end(self, key: GameKey) -> None:
        """Remove a finished or void game, if it was registered."""
        with self._lock:
            self._openings.pop(key, None)
            self._changed |= self._turns.pop(key, None) is not None

    def news(self) -> list[LiveGame] | None:
        """All games in progress; None if nothing has changed since the last call."""
        with self._lock:
            if not self._changed:
                return None
            self._changed = False
            return [
                LiveGame(key, self._openings[key], tuple(turns))
                for key, turns in self._turns.items()
            ]
