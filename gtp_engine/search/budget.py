"""How long a search may take."""

import threading
import time
from typing import NamedTuple

SMALL_SIZE = 4
"""The size of the largest boards that can be solved, or nearly: small boards."""

SOLVED_EARLY = 20_000
"""The positions that a solver may search before an early turn on a small board with a book, if the
search has other limits. The game's tuning has the number for late positions."""


class Budget(NamedTuple):
    """The limits of a search, or of a turn; the first one reached ends it.

    visits    -- of the root, None for no limit
    seconds   -- None for no limit
    interrupt -- ends the search as soon as it is set; None for none
    positions -- that a solver may search before; None for as many as visits. A table of all
                 positions of a board takes no more than the seconds, but has no place in a search
                 with visits and without positions
    longest   -- seconds for the hardest turn, where `seconds` are those of a usual one: see
                 time_manager.py; None to spend all seconds on every turn
    before    -- the chance to win that the color to move had on its last turn, None for unknown
    saves     -- whether a turn with `longest` ends early when no other step can catch up
    """

    visits: int | None = None
    seconds: float | None = None
    interrupt: threading.Event | None = None
    positions: int | None = None
    longest: float | None = None
    before: float | None = None
    saves: bool = True

    def without(self, passed: float) -> "Budget":
        """The rest of the budget after so many seconds, at least half of it."""
        if self.seconds is None:
            return self
        seconds = max(self.seconds - passed, self.seconds / 2)
        longest = None if self.longest is None else self.longest - (self.seconds - seconds)
        return self._replace(seconds=seconds, longest=longest)

    def begin(self) -> "Deadline":
        """The budget as it runs out from now on."""
        end = None if self.seconds is None else time.monotonic() + self.seconds
        return Deadline(self.visits, end, self.interrupt, self.positions)


class Deadline(NamedTuple):
    """A budget that has begun to run: `end` is a time of the monotonic clock."""

    visits: int | None
    end: float | None
    interrupt: threading.Event | None
    positions: int | None = None

    def interrupted(self) -> bool:
        """Whether the search was interrupted."""
        return self.interrupt is not None and self.interrupt.is_set()

    def seconds_left(self) -> float | None:
        """The time that is left, None for no bound."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    def reached(self) -> bool:
        """Whether time is up or the search was interrupted."""
        if self.interrupted():
            return True
        return self.end is not None and time.monotonic() >= self.end

    def share(self, part: float) -> "Deadline":
        """The deadline after a part, 0 to 1, of the time that is left."""
        if self.end is None:
            return self
        now = time.monotonic()
        return self._replace(end=now + (self.end - now) * part)
