"""How long a compilation still takes, by what its files are known to cost."""

import heapq
import os
import re
import time
from collections.abc import Callable, Sequence

# Seconds of a core that has nothing else to do, by the name of what a step makes; the first that
# fits counts.
COSTS = {
    r"_search\.cpp\.o$": 15.0,
    r"_entry\.cpp\.o$": 9.0,
    r"inference_(v4_vnni|native|plain)\.dir": 8.0,
    r"Unity|bindings|inference": 2.5,
    r"\.o$": 0.7,
    r"": 0.1,
}

# What the load of the machine says of its speed weighs as much as these seconds of finished steps.
_TRUST = 10.0

# An estimate may become longer by this factor and these seconds without a word.
_FACTOR, _SECONDS = 1.5, 5.0

# Before there is an estimate, gtp_engine/base/kernel_build.py tells one to five minutes.
_FIRST_PROMISE = 300.0


class TimeLeft:
    """An estimate, which each finished step makes better.

    steps     -- the names of what all steps make, in their order
    processes -- how many steps run at a time
    clock     -- tells the time in seconds
    load      -- tells how many processes of the machine want to run

    total   -- the number of steps
    done    -- how many of them are finished
    seconds -- the estimate
    why     -- why it became much longer than it had been; None if it did not
    """

    def __init__(
        self,
        steps: Sequence[str],
        processes: int,
        clock: Callable[[], float] = time.monotonic,
        load: Callable[[], float] = lambda: os.getloadavg()[0],
    ) -> None:
        self._left = {name: cost(name) for name in steps}
        self._processes, self._clock, self._load = processes, clock, load
        self._began = now = clock()
        self._usual_slowness = self._slowness = 1 + load() / processes
        self._started: dict[str, float] = {}
        self.total, self.done = len(self._left), 0
        self.why: str | None = None
        self._whole = self._span(now)
        self._promise = now + _FIRST_PROMISE
        self._tell(now, self._whole * self._slowness)

    def finish(self, name: str) -> None:
        """A step has ended; one that was not among the steps does not count."""
        if name not in self._left:
            return
        del self._left[name]
        self.done += 1
        now = self._clock()
        span = self._span(now)
        took = now - self._began + _TRUST * self._usual_slowness
        self._slowness = took / (self._whole - span + _TRUST)
        self._tell(now, span * self._slowness)

    def _tell(self, now: float, seconds: float) -> None:
        allowed = _FACTOR * max(0.0, self._promise - now) + _SECONDS
        if seconds > allowed and self.why is None:
            self.why = self._reason()
        self.seconds, self._promise = seconds, now + seconds

    def _span(self, now: float) -> float:
        """Seconds that the rest takes on a machine with nothing else to do."""
        ends = [0.0] * self._processes
        for number, (name, seconds) in enumerate(self._left.items()):
            if number < self._processes:  # it runs
                did = now - self._started.setdefault(name, now)
                seconds = max(seconds / 10, seconds - did / self._slowness)
            heapq.heappush(ends, heapq.heappop(ends) + seconds)
        return max(ends)

    def _reason(self) -> str:
        if self._load() > _FACTOR * self._processes:
            return "other programs use the processors"
        return "this machine takes longer than most"


def cost(name: str) -> float:
    """Seconds that a step takes."""
    return next(seconds for pattern, seconds in COSTS.items() if re.search(pattern, name))
