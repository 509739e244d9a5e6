"""The sequential test that ends a match as soon as its counts are decisive.

A generalised sequential probability ratio test (Van den Bergh, 2019): the likelihood of the counts
under the best distribution of each hypothesis. Formulas: protocol_specs/matches/statistics.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gtp_engine.base.statistics.numerics import root
from gtp_engine.base.statistics.statistics import NORMALISED_SCALE, Counts, expected_score

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
