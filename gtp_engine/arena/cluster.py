"""Games on other machines: the workers of a Dask cluster start the engines and play.

What is kept is kept here, by the process that runs the match; a worker that dies takes nothing
with it but its games in progress, which are played again.
"""

from concurrent.futures import Executor
from functools import cache
from threading import Thread
from typing import Any

from gtp_engine.arena.config import WrongMatch
from gtp_engine.arena.game import Task, play_game
from gtp_engine.arena.pool import Pool
from gtp_engine.arena.records import GameRecord
from gtp_engine.extras import how_to_install

_CONNECTION_SECONDS = 20


@cache
def _here() -> Pool:
    """The engines of this worker, until the match ends."""
    return Pool()


def play_on_worker(task: Task) -> GameRecord:
    """Play a game on the worker that this is called on. Raises Void.

    What the engines are there goes with the game: other workers may have others.
    """
    pool = _here()
    record = play_game(task, pool)
    return record._replace(identities=pool.identities(task.key.engines))


class Cluster:
    """A connection to a scheduler; `close` it.

    executor -- takes the games
    threads  -- how many games the workers that are there now can play at once
    """

    def __init__(self, address: str) -> None:
        """Connect. Raises WrongMatch where there is no scheduler or no worker."""
        try:
            from distributed import Client
        except ImportError:
            wanted = how_to_install("cluster")
            raise WrongMatch(f"--cluster needs one more library: {wanted}") from None
        try:
            client: Any = Client
            self._client = client(address, timeout=_CONNECTION_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise WrongMatch(f"--cluster: no scheduler at {address}: {error}") from None
        self.threads = sum(self._client.nthreads().values())
        if not self.threads:
            self._client.close()
            raise WrongMatch(f"--cluster: the scheduler at {address} has no workers yet")
        self.executor: Executor = self._client.get_executor(pure=False)

    def abandon(self) -> None:
        """End the games in progress."""
        self._client.run(_leave)

    def close(self) -> None:
        """End what the workers have started for us, and leave."""
        self.abandon()
        self._client.close()


def _leave() -> None:
    """End the engines of this worker; the next match starts its own."""
    pool = _here()
    _here.cache_clear()
    pool.abandon()
    Thread(target=pool.close, name="closing engines").start()
