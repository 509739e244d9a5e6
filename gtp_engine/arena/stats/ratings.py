"""Ratings of many engines from the games between them (Bradley and Terry, 1952).

The expected score of an engine against another depends only on the difference of their ratings and
on who has the first turn; a draw is half a win for both. Each pair of engines that has met gets one
more draw, half of it with either first, so that no rating is infinite. Formulas and sources:
protocol_specs/matches/statistics.md.

Games tell only differences. A pool without anchors has a mean rating of 0; an anchor is an engine
whose rating is given, so that the others are on its scale.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from operator import mul
from statistics import mean
from types import MappingProxyType
from typing import NamedTuple

from gtp_engine.base.statistics.numerics import Matrix, inverse
from gtp_engine.base.statistics.statistics import (
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

NO_ANCHORS: Mapping[str, float] = MappingProxyType({})

# The draws added to each pair of engines that has met, in either order.
_ADDED = 0.5


class Rating(NamedTuple):
    """The results of an engine.

    games  -- number of its games
    score  -- its mean score, 0 to 1; None without games
    elo    -- its Elo against the pool as a whole, or on the scale of the anchors, with an interval
    ahead  -- likelihood that it is stronger than the next one in the pool; None for the last
    anchor -- whether its rating is given
    """

    engine: str
    games: int
    score: float | None
    elo: Estimate
    ahead: float | None = None
    anchor: bool = False


class RatingPool(NamedTuple):
    """Engines that can be compared because a chain of games connects them; the best first.

    first_turn -- the value of the first turn in Elo, None without games
    """

    ratings: tuple[Rating, ...]
    first_turn: Estimate | None

    @property
    def anchored(self) -> bool:
        """Whether the ratings are on the scale of an anchor."""
        return any(rating.anchor for rating in self.ratings)


class _Game(NamedTuple):
    """The games of a pair: numbers of the engines, number of games, points of the first engine."""

    first: int
    second: int
    games: float
    points: float


class _Fit(NamedTuple):
    """Ratings in logits, followed by the value of the first turn if there are games."""

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
        lead = self.values[n] - self.values[other]
        if not variance:  # both ratings are given
            return 1.0 if lead > 0 else 0.5
        return NORMAL.cdf(lead / math.sqrt(variance))


def rate(
    engines: Iterable[str], meetings: Meetings, anchors: Mapping[str, float] = NO_ANCHORS
) -> list[RatingPool]:
    """The ratings, one pool per set of comparable engines; the largest pool first.

    engines -- all names, including those without games
    anchors -- given ratings in Elo, by the names of engines

    Raises ValueError for counts that are not of games.
    """
    if any(counts.paired for counts in meetings.values()):
        raise ValueError("ratings need counts of games, not of pairs")
    names = list(dict.fromkeys([*engines, *(name for pair in meetings for name in pair)]))
    played = {pair: counts for pair, counts in meetings.items() if counts.units}
    pools = [
        _rate_pool([name for name in names if name in pool], played, anchors)
        for pool in _connected(names, played)
    ]
    return sorted(pools, key=lambda pool: -len(pool.ratings))


def _connected(names: Sequence[str], meetings: Meetings) -> list[set[str]]:
    """The sets of engines that a chain of games connects, in the order of their first names."""
    pools = [{name} for name in names]
    for pair in meetings:
        met, *others = [pool for pool in pools if not pool.isdisjoint(pair)]
        for pool in others:
            pools.remove(pool)
            met |= pool
    return pools


def _rate_pool(
    names: Sequence[str], meetings: Meetings, anchors: Mapping[str, float]
) -> RatingPool:
    numbers = {name: n for n, name in enumerate(names)}
    games = [
        _Game(numbers[first], numbers[second], counts.units, counts.units * counts.mean)
        for (first, second), counts in meetings.items()
        if first in numbers and second in numbers
    ]
    given = {numbers[name]: anchors[name] / ELO_PER_LOGIT for name in names if name in anchors}
    fit = _fit(len(names), [*games, *_added(games)], given)
    order = sorted(range(len(names)), key=lambda n: -fit.values[n])
    ratings = []
    for n, following in zip_longest(order, order[1:]):
        ahead = None if following is None else fit.superiority(n, following)
        rating = _rating(names[n], fit.estimate(n), [g for g in games if n in g[:2]], n, ahead)
        if (elo := anchors.get(rating.engine)) is not None:
            rating = rating._replace(elo=Estimate(elo, elo, elo), anchor=True)
        ratings.append(rating)
    return RatingPool(tuple(ratings), fit.estimate(-1) if games else None)


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


def _added(games: Iterable[_Game]) -> list[_Game]:
    """A draw for each pair of engines that has met."""
    met = {tuple(sorted(game[:2])) for game in games}
    orders = [order for pair in sorted(met) for order in (pair, pair[::-1])]
    return [_Game(first, second, _ADDED, _ADDED / 2) for first, second in orders]


def _fit(engines: int, games: Sequence[_Game], given: Mapping[int, float]) -> _Fit:
    """Maximum likelihood by Newton's method. The added draws make sure of a maximum.

    given -- ratings in logits that stay, by the numbers of their engines
    """
    middle = mean(given.values()) if given else 0.0
    values = [given.get(n, middle) for n in range(engines)] + [0.0] * bool(games)
    for _ in range(_MOST_ROUNDS):
        slopes, information = _derivatives(values, engines, games)
        covariance = _covariance(information, engines, given)
        step = [sum(map(mul, row, slopes)) for row in covariance]
        longest = max(map(abs, step))
        # Limit a step to a factor of e^2 in the odds: far from the maximum Newton overshoots.
        values = [value + each / max(1.0, longest / 2) for value, each in zip(values, step)]
        if longest < _CLOSE_ENOUGH:
            break
    return _Fit(values, covariance)


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


def _covariance(information: Matrix, engines: int, given: Collection[int]) -> Matrix:
    """The errors of the values and how they depend on each other, in logits squared.

    Those of given ratings are 0, and those of the others the inverse of the information about them.
    Raises ValueError if there is none.
    """
    if not given:
        return _pseudo_inverse(information, engines)
    free = [n for n in range(len(information)) if n not in given]
    found = [[0.0] * len(information) for _ in information]
    for n, row in zip(free, inverse([[information[n][m] for m in free] for n in free])):
        for m, value in zip(free, row):
            found[n][m] = value
    return found


def _pseudo_inverse(information: Matrix, engines: int) -> Matrix:
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
