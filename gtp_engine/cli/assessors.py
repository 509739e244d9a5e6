"""Positions that are assessed side by side: by threads of this process, or on a Dask cluster.

The result of a position limited by visits is the same everywhere.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, wait
from contextlib import closing, contextmanager
from typing import Protocol

from gtp_engine.base.cluster import Cluster, NoScheduler
from gtp_engine.rules.game import Position
from gtp_engine.search.assessment import SearchSetup, assess
from gtp_engine.search.build_identity import OtherBuild, build_word, check_build
from gtp_engine.search.observer import Report
from gtp_engine.search.pool import Pool

_LOOK = 0.1  # seconds between two checks of an interrupt


class NoAssessors(Exception):
    """Nobody assesses positions any more; the text is a sentence for the user."""


class Assessors(Protocol):
    """Assess positions in the background, in about the order in which they are submitted."""

    def submit(self, position: Position) -> Future[Report]:
        """Begin with a position as soon as possible. Raises NoAssessors."""
        ...

    def check(self) -> None:
        """Raise NoAssessors if no result can come any more."""
        ...


def result_of(
    future: Future[Report], assessors: Assessors, interrupt: threading.Event
) -> Report | None:
    """A result, as soon as there is one; None after an interrupt. Raises NoAssessors."""
    while not wait([future], _LOOK).done:
        if interrupt.is_set():
            return None
        assessors.check()
    if interrupt.is_set():
        return None
    try:
        return future.result()
    except OtherBuild as other:
        raise NoAssessors(
            f"a worker has another build of the engine, {other}; --accept-other-builds allows it"
        ) from None
    except CancelledError:
        assessors.check()
        raise NoAssessors("a search was given up") from None
    except Exception as error:  # workers fail in many ways
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise NoAssessors(f"a search failed: {reason}") from error


class _Threads:
    def __init__(self, pool: Pool, setup: SearchSetup) -> None:
        self._pool, self._setup = pool, setup

    def submit(self, position: Position) -> Future[Report]:
        future: Future[Report] = Future()
        budget = self._setup.budget

        def work(interrupt: threading.Event) -> None:
            try:
                setup = self._setup._replace(budget=budget._replace(interrupt=interrupt))
                found = assess(position, setup)
            except Exception as error:
                future.set_exception(error)
            else:
                future.set_result(found)

        self._pool.submit(work)
        return future

    def check(self) -> None:
        pass


@contextmanager
def threads(setup: SearchSetup, count: int) -> Iterator[Assessors]:
    """Threads of this process; the end of the block interrupts them."""
    with Pool(count) as pool:
        yield _Threads(pool, setup)
        pool.cancel_all()


def assess_on_worker(position: Position, setup: SearchSetup, build: str, any_build: bool) -> Report:
    """Assess a position on the worker that calls this. Raises OtherBuild.

    build     -- the build of the engine that asks
    any_build -- whether another build of the same version will do
    """
    check_build(build, any_build)
    return assess(position, setup)


class _Workers:
    def __init__(self, cluster: Cluster, setup: SearchSetup, any_build: bool) -> None:
        self._cluster, self._setup, self._any_build = cluster, setup, any_build

    def submit(self, position: Position) -> Future[Report]:
        self.check()
        return self._cluster.submit(
            assess_on_worker, position, self._setup, build_word(), self._any_build
        )

    def check(self) -> None:
        if lost := self._cluster.lost():
            raise NoAssessors(lost)


@contextmanager
def cluster(
    address: str, setup: SearchSetup, any_build: bool, tell: Callable[[str], None]
) -> Iterator[Assessors]:
    """The workers of a Dask cluster, each with one position a thread.

    any_build -- whether workers may have another build of the same version
    tell      -- gets a sentence if there are no workers

    Raises ValueError, with a sentence, if no scheduler answers.
    """
    try:
        connected = Cluster(address, tell)
    except NoScheduler as error:
        raise ValueError(f"--cluster: {error}") from None
    with closing(connected):
        yield _Workers(connected, setup, any_build)
