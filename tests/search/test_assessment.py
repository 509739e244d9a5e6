"""What a position is worth depends on the position and the limits alone."""

import random
import threading

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.step import SWAPS, Pie
from gtp_engine.search.assessment import SearchSetup, assess
from gtp_engine.search.backends.choose import AUTO
from gtp_engine.search.budget import Budget
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.pool import Pool

SIZE = 5
OPTIONS = SearchOptions(threads=1, leaf_playouts=1)


def setup(visits: int | None = 80, seconds: float | None = None, **more) -> SearchSetup:
    return SearchSetup(AUTO, OPTIONS, "1", Budget(visits, seconds, **more))


def random_game(game: Game, seed: int = 1) -> list[Position]:
    """All positions of a game by chance, without swaps, to its end."""
    rng, position = random.Random(seed), game.start(SIZE, Pie.PIECES)
    positions = [position]
    while position.outcome() is None:
        steps = [step for step in position.legal_steps() if step not in SWAPS.values()]
        position = position.play_unchecked(rng.choice(steps))
        positions.append(position)
    return positions


def test_order_and_threads_change_nothing(game):
    positions = random_game(game)
    alone = [assess(position, setup()) for position in positions]
    shuffled = list(range(len(positions)))
    random.Random(2).shuffle(shuffled)
    found: dict[int, Report] = {}
    with Pool(2) as pool:
        for number in shuffled:

            def job(interrupt: threading.Event, number: int = number) -> None:
                found[number] = assess(positions[number], setup(interrupt=interrupt))

            pool.submit(job)
    assert [found[number] for number in range(len(positions))] == alone


def test_the_end_is_worth_its_outcome(game):
    *_, last = random_game(game)
    value = last.outcome().value
    assert assess(last, setup()) == Report.ended(last, value)


def test_white_takes_the_better_color(game):
    start = game.start(SIZE, Pie.PIECES)
    found = assess(start, setup())
    assert found.proven is None
    assert found.worth == min(found.rows[0].value, 1 - found.rows[0].value)


@pytest.mark.parametrize(("first", "swaps"), [("A1", True), ("B2", False)])
def test_white_swaps_a_first_turn_that_wins(first, swaps):
    start = find_game("implo").start(3, Pie.PIECES)
    step = next(step for step in start.legal_steps() if str(step) == first)
    found = assess(start.play_unchecked(step), setup(2000))
    assert (found.value, found.proven) == (0, 0)
    assert (found.rows[0].step in SWAPS.values()) == swaps


@pytest.mark.parametrize("interval", [None, 0.0])
def test_the_last_report_is_the_result(game, interval):
    reports, interrupt = [], threading.Event()

    def noted(report: Report) -> None:
        reports.append(report)
        if len(reports) > 2:
            interrupt.set()

    limits = setup(80 if interval is None else 10**8, interrupt=interrupt)
    position = game.start(SIZE, Pie.OFF)
    found = assess(position, limits, observer=SearchObserver(interval, noted))
    assert reports[-1] == found
    assert [report.visits for report in reports] == sorted(report.visits for report in reports)
    assert (interval is None) == (len(reports) == 1)


def test_a_solved_position_is_reported_once(game):
    positions = random_game(game)
    position = next(each for each in reversed(positions) if len(each.legal_steps()) > 1)
    reports = []
    found = assess(position, setup(), observer=SearchObserver(None, reports.append))
    assert found.proven == found.value
    assert reports == [found]


def test_only_the_given_steps_are_searched(game):
    position = game.start(SIZE, Pie.OFF)
    some = position.legal_steps()[1:3]
    found = assess(position, setup(), among=some)
    assert {row.step for row in found.rows} <= set(some)
    with pytest.raises(ValueError, match="no steps"):
        assess(position, setup(), among=())


def test_an_interrupt_ends_it_with_what_was_found(game):
    interrupt = threading.Event()
    interrupt.set()
    found = assess(game.start(SIZE, Pie.PIECES), setup(10**8, interrupt=interrupt))
    assert found.rows
    assert found.visits < 10**8


def test_a_line_of_play_begins_where_the_choice_begins(game):
    for position in random_game(game, seed=3)[:-1]:
        found = assess(position, setup(20))
        for step in found.forced:
            position = position.play_unchecked(step)
        if not found.rows:
            assert position.outcome() is not None
        else:
            assert found.position == position
            assert found.rows[0].step in position.legal_steps()
