"""Games on other machines: the workers of a Dask cluster start the engines and play.

The process that runs the match stores all results. If a worker dies, only its games in progress
are lost, and they are played again.
"""

import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from functools import cache
from threading import Thread

from gtp_engine.arena.playing.match import MatchFailed, StopRequest
from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.referee import GameTask, play_game
from gtp_engine.arena.setup.config import WrongMatch
from gtp_engine.arena.values import GameRecord
from gtp_engine.cluster.connection import LOOK_SECONDS, Connection, NoScheduler


@cache
def _pool() -> EnginePool:
    """The engines of this worker, kept until the match ends."""
    return EnginePool()


def play_on_worker(task: GameTask) -> GameRecord:
    """Play a game on the worker that calls this. Raises Void.

    The record contains the identities of the engines, because workers may have different ones.
    """
    pool = _pool()
    record = play_game(task, pool)
    return record._replace(identities=pool.identities(task.key.engines))


class Cluster:
    """A connection to a scheduler; call `close` at the end.

    executor -- runs the games
    """

    def __init__(self, address: str, stop: StopRequest, tell: Callable[[str], None]) -> None:
        """Connect, and wait for the first worker, or until a stop is requested.

        tell -- receives a sentence if that takes long

        Raises WrongMatch if there is no scheduler, MatchFailed if it disappears.
        """
        try:
            self._connection = Connection(address)
        except NoScheduler as error:
            raise WrongMatch(f"--cluster: {error}") from None
        self._threads, self._next_look = 0, 0.0
        self.executor: Executor = self._connection.executor
        try:
            self._wait_for_a_worker(stop, tell)
        except BaseException:
            self.close()
            raise

    def threads(self) -> int:
        """The number of games that the present workers can play in parallel. It is updated
        regularly, because workers come and go."""
        if time.monotonic() >= self._next_look:
            with suppress(NoScheduler):  # `lost` says so
                self._threads = sum(self._connection.threads().values())
            self._next_look = time.monotonic() + LOOK_SECONDS
        return self._threads

    def lost(self) -> str | None:
        """A sentence if the scheduler is gone, else None."""
        if not self._connection.lost:
            return None
        return (
            f"the scheduler at {self._connection.address} is gone; finished games are kept; run the"
            " same command to continue"
        )

    def abandon(self) -> None:
        """End the games in progress."""
        self._connection.run_on_all(_end_engines)

    def close(self) -> None:
        """End the engines that the workers started for this match, and disconnect."""
        self.abandon()
        self._connection.close()

    def _wait_for_a_worker(self, stop: StopRequest, tell: Callable[[str], None]) -> None:
        told = False
        while not self.threads() and not stop.asked:
            if lost := self.lost():
                raise MatchFailed(lost)
            if not told:
                address = self._connection.address
                tell(f"waiting for the first worker of the scheduler at {address}")
                told = True
            stop.wait(LOOK_SECONDS)


def _end_engines() -> None:
    """End the engines of this worker; the next match starts its own."""
    pool = _pool()
    _pool.cache_clear()
    pool.abandon()
    Thread(target=pool.close, name="closing engines").start()
