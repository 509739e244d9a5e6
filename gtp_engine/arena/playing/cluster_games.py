"""Games on other machines: the workers of a Dask cluster start the engines and play.

The process that runs the match stores all results. If a worker dies, only its games in progress
are lost, and they are played again. If the scheduler dies, that holds for all games in progress.

A worker may play for several matches at a time. Each has engines of its own, which no other match
uses or ends: the next match may want newer builds.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from uuid import uuid4

from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.referee import GameTask, play_game
from gtp_engine.arena.values import GameRecord
from gtp_engine.base.cluster import worker_name

UNUSED_SECONDS = 300.0
"""The engines of a match end after so many seconds without a game: its process may be gone."""

_LOOK_SECONDS = 30.0


class _Engines:
    """The engines of a match, and when its last game ended here."""

    def __init__(self) -> None:
        self.pool = EnginePool(visiting=True)
        self.games = 0
        self.used = 0.0


class MatchPools:
    """The engines of this worker by match; safe to use from several threads.

    clock -- tells the seconds since any moment
    pause -- waits for some seconds between two looks for unused engines
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._clock, self._pause = clock, pause
        self._lock = threading.Lock()
        self._matches: dict[str, _Engines] = {}
        self._watched = False

    @contextmanager
    def lent(self, match: str) -> Iterator[EnginePool]:
        """The engines of a match for the time of a game."""
        with self._lock:
            if not self._watched:
                self._watched = True
                threading.Thread(target=self._watch, name="unused engines", daemon=True).start()
            engines = self._matches.setdefault(match, _Engines())
            engines.games += 1
        try:
            yield engines.pool
        finally:
            with self._lock:
                engines.games -= 1
                engines.used = self._clock()

    def end(self, match: str) -> None:
        """End the engines of a match; its games in progress are void."""
        with self._lock:
            engines = self._matches.pop(match, None)
        if engines is not None:
            engines.pool.abandon()
            threading.Thread(target=engines.pool.close, name="closing engines").start()

    def _end_unused(self) -> None:
        """End the engines of matches that have had no game for long."""
        with self._lock:
            last = self._clock() - UNUSED_SECONDS
            unused = {
                match: engines
                for match, engines in self._matches.items()
                if not engines.games and engines.used <= last
            }
            for match in unused:
                del self._matches[match]
        for engines in unused.values():
            engines.pool.close()

    def _watch(self) -> None:
        """Look for unused engines until there are no engines left."""
        while True:
            self._pause(_LOOK_SECONDS)
            self._end_unused()
            with self._lock:
                if not self._matches:
                    self._watched = False
                    return


@cache
def _pools() -> MatchPools:
    """The engines of this worker."""
    return MatchPools()


def new_match() -> str:
    """A name for a match that no other one has, in any process."""
    return uuid4().hex


def play_on_worker(match: str, task: GameTask) -> GameRecord:
    """Play a game of a match on the worker that calls this. Raises Void.

    The record names this worker, and the identities of its engines, which other workers may not
    have.
    """
    with _pools().lent(match) as pool:
        record = play_game(task, pool)
        identities = pool.identities(task.key.engines)
    worker = " ".join(filter(None, (record.result.worker, worker_name())))
    result = record.result._replace(worker=worker)
    return record._replace(result=result, identities=identities)


def end_engines(match: str) -> None:
    """End the engines of a match on the worker that calls this."""
    _pools().end(match)
