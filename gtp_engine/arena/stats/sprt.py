"""The sequential test that ends a match as soon as its counts are decisive.

A generalised sequential probability ratio test (Van den Bergh, 2019): the likelihood of the counts
under the best distribution of each hypothesis. Formulas: protocol_specs/matches/statistics.md.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gtp_engine.arena.stats.numerics import root
from gtp_engine.arena.stats.statistics import NORMALISED_SCALE, Counts, expected_score
from gtp_engine.arena.values import MOST_VOIDS, Board, GameKey, VoidGame

NORMALIZED = "normalized"
LOGISTIC = "logistic"

# The models, and the largest distance of a hypothesis from 0: beyond it no distribution of pairs
# exists from which the iteration of the normalized model could begin.
MODELS = {NORMALIZED: 200, LOGISTIC: 1000}

# The pseudo-count of a score that never occurred, so that no likelihood is zero.
_NEVER = 0.001

_MOST_ROUNDS = 10
_CLOSE_ENOUGH = 1e-9


class Bounds(NamedTuple):
    """The ends of the test: H0 is accepted at or below `lower`, H1 at or above `upper`."""

    lower: float
    upper: float


@dataclass(frozen=True)
class Sprt:
    """A test of two hypotheses: H0, the difference is `elo0`; H1, it is `elo1`.

    alpha -- chance to accept H1 if H0 is true
    beta  -- chance to accept H0 if H1 is true
    model -- kind of Elo: "normalized" or "logistic"

    Raises ValueError for an unknown model, hypotheses out of its range or in the wrong order, and
    chances out of range.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = NORMALIZED

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise ValueError(f"the model must be one of {', '.join(MODELS)}: {self.model}")
        most = MODELS[self.model]
        if not -most <= self.elo0 < self.elo1 <= most:
            raise ValueError(
                f"elo0 must be below elo1, both within {most} of 0: {self.elo0}, {self.elo1}"
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ValueError(
                f"alpha and beta must be above 0, their sum below 1: {self.alpha}, {self.beta}"
            )

    @property
    def bounds(self) -> Bounds:
        """The log-likelihood ratios at which the test ends (Wald, 1945)."""
        return Bounds(
            math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        )

    def llr(self, counts: Counts) -> float:
        """The log-likelihood ratio of H1 to H0, 0.0 without games."""
        if not counts.units:
            return 0.0
        numbers = [number or _NEVER for number in counts.numbers]
        shares = [number / sum(numbers) for number in numbers]
        under0, under1 = (self._likeliest(shares, counts, elo) for elo in (self.elo0, self.elo1))
        return math.fsum(n * math.log(q1 / q0) for n, q0, q1 in zip(numbers, under0, under1))

    def accepted(self, counts: Counts) -> str | None:
        """`H0` or `H1` once a bound is reached, None while the match should continue."""
        return self.hypothesis(self.llr(counts))

    def hypothesis(self, llr: float) -> str | None:
        """The same for a log-likelihood ratio."""
        if llr >= self.bounds.upper:
            return "H1"
        return "H0" if llr <= self.bounds.lower else None

    def _likeliest(self, shares: Sequence[float], counts: Counts, elo: float) -> list[float]:
        """The distribution with that difference that maximizes the likelihood of the shares."""
        scores = counts.scores
        if self.model == LOGISTIC:
            mean = expected_score(elo)
            return _tilted(shares, [score - mean for score in scores])
        deviations = elo / NORMALISED_SCALE * math.sqrt(counts.games / counts.units)
        return _with_lead(shares, scores, deviations)


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


def _with_lead(shares: Sequence[float], scores: Sequence[float], lead: float) -> list[float]:
    """The most likely distribution whose mean is `lead` standard deviations above 1/2.

    The condition is not linear in the probabilities. Starting with the uniform distribution, it is
    repeatedly replaced by its tangent at the last distribution.
    """
    found = [1 / len(shares)] * len(shares)
    for _ in range(_MOST_ROUNDS):
        mean = sum(q * a for q, a in zip(found, scores))
        deviation = math.sqrt(sum(q * (a - mean) ** 2 for q, a in zip(found, scores)))
        tangent = [
            a - 0.5 - lead * deviation / 2 * (1 + ((a - mean) / deviation) ** 2) for a in scores
        ]
        last, found = found, _tilted(shares, tangent)
        if max(abs(new - old) for new, old in zip(found, last)) < _CLOSE_ENOUGH:
            break
    return found


def _tilted(shares: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The most likely distribution for these shares whose mean gap is zero.

    It is share / (1 + theta gap) for the theta that satisfies this. No probability exceeds 1, which
    bounds theta on both sides.
    """

    def mean_gap(theta: float) -> float:
        return math.fsum(p * gap / (1 + theta * gap) for p, gap in zip(shares, gaps))

    lowest = max((p - 1) / gap for p, gap in zip(shares, gaps) if gap > 0)
    highest = min((p - 1) / gap for p, gap in zip(shares, gaps) if gap < 0)
    theta = root(mean_gap, lowest, highest)
    return [p / (1 + theta * gap) for p, gap in zip(shares, gaps)]
