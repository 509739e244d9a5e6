"""Exact results inside a game: the choice of a solver, and the player's use of it."""

from threading import Event

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import SOLVED_EARLY, Budget
from gtp_engine.search.certificates import has_book
from gtp_engine.search.endgames import EndgameSolver
from gtp_engine.search.named_players import make_player
from gtp_engine.search.observer import SearchObserver
from gtp_engine.search.options import DEFAULT_OPTIONS, SearchOptions
from gtp_engine.search.solution import BEST, RETROGRADE, Solution
from gtp_engine.search.solver import make_solver, table_of
from support.driver import Driver
from support.searching import OnceBegun
from support.small_robble import ROBBLE, board, occurs, side, values
from support.thorough import thorough

pytestmark = pytest.mark.skipif(not kernel_built(), reason="needs the kernel")


class Asked(list[tuple[int, str]]):
    """Makes solvers; lists the size and the method of each, and the threads."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: list[int | None] = []

    def __call__(self, position, options, method):
        solver = make_solver(position, "kernel", options, method)
        self.append((position.size, method))
        self.threads.append(options.threads)
        return solver


def a_minute_or(visits):
    """A budget of a minute, and an observer that ends the search after so many visits.

    A search limited by visits alone has no table, and on a busy machine seconds may be too few.
    """
    enough = Event()

    def look(report):
        if report.visits >= visits:
            enough.set()

    return Budget(seconds=60, interrupt=enough), SearchObserver(0.01, look)


@thorough
def test_a_table_is_one_for_all_players():
    """It takes several turns where one is too short, also for players that a seed makes anew.

    An explanation says what it found.
    """
    start, turns = ROBBLE.start(4), 0
    endgames = EndgameSolver(Asked(), SearchOptions(), keep=False)
    assert endgames.solve(start, Budget(interrupt=OnceBegun()).begin()).value is None
    proven = None
    while proven is None and turns < 1000:
        player = make_player(ROBBLE, "mcts", str(turns))
        proven = player.choose(start, start.legal_steps(), Budget(seconds=0.2)).proven
        turns += 1
    assert proven == 0.5
    assert table_of(backend_for(ROBBLE), start, DEFAULT_OPTIONS).complete
    last = make_player(ROBBLE, "mcts", "1")
    assert last.choose(start, start.legal_steps(), *a_minute_or(100)).proven == 0.5
    drive = Driver("robble", 4)
    drive("game-pie off")
    assert drive("game-explain 60").splitlines()[2] == "a draw is proven"


def test_no_table_is_begun_in_a_hurry():
    at = ROBBLE.start(4)
    asked = Asked()
    assert (
        EndgameSolver(asked, SearchOptions(), keep=False).solve(at, Budget(seconds=0.05).begin())
        is None
    )
    assert asked == [(4, RETROGRADE)]


def test_a_complete_table_is_asked_however_little_time_there_is():
    start = ROBBLE.start(3)
    table = make_solver(start, "kernel", SearchOptions(), RETROGRADE)
    table.solve(start, Budget())
    assert table.complete

    def make(position, options, method):
        return table if method == RETROGRADE else make_solver(position, "kernel", options, method)

    endgames = EndgameSolver(make, SearchOptions(), keep=False)
    solver, _ = next(endgames.ask(start, Budget(seconds=0.0).begin()))
    assert solver is table


def test_who_has_no_time_looks_all_the_same(kernel_game):
    """The kernel does; in Python a look may take longer than there is."""
    start = kernel_game.start(5)
    player = make_player(kernel_game, "mcts", "1")
    choice = player.choose(start, start.legal_steps(), Budget(seconds=0.0))
    assert choice.visits > 0


def test_who_may_not_search_much_gets_no_table():
    """The visits of a level bound what it knows."""
    asked = Asked()
    endgames = EndgameSolver(asked, SearchOptions(), keep=True)
    assert endgames.solve(ROBBLE.start(4), Budget(1000, 5).begin()) is None
    assert endgames.solve(ROBBLE.start(3), Budget(10, 5).begin()).value is None
    assert asked == [(3, BEST)]
    small = EndgameSolver(asked, SearchOptions(hash_mb=20), keep=True)
    assert small.solve(ROBBLE.start(4), Budget(seconds=60).begin()) is None


def test_early_positions_of_large_boards_are_not_tried(game):
    asked = Asked()
    assert (
        EndgameSolver(asked, SearchOptions(), keep=True).solve(
            game.start(6), Budget(seconds=1).begin()
        )
        is None
    )
    assert asked == []


@pytest.mark.parametrize(
    ("budget", "bound"),
    [
        (Budget(seconds=60), SOLVED_EARLY),
        (Budget(visits=500, positions=10**6), SOLVED_EARLY),
        (Budget(visits=500, positions=100), 100),
        (Budget(visits=500), None),
    ],
)
def test_on_a_board_with_a_book_earlier_positions_get_few_positions(budget, bound):
    """Searches that visits alone bound know no more than those."""
    assert has_book(find_game("boloa"), 4)
    endgames = EndgameSolver(Asked(), SearchOptions(), keep=False)
    for name, size in (("boloa", 4), ("boloa", 5), ("implo", 4)):
        asked = list(endgames.ask(find_game(name).start(size), budget.begin()))
        early = (name, size) == ("boloa", 4) and bound is not None
        assert [each.visits for _, each in asked] == ([bound] if early else [])


def test_a_solver_has_the_threads_of_the_search():
    """Else an engine with one thread for each game would take the processors of the others."""
    asked = Asked()
    for threads in (None, 1, 3):
        endgames = EndgameSolver(asked, SearchOptions(threads=threads), keep=False)
        assert endgames.solve(find_game("pilo").start(3), Budget(seconds=60).begin()).value == 1
    assert asked == [(3, BEST)] * 3
    assert asked.threads == [None, 1, 3]


@pytest.mark.parametrize("keep", [True, False])
def test_what_a_solver_knows_is_kept_where_it_may_be(keep):
    pilo = find_game("pilo")
    endgames = EndgameSolver(Asked(), SearchOptions(), keep)
    first, again = (endgames.solve(pilo.start(3), Budget(seconds=60).begin()) for _ in range(2))
    assert first.value == again.value == 1
    assert (again.positions < first.positions) == keep


class Bounds(list[int | None]):
    """A solver that solves nothing; lists how many positions it might have looked at."""

    def solve(self, position, budget):
        self.append(budget.visits)
        return Solution(None, (), 0, 0, 0, 0.0)


@pytest.mark.parametrize(
    ("rows", "seconds", "visits", "bound"),
    [
        ("..../..../..BW/BWBW", 1, None, None),
        ("..../..../..BW/BWBW", None, None, 10**6),
        ("..../..../..BW/BWBW", 1, 50, 50),
        ("...../...../BWBWB/BWBWB/BWBWB", 1, None, 10**6),
    ],
)
def test_on_a_small_board_time_alone_is_what_bounds_a_solver(rows, seconds, visits, bound):
    at = read_position(f"robble {rows.count('/') + 1} {rows} b pie=off")
    bounds = Bounds()

    def make(position, options, method):
        if method == RETROGRADE:
            raise ValueError(method)
        return bounds

    EndgameSolver(make, SearchOptions(), keep=False).solve(at, Budget(visits, seconds).begin())
    assert bounds == [bound]


def test_drawing_steps_are_all_that_keep_the_draw(rng):
    worth = values()
    endgames = EndgameSolver(Asked(), SearchOptions(), keep=False)
    drawn = [each for each, value in worth.items() if value == 0.5 and occurs(each)]
    for each in rng.sample(drawn, 15):
        at = board(*each)
        if at.outcome() is None:
            expected = {step for step in at.legal_steps() if worth[side(at.play(step))] == 0.5}
            assert set(endgames.drawing_steps(at, Budget(seconds=60).begin())) == expected


def test_a_player_keeps_a_draw_but_looks_for_more(rng):
    """Of the steps that keep it, one that a search likes."""
    worth = values()
    searched = 0
    player = make_player(ROBBLE, "mcts", None)
    for each in rng.sample([each for each, value in worth.items() if value == 0.5], 9):
        at = board(*each)
        if at.outcome() is not None:
            continue
        choice = player.choose(at, at.legal_steps(), *a_minute_or(1000))
        assert choice.proven == choice.value == 0.5
        assert worth[side(at.play(*choice.steps))] == 0.5
        searched += len(choice.report.rows) > 1
    assert searched > 2


@pytest.mark.parametrize("keep", [True, False])
def test_a_solver_that_is_kept_is_for_one_game_on_one_size(keep):
    """A game before the board changes, and after it: each has its solver."""
    asked = Asked()
    endgames = EndgameSolver(asked, SearchOptions(), keep=keep)
    pilo = find_game("pilo")
    for start in (ROBBLE.start(2), ROBBLE.start(3), ROBBLE.start(3), pilo.start(3)):
        found = endgames.solve(start, Budget(visits=10).begin())
        assert found is not None and found.positions <= 10
    sizes = [size for size, method in asked if method == BEST]
    assert sizes == ([2, 3, 3] if keep else [2, 3, 3, 3])
