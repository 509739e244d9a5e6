"""Reserved cores for each game, so that games do not take time from each other."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain

from gtp_engine.arena.setup.config import WrongMatch
from gtp_engine.base.affinity import usable_processors
from gtp_engine.base.platforms import claimed_name, processors_of_core

_PAUSE = 0.1  # seconds between two looks for cores


def check_cores(number: int, games: int) -> None:
    """Check that this many parallel games can have this many cores each. Raises WrongMatch."""
    if number and len(shares(number)) < games:
        there = len(cores())
        raise WrongMatch(
            f"cores: concurrency {games} with {number} per game needs {games * number} cores;"
            f" this process may use {there}"
        )


def shares(number: int) -> list[tuple[int, ...]]:
    """The disjoint sets of processors that give one game this many cores each. Raises WrongMatch
    if the system cannot bind engines to cores."""
    found = cores()
    wholes = range(number, len(found) + 1, number)
    return [tuple(sorted(chain(*found[end - number : end]))) for end in wholes]


def cores() -> list[tuple[int, ...]]:
    """The cores that this process may use, each as its processors: several where a core runs
    several threads. Raises WrongMatch as `shares` does."""
    usable = usable_processors()
    if usable is None:
        raise WrongMatch("cores: this system cannot bind engines to cores")
    return sorted({tuple(sorted(usable & processors_of_core(processor))) for processor in usable})


class Cores:
    """Reserves cores. No two games on this machine share a core, even in different processes, such
    as the workers of a cluster. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: set[int] = set()

    @contextmanager
    def held(self, number: int, check_open: Callable[[], None]) -> Iterator[tuple[int, ...]]:
        """Reserve cores while the block runs, waiting for them; yields the numbers of their
        processors, none if `number` is 0.

        check_open -- called while waiting; it raises to end the wait

        Raises WrongMatch if this machine has fewer cores.
        """
        if not number:
            yield ()
            return
        every = shares(number)
        if not every:
            raise WrongMatch(
                f"cores: {number} per game, but this process may use only {len(cores())}"
            )
        with ExitStack() as claims:
            yield self._wait(every, claims, check_open)

    def _wait(
        self, every: list[tuple[int, ...]], claims: ExitStack, check_open: Callable[[], None]
    ) -> tuple[int, ...]:
        while True:
            for share in every:
                if self._take(share, claims):
                    return share
            check_open()
            time.sleep(_PAUSE)

    def _take(self, share: tuple[int, ...], claims: ExitStack) -> bool:
        """Take all processors of a share, or none."""
        with self._lock, ExitStack() as taken:
            for processor in share:
                if processor in self._taken:
                    return False
                self._taken.add(processor)
                taken.callback(self._taken.discard, processor)
                try:
                    taken.enter_context(claimed_name(f"gtp-arena processor {processor}"))
                except OSError:
                    return False
            claims.enter_context(taken.pop_all())
            return True
