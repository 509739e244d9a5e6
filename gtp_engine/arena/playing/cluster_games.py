"""Games on other machines: the workers of a Dask cluster start the engines and play.

The process that runs the match stores all results. If a worker dies, only its games in progress
are lost, and they are played again. If the scheduler dies, that holds for all games in progress.
"""

from functools import cache
from threading import Thread

from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.referee import GameTask, play_game
from gtp_engine.arena.values import GameRecord
from gtp_engine.base.cluster import worker_name


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


def end_engines() -> None:
    """End the engines of the worker that calls this; the next match starts its own."""
    pool = _pool()
    _pool.cache_clear()
    pool.abandon()
    Thread(target=pool.close, name="closing engines").start()
