"""Games in progress, as reported by the threads that play them."""

import threading

from gtp_engine.arena.values import GameKey, LiveGame, TurnRecord


class LiveGames:
    """The state of the games in progress; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._games: dict[GameKey, LiveGame] = {}
        self._changed = True

    def begin(self, key: GameKey, opening: tuple[str, ...]) -> None:
        """Register a game whose engines are ready."""
        with self._lock:
            self._games[key] = LiveGame(key, opening, ())
            self._changed = True

    def add(self, key: GameKey, turn: TurnRecord) -> None:
        """Add a turn to a registered game."""
        with self._lock:
            game = self._games[key]
            self._games[key] = game._replace(turns=(*game.turns, turn))
            self._changed = True

    def end(self, key: GameKey) -> None:
        """Remove a finished or void game, if it was registered."""
        with self._lock:
            self._changed |= self._games.pop(key, None) is not None

    def news(self) -> list[LiveGame] | None:
        """All games in progress; None if nothing has changed since the last call."""
        with self._lock:
            if not self._changed:
                return None
            self._changed = False
            return list(self._games.values())
