"""What a process and all that it starts take of the processors, as Linux tells."""

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from gtp_engine.base.platforms import process_time, thread_times


class Use(NamedTuple):
    """The use of the processors by a process and its descendants in a period, in seconds.

    processor -- processor time of all threads, including ended threads and processes
    waited    -- longest time of any thread being ready without a processor
    wanted    -- longest time of any thread running or being ready
    """

    processor: float
    waited: float
    wanted: float

    @property
    def displaced(self) -> float:
        """The least time for which other processes kept the busiest thread from running.

        The processor time of the whole family is subtracted, because each of its seconds may have
        delayed the busiest thread. So an engine cannot gain by blocking itself.
        """
        return max(0.0, self.wanted - self.processor)


class Usage(NamedTuple):
    """The use of the processors since the start, in seconds.

    threads -- for each living thread, by process and number: the times running and being ready
    """

    processor: float
    threads: Mapping[tuple[int, int], tuple[float, float]]

    def since(self, before: "Usage") -> Use | None:
        """The use since an earlier measurement; None if the system does not report it."""
        if not self.threads:
            return None
        waited = wanted = 0.0
        for thread, (ran, wait) in self.threads.items():
            ran_before, wait_before = before.threads.get(thread, (0.0, 0.0))
            waited = max(waited, wait - wait_before)
            wanted = max(wanted, ran + wait - ran_before - wait_before)
        return Use(max(0.0, self.processor - before.processor), waited, wanted)


class FamilyUsage:
    """Measures a process and its descendants. Each thread costs a few reads of /proc.

    Processes are remembered: the last measured use of an ended process stays in the sum, and a
    process stays known when its parent ends. The system counts a process that starts and ends
    between two measurements in its parent, if the parent waits for it.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._living: dict[tuple[int, str], float] = {}
        self._ended = 0.0

    def look(self) -> Usage:
        """The use so far; empty if the system does not report it."""
        threads: dict[tuple[int, int], tuple[float, float]] = {}
        before, self._living = self._living, {}
        known = dict(before.keys())  # numbers are reused, so start times are compared
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
