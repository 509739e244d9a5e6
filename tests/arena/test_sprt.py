"""The sequential test: known answers, decisions, and rejected input."""

import heapq
import math
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gtp_engine.arena.stats.pair_test import PairTest
from gtp_engine.arena.values import MOST_VOIDS, Board, GameKey, VoidGame
from gtp_engine.base.statistics.sprt import LOGISTIC, MODELS, NORMALIZED, Sprt
from gtp_engine.base.statistics.statistics import Counts

# Counts from lost to won, model, elo0, elo1: log-likelihood ratio. The first eleven agree with
# the code of fishtest, or the tests of fastchess within their tolerance; the last with cutechess.
VECTORS = [
    ((365, 16618, 36229, 16974, 390), NORMALIZED, 0, 2, 2.250368),
    ((127, 4883, 10712, 5150, 104), NORMALIZED, -1.75, 0.25, 3.010154),
    ((223, 9863, 21279, 10037, 246), LOGISTIC, 0.5, 2.5, -3.074126),
    ((871, 26175, 55983, 26678, 821), LOGISTIC, 0, 2, -4.978673),
    ((39, 8843, 26675, 9240, 44), NORMALIZED, 0.5, 2.5, 2.941675),
    ((0, 0, 50, 0, 0), NORMALIZED, 0, 20, -0.324314),
    ((0, 0, 50, 0, 0), LOGISTIC, 0, 20, -2.952647),
    ((0, 0, 0, 0, 5550), NORMALIZED, 0, 5, 111.797555),
    ((36027, 68692, 36433), NORMALIZED, 0, 2, 0.923293),
    ((57030, 106593, 57433), LOGISTIC, 0, 2, -2.593024),
    ((1351, 2942, 1477), LOGISTIC, 0, 10, 2.524246),
]


@pytest.mark.parametrize(("numbers", "model", "elo0", "elo1", "expected"), VECTORS)
def test_vectors(numbers, model, elo0, elo1, expected):
    llr = Sprt(elo0, elo1, model=model).llr(Counts(numbers))
    assert llr == pytest.approx(expected, rel=0, abs=5.1e-7)


@pytest.mark.parametrize(("model", "expected"), [(NORMALIZED, 2.25535), (LOGISTIC, 2.51186)])
def test_pairs_that_are_all_alike_or_shared(model, expected):
    llr = Sprt(0, 20, model=model).llr(Counts((10, 0, 60, 0, 30)))
    assert llr == pytest.approx(expected, abs=5.1e-6)


@pytest.mark.parametrize(("chance", "bound"), [(0.05, 2.944439), (0.01, 4.595120)])
def test_bounds(chance, bound):
    bounds = Sprt(0, 10, chance, chance).bounds
    assert bounds == (pytest.approx(-bound, abs=5e-7), pytest.approx(bound, abs=5e-7))


def test_unequal_risks_move_both_bounds():
    bounds = Sprt(0, 10, alpha=0.05, beta=0.10).bounds
    assert bounds == (pytest.approx(math.log(0.10 / 0.95)), pytest.approx(math.log(0.90 / 0.05)))


@pytest.mark.parametrize(
    ("numbers", "verdict"),
    [
        ((0, 0, 0, 0, 0), None),
        ((10, 20, 40, 20, 10), None),
        ((10, 20, 40, 60, 50), "H1"),
        ((50, 60, 40, 20, 10), "H0"),
        # One side never scored; a likelihood of zero would end nothing.
        ((0, 0, 0, 0, 60), "H1"),
        ((60, 0, 0, 0, 0), "H0"),
        ((0, 0, 60), "H1"),
        ((0, 0, 5), None),
    ],
    ids=str,
)
def test_when_a_match_ends(numbers, verdict):
    assert Sprt(0, 30).accepted(Counts(numbers)) == verdict


def test_without_games_the_ratio_is_even():
    assert Sprt(0, 30).llr(Counts()) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((10, 0), "below"),
        ((5, 5), "below"),
        ((0, math.inf), "within 200"),
        ((math.nan, 5), "within 200"),
        ((0, 300), "within 200"),
        ((0, 10, 0, 0.05), "above 0"),
        ((0, 10, 0.5, 0.5), "below 1"),
        ((0, 10, 0.05, 0.05, "bayesian"), "model"),
    ],
    ids=str,
)
def test_what_is_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        Sprt(*arguments)


@given(
    st.one_of([st.tuples(*[st.sampled_from((0, 1, 2, 30, 10**6))] * n) for n in (3, 5)]),
    st.sampled_from(sorted(MODELS)),
    st.floats(-200, 200),
    st.floats(-200, 200),
)
def test_the_opponent_tests_the_reverse(numbers, model, elo0, elo1):
    """Whatever the counts: a finite ratio, and that of the reversed match is its negative."""
    assume(elo0 + 0.01 < elo1)
    llr = Sprt(elo0, elo1, model=model).llr(Counts(numbers))
    reverse = Sprt(-elo1, -elo0, model=model).llr(Counts(numbers).reversed())
    assert math.isfinite(llr)
    assert llr == pytest.approx(-reverse, rel=1e-3, abs=1e-4)


# The order of pairs ----------------------------------------------------------------------------

BOARDS = [Board("robble", 5, "pieces"), Board("implo", 6, "pieces")]


def pair_test(boards=BOARDS[:1], start=0) -> PairTest:
    return PairTest(Sprt(0, 100), ("A", "B"), boards, start)


def pair(number: int, board: Board = BOARDS[0], first: str = "A", second: str = "B") -> GameKey:
    return GameKey(board, first, second, number, 0)


def test_pairs_count_in_their_order_whatever_order_they_end_in():
    test = pair_test()
    assert not test.add(pair(1), 4)
    assert not test.add(pair(2), 0)
    assert test.counts.units == 0
    assert test.add(pair(0), 2)
    assert test.counts == Counts((1, 0, 1, 0, 1))


@pytest.mark.parametrize("seed", range(5))
def test_every_order_brings_the_same_decision(seed):
    scores = [4, 3, 4, 2, 4, 4, 3, 4, 4, 2] * 12 + [0] * 40
    ordered, shuffled = pair_test(), pair_test()
    for number, score in enumerate(scores):
        ordered.add(pair(number), score)
    mixed = list(enumerate(scores))
    random.Random(seed).shuffle(mixed)
    for number, score in mixed:
        shuffled.add(pair(number), score)
    assert ordered.decision is not None
    assert ordered.decision.accepted == "H1"
    assert shuffled.decision == ordered.decision


def test_boards_alternate_and_the_first_number_may_be_any():
    test = pair_test(BOARDS, start=7)
    assert not test.add(pair(7, BOARDS[1]), 1)
    assert not test.add(pair(8, BOARDS[0]), 3)
    assert test.add(pair(7, BOARDS[0]), 4)
    assert test.counts == Counts((0, 1, 0, 1, 1))


def test_the_names_of_a_pair_may_stand_in_the_other_order():
    test = pair_test()
    assert test.add(pair(0, first="B", second="A"), 3)
    assert not test.add(pair(1, first="A", second="C"), 4)
    assert not test.add(pair(1, Board("robble", 7, "pieces")), 4)
    assert test.counts == Counts((0, 1, 0, 0, 0))


def test_a_pair_that_is_given_up_leaves_no_gap():
    void = VoidGame("robble", 5, "A", "B", 0, 1, "the machine was lost", 0.0)
    test = pair_test()
    test.add(pair(1), 4)
    test.see_voids([void] * (MOST_VOIDS - 1))
    assert test.counts.units == 0
    test.see_voids([void] * MOST_VOIDS)
    assert test.counts == Counts((0, 0, 0, 0, 1))
    assert not test.add(pair(0), 0)


def played(rng: random.Random, at_once: int, slower: float) -> list[tuple[int, int]]:
    """Pairs of two equal engines in the order in which they end: number and score.

    slower -- how many times as long a pair takes that the engine named first loses
    """
    running, ended = [], []
    for number in range(400):
        score = rng.choices(range(5), (1, 3, 4, 3, 1))[0]
        begin = heapq.heappop(running)[0] if len(running) == at_once else 0.0
        heapq.heappush(running, (begin + (slower if score < 2 else 1.0), number))
        ended.append((begin + (slower if score < 2 else 1.0), number, score))
    return [(number, score) for _, number, score in sorted(ended)]


def accepted(pairs: list[tuple[int, int]], test: PairTest) -> str:
    for number, score in pairs:
        test.add(pair(number), score)
        if test.decision is not None:
            return test.decision.accepted
    return ""


def test_whoever_wins_faster_does_not_win_the_test():
    """H0 is true. At a chance of 5 %, 30 matches bring more than 4 false H1 in 2 % of all runs."""
    rng = random.Random(20261128)
    as_numbered = as_ended = 0
    for _ in range(30):
        pairs = played(rng, at_once=32, slower=2.0)
        as_numbered += accepted(pairs, pair_test()) == "H1"
        in_order_of_ends = [(place, score) for place, (_, score) in enumerate(pairs)]
        as_ended += accepted(in_order_of_ends, pair_test()) == "H1"
    assert as_numbered <= 4
    assert as_ended > 8, "this match shows no bias that the order could remove"
