"""Games on other machines: the workers of a Dask cluster start the engines and play.

What is kept is kept here, by the process that runs the match; a worker that dies takes nothing
with it but its games in progress, which are played again.
"""

import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from functools import cache
from threading import Thread

from gtp_engine.arena.playing.game import GameTask, play_game
from gtp_engine.arena.playing.match import MatchFailed, StopRequest
from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.records import GameRecord
from gtp_engine.arena.setup.config import WrongMatch
from gtp_engine.cluster.connection import LOOK_SECONDS, Connection, NoScheduler


@cache
def _here() -> EnginePool:
    """The engines of this worker, until the match ends."""
    return EnginePool()


def play_on_worker(task: GameTask) -> GameRecord:
    """Play a game on the worker that this is called on. Raises Void.

    What the engines are there goes with the game: other workers may have others.
    """
    pool = _here()
    record = play_game(task, pool)
    return record._replace(identities=pool.identities(task.key.engines))


class Cluster:
    """A connection to a scheduler; `close` it.

    executor -- takes the games
    """

    def __init__(self, address: str, stop: StopRequest, tell: Callable[[str], None]) -> None:
        """Connect, and wait for the first worker, or until somebody asks to stop.

        tell -- gets a sentence where that takes long

        Raises WrongMatch where there is no scheduler, MatchFailed where it goes.
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
        """How many games the workers that are there now can play at once; looked up now and then,
        since workers come and go."""
        if time.monotonic() >= self._next_look:
            with suppress(NoScheduler):  # `lost` says so
                self._threads = sum(self._connection.threads().values())
            self._next_look = time.monotonic() + LOOK_SECONDS
        return self._threads

    def lost(self) -> str | None:
        """A sentence where the scheduler is gone, None as long as it is there."""
        if not self._connection.lost:
            return None
        return (
            f"the scheduler at {self._connection.address} is gone; what was played is kept, and"
            " the same command goes on"
        )

    def abandon(self) -> None:
        """End the games in progress."""
        self._connection.run_on_all(_leave)

    def close(self) -> None:
        """End what the workers have started for us, and leave."""
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


def _leave() -> None:
    """End the engines of this worker; the next match starts its own."""
    pool = _here()
    _here.cache_clear()
    pool.abandon()
    Thread(target=pool.close, name="closing engines").start()
