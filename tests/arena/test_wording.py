"""Numbers as people read them."""

import math

import pytest

from gtp_engine.arena.reporting.wording import (
    interval,
    likelihood,
    listed,
    number_of,
    percent,
    rated,
    seconds,
    signed,
    wdl,
    with_bar,
)
from gtp_engine.arena.stats.ratings import Rating
from gtp_engine.base.statistics.statistics import Counts, Estimate

INF = math.inf


@pytest.mark.parametrize(
    ("value", "text"),
    [(40.72, "+40.7"), (-8.64, "-8.6"), (0, "+0.0"), (-0.04, "+0.0"), (-10.04, "-10.0")],
)
def test_differences(value, text):
    assert signed(value) == text


@pytest.mark.parametrize(
    ("estimate", "short", "both_ends"),
    [
        (Estimate(40.7, 10.59, 71.44), "+40.7 ±30.4", "+10.6 to +71.4"),
        (Estimate(511.5, 311.1, INF), "+511.5, from +311.1", "+311.1 or more"),
        (Estimate(-511.5, -INF, -311.1), "-511.5, up to -311.1", "-311.1 or less"),
        (Estimate(INF, -15.2, INF), "from -15.2", "-15.2 or more"),
        (Estimate(-INF, -INF, 15.2), "up to +15.2", "+15.2 or less"),
    ],
)
def test_estimates(estimate, short, both_ends):
    assert (with_bar(estimate), interval(estimate)) == (short, both_ends)


@pytest.mark.parametrize("estimate", [None, Estimate(0, -INF, INF)])
def test_estimates_without_games(estimate):
    assert with_bar(estimate) == "-"


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (None, "-"),
        (0.983, "98.3 %"),
        (0.9994, "99.9 %"),
        (0.99996, "> 99.9 %"),
        (1.0, "> 99.9 %"),
        (0.0001, "< 0.1 %"),
    ],
)
def test_nothing_is_quite_certain(share, text):
    assert likelihood(share) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.00012, "0.1 ms"),
        (0.31, "310 ms"),
        (0.9999, "1.0 s"),
        (99.9, "99.9 s"),
        (100, "1 min 40 s"),
        (3599.9, "59 min 59 s"),
        (12_000, "3 h 20 min"),
    ],
)
def test_times(value, text):
    assert seconds(value) == text


def test_counts():
    assert wdl(Counts((96, 111, 136))) == "136-111-96"
    assert (number_of(1, "game"), number_of(1200, "game")) == ("1 game", "1,200 games")
    assert (percent(0.5), percent(None)) == ("50.0 %", "-")


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["A"], "A"), (["A", "B"], "A and B"), ("ABC", "A, B and C")]
)
def test_lists(words, text):
    assert listed(words) == text


def test_ratings_on_the_scale_of_an_anchor():
    rating = Rating("A", 8, 0.5, Estimate(2040.7, 2010.3, 2071.1))
    assert rated(rating, anchored=True) == "2040.7 ±30.4"
    assert rated(rating, anchored=False) == "+2040.7 ±30.4"
    given = Rating("B", 8, 0.5, Estimate(2000, 2000, 2000), anchor=True)
    assert rated(given, anchored=True) == "2000 (anchor)"
