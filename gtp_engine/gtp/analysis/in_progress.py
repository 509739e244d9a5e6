"""The positions of a request in progress: which are found, and which may be answered."""

import threading
from collections.abc import Collection, Iterable, Iterator

from gtp_engine.gtp.analysis.answers import Answers
from gtp_engine.gtp.analysis.games import AskedGame
from gtp_engine.search.observer import Report
from gtp_engine.search.pool import Job


class RequestInProgress:
    """A request in progress. The service's lock guards all but `released`.

    jobs -- the searches, by the number of the position
    left -- the positions that still get their final line
    """

    def __init__(self, answers: Answers, game: AskedGame) -> None:
        self.answers, self.game = answers, game
        self.jobs: dict[int, Job] = {}
        self.left = set(game.priorities)
        self._untold = set(game.priorities)
        self._unwritten = len(game.priorities)
        self.found: dict[int, Report | None] = {}
        self.writing = threading.Lock()
        self._hurried: set[int] = set()
        self._order = iter(sorted(game.priorities) if answers.request.ordered else ())
        self._next = next(self._order, None)
        self._held: dict[int, bytes] = {}

    def settle(self, number: int, found: Report | None) -> list[int]:
        """Note the result for a position, None without one; returns the positions to answer now."""
        self.found[number] = found
        return self._take_ready((number, number + 1))

    def _take_ready(self, numbers: Iterable[int]) -> list[int]:
        ready = [each for each in numbers if each in self.left and self._ready(each)]
        self.left.difference_update(ready)
        return ready

    def _ready(self, number: int) -> bool:
        """Whether everything that the answer about a position needs is known."""
        if number not in self.found:
            return False
        alone = not self.answers.request.played or number == 0 or number in self._hurried
        return alone or number - 1 in self.found

    def hurry(self, numbers: Collection[int]) -> list[int]:
        """Wait no longer for what was before some positions; returns those to answer now."""
        self._hurried.update(numbers)
        return self._take_ready(numbers)

    def forget(self, number: int) -> None:
        """Free the results that no answer needs any more, once that about a position is made."""
        self._untold.discard(number)
        judges = self.answers.request.played
        for each in (number - 1, number):
            needed = each in self._untold or (judges and each + 1 in self._untold)
            if each in self.found and not needed:
                self.found[each] = None

    def needless(self) -> Iterator[Job]:
        """The searches that no answer needs any more."""
        needed = self.left | {number - 1 for number in self.left - self._hurried}
        for number, job in self.jobs.items():
            if number not in needed and number not in self.found:
                yield job

    def released(self, number: int, line: bytes) -> Iterator[bytes]:
        """The final lines that may be written, after that of a position. Hold `writing`."""
        self._held[number] = line
        following: int | None = number if self._next is None else self._next
        while following in self._held:
            self._unwritten -= 1
            yield self._held.pop(following)
            following = self._next = next(self._order, None)

    @property
    def finished(self) -> bool:
        """Whether no final line is left but the one that was released last. Hold `writing`."""
        return not self._unwritten
