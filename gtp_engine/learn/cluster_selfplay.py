"""Self-play on the workers of a Dask cluster.

Each worker gets the weights once a generation, and then numbers of games. When a worker leaves, its
games in progress begin again elsewhere. When the scheduler dies, all games in progress begin again
once a scheduler answers at its address. The process that started the training keeps the games.
"""

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from secrets import token_hex
from threading import Thread
from typing import Any

from gtp_engine.base.cluster import (
    LOOK_SECONDS,
    RETRY_SECONDS,
    Connection,
    NoScheduler,
    Reconnection,
    waiting_for_a_worker,
)
from gtp_engine.base.numbers import number_of
from gtp_engine.learn.game_records import GamesFile, SelfplayGame
from gtp_engine.learn.plan import Unfit
from gtp_engine.learn.selfplay import SelfplayJob
from gtp_engine.learn.worker import Readiness, UnknownJob, give_up, packed, play_some, prepare
from gtp_engine.search.build import accepts_build, build_word

# A task has as many games as a worker finishes in this time, up to a maximum. Smaller tasks would
# keep the scheduler busy. A lost worker loses the games that it has not sent.
_TASK_SECONDS, _MOST_GAMES = 2.0, 32

_STOPPING_SECONDS, _TELLING_SECONDS = 3.0, 1.0

# A worker is refused after this many failed tasks in a row.
_MOST_FAILURES = 3


class _Worker:
    """A worker of the cluster.

    shown     -- its address, after its name if it has told one
    readiness -- the future of its preparation; None before and after
    ready     -- whether it can play now
    """

    def __init__(self, address: str, threads: int) -> None:
        self.shown = address
        self.threads = threads
        self.readiness: Future[Readiness] | None = None
        self.ready = False
        self.refused = False
        self.failures = 0
        self.tasks: dict[Future[list[SelfplayGame]], list[int]] = {}


class PlayingCluster:
    """The workers of a cluster that play games; see GameSource."""

    _games: GamesFile

    def __init__(
        self, address: str, most: int | None, any_build: bool, tell: Callable[[str], None]
    ) -> None:
        """Connect. Raises Unfit if no scheduler answers.

        most      -- the most games at a time; None for one for each thread of the workers
        any_build -- whether workers may have another build of the same version
        """
        self._address = address
        self._most = most
        self._any_build = any_build
        self._tell = tell
        try:
            self._connection: Connection | None = Connection(address)
        except NoScheduler as error:
            raise Unfit(f"--cluster: {error}") from None
        self._workers: dict[str, _Worker] = {}
        self._token, self._packed = "", b""
        self._next_look = 0.0
        self._stopping_until: float | None = None
        self._played = self._waiting_told = False
        self._reconnection: Reconnection | None = None

    @property
    def busy(self) -> int:
        """See GameSource.busy."""
        return sum(len(worker.tasks) for worker in self._workers.values())

    @property
    def shown(self) -> str:
        """See GameSource.shown."""
        playing = [worker for worker in self._workers.values() if not worker.refused]
        threads = sum(worker.threads for worker in playing)
        workers = number_of(len(playing), "worker")
        return f"{workers} with {number_of(threads, 'thread')} of the cluster"

    def begin(self, job: SelfplayJob, games: GamesFile) -> None:
        """See GameSource.begin."""
        self.rest()
        self._packed, self._token, self._games = packed(job), token_hex(8), games
        self._look()

    def rest(self) -> None:
        """See GameSource.rest."""
        if self._token and self._connection is not None:
            self._give_up()
        self._token, self._stopping_until = "", None
        for worker in self._workers.values():
            worker.ready, worker.readiness = False, None
            worker.tasks.clear()

    def fill(self) -> None:
        """See GameSource.fill."""
        if not self._look() or self._connection is None:
            return
        try:
            for address, worker in self._workers.items():
                if worker.ready:
                    self._fill(self._connection, address, worker)
                elif not worker.refused and worker.readiness is None:
                    build = None if self._any_build else build_word()
                    job = self._token, self._packed, build
                    worker.readiness = self._connection.submit(address, prepare, *job)
        except NoScheduler as error:
            self._lose(str(error))

    def collect(self, seconds: float) -> list[SelfplayGame]:
        """See GameSource.collect."""
        if self._stopping_until is not None and time.monotonic() > self._stopping_until:
            for worker in self._workers.values():  # workers that do not answer
                worker.tasks.clear()
        tasks: list[Future[Any]] = []
        for worker in self._workers.values():
            tasks += worker.tasks
            tasks += [] if worker.readiness is None else [worker.readiness]
        if tasks:
            wait(tasks, seconds, FIRST_COMPLETED)
        else:
            time.sleep(seconds)
        self._look()
        found: list[SelfplayGame] = []
        for address, worker in self._workers.items():
            self._see_readiness(address, worker)
            for task in [task for task in worker.tasks if task.done()]:
                found += self._take(address, worker, task)
        self._check_refusals()
        return found

    def stop(self) -> None:
        """See GameSource.stop."""
        if self._stopping_until is None:
            self._stopping_until = time.monotonic() + _STOPPING_SECONDS
            self._give_up()

    def close(self) -> None:
        """See GameSource.close."""
        self.rest()
        if self._connection is not None:
            self._connection.close()

    # Connection ----------------------------------------------------------------------------------

    def _look(self) -> bool:
        """Update the workers now and then; returns whether the scheduler is connected."""
        now = time.monotonic()
        if self._connection is None and not self._reconnected():
            return False
        assert self._connection is not None
        if now < self._next_look and not self._connection.lost:
            return True
        self._next_look = now + LOOK_SECONDS
        try:
            there = self._connection.threads()
        except NoScheduler as error:
            self._lose(str(error))
            return False
        for address in self._workers.keys() - there.keys():
            self._forget(address, told=True)
        for address in there.keys() - self._workers.keys():
            self._workers[address] = _Worker(address, there[address])
        waiting = all(worker.refused for worker in self._workers.values())
        if waiting and not self._waiting_told:
            self._tell(f"{waiting_for_a_worker(self._address)} to play {self._games_in_words}")
        self._waiting_told = waiting
        return True

    @property
    def _games_in_words(self) -> str:
        left = self._games.left
        return "games" if left is None else number_of(left, "game")

    def _reconnected(self) -> bool:
        if self._stopping_until is not None or self._reconnection is None:
            return False
        self._connection = self._reconnection.made()
        if self._connection is None:
            return False
        self._tell(f"connected again to the scheduler at {self._address}")
        return True

    def _lose(self, reason: str) -> None:
        for address in list(self._workers):
            self._forget(address, told=False)
        if self._connection is not None:
            self._connection.close_soon()
        self._connection, self._reconnection = None, Reconnection(self._address)
        if self._stopping_until is None:
            self._tell(
                f"{reason}; its games in progress begin again; trying to connect every "
                f"{RETRY_SECONDS:.0f} seconds"
            )

    def _forget(self, address: str, told: bool) -> None:
        """Remove a worker; its games begin again.

        told -- whether the scheduler reported the loss; False if the scheduler is lost too
        """
        worker = self._workers.pop(address)
        for task, numbers in worker.tasks.items():
            self._games.give_back(*numbers)
            if told:
                task.cancel()
        if told and worker.tasks:
            self._tell(f"the worker {worker.shown} is gone; its games in progress begin again")

    def _give_up(self) -> None:
        """Stop all games on the workers, with a short limit for workers that do not answer."""
        if (connection := self._connection) is not None:
            told = Thread(target=connection.run_on_all, args=(give_up, self._token), daemon=True)
            told.start()
            told.join(_TELLING_SECONDS)

    # Preparing -----------------------------------------------------------------------------------

    def _see_readiness(self, address: str, worker: _Worker) -> None:
        """Read the answer of a worker to its preparation."""
        if worker.readiness is None or not worker.readiness.done():
            return
        task, worker.readiness = worker.readiness, None
        try:
            build, problem, name = task.result()
        except CancelledError:
            return
        except Exception as error:  # from the library, or from another version of it
            self._refuse(worker, f"{type(error).__name__}: {error}")
            return
        worker.shown = f"{name} ({address})" if name else address
        if not accepts_build(build, self._any_build):
            problem = f"it has build {build} of the engine, and the training has {build_word()}"
        if problem is None:
            worker.ready = True
        else:
            self._refuse(worker, problem)

    def _refuse(self, worker: _Worker, problem: str) -> None:
        worker.ready, worker.refused = False, True
        self._tell(f"the worker {worker.shown} plays no games: {problem.partition(chr(10))[0]}")

    def _check_refusals(self) -> None:
        """Raise Unfit if every worker was refused and no game was played."""
        workers = self._workers.values()
        if workers and not self._played and all(worker.refused for worker in workers):
            raise Unfit(f"no worker of the scheduler at {self._address} can play the games")

    # Playing -------------------------------------------------------------------------------------

    def _fill(self, connection: Connection, address: str, worker: _Worker) -> None:
        """Give tasks to a worker that has free threads. Raises NoScheduler."""
        while len(worker.tasks) < worker.threads and (self._most is None or self.busy < self._most):
            chosen = self._numbers()
            if not chosen:
                return
            worker.tasks[self._submitted(connection, address, chosen)] = chosen

    def _submitted(
        self, connection: Connection, address: str, chosen: list[int]
    ) -> Future[list[SelfplayGame]]:
        try:
            return connection.submit(address, play_some, self._token, chosen, _TASK_SECONDS)
        except NoScheduler:
            self._games.give_back(*chosen)
            raise

    def _numbers(self) -> list[int]:
        """Draw the games of a task. Tasks shrink near the end, so that all workers have some."""
        left = self._games.left
        threads = sum(worker.threads for worker in self._workers.values() if worker.ready)
        most = _MOST_GAMES
        if left is not None:
            most = max(1, min(most, left // (2 * threads)))
        chosen: list[int] = []
        while len(chosen) < most:
            number = self._games.take()
            if number is None:
                break
            chosen.append(number)
        return chosen

    def _take(
        self, address: str, worker: _Worker, task: "Future[list[SelfplayGame]]"
    ) -> list[SelfplayGame]:
        """The games of a finished task; its missing games begin again."""
        numbers = worker.tasks.pop(task)
        found: list[SelfplayGame] = []
        try:
            found = task.result()
            worker.failures, self._played = 0, True
        except CancelledError:  # the worker or the scheduler is lost; the next `_look` finds out
            pass
        except UnknownJob:  # a new process has the same address
            worker.ready = False
        except Exception as error:  # the worker died, or raised any error
            worker.failures += 1
            if worker.failures >= _MOST_FAILURES:
                self._refuse(worker, f"{type(error).__name__}: {error}")
        done = {game.number for game in found}
        self._games.give_back(*(number for number in numbers if number not in done))
        return found
