"""Games on other machines: the workers of a Dask cluster start the engines and play.

What is kept is kept here, by the process that runs the match; a worker that dies takes nothing
with it but its games in progress, which are played again.
"""

from concurrent.futures import Executor
from functools import cache
from threading import Thread
from types import TracebackType
from typing import Any, Self

from gtp_engine.arena.config import WrongMatch
from gtp_engine.arena.game import Task, play_game
from gtp_engine.arena.pool import Pool
from gtp_engine.arena.records import GameRecord
from gtp_engine.arena.timing import Lateness

_CONNECTION_SECONDS = 20


@cache
def _here() -> tuple[Pool, Lateness]:
    """The engines of this worker, for as long as it lives."""
    return Pool(), Lateness()


def play_on_worker(task: Task) -> GameRecord:
    """Play a game on the worker that this is called on. Raises Void."""
    return play_game(task, *_here())


class Cluster:
    """A connection to a scheduler; use it in a `with` statement.

    executor -- takes the games
    threads  -- how many games the workers that are there now can play at once
    """

    def __init__(self, address: str) -> None:
        """Connect. Raises WrongMatch where there is no scheduler or no worker."""
        try:
            from distributed import Client
        except ImportError:
            wanted = "pip install 'gtp-engine[cluster]'"
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._client.run(_leave)
        self._client.close()

    def abandon(self) -> None:
        """End the games in progress."""
        self._client.run(_leave)


def _leave() -> None:
    """End the engines of this worker; the next match starts its own."""
    pool, _ = _here()
    _here.cache_clear()
    pool.abandon()
    Thread(target=pool.close, name="closing engines").start()
