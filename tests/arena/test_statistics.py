"""Statistics from counts: known answers and edge cases.

The expected numbers were computed independently. They agree with the code of fishtest to the digits
shown.
"""

import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_engine.base.statistics.statistics import (
    Counts,
    draw_ratio,
    elo,
    elo_of_score,
    expected_score,
    normalised_elo,
    pair_ratio,
    score,
    superiority,
    superiority_of_tosses,
)
from measure import interval_coverage


def micro(number):
    """Equal to the number in the six digits after the point that a vector gives."""
    return pytest.approx(number, rel=0, abs=5.1e-7)


# Counts from lost to won: score, Elo and its bar, normalised Elo and its bar, superiority.
GAMES = (96, 111, 136)
VECTORS = {
    GAMES: (0.558309, 40.702458, 30.427218, 49.768415, 36.768451, 0.996010),
    (89, 123, 76): (None, -15.693521, 30.458001, -20.756450, 40.126026, 0.155326),
    (356, 0, 34): (None, -407.988432, None, -508.435325, None, None),
    (34, 54, 63, 64, 75): (0.579310, 55.579780, 27.653430, 57.935600, 28.275376, 0.999970),
    (332, 433, 498, 333, 334): (None, -8.642667, 10.334194, -9.172914, 10.960459, 0.050470),
    (20, 0, 120, 0, 60): (0.6, 70.436504, 30.179296, 81.891353, 34.048062, 0.999999),
}


@pytest.mark.parametrize("numbers", VECTORS, ids=str)
def test_vectors(numbers):
    counts = Counts(numbers)
    strength, normalised = elo(counts), normalised_elo(counts)
    found = (
        score(counts).value,
        strength.value,
        strength.bar,
        normalised.value,
        normalised.bar,
        superiority(counts),
    )
    for got, expected in zip(found, VECTORS[numbers]):
        assert expected is None or got == micro(expected)


def test_the_interval_of_elo_is_that_of_the_score():
    strength = elo(Counts(GAMES))
    assert strength[1:] == (micro(10.586756), micro(71.441192))


def test_games_counted_one_by_one_claim_less_than_pairs():
    """20 pairs lost, 120 shared and 60 won, as 400 games: 160 lost, 240 won."""
    assert elo(Counts((20, 0, 120, 0, 60))).bar == micro(30.179296)
    singly = Counts((160, 0, 240))
    assert (elo(singly).bar, superiority(singly)) == (micro(34.880930), micro(0.999978))


@pytest.mark.parametrize(
    ("won", "lost", "expected"), [(10, 5, 0.894943), (120, 80, 0.997670), (0, 0, 0.5)]
)
def test_superiority_of_tosses(won, lost, expected):
    assert superiority_of_tosses(won, lost) == micro(expected)


@pytest.mark.parametrize("numbers", [(0, 0, 0), (0, 0, 0, 0, 0)])
def test_no_games_say_nothing(numbers):
    counts = Counts(numbers)
    for function in (score, elo, normalised_elo, superiority, draw_ratio, pair_ratio):
        assert function(counts) is None


@pytest.mark.parametrize(
    ("numbers", "low", "high"),
    [
        # All won: an engine that wins 47.8 % does so five times with a chance of 2.5 %.
        ((0, 0, 5), elo_of_score(0.025**0.2), math.inf),
        ((0, 0, 0, 0, 5), elo_of_score(0.025**0.2), math.inf),
        ((5, 0, 0), -math.inf, -elo_of_score(0.025**0.2)),
        (
            (0, 7, 0),
            -elo_of_score(1 - 0.025 ** (1 / 7) / 2),
            elo_of_score(1 - 0.025 ** (1 / 7) / 2),
        ),
    ],
    ids=str,
)
def test_games_that_all_ended_alike(numbers, low, high):
    counts = Counts(numbers)
    strength = elo(counts)
    assert (strength.low, strength.high) == (pytest.approx(low), pytest.approx(high))
    assert normalised_elo(counts) is None


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [((0, 0, 5), 63 / 64), ((0, 0, 0, 0, 5), 63 / 64), ((5, 0, 0), 1 / 64), ((0, 9, 0), 0.5)],
    ids=str,
)
def test_superiority_of_games_that_all_ended_alike_is_exact(numbers, expected):
    assert superiority(Counts(numbers)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("numbers", "ends", "likelihood"),
    [
        ((0, 0, 0, 1, 1), (-377.1, 2783.0), 0.802),
        ((1, 0, 1, 2, 2), (-217.1, 537.8), 0.773),
        ((1, 3, 6, 5, 5), (-20.5, 203.0), 0.954),
    ],
    ids=str,
)
def test_few_pairs_are_doubted(numbers, ends, likelihood):
    """The variance of two pairs is no measure: 3/2 and 2 points in four games are no proof."""
    strength = elo(Counts(numbers))
    assert strength[1:] == pytest.approx(ends, abs=0.05)
    assert superiority(Counts(numbers)) == pytest.approx(likelihood, abs=5e-4)


def test_between_few_and_many_little_changes():
    few, many = (elo(Counts(tuple(n * times for n in (2, 3, 6, 5, 4)))) for times in (9, 10))
    assert few.bar == pytest.approx(many.bar * math.sqrt(10 / 9), rel=0.04)


def test_far_from_zero_normalised_elo_is_less_certain_than_fishtest_says():
    """Its formula says 34.48 for 390 games; ours holds the truth in 95 % of 20,000 matches."""
    assert normalised_elo(Counts((356, 0, 34))).bar == pytest.approx(108.33, abs=0.01)


SPECIFIED = Path(__file__).parents[2] / "protocol_specs/matches/simulations.md"


@pytest.mark.parametrize("pairs", [2, 3, 5, 10])
def test_intervals_hold_the_truth_as_often_as_the_specification_says(pairs):
    """For every two engines, however strong, however many draws, whatever the openings are worth:
    the normal interval does so in less than 77 % of the matches of some, with two pairs."""
    found = interval_coverage.row(pairs)
    assert found.score[1] >= 0.95
    assert found.surest <= 0.025
    assert interval_coverage.line(found) in SPECIFIED.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("pairs", [15, 50, 100, 200])
def test_intervals_of_matches_drawn_at_random(pairs):
    assert interval_coverage.row(pairs, samples=60).score[0] == pytest.approx(0.965, abs=0.015)


@pytest.mark.parametrize(
    ("numbers", "draws", "pairs"),
    [
        ((96, 111, 136), 111 / 343, 136 / 96),
        ((1, 2, 4, 2, 1), 0.4, 1.0),
        ((0, 0, 4, 2, 0), 4 / 6, None),
    ],
)
def test_ratios(numbers, draws, pairs):
    assert (draw_ratio(Counts(numbers)), pair_ratio(Counts(numbers))) == (draws, pairs)


@pytest.mark.parametrize("numbers", [(), (1, 2), (1, 2, 3, 4), (1, -1, 2)], ids=str)
def test_broken_counts(numbers):
    with pytest.raises(ValueError):
        Counts(numbers)


@pytest.mark.parametrize(("difference", "expected"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11)])
def test_expected_score(difference, expected):
    assert expected_score(difference) == pytest.approx(expected)
    assert elo_of_score(expected) == pytest.approx(difference, abs=1e-9)


@given(st.one_of([st.tuples(*[st.integers(0, 10**6)] * n) for n in (3, 5)]).filter(any))
def test_the_opponent_sees_the_same_match(numbers):
    ours, theirs = Counts(numbers), Counts(numbers).reversed()
    assert superiority(ours) + superiority(theirs) == pytest.approx(1)
    for function in (elo, normalised_elo):
        if (mine := function(ours)) is not None:
            other = function(theirs)
            assert mine.low <= mine.value <= mine.high
            assert (mine.low, mine.high) == pytest.approx((-other.high, -other.low), abs=1e-6)


def test_importing_costs_no_library():
    """A match without a test and without a report never waits for them."""
    code = (
        "import sys; from gtp_engine.arena.stats import ratings;"
        "from gtp_engine.base.statistics import sprt, statistics;"
        "print(sorted({'numpy', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
