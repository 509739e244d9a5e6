"""Those who play the games of a generation: processes of this machine, or workers of a cluster.

Both are executors. A task is some games. Its result holds those that are complete; the others begin
again, with the same numbers, and so do the games of a process, a worker or a scheduler that is
lost. The process that started the training keeps the games.
"""

import pickle
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from multiprocessing import get_context
from secrets import token_hex
from threading import Lock, Thread, local
from typing import Any, NamedTuple

from gtp_engine.base.cluster import RETRY_SECONDS, Cluster, NoScheduler
from gtp_engine.base.numbers import number_of
from gtp_engine.base.platforms import interrupts_for_this_process
from gtp_engine.learn.game_records import GamesFile, SelfplayGame
from gtp_engine.learn.plan import Unfit
from gtp_engine.learn.selfplay import CannotPlay, SelfplayJob
from gtp_engine.learn.worker import (
    Readiness,
    UnknownJob,
    give_up,
    play_some,
    prepare,
    serve,
)
from gtp_engine.search.build_identity import build_word

# Games may fail this many times in a row on this machine, or twice for each process if that is
# more; and tasks this many times in a row on a worker, which is refused then.
_MOST_FAILURES, _MOST_FAILURES_OF_WORKER = 5, 3

# A task of a worker has as many games as it finishes in this time, up to a maximum. Smaller tasks
# would keep the scheduler busy. A lost worker loses the games that it has not sent.
_TASK_SECONDS, _MOST_GAMES = 2.0, 32

_STOPPING_SECONDS, _TELLING_SECONDS = 3.0, 1.0
_CLOSING_SECONDS = 3.0

# A fork would copy the threads and locks of JAX.
_start = get_context("spawn")


class _Task(NamedTuple):
    """The games of a task by their numbers; `worker` is its address, "" for this machine."""

    numbers: list[int]
    worker: str = ""


class GameSource:
    """Plays games. `close` it after use."""

    _games: GamesFile

    def __init__(self) -> None:
        self._tasks: dict[Future[list[SelfplayGame]], _Task] = {}

    @property
    def busy(self) -> int:
        """The number of tasks in progress."""
        return len(self._tasks)

    @property
    def shown(self) -> str:
        """The players in words, for progress reports."""
        raise NotImplementedError

    def begin(self, job: SelfplayJob, games: GamesFile) -> None:
        """Prepare for the games of a job that a file lacks. Those of an earlier job are over."""
        raise NotImplementedError

    def fill(self) -> None:
        """Begin games while there is room."""
        raise NotImplementedError

    def collect(self, seconds: float) -> list[SelfplayGame]:
        """Wait at most `seconds`; returns the finished games.

        Raises Unfit if games fail again and again, or if nobody can play them.
        """
        if futures := [*self._tasks, *self._questions()]:
            wait(futures, seconds, FIRST_COMPLETED)
        else:
            time.sleep(seconds)
        return [game for task in list(self._tasks) if task.done() for game in self._take(task)]

    def stop(self) -> None:
        """Stop the games in progress. Later calls of `collect` return the complete ones."""
        raise NotImplementedError

    def rest(self) -> None:
        """Free the memory after the games of a job, until the next job."""
        raise NotImplementedError

    def close(self) -> None:
        """End everything that this source started."""
        self.rest()

    def _questions(self) -> Iterable[Future[Any]]:
        """What else `collect` waits for."""
        return ()

    def _succeeded(self, task: _Task) -> None:
        raise NotImplementedError

    def _failed(self, task: _Task, error: Exception) -> None:
        """Record a failed task. Raises Unfit."""
        raise NotImplementedError

    def _take(self, future: Future[list[SelfplayGame]]) -> list[SelfplayGame]:
        """The games of a finished task; its missing games begin again. Raises Unfit."""
        task, found = self._tasks.pop(future), list[SelfplayGame]()
        try:
            found = future.result()
            self._succeeded(task)
        except CancelledError:  # its worker or the scheduler is lost; the next look finds out
            pass
        except Exception as error:
            self._failed(task, error)
        done = {game.number for game in found}
        self._games.give_back(*(number for number in task.numbers if number not in done))
        return found


class _Processes(ThreadPoolExecutor):
    """Threads that play games, each in a process of its own.

    Without processes the games would share Python's lock, which a game needs for up to a tenth of
    its time. A process ends when its pipe closes, so none survives a killed training.
    """

    def __init__(self, count: int, job: SelfplayJob) -> None:
        super().__init__(count, "self-play")
        self._job = job
        self._own = local()
        self._lock = Lock()
        self._processes: list[_Process] = []
        self._over = False

    def play(self, number: int) -> list[SelfplayGame]:
        """Play a game in the process of this thread; none if it was stopped.

        Raises CannotPlay, and RuntimeError with what else went wrong.
        """
        process = self._process()
        try:
            process.send(number)
            answer = process.pipe.recv()
        except (EOFError, OSError):
            status = self._ended(process, _CLOSING_SECONDS)
            raise RuntimeError(f"its process ended with status {status}") from None
        if isinstance(answer, Exception):
            raise answer
        found: list[SelfplayGame] = answer
        return found

    def stop(self) -> None:
        """Stop the games in progress."""
        for process in self._processes:
            with suppress(OSError):  # it is dead
                process.send(None)

    def end(self) -> None:
        """Kill the processes, and end the threads."""
        with self._lock:
            self._over, there = True, list(self._processes)
        for process in there:
            self._ended(process, 0.0)
        self.shutdown()

    def _process(self) -> "_Process":
        """The process of this thread, which lives as far as is known."""
        known: _Process | None = getattr(self._own, "process", None)
        with self._lock:
            if known in self._processes:
                return known
            if self._over:
                raise RuntimeError("the games are over")
            new = self._own.process = _Process()
            self._processes.append(new)
        with suppress(OSError):  # it is dead already
            new.send(self._job)
        return new

    def _ended(self, process: "_Process", patience: float) -> int | None:
        """The exit status of a process that is killed after so many seconds."""
        status = process.end(patience)
        with self._lock:
            if process in self._processes:
                self._processes.remove(process)
        return status


class _Process:
    """A process that serves; `pipe` leads to it."""

    def __init__(self) -> None:
        self.pipe, theirs = _start.Pipe()
        self._lock = Lock()
        self._process = _start.Process(target=serve, args=(theirs,), daemon=True)
        with interrupts_for_this_process():
            self._process.start()
        theirs.close()

    def send(self, message: object) -> None:
        """Send a message; several threads may do so. Raises OSError if the process is dead."""
        with self._lock:
            self.pipe.send(message)

    def end(self, patience: float) -> int | None:
        """The exit status; the process is killed after so many seconds."""
        self._process.join(patience)
        self._process.kill()
        self._process.join()
        return self._process.exitcode


class PlayingProcesses(GameSource):
    """Processes of this machine, which are started anew for each job."""

    _job: SelfplayJob

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count
        self._processes: _Processes | None = None
        self._failures = 0

    @property
    def shown(self) -> str:
        """See GameSource."""
        return f"{number_of(self._count, 'process', 'processes')} of this machine"

    def begin(self, job: SelfplayJob, games: GamesFile) -> None:
        """See GameSource."""
        self.rest()
        self._processes, self._games = _Processes(self._count, job), games

    def rest(self) -> None:
        """See GameSource."""
        if self._processes is not None:
            self._processes.end()
        self._processes = None
        self._tasks.clear()

    def fill(self) -> None:
        """See GameSource."""
        assert self._processes is not None
        while len(self._tasks) < self._count and (number := self._games.take()) is not None:
            future = self._processes.submit(self._processes.play, number)
            self._tasks[future] = _Task([number])

    def stop(self) -> None:
        """See GameSource."""
        if self._processes is not None:
            self._processes.stop()

    def _succeeded(self, task: _Task) -> None:
        self._failures = 0

    def _failed(self, task: _Task, error: Exception) -> None:
        if isinstance(error, CannotPlay):
            raise Unfit(f"this machine cannot play the games: {error}") from None
        self._failures += 1
        if self._failures >= max(_MOST_FAILURES, 2 * self._count):
            raise Unfit(
                f"{self._failures} games in a row came to nothing, the last one, number "
                f"{task.numbers[0]}, so: {error}"
            )


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
        self.failures = 0


class PlayingCluster(GameSource):
    """The workers of a cluster. Each gets the weights once a generation."""

    def __init__(
        self, address: str, most: int | None, any_build: bool, tell: Callable[[str], None]
    ) -> None:
        """Connect. Raises Unfit if no scheduler answers.

        most      -- the most tasks at a time; None for one for each thread of the workers
        any_build -- whether workers may have another build of the same version
        """
        super().__init__()
        self._most = most
        self._any_build = any_build
        self._tell = tell
        try:
            self._cluster = Cluster(address, tell, self._work)
        except NoScheduler as error:
            raise Unfit(f"--cluster: {error}") from None
        self._connected = True
        self._workers: dict[str, _Worker] = {}
        self._token, self._pickled = "", b""
        self._stopping_until: float | None = None
        self._played = False

    @property
    def shown(self) -> str:
        """See GameSource."""
        playing = self._workers.keys() - self._cluster.refused
        threads = sum(self._workers[address].threads for address in playing)
        workers = number_of(len(playing), "worker")
        return f"{workers} with {number_of(threads, 'thread')} of the cluster"

    def begin(self, job: SelfplayJob, games: GamesFile) -> None:
        """See GameSource."""
        self.rest()
        self._pickled, self._token, self._games = pickle.dumps(job), token_hex(8), games
        self._look()

    def rest(self) -> None:
        """See GameSource."""
        if self._token:
            self._give_up()
        self._token, self._stopping_until = "", None
        for worker in self._workers.values():
            worker.ready, worker.readiness = False, None
        self._tasks.clear()

    def fill(self) -> None:
        """See GameSource."""
        if not self._look():
            return
        busy = Counter(task.worker for task in self._tasks.values())
        for address, worker in self._workers.items():
            if worker.ready:
                self._fill(address, worker.threads - busy[address])
            elif worker.readiness is None and address not in self._cluster.refused:
                job = self._token, self._pickled, build_word(), self._any_build
                worker.readiness = self._cluster.submit_to(address, prepare, *job)

    def collect(self, seconds: float) -> list[SelfplayGame]:
        """See GameSource."""
        if self._stopping_until is not None and time.monotonic() > self._stopping_until:
            self._tasks.clear()  # of workers that do not answer
        found = super().collect(seconds)
        self._look()
        for address, worker in self._workers.items():
            self._read_readiness(address, worker)
        if self._workers and not self._played and self._workers.keys() == self._cluster.refused:
            raise Unfit(f"no worker of the scheduler at {self._cluster.address} can play the games")
        return found

    def stop(self) -> None:
        """See GameSource."""
        if self._stopping_until is None:
            self._stopping_until = time.monotonic() + _STOPPING_SECONDS
            self._give_up()

    def close(self) -> None:
        """See GameSource."""
        self.rest()
        self._cluster.close()

    def _work(self) -> str:
        """What workers are waited for."""
        left = self._games.left
        if left is not None:  # also those of workers that are gone, perhaps without our knowledge
            left += sum(len(task.numbers) for task in self._tasks.values())
        return f" to play {'games' if left is None else number_of(left, 'game')}"

    # Those who are there -------------------------------------------------------------------------

    def _look(self) -> bool:
        """Update the workers; returns whether the scheduler is connected."""
        lost = self._cluster.lost()
        if lost and self._connected:
            self._workers.clear()
            self._drop(list(self._tasks))
        there = self._cluster.workers
        for address in self._workers.keys() - there.keys():
            self._forget(address)
        for address in there.keys() - self._workers.keys():
            self._workers[address] = _Worker(address, there[address])
        if bool(lost) == self._connected and self._stopping_until is None:
            self._tell(
                f"{lost}; its games in progress begin again; trying to connect every "
                f"{RETRY_SECONDS:.0f} seconds"
                if lost
                else f"connected again to the scheduler at {self._cluster.address}"
            )
        self._connected = not lost
        return self._connected

    def _forget(self, address: str) -> None:
        """Remove a worker that is gone; its games begin again."""
        worker = self._workers.pop(address)
        futures = [future for future, task in self._tasks.items() if task.worker == address]
        self._drop(futures)
        for future in futures:
            future.cancel()
        if futures:
            self._tell(f"the worker {worker.shown} is gone; its games in progress begin again")

    def _drop(self, futures: Iterable[Future[list[SelfplayGame]]]) -> None:
        for future in futures:
            self._games.give_back(*self._tasks.pop(future).numbers)

    def _give_up(self) -> None:
        """Stop all games on the workers, with a short limit for workers that do not answer."""
        words = give_up, self._token
        told = Thread(target=self._cluster.run_on_all, args=words, daemon=True)
        told.start()
        told.join(_TELLING_SECONDS)

    # Preparing -----------------------------------------------------------------------------------

    def _questions(self) -> Iterable[Future[Any]]:
        asked = (worker.readiness for worker in self._workers.values())
        return [readiness for readiness in asked if readiness is not None]

    def _read_readiness(self, address: str, worker: _Worker) -> None:
        """Read the answer of a worker to its preparation."""
        if worker.readiness is None or not worker.readiness.done():
            return
        task, worker.readiness = worker.readiness, None
        try:
            name, problem = task.result()
        except CancelledError:
            return
        except Exception as error:  # from the library, or from another version of it
            self._refuse(address, f"{type(error).__name__}: {error}")
            return
        worker.shown = f"{name} ({address})" if name else address
        worker.ready = problem is None
        if problem is not None:
            self._refuse(address, problem)

    def _refuse(self, address: str, problem: str) -> None:
        worker = self._workers[address]
        worker.ready = False
        self._cluster.refused.add(address)
        self._tell(f"the worker {worker.shown} plays no games: {problem.partition(chr(10))[0]}")

    # Playing -------------------------------------------------------------------------------------

    def _fill(self, address: str, room: int) -> None:
        """Give so many tasks to a worker, up to the most of all workers."""
        for _ in range(room):
            numbers = self._numbers() if self._most is None or self.busy < self._most else []
            if not numbers:
                return
            job = self._token, numbers, _TASK_SECONDS
            self._tasks[self._cluster.submit_to(address, play_some, *job)] = _Task(numbers, address)

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

    def _succeeded(self, task: _Task) -> None:
        self._workers[task.worker].failures, self._played = 0, True

    def _failed(self, task: _Task, error: Exception) -> None:
        worker = self._workers[task.worker]
        if isinstance(error, UnknownJob):  # a new process has the same address
            worker.ready = False
            return
        worker.failures += 1  # the worker died, or raised any error
        if worker.failures >= _MOST_FAILURES_OF_WORKER:
            self._refuse(task.worker, f"{type(error).__name__}: {error}")
