"""Threads that run jobs: those of the highest priority first, among them the earliest."""

import heapq
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Self

from gtp_engine.base.log import logger

MOST_THREADS = 64
"""Most threads of a pool that a user may ask for."""

Work = Callable[[threading.Event], None]
"""What a job does, in a thread of the pool. It should end soon after the event is set."""


class TooManyJobs(Exception):
    """As many jobs wait as a pool may hold."""


class Job:
    """A job of a pool. It waits while it has `work`; then it runs, until `interrupt` is set."""

    __slots__ = ("interrupt", "order", "work")

    def __init__(self, order: tuple[int, int], work: Work) -> None:
        self.order = order
        self.work: Work | None = work
        self.interrupt: threading.Event | None = None

    def __lt__(self, other: "Job") -> bool:
        return self.order < other.order


class Pool:
    """Some threads, and the jobs that wait for them. All methods may be called from any thread.

    As a context manager it is closed at the end; an exception drops all jobs.

    threads      -- how many jobs run at a time; with 0 they run where `run_next` is called
    most_waiting -- how many jobs may wait
    """

    def __init__(self, threads: int, most_waiting: int = 10**5) -> None:
        self._most_waiting = most_waiting
        self._numbers = count()
        self._changed = threading.Condition()
        # These are guarded by it. The queue is a heap, in which dropped jobs stay for a while.
        self._queue: list[Job] = []
        self._waiting = 0
        self._running: set[Job] = set()
        self._closed = False
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self.cancel_all()
        self.close()

    def submit(self, work: Work, priority: int = 0) -> Job:
        """Add a job. Raises TooManyJobs, and RuntimeError if the pool is closed."""
        with self._changed:
            if self._closed:
                raise RuntimeError("the pool is closed")
            if self._waiting >= self._most_waiting:
                raise TooManyJobs
            if len(self._queue) > 2 * self._waiting + 100:
                self._queue = [job for job in self._queue if job.work is not None]
                heapq.heapify(self._queue)
            job = Job((-priority, next(self._numbers)), work)
            heapq.heappush(self._queue, job)
            self._waiting += 1
            self._changed.notify_all()
            return job

    def cancel(self, job: Job) -> bool:
        """Drop a job that waits, and interrupt one that runs. Returns whether it was dropped."""
        with self._changed:
            if job.work is None:
                if job.interrupt is not None:
                    job.interrupt.set()
                return False
            job.work = None
            self._waiting -= 1
            self._changed.notify_all()
            return True

    def cancel_all(self) -> list[Job]:
        """Drop all jobs that wait, and interrupt those that run. Returns those dropped, in order.

        Jobs that are submitted later are not affected.
        """
        with self._changed:
            for job in self._running:
                self.cancel(job)
            queue, self._queue = self._queue, []
            return [job for job in sorted(queue) if self.cancel(job)]

    @contextmanager
    def held(self) -> Iterator[None]:
        """No job begins during the block, though others end: what waits can still be dropped."""
        with self._changed:
            yield

    def finish(self, timeout: float | None = None) -> bool:
        """Wait until no job waits or runs, at most `timeout` seconds; False if it took longer."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._waiting or self._running), timeout)

    def close(self) -> None:
        """Finish all jobs, and end the threads. To drop the jobs instead, call `cancel_all` first.

        A job must not call it.
        """
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def run_next(self) -> bool:
        """Run the next job that waits, in this thread; returns False if there is none."""
        with self._changed:
            begun = self._begin() if self._waiting else None
        if begun is not None:
            self._finish(*begun)
        return begun is not None

    def _run(self) -> None:
        while (begun := self._begin()) is not None:
            self._finish(*begun)

    def _finish(self, job: Job, work: Work, interrupt: threading.Event) -> None:
        try:
            work(interrupt)
        except Exception:
            logger().exception("a job of a pool failed")
        finally:
            with self._changed:
                self._running.remove(job)
                self._changed.notify_all()

    def _begin(self) -> tuple[Job, Work, threading.Event] | None:
        """The next job, which counts as running from now on; None once the pool is closed."""
        with self._changed:
            while True:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return None
                job = heapq.heappop(self._queue)
                work, job.work = job.work, None
                if work is not None:
                    job.interrupt = threading.Event()
                    self._waiting -= 1
                    self._running.add(job)
                    return job, work, job.interrupt
