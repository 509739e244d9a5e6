"""How often intervals and likelihoods of superiority are right, for engines of known strength.

`python tests measure.interval_coverage` writes the table of protocol_specs/matches/simulations.md.
"""

import math
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from gtp_engine.base.statistics.statistics import (
    NORMALISED_SCALE,
    Counts,
    Estimate,
    Z,
    expected_score,
    normalised_elo,
    score,
    superiority,
)

# Elo between the engines, share of draws between equals, Elo of the color that openings favor.
STRENGTHS, DRAWS, OPENINGS = (0, 50, 150, 300, 500, 800), (0.0, 0.3, 0.7), (0, 100, 300)
PAIRS = (2, 3, 5, 10, 20, 50, 100, 200)
SCORES = np.arange(5) / 4

# With more different counts than that, so many are drawn at random instead.
MOST_COUNTS = 11_000
SAMPLES = 3000
SEED = 1


class Row(NamedTuple):
    """Shares of matches: the mean over all engines, and the least.

    normal     -- in which the normal interval of the score holds the true one
    score      -- in which ours does
    normalised -- the same of normalised Elo; where none is given, none is wrong
    surest     -- most matches of equals in which one has a likelihood of 97.5 % or more
    """

    pairs: int
    normal: tuple[float, float]
    score: tuple[float, float]
    normalised: tuple[float, float]
    surest: float


def engines() -> Iterator[tuple[int, np.ndarray]]:
    """Elo differences with the chances of 0 to 2 points from a pair of games."""
    for elo, draws, opening in product(STRENGTHS, DRAWS, OPENINGS):
        games = [_game(elo + side * opening, draws) for side in (1, -1)]
        yield elo, np.convolve(*games)


def _game(elo: float, draws: float) -> np.ndarray:
    share = expected_score(elo)
    drawn = draws * 2 * min(share, 1 - share)
    return np.array([1 - share - drawn / 2, drawn, share - drawn / 2])


def row(pairs: int, samples: int = SAMPLES) -> Row:
    """What a match of so many pairs says: by all counts with their chances if they are few."""
    rng = np.random.default_rng(SEED)
    exact = math.comb(pairs + 4, 4) <= MOST_COUNTS
    every = np.array(_all_counts(pairs)) if exact else np.empty((0, 5), int)
    said = np.array([_said(numbers) for numbers in every.tolist()])
    shares = []
    surest = 0.0
    for elo, chances in engines():
        if exact:
            weights = _chances(every, chances)
        else:
            drawn = rng.multinomial(pairs, chances, samples)
            said = np.array([_said(numbers) for numbers in drawn.tolist()])
            weights = np.full(samples, 1 / samples)
        mean = float(chances @ SCORES)
        deviation = math.sqrt(float(chances @ (SCORES - mean) ** 2) * 2)
        lead = NORMALISED_SCALE * (mean - 0.5) / deviation
        held = [_holds(said[:, n : n + 2], truth) for n, truth in ((0, mean), (2, mean), (4, lead))]
        shares.append([weights @ each for each in held])
        if elo == 0:
            surest = max(surest, float(weights @ (said[:, 6] >= 0.975)))
    found = [(float(column.mean()), float(column.min())) for column in np.array(shares).T]
    return Row(pairs, *found, surest)


def _all_counts(pairs: int) -> list[tuple[int, ...]]:
    """All counts of so many pairs."""
    most = range(pairs + 1)
    rest = [numbers for numbers in product(most, repeat=4) if sum(numbers) <= pairs]
    return [(*numbers, pairs - sum(numbers)) for numbers in rest]


def _chances(every: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """How likely each of the counts is."""
    ways = [
        math.factorial(sum(numbers)) // math.prod(map(math.factorial, numbers))
        for numbers in every.tolist()
    ]
    return np.array(ways, dtype=float) * np.prod(chances**every, axis=1)


def _holds(intervals: np.ndarray, truth: float) -> np.ndarray:
    low, high = intervals.T
    return ~((low > truth + 1e-9) | (high < truth - 1e-9))


def _said(numbers: list[int]) -> list[float]:
    """The ends of the normal interval, of ours, of that of normalised Elo, and the likelihood."""
    counts = Counts(tuple(numbers))
    ours, likelihood = score(counts), superiority(counts)
    lead = normalised_elo(counts) or Estimate(*[math.nan] * 3)
    bar = Z * counts.error
    normal = (counts.mean - bar, counts.mean + bar) if bar else ours[1:]
    return [*normal, *ours[1:], *lead[1:], likelihood]


def line(found: Row) -> str:
    """A line of the table."""
    cells = [f"{100 * mean:.1f} %, {100 * least:.1f} %" for mean, least in found[1:4]]
    return f"| {found.pairs} | {' | '.join(cells)} | {100 * found.surest:.1f} % |"


if __name__ == "__main__":
    for number in PAIRS:
        print(line(row(number)), flush=True)
