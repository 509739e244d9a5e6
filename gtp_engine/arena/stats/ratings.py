"""Ratings of many engines from the games between them (Bradley and Terry, 1952).

The expected score of an engine against another depends only on the difference of their ratings,
and optionally on who has the first turn; a draw is half a win for both. Formulas and sources:
protocol_specs/arena-statistics.md.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from operator import mul
from typing import NamedTuple

from gtp_engine.arena.stats.numerics import Matrix, inverse
from gtp_engine.arena.stats.statistics import (
    ELO_PER_LOGIT,
    NORMAL,
    Counts,
    Estimate,
    Z,
    expected_score,
)

Meetings = Mapping[tuple[str, str], Counts]
"""Games by pair of engines, the one with the first turn named first: its losses, draws, wins."""

_MOST_ROUNDS = 200
_CLOSE_ENOUGH = 1e-10

# In logits, about 4,000 Elo. Without a prior, ratings beyond it would diverge.
_FARTHEST = 25.0


class Rating(NamedTuple):
    """The results of an engine. The mean of the ratings in a pool is 0.

    games -- number of its games
    score -- its mean score, 0 to 1; None without games
    elo   -- its Elo against the pool as a whole, with an interval
    ahead -- likelihood that it is stronger than the next one in the pool; None for the last
    """

    engine: str
    games: int
    score: float | None
    elo: Estimate
    ahead: float | None = None


class RatingPool(NamedTuple):
    """Engines that can be compared because a chain of games connects them; the best first.

    first_turn -- the value of the first turn in Elo, None if not requested
    """

    ratings: tuple[Rating, ...]
    first_turn: Estimate | None


class _Game(NamedTuple):
    """The games of a pair: numbers of the engines, number of games, points of the first engine."""

    first: int
    second: int
    games: float
    points: float


class _Fit(NamedTuple):
    """Ratings in logits, followed by the value of the first turn, 0 unless requested."""

    values: list[float]
    covariance: list[list[float]]

    def estimate(self, n: int) -> Estimate:
        """A value in Elo."""
        bar = Z * math.sqrt(self.covariance[n][n])
        ends = (self.values[n] + side * bar for side in (0, -1, 1))
        return Estimate(*(ELO_PER_LOGIT * end for end in ends))

    def superiority(self, n: int, other: int) -> float:
        """The likelihood that one rating is above another."""
        table = self.covariance
        variance = table[n][n] + table[other][other] - 2 * table[n][other]
        return NORMAL.cdf((self.values[n] - self.values[other]) / math.sqrt(variance))


def rate(
    engines: Iterable[str], meetings: Meetings, prior: float = 1.0, first_turn: bool = False
) -> list[RatingPool]:
    """The ratings, one pool per set of comparable engines; the largest pool first.

    engines -- all names, including those without games
    prior   -- draws added to each pair of engines that has met, half of them with either first

    Without a prior, two engines are comparable only if each has scored against the other, directly
    or through a chain of opponents. Raises ValueError for counts that are not of
    games, and if the likelihood has no maximum; without a prior that happens for example if the
    first turn won every game.
    """
    if any(counts.paired for counts in meetings.values()):
        raise ValueError("ratings need counts of games, not of pairs")
    names = list(dict.fromkeys([*engines, *(name for pair in meetings for name in pair)]))
    played = {pair: counts for pair, counts in meetings.items() if counts.units}
    pools = [
        _rate_pool([name for name in names if name in pool], played, prior, first_turn)
        for pool in comparable(names, played, prior > 0)
    ]
    return sorted(pools, key=lambda pool: -len(pool.ratings))


def comparable(names: Sequence[str], meetings: Meetings, met: bool = True) -> list[set[str]]:
    """The sets of engines connected by games, or unless `met`, by points in both directions."""
    scored_on: dict[str, set[str]] = {name: set() for name in names}
    for (first, second), counts in meetings.items():
        if counts.units and (met or counts.mean > 0):
            scored_on[first].add(second)
        if counts.units and (met or counts.mean < 1):
            scored_on[second].add(first)
    reached = {name: _reach(name, scored_on) for name in names}
    pools: list[set[str]] = []
    for name in names:
        if not any(name in pool for pool in pools):
            pools.append({other for other in reached[name] if name in reached[other]})
    return pools


def _reach(start: str, edges: Mapping[str, set[str]]) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        new = edges[waiting.pop()] - found
        found |= new
        waiting.extend(new)
    return found


def _rate_pool(
    names: Sequence[str], meetings: Meetings, prior: float, first_turn: bool
) -> RatingPool:
    numbers = {name: n for n, name in enumerate(names)}
    games = [
        _Game(numbers[first], numbers[second], counts.units, counts.units * counts.mean)
        for (first, second), counts in meetings.items()
        if first in numbers and second in numbers
    ]
    first_turn = first_turn and bool(games)
    fit = _fit(len(names), [*games, *_virtual(games, prior)], first_turn, bounded=prior > 0)
    order = sorted(range(len(names)), key=lambda n: -fit.values[n])
    ratings = []
    for n, following in zip_longest(order, order[1:]):
        ahead = None if following is None else fit.superiority(n, following)
        ratings.append(
            _rating(names[n], fit.estimate(n), [g for g in games if n in g[:2]], n, ahead)
        )
    return RatingPool(tuple(ratings), fit.estimate(-1) if first_turn else None)


def _rating(
    name: str, elo: Estimate, games: Sequence[_Game], number: int, ahead: float | None
) -> Rating:
    total = sum(game.games for game in games)
    points = sum(
        game.points if game.first == number else game.games - game.points for game in games
    )
    if not total:
        return Rating(name, 0, None, Estimate(0.0, -math.inf, math.inf))
    return Rating(name, round(total), points / total, elo, ahead)


def _virtual(games: Iterable[_Game], prior: float) -> list[_Game]:
    met = {tuple(sorted(game[:2])) for game in games}
    each = prior / 2
    return [
        _Game(first, second, each, each / 2)
        for pair in sorted(met)
        for first, second in (pair, pair[::-1])
        if prior
    ]


def _fit(engines: int, games: Sequence[_Game], first_turn: bool, bounded: bool) -> _Fit:
    """Maximum likelihood by Newton's method."""
    values = [0.0] * (engines + first_turn)
    for _ in range(_MOST_ROUNDS):
        slopes, information = _derivatives(values, engines, games)
        try:
            covariance = _covariance(information, engines)
        except ValueError:
            break
        step = [sum(map(mul, row, slopes)) for row in covariance]
        longest = max(map(abs, step))
        # Limit a step to a factor of e^2 in the odds: far from the maximum Newton overshoots.
        values = [value + each / max(1.0, longest / 2) for value, each in zip(values, step)]
        if longest < _CLOSE_ENOUGH:
            return _Fit(values, covariance)
        if not bounded and max(map(abs, values)) > _FARTHEST:
            break
    raise ValueError("the games do not bound the ratings or the value of the first turn")


def _derivatives(
    values: Sequence[float], engines: int, games: Sequence[_Game]
) -> tuple[list[float], Matrix]:
    """The slopes of the likelihood, and the information of the games about each two values."""
    slopes = [0.0] * len(values)
    information = [[0.0] * len(values) for _ in values]
    for game in games:
        signs = [(game.first, 1), (game.second, -1), *((n, 1) for n in range(engines, len(values)))]
        expected = expected_score(ELO_PER_LOGIT * sum(sign * values[n] for n, sign in signs))
        for n, sign in signs:
            slopes[n] += sign * (game.points - game.games * expected)
            for other, its_sign in signs:
                weight = game.games * expected * (1 - expected)
                information[n][other] += sign * its_sign * weight
    return slopes, information


def _covariance(information: Matrix, engines: int) -> Matrix:
    """The pseudo-inverse of an information matrix. Raises ValueError if there is none.

    Adding a constant to all ratings does not change the likelihood, so that the matrix itself has
    no inverse. The pseudo-inverse removes that freedom: the mean rating stays 0, and the errors are
    those of the distance to the mean. It is the inverse of the matrix with a constant added for the
    ratings, less the inverse of that constant.
    """
    added = max(row[n] for n, row in enumerate(information)) or 1.0
    shifted = _plus(information, engines, added / engines)
    return _plus(inverse(shifted), engines, -1 / (added * engines))


def _plus(matrix: Matrix, engines: int, constant: float) -> Matrix:
    """A matrix with a constant added for each two ratings."""
    rated = [float(n < engines) for n in range(len(matrix))]
    return [
        [value + constant * one * other for value, other in zip(row, rated)]
        for row, one in zip(matrix, rated)
    ]
