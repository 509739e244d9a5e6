"""What a process and all that it starts take of the processors, as Linux tells."""

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from gtp_engine.platforms import process_time, thread_times


class Use(NamedTuple):
    """What a process and all below it used in a stretch of time, in seconds.

    processor -- processor time of all threads; those that ended, and processes, count too
    waited    -- how long the thread that waited longest was ready to run, but had no processor
    wanted    -- how long the busiest thread ran or waited
    """

    processor: float
    waited: float
    wanted: float

    @property
    def displaced(self) -> float:
        """For how long, at least, others kept the busiest thread from running.

        All that its own family ran is taken off: each second of another thread of the family may
        have cost it a second. So an engine cannot gain by keeping itself from running.
        """
        return max(0.0, self.wanted - self.processor)


class Usage(NamedTuple):
    """What was used since the start, in seconds.

    threads -- for each thread that lives, by process and number: how long it ran, and waited
    """

    processor: float
    threads: Mapping[tuple[int, int], tuple[float, float]]

    def since(self, before: "Usage") -> Use | None:
        """What was used since an earlier look; None where the system does not tell."""
        if not self.threads:
            return None
        waited = wanted = 0.0
        for thread, (ran, wait) in self.threads.items():
            ran_before, wait_before = before.threads.get(thread, (0.0, 0.0))
            waited = max(waited, wait - wait_before)
            wanted = max(wanted, ran + wait - ran_before - wait_before)
        return Use(max(0.0, self.processor - before.processor), waited, wanted)


class FamilyUsage:
    """Looks at a process and all below it. A look costs a few files of /proc for each thread.

    Processes are remembered: what one had used when it was last seen stays in the sum when it has
    ended, and who was seen is seen on when its parent has ended. One that starts and ends between
    two looks is counted by the system, in its parent, if the parent waits for it.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._living: dict[tuple[int, str], float] = {}
        self._ended = 0.0

    def look(self) -> Usage:
        """What was used up to now; nothing where the system does not tell."""
        threads: dict[tuple[int, int], tuple[float, float]] = {}
        before, self._living = self._living, {}
        known = dict(before.keys())  # numbers come again: the moment of the start is compared
        waiting = [self._pid, *known]
        seen = set()
        while waiting:
            pid = waiting.pop()
            if pid in seen:
                continue
            seen.add(pid)
            with suppress(OSError, ValueError, IndexError):
                started, spent = process_time(pid)
                if known.get(pid, started) == started:
                    self._living[pid, started] = spent
                    own, children = thread_times(pid)
                    threads |= {(pid, number): times for number, times in own.items()}
                    waiting += children
        self._ended += sum(
            spent for process, spent in before.items() if process not in self._living
        )
        return Usage(self._ended + sum(self._living.values()), threads)
