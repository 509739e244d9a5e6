"""The sequential test of a match: it sees the pairs of games in the order of their numbers."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gtp_engine.arena.values import MOST_VOIDS, Board, GameKey, VoidGame
from gtp_engine.base.statistics.sprt import Sprt
from gtp_engine.base.statistics.statistics import Counts


class SprtDecision(NamedTuple):
    """The end of a sequential test: the hypothesis that it accepted, and what it had seen."""

    accepted: str
    counts: Counts
    llr: float


class PairTest:
    """A sequential test of a match between two engines, which sees its pairs in their order.

    Pairs end in any order, since several are played at once. A test that took them as they end
    would see quick pairs first; where an engine wins faster than it loses, it would accept H1 far
    too often. So the test sees the pairs from the first one up to the first that is not complete,
    by number and then by board. Whoever reads the same games comes to the same decision.

    A pair with a game that was void MOST_VOIDS times is left out.

    sprt     -- the hypotheses
    decision -- how the test ended, None until then; later pairs do not change it
    """

    def __init__(
        self, sprt: Sprt, engines: tuple[str, str], boards: Sequence[Board], start: int = 0
    ) -> None:
        """
        engines -- their names, in the order of the match
        boards  -- those of the match, in its order
        start   -- the number of the first pair
        """
        self.sprt = sprt
        self.decision: SprtDecision | None = None
        self._engines = engines
        self._boards = [(board.game, board.size) for board in boards]
        self._next = start * len(self._boards)
        self._ended: dict[int, int | None] = {}
        self._numbers = [0] * 5

    @property
    def counts(self) -> Counts:
        """The pairs that the test has seen."""
        return Counts(tuple(self._numbers))

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of these pairs."""
        return self.sprt.llr(self.counts)

    def add(self, key: GameKey, score: int) -> bool:
        """A pair is complete. Returns whether the test has seen another pair.

        key   -- one of its games
        score -- the half points of the engine that the key names first, 0 to 4
        """
        names = key.first, key.second
        if names == self._engines[::-1]:
            score = 4 - score
        elif names != self._engines:
            return False  # a pair of an earlier version of the match
        return self._end(key.board.game, key.board.size, key.number, score)

    def see_voids(self, voids: Iterable[VoidGame]) -> None:
        """Leave out the pairs that are given up.

        voids -- all attempts that came to nothing
        """
        games = Counter(void[:-2] for void in voids)  # all but the reason and the time
        for (game, size, first, second, number, _), times in games.items():
            if times >= MOST_VOIDS and {first, second} == set(self._engines):
                self._end(game, size, number, None)

    def _end(self, game: str, size: int, number: int, score: int | None) -> bool:
        """A pair is complete, or given up without a score."""
        if (game, size) not in self._boards:
            return False
        place = number * len(self._boards) + self._boards.index((game, size))
        if self.decision is not None or place < self._next:
            return False
        self._ended.setdefault(place, score)
        seen = sum(self._numbers)
        while self.decision is None and self._next in self._ended:
            self._see(self._ended.pop(self._next))
            self._next += 1
        return sum(self._numbers) > seen

    def _see(self, score: int | None) -> None:
        if score is None:
            return
        self._numbers[score] += 1
        llr = self.llr
        if accepted := self.sprt.hypothesis(llr):
            self.decision = SprtDecision(accepted, self.counts, llr)
