"""The pool of threads: order, cancelling, its bound and its end."""

import threading

import pytest

from gtp_engine.search.pool import Pool, TooManyJobs
from support.waiting import PATIENCE


class Gate:
    """A job that runs until it is opened or interrupted."""

    def __init__(self) -> None:
        self.begun, self.ended = threading.Event(), threading.Event()
        self._open = threading.Event()
        self.interrupted = False

    def __call__(self, interrupt: threading.Event) -> None:
        self.begun.set()
        while not self._open.wait(0.001):
            if interrupt.is_set():
                self.interrupted = True
                break
        self.ended.set()

    def open(self) -> None:
        self._open.set()


@pytest.fixture
def pool():
    with Pool(1, most_waiting=5) as pool:
        yield pool
        pool.cancel_all()


@pytest.fixture
def gate(pool):
    """A job that keeps the only thread busy, so that all others wait."""
    gate = Gate()
    pool.submit(gate)
    assert gate.begun.wait(PATIENCE)
    yield gate
    gate.open()


def test_the_highest_priority_is_first_and_then_the_earliest(pool, gate):
    ran = []
    for name, priority in [("a", 0), ("b", 5), ("c", 0), ("d", 5), ("e", -1)]:
        pool.submit(lambda _, name=name: ran.append(name), priority)
    gate.open()
    assert pool.finish(PATIENCE)
    assert ran == ["b", "d", "a", "c", "e"]


def test_a_job_that_waits_is_dropped_and_one_that_runs_is_interrupted(pool):
    running, ran = Gate(), []
    job = pool.submit(running)
    assert running.begun.wait(PATIENCE)
    waiting = pool.submit(lambda _: ran.append("dropped"))
    pool.submit(lambda _: ran.append("kept"))
    assert pool.cancel(waiting)
    assert not pool.cancel(waiting)
    assert not pool.cancel(job)
    assert pool.finish(PATIENCE)
    assert running.interrupted
    assert ran == ["kept"]


def test_all_are_cancelled_and_new_jobs_still_run(pool):
    running, ran = Gate(), []
    pool.submit(running)
    assert running.begun.wait(PATIENCE)
    waiting = [pool.submit(lambda _: ran.append("dropped"), priority) for priority in (0, 1)]
    assert pool.cancel_all() == [waiting[1], waiting[0]]
    pool.submit(lambda _: ran.append("new"))
    assert pool.finish(PATIENCE)
    assert running.interrupted
    assert ran == ["new"]


def test_while_a_pool_is_held_the_end_of_a_job_lets_no_other_begin(pool):
    ran = []
    for _ in range(100):
        running = Gate()
        job = pool.submit(running)
        assert running.begun.wait(PATIENCE)
        waiting = pool.submit(lambda _: ran.append("begun"))
        with pool.held():
            pool.cancel(job)
            assert running.ended.wait(PATIENCE)
            assert pool.cancel(waiting)
    assert pool.finish(PATIENCE)
    assert ran == []


def test_a_full_pool_refuses_until_a_job_is_gone(pool, gate):
    jobs = [pool.submit(lambda _: None) for _ in range(5)]
    with pytest.raises(TooManyJobs):
        pool.submit(lambda _: None)
    pool.cancel(jobs[2])
    pool.submit(lambda _: None)


def test_dropped_jobs_take_no_memory(pool, gate):
    for _ in range(10_000):
        pool.cancel(pool.submit(lambda _: None))
    assert len(pool._queue) < 200


def test_a_job_that_fails_harms_no_other(pool):
    ran = []
    pool.submit(lambda _: 1 // 0)
    pool.submit(lambda _: ran.append("next"))
    assert pool.finish(PATIENCE)
    assert ran == ["next"]


def test_the_end_finishes_what_was_submitted():
    ran = []
    with Pool(2) as pool:
        for number in range(20):
            pool.submit(lambda _, number=number: ran.append(number))
    assert sorted(ran) == list(range(20))
    with pytest.raises(RuntimeError):
        pool.submit(lambda _: None)


def test_an_exception_drops_what_waits():
    running, ran = Gate(), []

    def interrupted() -> None:
        with Pool(1) as pool:
            pool.submit(running)
            assert running.begun.wait(PATIENCE)
            pool.submit(lambda _: ran.append("dropped"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert running.interrupted
    assert ran == []


def test_jobs_run_side_by_side():
    both = threading.Barrier(2, timeout=PATIENCE)
    met = []
    with Pool(2) as pool:
        for _ in range(2):
            pool.submit(lambda _: met.append(both.wait()))
    assert sorted(met) == [0, 1]
