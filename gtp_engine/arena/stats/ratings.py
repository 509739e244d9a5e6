"""Ratings of many engines from the games between them (Bradley and Terry, 1952).

The chance that an engine scores against another depends on the difference of their ratings alone,
and, if asked for, on who has the first turn; a draw is half a win for both. Formulas and sources:
protocol_specs/arena-statistics.md.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from gtp_engine.arena.stats.statistics import ELO_PER_LOGIT, NORMAL, Counts, Estimate, Z

Meetings = Mapping[tuple[str, str], Counts]
"""Games by engines, the one with the first turn named first: its losses, draws and wins."""

_MOST_ROUNDS = 200
_CLOSE_ENOUGH = 1e-10

# In logits, some 4,000 Elo. Without a prior, ratings that go beyond it never come to rest.
_FARTHEST = 25.0


class Rating(NamedTuple):
    """What an engine's games say. The mean of the ratings in a pool is 0.

    games -- all that it played
    score -- of them, 0 to 1; None without games
    elo   -- with its interval against the pool as a whole
    ahead -- how likely it is stronger than the next one in the pool; None for the last
    """

    engine: str
    games: int
    score: float | None
    elo: Estimate
    ahead: float | None = None


class RatingPool(NamedTuple):
    """Engines that can be compared, since a chain of games joins them; the best first.

    first_turn -- the Elo that having the first turn is worth, None if not asked for
    """

    ratings: tuple[Rating, ...]
    first_turn: Estimate | None


class _Game(NamedTuple):
    """Games of one pairing: numbers of the engines, how many, points of the one that is first."""

    first: int
    second: int
    games: float
    points: float


class _Fit(NamedTuple):
    """Ratings in logits, and behind them the worth of the first turn, 0 unless asked for."""

    values: list[float]
    covariance: list[list[float]]

    def estimate(self, n: int) -> Estimate:
        """A value on the scale of Elo."""
        bar = Z * math.sqrt(self.covariance[n][n])
        ends = (self.values[n] + side * bar for side in (0, -1, 1))
        return Estimate(*(ELO_PER_LOGIT * end for end in ends))

    def superiority(self, n: int, other: int) -> float:
        """How likely one rating is above another."""
        table = self.covariance
        variance = table[n][n] + table[other][other] - 2 * table[n][other]
        return NORMAL.cdf((self.values[n] - self.values[other]) / math.sqrt(variance))


def rate(
    engines: Iterable[str], meetings: Meetings, prior: float = 1.0, first_turn: bool = False
) -> list[RatingPool]:
    """The ratings, for each pool of comparable engines; the largest pool first.

    engines -- all names, also of those that have not played
    prior   -- draws added to each pair of engines that has met, half of them with either first

    Without a prior two engines are comparable only where each has scored against the other, if
    by a chain of opponents. Needs numpy. Raises ValueError for counts that are not of games, and
    where the likelihood has no maximum, as when without a prior the first turn won every game.
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
    """The sets of engines joined by chains: of games, or, unless `met`, of points both ways."""
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
    """Maximum likelihood by Newton's method.

    The likelihood does not change when all ratings grow alike: the pseudo-inverse of the
    information leaves that out, so the mean of the ratings stays 0, and errors are those of the
    distance to the mean.
    """
    import numpy as np

    signs = np.zeros((len(games), engines + 1))
    for row, game in zip(signs, games):
        row[[game.first, game.second, -1]] = 1, -1, float(first_turn)
    weights = np.array([game.games for game in games])
    points = np.array([game.points for game in games])
    values = np.zeros(engines + 1)
    for _ in range(_MOST_ROUNDS):
        expected = 1 / (1 + np.exp(-signs @ values))
        information = (signs.T * (weights * expected * (1 - expected))) @ signs
        covariance = np.linalg.pinv(information, hermitian=True)
        step = covariance @ (signs.T @ (points - weights * expected))
        # One step changes odds by a factor of e^2 at most: Newton's method overshoots far away.
        values = values + step / max(1.0, float(np.abs(step).max(initial=0.0)) / 2)
        if np.abs(step).max(initial=0.0) < _CLOSE_ENOUGH:
            return _Fit(values.tolist(), covariance.tolist())
        if not bounded and np.abs(values).max() > _FARTHEST:
            break
    raise ValueError("the games set no bound to the ratings, or to the worth of the first turn")
