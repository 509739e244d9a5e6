"""Games on other machines: the workers of a Dask cluster start the engines and play.

The process that runs the match stores all results. If a worker dies, only its games in progress
are lost, and they are played again. If the scheduler dies, that holds for all games in progress.
"""

import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import cache
from threading import Thread
from typing import ParamSpec, TypeVar

from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.referee import GameTask, play_game
from gtp_engine.arena.setup.config import WrongMatch
from gtp_engine.arena.values import GameRecord
from gtp_engine.base.cluster import (
    LOOK_SECONDS,
    Connection,
    NoScheduler,
    Reconnection,
    waiting_for_a_worker,
    worker_name,
)

_P = ParamSpec("_P")
_T = TypeVar("_T")


@cache
def _pool() -> EnginePool:
    """The engines of this worker, kept until the match ends."""
    return EnginePool()


def play_on_worker(task: GameTask) -> GameRecord:
    """Play a game on the worker that calls this. Raises Void.

    The record names this worker, and the identities of its engines, which other workers may not
    have.
    """
    pool = _pool()
    record = play_game(task, pool)
    worker = " ".join(filter(None, (record.result.worker, worker_name())))
    result = record.result._replace(worker=worker)
    return record._replace(result=result, identities=pool.identities(task.key.engines))


class Cluster(Executor):
    """The workers of a scheduler. A lost scheduler is looked for again. Call `close` at the end."""

    def __init__(self, address: str, tell: Callable[[str], None], begun: bool = False) -> None:
        """Connect. Raises WrongMatch if there is no scheduler.

        tell  -- receives a sentence while there is no worker
        begun -- whether the scheduler is known, so that it is looked for instead
        """
        self._address, self._tell = address, tell
        self._reconnection = Reconnection(address)
        try:
            self._connection: Connection | None = Connection(address)
        except NoScheduler as error:
            if not begun:
                raise WrongMatch(f"--cluster: {error}") from None
            self._connection = None
        self._threads, self._next_look = 0, 0.0
        self._waiting_told = False

    def submit(
        self, function: Callable[_P, _T], /, *arguments: _P.args, **named: _P.kwargs
    ) -> Future[_T]:
        """Run a function on any free worker; cancelled if the scheduler is gone."""
        if self._connection is not None:
            try:
                return self._connection.executor.submit(function, *arguments, **named)
            except Exception:  # the library raises many kinds when connections break
                self._lose()
        cancelled: Future[_T] = Future()
        cancelled.cancel()
        cancelled.set_running_or_notify_cancel()
        return cancelled

    def threads(self) -> int:
        """The number of games that the present workers can play in parallel. It is updated
        regularly, because workers come and go."""
        if self._connection is not None and time.monotonic() >= self._next_look:
            with suppress(NoScheduler):  # `lost` says so
                self._threads = sum(self._connection.threads().values())
                if not (self._threads or self._waiting_told):
                    self._tell(waiting_for_a_worker(self._address))
                self._waiting_told = not self._threads
            self._next_look = time.monotonic() + LOOK_SECONDS
        return self._threads

    def lost(self) -> str | None:
        """A sentence while the scheduler is gone, else None. Call it regularly: it reconnects."""
        if self._connection is not None and self._connection.lost:
            self._lose()
        if self._connection is None:
            self._connection = self._reconnection.made()
        return None if self._connection else f"the scheduler at {self._address} is gone"

    def abandon(self) -> None:
        """End the games in progress."""
        if self._connection is not None:
            self._connection.run_on_all(_end_engines)

    def close(self) -> None:
        """End the engines that the workers started for this match, and disconnect."""
        self.abandon()
        if self._connection is not None:
            self._connection.close()

    def _lose(self) -> None:
        if self._connection is not None:
            self._connection.close_soon()
        self._connection, self._reconnection = None, Reconnection(self._address)
        self._threads, self._next_look = 0, 0.0


def _end_engines() -> None:
    """End the engines of this worker; the next match starts its own."""
    pool = _pool()
    _pool.cache_clear()
    pool.abandon()
    Thread(target=pool.close, name="closing engines").start()
