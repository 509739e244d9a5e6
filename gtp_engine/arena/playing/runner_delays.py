"""When this process did not run as it should, so that engines do not lose time by it.

On a loaded machine its threads wait for a processor, and it sees responses late. During a pause it
does not run at all: it was stopped (Ctrl-Z, SIGSTOP, a frozen container), or the system slept.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from gtp_engine.base.platforms import held_up, uptime, waits_of_threads


class Pauses(NamedTuple):
    """The pauses in a period, in seconds.

    counted -- the part that `time.monotonic` counted; on Linux it stands while the system sleeps
    whole    -- their duration
    """

    counted: float
    whole: float


class _Pause(NamedTuple):
    """A pause by `time.monotonic`, with its whole duration in seconds."""

    begin: float
    end: float
    whole: float


def lateness() -> "Lateness":
    """The instance of this process; one is enough."""
    return _instance(os.getpid())


@cache
def _instance(process: int) -> "Lateness":
    """Each process has its own: a forked one has no threads of ours."""
    instance = Lateness()
    threading.Thread(target=instance.watch, name="lateness", daemon=True).start()
    return instance


class SystemTimes(NamedTuple):
    """What the clocks show, in seconds.

    now    -- `time.monotonic`
    up     -- `uptime`, which goes on while the system sleeps
    ran    -- processor time of this process so far
    held   -- how long this thread was held up so far, by others that ran or had the interpreter's
              lock
    waited -- how long each thread has waited for a processor so far, by their numbers
    """

    now: float
    up: float
    ran: float
    held: float
    waited: Mapping[int, float]

    def busy_since(self, before: "SystemTimes") -> float:
        """Seconds since an earlier moment in which threads ran or waited, about.

        Threads wait at the same time: their waits are not added up.
        """
        waited = (more - before.waited.get(thread, 0.0) for thread, more in self.waited.items())
        return self.ran - before.ran + max([self.held - before.held, 0.0, *waited])


def system_times() -> SystemTimes:
    """What the clocks of this machine show to this thread."""
    return SystemTimes(
        time.monotonic(), uptime(), time.process_time(), held_up(), waits_of_threads()
    )


class Lateness:
    """Notes when a thread that sleeps for a short period, again and again, woke late.

    It was paused if for at least LEAST_PAUSE no thread of the process ran or waited for a
    processor. All threads count, because it may have waited for the interpreter's lock while the
    thread that held it had no processor. Where the system does not tell how long threads waited,
    such a delay is a pause.
    """

    PERIOD = 0.02
    LEAST_PAUSE = 0.5
    _KEPT = 600.0
    _MOST_PAUSES = 1000

    def __init__(
        self,
        moment: Callable[[], SystemTimes] = system_times,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """The clocks and the sleep of this machine, or of one that is invented."""
        self._moment, self._clock, self._sleep = moment, clock, sleep
        self._last = moment()
        self._due = self._last.now + self.PERIOD
        self._late: deque[tuple[float, float]] = deque()
        self._pauses: deque[_Pause] = deque(maxlen=self._MOST_PAUSES)
        self._lock = threading.Lock()

    def at(self, moment: float) -> float:
        """Seconds by which we were late at a recent moment of `time.monotonic`, without pauses."""
        self._catch_up()
        with self._lock:
            since = takewhile(lambda entry: entry[0] >= moment, reversed(self._late))
            late = [late for end, late in since if end - late - self.PERIOD <= moment]
        if moment >= self._due - self.PERIOD:  # the watching thread is late now and not yet awake
            late.append(self._clock() - self._due)
        return max([0.0, *late])

    def paused(self, since: float, until: float) -> Pauses:
        """The pauses between two moments of `time.monotonic`."""
        self._catch_up()
        counted = whole = 0.0
        with self._lock:
            for pause in self._pauses:
                overlap = min(until, pause.end) - max(since, pause.begin)
                slept = pause.whole - (pause.end - pause.begin)
                # It began at most one period after we last ran.
                if overlap > 0 and overlap + slept > self.PERIOD:
                    counted += overlap
                    whole += overlap + slept
        return Pauses(counted, whole)

    def _catch_up(self) -> None:
        """Wait for the watching thread while it is late: it will tell a pause from a delay."""
        while self._clock() > self._due + self.PERIOD:
            self._sleep(self.PERIOD / 4)

    def watch(self) -> None:
        """What the thread does, without an end."""
        while True:
            self.sleep()

    def sleep(self) -> None:
        """Sleep for a period, and note what has passed since the last one."""
        self._sleep(self.PERIOD)
        # No moment is between two periods, since we may be stopped at any moment.
        before, last = self._last, self._moment()
        whole = max(last.up - before.up, last.now - before.now)
        late = whole - self.PERIOD
        if late >= self.PERIOD / 4:
            self._note(before, last, whole)
        self._last, self._due = last, last.now + self.PERIOD

    def _note(self, before: SystemTimes, last: SystemTimes, whole: float) -> None:
        late = whole - self.PERIOD
        with self._lock:
            if late - last.busy_since(before) >= self.LEAST_PAUSE:
                self._pauses.append(_Pause(before.now, last.now, whole))
            else:
                self._late.append((last.now, late))
            while self._late and self._late[0][0] < last.now - self._KEPT:
                self._late.popleft()
