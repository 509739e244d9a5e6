"""Ratings of many engines: known answers, pools, and matches of few games."""

import math
from itertools import pairwise

import pytest

from gtp_engine.arena.stats.ratings import rate
from gtp_engine.base.statistics.statistics import Counts, Estimate, elo
from support.thorough import thorough


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


def even(meetings, times=1):
    """The same games with either engine first, so that the first turn is worth nothing."""
    counts = {pair: Counts(tuple(times * n for n in c.numbers)) for pair, c in meetings.items()}
    return counts | {pair[::-1]: c.reversed() for pair, c in counts.items()}


# So many times the games of a test that the added draws do not count.
MANY = 10**7


def test_three_engines():
    (pool,) = rate("ABC", even(THREE, MANY))
    expected = {"A": 182.4784, "B": -42.9699, "C": -139.5085}
    assert values(pool) == pytest.approx(expected, abs=5.1e-5)
    assert pool.first_turn.value == pytest.approx(0, abs=1e-6)


def test_the_worth_of_the_first_turn():
    many = {pair: Counts(tuple(MANY * n for n in c.numbers)) for pair, c in BOTH_ORDERS.items()}
    (pool,) = rate("ABC", many)
    assert values(pool) == pytest.approx({"A": 219.198, "B": -50.679, "C": -168.519}, abs=5.1e-4)
    assert pool.first_turn.value == pytest.approx(173.103, abs=5.1e-4)
    (pool,) = rate("ABC", BOTH_ORDERS)
    assert 0 < pool.first_turn.low < 150 < pool.first_turn.high


@thorough
def test_ratings_have_the_greatest_likelihood_with_a_draw_more_for_each_two():
    from scipy import optimize

    def unlikelihood(ratings):
        a, b, first = ratings
        own, total = {"A": a, "B": b, "C": -a - b}, 0.0
        for (black, white), counts in BOTH_ORDERS.items():
            losses, _, wins = counts.numbers
            lead = (own[black] - own[white] + first) * math.log(10) / 400
            total += (wins + 0.25) * math.log1p(math.exp(-lead))
            total += (losses + 0.25) * math.log1p(math.exp(lead))
        return total

    a, b, first = optimize.minimize(unlikelihood, (0, 0, 0), tol=1e-10).x
    (pool,) = rate("ABC", BOTH_ORDERS)
    assert values(pool) == pytest.approx({"A": a, "B": b, "C": -a - b}, abs=0.01)
    assert pool.first_turn.value == pytest.approx(first, abs=0.01)


def test_the_best_comes_first_and_the_mean_is_0():
    (pool,) = rate("CBA", THREE)
    assert [(rating.engine, rating.games, rating.score) for rating in pool.ratings] == [
        ("A", 40, 0.825),
        ("B", 40, 0.425),
        ("C", 40, 0.25),
    ]
    assert sum(values(pool).values()) == pytest.approx(0, abs=1e-9)


def test_two_engines_are_as_far_apart_as_their_score_says():
    (pool,) = rate("AB", even({("A", "B"): won(30_000, 20_000)}))
    best, worst = (rating.elo for rating in pool.ratings)
    apart = elo(won(60_000, 40_000))
    assert best.value - worst.value == pytest.approx(apart.value, rel=1e-4)
    # One engine is half the distance from the mean; its bar comes from the slope at the rating,
    # the other from both ends of the score's interval.
    assert best.bar == pytest.approx(apart.bar / 2, rel=0.02)
    assert best.bar == pytest.approx(worst.bar)


def test_how_sure_the_order_is():
    """Of two engines it is what the score alone says, of more all their games count."""
    (pool,) = rate("AB", even({("A", "B"): won(30, 20)}))
    assert [rating.ahead for rating in pool.ratings] == [pytest.approx(0.977, abs=0.002), None]
    (pool,) = rate("ABC", even(THREE))
    # B is 0.556 logits above C, with a standard error of 0.289.
    assert pool.ratings[0].ahead > 0.999
    assert pool.ratings[1].ahead == pytest.approx(0.973, abs=0.005)


def test_draws_are_half_wins():
    assert rate("AB", {("A", "B"): won(5, 5, 10)}) == rate("AB", {("A", "B"): won(10, 10)})


def test_four_times_the_games_halve_the_bars():
    few, many = (rate("ABC", even(THREE, times)) for times in (MANY, 4 * MANY))
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
    (pool,) = rate(names, meetings)
    assert [rating.engine for rating in pool.ratings] == list(names)
    for rating, following in pairwise(pool.ratings):
        # 200,000.5 points to 0.5, with the draw that is added.
        assert rating.elo.value - following.elo.value == pytest.approx(2240.82, abs=0.01)
        assert math.isfinite(rating.elo.bar)
    assert pool.first_turn.value == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("meetings", [{}, {("A", "B"): Counts()}])
def test_without_games_engines_are_pools_of_their_own(meetings):
    pools = rate("AB", meetings)
    assert [[rating.engine for rating in pool.ratings] for pool in pools] == [["A"], ["B"]]
    for pool in pools:
        assert pool.ratings[0][1:] == (0, None, (0.0, -math.inf, math.inf), None, False)
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


def test_a_first_turn_that_decides_every_game():
    meetings = {("A", "B"): won(10, 0), ("B", "A"): won(10, 0)}
    (pool,) = rate("AB", meetings)
    assert pool.first_turn.value > 300
    assert values(pool) == pytest.approx({"A": 0, "B": 0}, abs=1e-6)


def test_pairs_are_refused():
    with pytest.raises(ValueError, match="pairs"):
        rate("AB", {("A", "B"): Counts((1, 2, 3, 4, 5))})


def test_one_anchor_moves_all_ratings_and_the_intervals_are_those_of_the_distance_to_it():
    (free,) = rate("ABC", BOTH_ORDERS)
    (pool,) = rate("ABC", BOTH_ORDERS, {"B": 2000})
    assert (pool.anchored, free.anchored) == (True, False)
    shift = 2000 - values(free)["B"]
    assert values(pool) == pytest.approx({name: elo + shift for name, elo in values(free).items()})
    (anchor,) = (rating for rating in pool.ratings if rating.anchor)
    assert anchor[:4] == ("B", 40, anchor.score, Estimate(2000, 2000, 2000))
    assert pool.first_turn == pytest.approx(free.first_turn)
    # How likely one engine is above another does not depend on the scale.
    assert [rating.ahead for rating in pool.ratings] == pytest.approx(
        [rating.ahead for rating in free.ratings], nan_ok=True
    )
    bars = {rating.engine: rating.elo.bar for rating in pool.ratings}
    assert bars["A"] > {rating.engine: rating.elo.bar for rating in free.ratings}["A"]


@thorough
def test_several_anchors_stay_and_the_others_have_the_greatest_likelihood():
    from scipy import optimize

    anchors = {"A": 2300.0, "C": 2000.0}

    def unlikelihood(found):
        own, total = anchors | {"B": found[0]}, 0.0
        for (black, white), counts in BOTH_ORDERS.items():
            losses, _, wins = counts.numbers
            lead = (own[black] - own[white] + found[1]) * math.log(10) / 400
            total += (wins + 0.25) * math.log1p(math.exp(-lead))
            total += (losses + 0.25) * math.log1p(math.exp(lead))
        return total

    b, first = optimize.minimize(unlikelihood, (2100, 0), tol=1e-10).x
    (pool,) = rate("ABC", BOTH_ORDERS, anchors)
    assert values(pool) == pytest.approx(anchors | {"B": b}, abs=0.01)
    assert pool.first_turn.value == pytest.approx(first, abs=0.01)


def test_two_anchors_are_compared_as_given_and_a_pool_without_one_keeps_its_mean():
    games = {("A", "B"): won(1, 9), ("C", "D"): won(5, 5)}
    both, other = rate("ABCDE", games, {"A": 1500, "B": 1400, "E": 1000})[:2]
    assert [(rating.engine, rating.ahead) for rating in both.ratings] == [("A", 1.0), ("B", None)]
    assert not other.anchored and sum(values(other).values()) == pytest.approx(0)
    (alone,) = rate("E", {}, {"E": 1000})
    assert (alone.ratings[0].elo.value, alone.ratings[0].score) == (1000, None)
