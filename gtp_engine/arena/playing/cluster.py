"""Games on other machines: the workers of a Dask cluster start the engines and play.

What is kept is kept here, by the process that runs the match; a worker that dies takes nothing
with it but its games in progress, which are played again.
"""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from functools import cache
from threading import Thread
from typing import Any

from gtp_engine.arena.playing.game import GameTask, play_game
from gtp_engine.arena.playing.match import MatchFailed, StopRequest
from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.records import GameRecord
from gtp_engine.arena.setup.config import WrongMatch
from gtp_engine.extras import how_to_install

_CONNECTION_SECONDS = 20
_CLOSING_SECONDS = 3
_LOOK_SECONDS = 1.0  # between two looks at how many workers there are
_LIBRARIES = ("asyncio", "distributed", "tornado")


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
            from distributed import Client
        except ImportError:
            wanted = how_to_install("cluster")
            raise WrongMatch(f"--cluster needs one more library: {wanted}") from None
        _silence()
        self._address = address
        try:
            client: Any = Client
            self._client = client(address, timeout=_CONNECTION_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise WrongMatch(f"--cluster: no scheduler at {address}: {error}") from None
        self._threads, self._next_look = 0, 0.0
        try:
            self._wait_for_a_worker(stop, tell)
        except BaseException:
            self.close()
            raise
        self.executor: Executor = self._client.get_executor(pure=False)

    def threads(self) -> int:
        """How many games the workers that are there now can play at once; looked up now and then,
        since workers come and go."""
        if time.monotonic() >= self._next_look and self.lost() is None:
            with suppress(Exception):  # it may be lost at any moment
                self._threads = sum(self._client.nthreads().values())
            self._next_look = time.monotonic() + _LOOK_SECONDS
        return self._threads

    def lost(self) -> str | None:
        """A sentence where the scheduler is gone, None as long as it is there."""
        if self._client.status == "running":
            return None
        return (
            f"the scheduler at {self._address} is gone; what was played is kept, and the same"
            " command goes on"
        )

    def abandon(self) -> None:
        """End the games in progress."""
        if self.lost() is None:
            with suppress(Exception):  # it may be lost at any moment
                self._client.run(_leave)

    def close(self) -> None:
        """End what the workers have started for us, and leave."""
        self.abandon()
        with suppress(Exception):
            self._client.close(timeout=_CLOSING_SECONDS)

    def _wait_for_a_worker(self, stop: StopRequest, tell: Callable[[str], None]) -> None:
        told = False
        while not self.threads() and not stop.asked:
            if lost := self.lost():
                raise MatchFailed(lost)
            if not told:
                tell(f"waiting for the first worker of the scheduler at {self._address}")
                told = True
            stop.wait(_LOOK_SECONDS)


def _silence() -> None:
    """What matters of the libraries' tracebacks we say ourselves, in one line."""
    for name in [*_LIBRARIES, *logging.root.manager.loggerDict]:
        if name.partition(".")[0] in _LIBRARIES:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _leave() -> None:
    """End the engines of this worker; the next match starts its own."""
    pool = _here()
    _here.cache_clear()
    pool.abandon()
    Thread(target=pool.close, name="closing engines").start()
