"""Statistics of the counts of a match: score, Elo, normalized Elo, likelihood of superiority.

Formulas and sources: protocol_specs/matches/statistics.md. All functions are pure.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import NamedTuple

from gtp_engine.base.statistics.numerics import beta_quantile, beta_share, student_quantile

NORMAL = NormalDist()

# The probability outside each end of a 95 % interval, and that end in standard errors.
UNLIKELY = 0.025
Z = NORMAL.inv_cdf(1 - UNLIKELY)

# Below these numbers of games or pairs, and of wins or losses, normal intervals are too narrow.
_MANY_UNITS = 200
_MANY_TOSSES = 20

# Normalized Elo: fishtest's formula for the variance is accurate enough up to this factor.
_NEAR_ENOUGH = 1.1

# Elo per unit of the natural logarithm of the odds; also the scale of normalized Elo.
ELO_PER_LOGIT = 400 / math.log(10)
NORMALISED_SCALE = 800 / math.log(10)


class Estimate(NamedTuple):
    """A number with its 95 % interval; an end is infinite if the games do not bound it."""

    value: float
    low: float
    high: float

    @property
    def bar(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


class Tosses(NamedTuple):
    """Numbers of heads and tails of a coin; not integers in general."""

    won: float
    lost: float


@dataclass(frozen=True)
class Counts:
    """The numbers of games or pairs in which an engine reached each score, from lost to won.

    numbers -- of games: losses, draws, wins; or of pairs of games with one opening and exchanged
               colors: those with 0, 1/2, 1, 3/2 and 2 points

    Raises ValueError unless there are three or five numbers, none of them negative.
    """

    numbers: tuple[int, ...] = (0, 0, 0)

    def __post_init__(self) -> None:
        if len(self.numbers) not in (3, 5):
            raise ValueError(f"counts are 3 of games or 5 of pairs, not {len(self.numbers)}")
        if min(self.numbers) < 0:
            raise ValueError(f"a count is negative: {self.numbers}")

    @property
    def paired(self) -> bool:
        """Whether the units are pairs, not games."""
        return len(self.numbers) == 5

    @property
    def units(self) -> int:
        """The number of games, or of pairs."""
        return sum(self.numbers)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.units * (2 if self.paired else 1)

    @property
    def scores(self) -> tuple[float, ...]:
        """The score, 0 to 1, of each of the numbers."""
        most = len(self.numbers) - 1
        return tuple(n / most for n in range(most + 1))

    @cached_property
    def mean(self) -> float:
        """The mean score, 0 to 1. Raises ZeroDivisionError without games."""
        return sum(n * a for n, a in zip(self.numbers, self.scores)) / self.units

    @cached_property
    def variance(self) -> float:
        """The sample variance of one unit's score. Raises ZeroDivisionError as `mean` does."""
        squares = (n * (a - self.mean) ** 2 for n, a in zip(self.numbers, self.scores))
        return math.fsum(squares) / self.units

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(self.variance / self.units)

    @cached_property
    def tosses(self) -> Tosses:
        """Coin tosses with the same share of wins and the same uncertainty of that share.

        After Korn and Graubard (1998). With few units, a small variance may be chance, so Student's
        t widens the error. The number of tosses is at least the number of units, because no score
        from 0 to 1 has more variance than a toss. Raises ZeroDivisionError as `mean`
        does.
        """
        number, mean = float(self.units), self.mean
        if self.variance > 0:
            of_mean = self.variance / (self.units - 1) * (student(self.units - 1) / Z) ** 2
            number = max(number, mean * (1 - mean) / of_mean)
        return Tosses(number * mean, number * (1 - mean))

    @property
    def many(self) -> bool:
        """Whether there are enough units for normal approximations.

        Raises ZeroDivisionError as `mean` does.
        """
        return self.variance > 0 and self.units >= _MANY_UNITS and min(self.tosses) >= _MANY_TOSSES

    def moment(self, order: int) -> float:
        """A central moment, in standard deviations. Needs a variance above 0."""
        deviation = math.sqrt(self.variance)
        powers = (
            n * ((a - self.mean) / deviation) ** order for n, a in zip(self.numbers, self.scores)
        )
        return math.fsum(powers) / self.units

    def __add__(self, other: "Counts") -> "Counts":
        """The sum of both. Raises ValueError for a sum of games and pairs."""
        return Counts(tuple(a + b for a, b in zip(self.numbers, other.numbers, strict=True)))

    def reversed(self) -> "Counts":
        """The counts from the opponent's side."""
        return Counts(self.numbers[::-1])


def expected_score(elo: float) -> float:
    """The expected score, 0 to 1, of an engine that is stronger by this many Elo."""
    return 1 / (1 + math.exp(-elo / ELO_PER_LOGIT))


def elo_of_score(score: float) -> float:
    """The Elo difference with this expected score, 0 to 1; infinite at both ends."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return ELO_PER_LOGIT * math.log(score / (1 - score))


def score(counts: Counts) -> Estimate | None:
    """The mean score, 0 to 1, with its interval; None without games.

    With many units it is the normal interval; with few, that of Clopper and Pearson (1934) for
    `tosses`. If all units have the same score, it is the interval for the chance of that score, and
    any other score counts as its worst case.
    """
    if not counts.units:
        return None
    mean = counts.mean
    if counts.variance == 0:
        least = math.pow(UNLIKELY, 1 / counts.units)
        return Estimate(mean, least * mean, 1 - least * (1 - mean))
    if counts.many:
        return Estimate(mean, max(0.0, mean - Z * counts.error), min(1.0, mean + Z * counts.error))
    won, lost = counts.tosses
    low = beta_quantile(won, lost + 1, UNLIKELY)
    high = beta_quantile(won + 1, lost, 1 - UNLIKELY)
    return Estimate(mean, low, high)


def elo(counts: Counts) -> Estimate | None:
    """The logistic Elo difference, with the interval of the score; None without games."""
    scored = score(counts)
    return scored and Estimate(*map(elo_of_score, scored))


def normalised_elo(counts: Counts) -> Estimate | None:
    """The strength in standard deviations of a game (Van den Bergh, 2020), on the scale of Elo.

    None without games, and if all have the same score: the deviation is then unknown.
    """
    if not counts.units or counts.variance == 0:
        return None
    of_game = math.sqrt(counts.variance * (counts.games / counts.units))
    value = NORMALISED_SCALE * (counts.mean - 0.5) / of_game
    bar = NORMALISED_SCALE * _error_of_lead(counts) / math.sqrt(counts.games)
    return Estimate(value, value - bar, value + bar)


def _error_of_lead(counts: Counts) -> float:
    """Half the interval of the lead in deviations, times the square root of the number of units.

    The deviation is an estimate, too. That matters more for a greater lead; fishtest's formula
    ignores it.
    """
    lead = (counts.mean - 0.5) / math.sqrt(counts.variance)
    variance = 1 - counts.moment(3) * lead + (counts.moment(4) - 1) / 4 * lead**2
    if counts.many:
        return Z * math.sqrt(variance) if variance > _NEAR_ENOUGH else Z
    freedom = counts.units - 1
    return student(freedom) * math.sqrt(max(1.0, variance) * counts.units / freedom)


def student(freedom: int) -> float:
    """The end of a 95 % interval in estimated standard errors (Student, 1908)."""
    return student_quantile(freedom, 1 - UNLIKELY)


def superiority(counts: Counts) -> float | None:
    """The likelihood, 0 to 1, that the engine is stronger; None without games.

    With many units it uses the normal approximation; with few, that of `tosses`. If all units have
    the same score, each counts as one toss.
    """
    if not counts.units:
        return None
    if counts.variance == 0:
        lead = counts.mean - 0.5
        return superiority_of_tosses(counts.units * (lead > 0), counts.units * (lead < 0))
    if counts.many:
        return NORMAL.cdf((counts.mean - 0.5) / counts.error)
    return superiority_of_tosses(*counts.tosses)


def superiority_of_tosses(won: float, lost: float) -> float:
    """The likelihood that the chance of a win exceeds 1/2, with a flat prior of that chance.

    That is P(Beta(won + 1, lost + 1) > 1/2).
    """
    return beta_share(lost + 1, won + 1, 0.5)


def draw_ratio(counts: Counts) -> float | None:
    """The share of drawn games, or of pairs with one point for both engines."""
    return counts.numbers[len(counts.numbers) // 2] / counts.units if counts.units else None


def pair_ratio(counts: Counts) -> float | None:
    """Won pairs, or games, per lost one; None if none was lost."""
    half = len(counts.numbers) // 2
    lost, won = sum(counts.numbers[:half]), sum(counts.numbers[half + 1 :])
    return won / lost if lost else None
