"""The end of a turn's search: by counts, on a clock that the test moves."""

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.search.budget import Budget
from gtp_engine.search.time_manager import StopCondition, TimeManager, reasons, settled
from gtp_engine.search.tree import Row, best

START = find_game("implo").start(4)
STEPS = START.legal_steps()


def rows(*found: tuple) -> list[Row]:
    """Rows of steps: visits, value and perhaps the proven value."""
    return [
        Row(step, visits, value, 0.0, 0.0, proven[0] if proven else None, (step,))
        for step, (visits, value, *proven) in zip(STEPS, found)
    ]


@pytest.mark.parametrize(
    ("found", "steps", "coming", "expected"),
    [
        ([(600, 0.6), (100, 0.5)], 2, 499, True),
        ([(600, 0.6), (100, 0.5)], 2, 500, False),
        ([(100, 0.5), (600, 0.6), (90, 0.5)], 16, 499, True),
        # What has not been visited has everything ahead of it.
        ([(600, 0.6)], 2, 599, True),
        ([(600, 0.6)], 2, 600, False),
        # One is proven to win, or all but one to lose.
        ([(2, 1.0, 1.0), (600, 0.6)], 16, 10**6, True),
        ([(2, 0.3), (600, 0.0, 0.0)], 2, 10**6, True),
        ([(2, 0.3), (600, 0.0, 0.0)], 3, 10**6, False),
        ([(9, 0.3), (600, 0.0, 0.0), (4, 0.2)], 3, 4, True),
        ([(9, 0.3), (600, 0.0, 0.0), (4, 0.2)], 3, 5, False),
    ],
)
def test_a_step_is_settled_when_the_visits_to_come_are_too_few(found, steps, coming, expected):
    searched = rows(*found)
    assert settled(searched, best(searched, BLACK), steps, BLACK, coming) == expected


def test_what_is_proven_counts_for_the_color_to_move():
    found = rows((5, 0.4), (600, 0.0, 0.0))
    assert settled(found, best(found, WHITE), 16, WHITE, 10**6)
    assert not settled(found, best(found, BLACK), 16, BLACK, 10**6)


@pytest.mark.parametrize(
    ("found", "before", "expected"),
    [
        ([(600, 0.6), (100, 0.5)], None, 0),
        ([(600, 0.6), (100, 0.5)], 0.64, 0),
        # The chance has become smaller.
        ([(600, 0.6), (100, 0.5)], 0.66, 1),
        # A step of few visits is better, one of very few may be so by chance.
        ([(600, 0.6), (60, 0.65)], None, 1),
        ([(600, 0.6), (59, 0.65)], None, 0),
        # The second has nearly as many.
        ([(600, 0.6), (480, 0.59)], None, 1),
        ([(600, 0.6), (479, 0.59)], None, 0),
        ([(600, 0.6), (590, 0.7)], 0.9, 3),
        # What is proven to lose is no rival.
        ([(600, 0.6), (590, 0.0, 0.0)], None, 0),
    ],
)
def test_reasons_for_more_time(found, before, expected):
    searched = rows(*found)
    assert reasons(searched, best(searched, BLACK), BLACK, before) == expected


def test_the_same_reasons_count_for_white():
    hard = rows((600, 0.4), (590, 0.3))
    assert reasons(hard, best(hard, WHITE), WHITE, 0.9) == 3
    easy = rows((600, 0.4), (100, 0.5))
    assert reasons(easy, best(easy, WHITE), WHITE, 0.6) == 0


class Hands:
    """A clock that stands still until the test moves it."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Grove:
    """A tree that gets its visits as a test says: for each step so many a second."""

    position = START

    def __init__(
        self,
        hands: Hands,
        rates: tuple,
        values: tuple = (0.6, 0.5),
        head: int = 0,
        proven: tuple = (None, None),
    ):
        self._hands = hands
        self._rates = rates
        self._values = values
        self._head = head
        self._proven = proven
        self.searched: list[float] = []

    trusted_visits = 1.0

    def rows(self, longest_pv: int = 1) -> list[Row]:
        visits = [self._head + int(rate * self._hands.seconds) for rate in self._rates]
        return rows(*zip(visits, self._values, self._proven))

    @property
    def visits(self) -> int:
        return sum(row.visits for row in self.rows())

    def search(self, deadline, poll) -> None:
        """As long as it may, by the hands of the test's clock."""
        began = self._hands.seconds
        while not poll():
            self._hands.seconds += 0.001
            assert self._hands.seconds < 100
        self.searched.append(round(self._hands.seconds - began, 2))


def timed(seconds: float, longest: float, saves: bool = True) -> Budget:
    return Budget(seconds=seconds, longest=longest, saves=saves)


def ends_after(
    rates: tuple, seconds: float = 1.0, most: float = 1.0, saves: bool = True, **more
) -> float:
    hands = Hands()
    grove = Grove(hands, rates, **more)
    stop = StopCondition(grove, len(rates), timed(seconds, most, saves=saves), hands)
    grove.search(None, stop)
    return hands.seconds


def test_time_is_the_end_where_the_lead_is_small():
    assert ends_after((520, 480), values=(0.5, 0.5)) == pytest.approx(1.0, abs=0.01)


def test_a_lead_that_nothing_can_catch_ends_it():
    """Of 1000 visits a second 900 go to the first: at 0.58 s it leads by 464, and 462 may come."""
    assert ends_after((900, 100)) == pytest.approx(0.6, abs=0.02)


def test_without_a_use_for_the_time_only_a_proof_ends_it():
    assert ends_after((900, 100), saves=False) == pytest.approx(1.0, abs=0.01)
    assert ends_after((520, 480), saves=False, proven=(1.0, None)) == pytest.approx(0.1, abs=0.01)
    assert ends_after((900,), saves=False) == pytest.approx(0.1, abs=0.01)


def test_a_proof_or_a_single_step_ends_it_at_once():
    """A proven win, all other steps proven to lose, one step."""
    assert ends_after((520, 480), proven=(1.0, None)) == pytest.approx(0.1, abs=0.01)
    assert ends_after((520, 480), proven=(None, 0.0)) == pytest.approx(0.1, abs=0.01)
    assert ends_after((900,)) == pytest.approx(0.1, abs=0.01)


def test_visits_of_a_turn_before_count_for_the_lead_but_not_for_the_rate():
    hands = Hands()
    grove = Grove(hands, (1000, 0))
    hands.seconds = 5.0  # it leads by 5000
    grove.search(None, StopCondition(grove, 2, timed(2.0, 2.0), hands))
    assert hands.seconds == pytest.approx(5.2, abs=0.01)


def test_a_hard_turn_gets_more_as_far_as_it_may():
    """The two are close, which is worth half of the time; and the other one looks better."""
    hard, harder = ((520, 480), (0.5, 0.4)), ((520, 480), (0.5, 0.6))
    for (rates, values), most, expected in (
        (hard, 9.0, 1.5), (harder, 9.0, 2.0), (harder, 1.7, 1.7), (hard, 1.0, 1.0),
    ):  # fmt: skip
        assert ends_after(rates, 1.0, most, values=values) == pytest.approx(expected, abs=0.06)


def test_without_visits_time_ends_it():
    assert ends_after((0, 0)) == pytest.approx(1.0, abs=0.01)
    assert ends_after((5, 5), seconds=0.0, most=0.0) == 0


def test_without_seconds_a_visit_within_one_tick_of_the_clock_ends_it():
    hands = Hands()
    grove = Grove(hands, (0, 0))
    stop = StopCondition(grove, 2, timed(0.0, 0.025), hands)
    grove._head = 5
    assert stop()


def test_further_steps_take_as_much_less_as_the_first_did():
    """Nothing of what the first step saved is spent on the others, and nothing more than may."""
    for rates, values, most, first in (
        ((900, 100), (0.6, 0.5), 1.0, 0.57),
        ((520, 480), (0.5, 0.6), 9.0, 1.9),
        ((520, 480), (0.5, 0.6), 1.2, 1.14),
    ):
        hands = Hands()
        grove = Grove(hands, rates, values)
        manager = TimeManager(timed(1.0, most), hands)
        manager.search_first(grove, lambda: False, steps=2)
        for _ in range(3):
            manager.search_further(grove, 2)
        taken, *rest = grove.searched
        assert taken == pytest.approx(first, abs=0.06)
        assert sum(rest) <= taken / 15
        assert hands.seconds <= max(1.0, most)


def test_without_adaptive_time_all_of_the_time_is_spent():
    """And a bound of visits alone is searched to the last one: that can be repeated."""
    ends = []

    class Wood:
        def search(self, deadline, poll=None) -> None:
            ends.append((deadline.visits, deadline.seconds_left()))

    manager = TimeManager(Budget(visits=7, seconds=1000.0))
    manager.search_first(Wood(), lambda: False, steps=2)
    manager.search_further(Wood(), 2)
    assert [visits for visits, _ in ends] == [7, 7]
    assert ends[0][1] == pytest.approx(950, abs=5)
    assert ends[1][1] == pytest.approx(1000, abs=5)
    TimeManager(Budget(visits=7, longest=1.0)).search_first(Wood(), lambda: False, steps=2)
    assert ends[2] == (7, None)


def test_a_budget_without_what_has_passed_keeps_half():
    budget = Budget(7, 2.0, None, longest=3.0, before=0.6, saves=False)
    assert budget.without(0.5) == budget._replace(seconds=1.5, longest=2.5)
    assert budget.without(1.9) == budget._replace(seconds=1.0, longest=2.0)
    assert Budget(visits=7).without(0.5) == Budget(visits=7)
