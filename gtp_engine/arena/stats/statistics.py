"""What the counts of a match say: score, Elo, normalised Elo, likelihood of superiority.

Formulas and sources: protocol_specs/arena-statistics.md. All functions are pure.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import NamedTuple

NORMAL = NormalDist()

# What lies beyond either end of an interval of 95 %, and that end in standard errors.
UNLIKELY = 0.025
Z = NORMAL.inv_cdf(1 - UNLIKELY)

# With fewer games or pairs, or fewer of them won or lost, normal intervals are too narrow.
_MANY_UNITS = 200
_MANY_TOSSES = 20

# Normalised Elo: up to this factor the variance of fishtest's formula is near enough.
_NEAR_ENOUGH = 1.1

# Elo for each unit of the natural logarithm of the odds; also the scale of normalised Elo.
ELO_PER_LOGIT = 400 / math.log(10)
NORMALISED_SCALE = 800 / math.log(10)


class Estimate(NamedTuple):
    """A number with its 95 % interval; an end is infinite where the games set no bound."""

    value: float
    low: float
    high: float

    @property
    def bar(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


class Tosses(NamedTuple):
    """How often a coin fell on either side; not whole numbers."""

    won: float
    lost: float


@dataclass(frozen=True)
class Counts:
    """How often an engine reached each score, from all lost to all won.

    numbers -- of games: losses, draws, wins; or of pairs of games on one opening, with colors
               exchanged: those of 0, 1/2, 1, 3/2 and 2 points

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
        """Whether pairs are counted, not games."""
        return len(self.numbers) == 5

    @property
    def units(self) -> int:
        """How many games, or pairs, were counted."""
        return sum(self.numbers)

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.units * (2 if self.paired else 1)

    @property
    def scores(self) -> tuple[float, ...]:
        """The score, 0 to 1, that each number stands for."""
        most = len(self.numbers) - 1
        return tuple(n / most for n in range(most + 1))

    @cached_property
    def mean(self) -> float:
        """The score, 0 to 1. Raises ZeroDivisionError where nothing was counted."""
        return sum(n * a for n, a in zip(self.numbers, self.scores)) / self.units

    @cached_property
    def variance(self) -> float:
        """Of the score of one unit, in the sample. Raises ZeroDivisionError as `mean` does."""
        squares = (n * (a - self.mean) ** 2 for n, a in zip(self.numbers, self.scores))
        return math.fsum(squares) / self.units

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(self.variance / self.units)

    @cached_property
    def tosses(self) -> Tosses:
        """Tosses of a coin whose share of wins is the mean, and as well known.

        After Korn and Graubard (1998). A small variance of few units may be chance, so the error
        is widened by Student's t. There are at least as many tosses as units, since no score from
        0 to 1 varies more than a toss. Needs scipy. Raises ZeroDivisionError as `mean` does.
        """
        number, mean = float(self.units), self.mean
        if self.variance > 0:
            of_mean = self.variance / (self.units - 1) * (student(self.units - 1) / Z) ** 2
            number = max(number, mean * (1 - mean) / of_mean)
        return Tosses(number * mean, number * (1 - mean))

    @property
    def many(self) -> bool:
        """Whether the normal approximations hold that other programs use for all counts.

        Raises ZeroDivisionError as `mean` does.
        """
        return self.variance > 0 and self.units >= _MANY_UNITS and min(self.tosses) >= _MANY_TOSSES

    def moment(self, order: int) -> float:
        """A moment around the mean, in standard deviations. Needs a variance above 0."""
        deviation = math.sqrt(self.variance)
        powers = (
            n * ((a - self.mean) / deviation) ** order for n, a in zip(self.numbers, self.scores)
        )
        return math.fsum(powers) / self.units

    def __add__(self, other: "Counts") -> "Counts":
        """The counts of both together. Raises ValueError for games with pairs."""
        return Counts(tuple(a + b for a, b in zip(self.numbers, other.numbers, strict=True)))

    def reversed(self) -> "Counts":
        """The counts as the opponent sees them."""
        return Counts(self.numbers[::-1])


def expected_score(elo: float) -> float:
    """The score, 0 to 1, of an engine that is so much stronger than its opponent."""
    return 1 / (1 + math.exp(-elo / ELO_PER_LOGIT))


def elo_of_score(score: float) -> float:
    """The Elo difference for which a score, 0 to 1, is expected; infinite at both ends."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return ELO_PER_LOGIT * math.log(score / (1 - score))


def score(counts: Counts) -> Estimate | None:
    """The mean score, 0 to 1, with its interval; None without games. Needs scipy.

    Of many units the normal interval. Of few, that of Clopper and Pearson (1934) for `tosses`;
    where all units ended alike, it is that for the chance of this ending, any other counted at its
    worst.
    """
    if not counts.units:
        return None
    mean = counts.mean
    if counts.variance == 0:
        least = math.pow(UNLIKELY, 1 / counts.units)
        return Estimate(mean, least * mean, 1 - least * (1 - mean))
    if counts.many:
        return Estimate(mean, max(0.0, mean - Z * counts.error), min(1.0, mean + Z * counts.error))
    from scipy.special import betaincinv

    won, lost = counts.tosses
    low = betaincinv(won, lost + 1, UNLIKELY)
    high = betaincinv(won + 1, lost, 1 - UNLIKELY)
    return Estimate(mean, float(low), float(high))


def elo(counts: Counts) -> Estimate | None:
    """The logistic Elo difference, its interval that of the score; None without games."""
    scored = score(counts)
    return scored and Estimate(*map(elo_of_score, scored))


def normalised_elo(counts: Counts) -> Estimate | None:
    """The strength in standard deviations of a game (Van den Bergh, 2020), on the scale of Elo.

    None without games, and where all ended alike: then nothing is known of the deviation.
    """
    if not counts.units or counts.variance == 0:
        return None
    of_game = math.sqrt(counts.variance * (counts.games / counts.units))
    value = NORMALISED_SCALE * (counts.mean - 0.5) / of_game
    bar = NORMALISED_SCALE * _error_of_lead(counts) / math.sqrt(counts.games)
    return Estimate(value, value - bar, value + bar)


def _error_of_lead(counts: Counts) -> float:
    """Half the interval of the lead in deviations, times the root of the number of units.

    The deviation is estimated as well as the lead, which counts the more the greater the lead is;
    fishtest's formula leaves it out.
    """
    lead = (counts.mean - 0.5) / math.sqrt(counts.variance)
    variance = 1 - counts.moment(3) * lead + (counts.moment(4) - 1) / 4 * lead**2
    if counts.many:
        return Z * math.sqrt(variance) if variance > _NEAR_ENOUGH else Z
    freedom = counts.units - 1
    return student(freedom) * math.sqrt(max(1.0, variance) * counts.units / freedom)


def student(freedom: int) -> float:
    """The end of an interval of 95 % in estimated standard errors (Student, 1908)."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 1 - UNLIKELY))


def superiority(counts: Counts) -> float | None:
    """The likelihood, 0 to 1, that the engine is the stronger one; None without games. Needs scipy.

    Of many units the normal approximation. Of few, that of `tosses`; where all units ended alike,
    each is a toss.
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
    """The likelihood that the chance of a win is above 1/2, given a flat prior of that chance.

    That is P(Beta(won + 1, lost + 1) > 1/2). Needs scipy.
    """
    from scipy.special import betainc

    return float(betainc(lost + 1, won + 1, 0.5))


def draw_ratio(counts: Counts) -> float | None:
    """The share of games drawn, or of pairs that both engines left with one point."""
    return counts.numbers[len(counts.numbers) // 2] / counts.units if counts.units else None


def pair_ratio(counts: Counts) -> float | None:
    """How many pairs, or games, were won for each one lost; None where none was lost."""
    half = len(counts.numbers) // 2
    lost, won = sum(counts.numbers[:half]), sum(counts.numbers[half + 1 :])
    return won / lost if lost else None
