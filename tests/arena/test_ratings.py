"""Ratings of many engines: known answers, pools, and matches of few games."""

import math
from itertools import pairwise

import pytest

from gtp_engine.arena.stats.ratings import rate
from gtp_engine.arena.stats.statistics import Counts, elo


def won(wins: int, losses: int, draws: int = 0) -> Counts:
    return Counts((losses, draws, wins))


THREE = {("A", "B"): won(15, 5), ("B", "C"): won(12, 8), ("A", "C"): won(18, 2)}
BOTH_ORDERS = {
    ("A", "B"): won(9, 1),
    ("B", "A"): won(4, 6),
    ("B", "C"): won(8, 2),
    ("C", "B"): won(6, 4),
    ("A", "C"): won(10, 0),
    ("C", "A"): won(2, 8),
}


def values(pool):
    return {rating.engine: rating.elo.value for rating in pool.ratings}


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        (0, {"A": 182.4784, "B": -42.9699, "C": -139.5085}),
        (1, {"A": 169.9887, "B": -39.8534, "C": -130.1353}),
    ],
)
def test_three_engines(prior, expected):
    (pool,) = rate("ABC", THREE, prior)
    assert values(pool) == pytest.approx(expected, abs=5.1e-5)
    assert pool.first_turn is None


def test_the_worth_of_the_first_turn():
    (pool,) = rate("ABC", BOTH_ORDERS, prior=0, first_turn=True)
    assert values(pool) == pytest.approx({"A": 219.198, "B": -50.679, "C": -168.519}, abs=5.1e-4)
    assert pool.first_turn.value == pytest.approx(173.103, abs=5.1e-4)
    assert 0 < pool.first_turn.low < 173.103 < pool.first_turn.high


def test_the_best_comes_first_and_the_mean_is_0():
    (pool,) = rate("CBA", THREE)
    assert [(rating.engine, rating.games, rating.score) for rating in pool.ratings] == [
        ("A", 40, 0.825),
        ("B", 40, 0.425),
        ("C", 40, 0.25),
    ]
    assert sum(values(pool).values()) == pytest.approx(0, abs=1e-9)


def test_two_engines_are_as_far_apart_as_their_score_says():
    # So many pairs that the interval of the score is the normal one.
    (pool,) = rate("AB", {("A", "B"): won(600, 400)}, prior=0)
    best, worst = (rating.elo for rating in pool.ratings)
    apart = elo(won(600, 400))
    assert best.value - worst.value == pytest.approx(apart.value)
    # One engine is half the distance from the mean; its bar comes from the slope at the rating,
    # the other from both ends of the score's interval.
    assert best.bar == pytest.approx(apart.bar / 2, rel=0.02)
    assert best.bar == pytest.approx(worst.bar)


def test_how_sure_the_order_is():
    """Of two engines it is what the score alone says, of more all their games count."""
    (pool,) = rate("AB", {("A", "B"): won(60, 40)}, prior=0)
    assert [rating.ahead for rating in pool.ratings] == [pytest.approx(0.977, abs=0.002), None]
    (pool,) = rate("ABC", THREE, prior=0)
    # B is 0.556 logits above C, with a standard error of 0.408.
    assert [round(rating.ahead, 3) for rating in pool.ratings[:2]] == [0.998, 0.914]


def test_draws_are_half_wins():
    assert rate("AB", {("A", "B"): won(5, 5, 10)}) == rate("AB", {("A", "B"): won(10, 10)})


def test_four_times_the_games_halve_the_bars():
    few, many = (
        rate(
            "ABC",
            {pair: Counts(tuple(n * times for n in c.numbers)) for pair, c in THREE.items()},
            0,
        )
        for times in (1, 4)
    )
    for rough, exact in zip(few[0].ratings, many[0].ratings):
        assert exact.elo.value == pytest.approx(rough.elo.value)
        assert exact.elo.bar == pytest.approx(rough.elo.bar / 2)


def test_an_engine_that_won_all_its_games_has_a_rating():
    (pool,) = rate("AB", {("A", "B"): won(10, 0), ("B", "A"): won(0, 10)})
    assert 200 < pool.ratings[0].elo.value < 500
    assert math.isfinite(pool.ratings[0].elo.bar)


def test_engines_that_are_worlds_apart():
    """Each won all its many games, with either color, against the one that follows."""
    names = "ABCDEFGHIJKL"
    meetings = {pair: won(10**5, 0) for pair in pairwise(names)}
    meetings |= {pair[::-1]: won(0, 10**5) for pair in pairwise(names)}
    (pool,) = rate(names, meetings, first_turn=True)
    assert [rating.engine for rating in pool.ratings] == list(names)
    for rating, following in pairwise(pool.ratings):
        # 200,000.5 points to 0.5, with the draw that is added.
        assert rating.elo.value - following.elo.value == pytest.approx(2240.82, abs=0.01)
        assert math.isfinite(rating.elo.bar)
    assert pool.first_turn.value == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("meetings", [{}, {("A", "B"): Counts()}])
def test_without_games_engines_are_pools_of_their_own(meetings):
    pools = rate("AB", meetings, first_turn=True)
    assert [[rating.engine for rating in pool.ratings] for pool in pools] == [["A"], ["B"]]
    for pool in pools:
        assert pool.ratings[0][1:] == (0, None, (0.0, -math.inf, math.inf), None)
        assert pool.first_turn is None


def test_engines_that_no_game_joins_are_not_compared():
    """Each pool has a mean of its own, the larger pool is first."""
    meetings = {("A", "B"): won(9, 1), **{(x.lower(), y.lower()): c for (x, y), c in THREE.items()}}
    pools = rate("ABabc", meetings)
    assert [[rating.engine for rating in pool.ratings] for pool in pools] == [
        list("abc"),
        list("AB"),
    ]
    for pool in pools:
        assert sum(values(pool).values()) == pytest.approx(0, abs=1e-9)


def test_without_a_prior_points_must_go_both_ways():
    """C lost to both others: how much weaker it is, has no bound."""
    meetings = {("A", "B"): won(6, 4), ("A", "C"): won(5, 0), ("B", "C"): won(5, 0)}
    pools = rate("ABC", meetings, prior=0)
    assert [[rating.engine for rating in pool.ratings] for pool in pools] == [["A", "B"], ["C"]]
    assert len(rate("ABC", meetings, prior=1)) == 1


def test_a_first_turn_that_decides_every_game():
    meetings = {("A", "B"): won(10, 0), ("B", "A"): won(10, 0)}
    with pytest.raises(ValueError, match="first turn"):
        rate("AB", meetings, prior=0, first_turn=True)
    (pool,) = rate("AB", meetings, first_turn=True)
    assert pool.first_turn.value > 300
    assert values(pool) == pytest.approx({"A": 0, "B": 0}, abs=1e-6)


def test_pairs_are_refused():
    with pytest.raises(ValueError, match="pairs"):
        rate("AB", {("A", "B"): Counts((1, 2, 3, 4, 5))})
