"""The results of random games."""

import threading

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.points import vertices
from gtp_engine.rules.step import PASS, SWAP_SIDES, Pie
from gtp_engine.search.assessment import SearchSetup
from gtp_engine.search.backends.choose import KERNEL, PYTHON
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import DEFAULT_OPTIONS
from gtp_engine.search.random_games import Forecast, forecast, lead_after, number_of_games
from support.boards import position

needs_kernel = pytest.mark.skipif(not kernel_built(), reason="no kernel was built")
BACKENDS = [PYTHON, pytest.param(KERNEL, marks=needs_kernel)]


def setup(backend: str, games: int, **bounds) -> SearchSetup:
    return SearchSetup(backend, DEFAULT_OPTIONS, "1", Budget(games, **bounds))


def signs(found: Forecast, size: int) -> list[str]:
    """Rows from the top of `+`, `-` and `0`."""
    held = iter(found.held.values())
    rows = [[next(held) for _ in range(size)] for _ in range(size)]
    return ["".join("-0+"[round(value) + 1] for value in row) for row in rows]


# Boards that are full, or over: every point is held by whom its game says.
OVER = [
    ("implo", "B w w / b w b / W w b", {}, ["+--", "+-+", "--+"], 0.0),
    ("boloa", "B w . / B b . / B . .", {}, ["+-0", "++0", "+00"], 1.0),
    ("robble", "B W W / B W B / W W B", {}, ["+--", "+-+", "--+"], 0.0),
    # The patch on the right is White's, with the blue disk in it.
    ("pilo", "B2 # W2 / # # B1 / B2 # W2", {"passes": "2"}, ["+0-", "00-", "+0-"], 0.0),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("game", "board", "fields", "held", "value"), OVER)
def test_a_game_that_is_over_is_held_as_it_stands(backend, game, board, fields, held, value):
    over = position(game, board.replace(" / ", "\n"), **fields)
    found = forecast(over, setup(backend, 5))
    assert (found.games, found.value, signs(found, 3)) == (5, value, held)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_lead_in_points_is_the_margin_of_pilo(backend):
    board = "B2 # W2\n# # W1\nB2 # W2"
    over = position("pilo", board, passes="2")
    outcome = over.outcome()
    assert outcome is not None and str(outcome) == "W+1"
    found = forecast(over, setup(backend, 1))
    assert (found.points(BLACK), found.points(WHITE)) == (-1.0, 1.0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_chance_cannot_change_is_sure(backend):
    """Markers stay for ever; who gets the five empty points depends."""
    before = position("implo", "b b b b\nb . . .\nb . . w\nw w w w")
    found = forecast(before, setup(backend, 200))
    assert {found.held[vertex] for vertex in vertices(before.markers[BLACK])} == {1}
    assert {found.held[vertex] for vertex in vertices(before.markers[WHITE])} == {-1}
    assert any(-1 < found.held[vertex] < 1 for vertex in vertices(before.empty))


@needs_kernel
def test_both_backends_see_the_same(game):
    start = game.start(4)
    for turn in ("a1", "d4", "b2"):
        steps = start.legal_steps()
        start = start.play(next((s for s in steps if turn in str(s).lower()), steps[0]))
    by_python = forecast(start, setup(PYTHON, 400))
    by_kernel = forecast(start, setup(KERNEL, 4000))
    assert by_python.held.keys() == by_kernel.held.keys()
    assert abs(by_python.value - by_kernel.value) < 0.1
    for vertex, value in by_python.held.items():
        assert abs(value - by_kernel.held[vertex]) < 0.2, vertex


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_seed_repeats_it_and_an_interrupt_ends_it_after_some_games(backend):
    start = find_game("robble").start(5)
    assert forecast(start, setup(backend, 20)) == forecast(start, setup(backend, 20))
    interrupt = threading.Event()
    interrupt.set()
    assert forecast(start, setup(backend, 10**9, interrupt=interrupt)).games == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_lead_after_a_line_to_the_end_is_the_margin(backend):
    before = position("pilo", "B2 # W2\n# # W1\nB2 # W2", passes="1")
    assert str(before.play(PASS).outcome()) == "W+1"
    assert lead_after(before, (PASS,), setup(backend, 3)) == -1.0
    assert lead_after(before, (PASS, PASS), setup(backend, 3)) == -1.0


def test_no_lead_is_told_where_the_rules_count_no_points():
    for name in ("implo", "boloa", "robble"):
        assert lead_after(find_game(name).start(3), (), setup(PYTHON, 1)) is None


@pytest.mark.parametrize("backend", BACKENDS)
def test_after_a_swap_of_sides_the_lead_is_that_of_the_same_player(backend):
    before = find_game("pilo").start(4, Pie.SIDES)
    before = before.play(before.legal_steps()[0])
    stayed = lead_after(before, (), setup(backend, 200))
    assert stayed
    assert lead_after(before, (SWAP_SIDES,), setup(backend, 200)) == -stayed


@needs_kernel
def test_both_backends_agree_on_the_lead():
    before = position("pilo", ". B1 . .\n. B1 . W2\nB1 . . .\n. # . W1")
    line = before.legal_steps()[:1]
    by_python = lead_after(before, line, setup(PYTHON, 400))
    by_kernel = lead_after(before, line, setup(KERNEL, 4000))
    assert abs(by_python - by_kernel) < 1


@needs_kernel
def test_large_boards_and_python_get_fewer_games_and_no_clock_is_asked(game):
    small, large = game.start(6), game.start(16)
    assert number_of_games(small, 200, KERNEL) == 200
    assert number_of_games(large, 200, KERNEL) == 50
    assert number_of_games(small, 200, PYTHON) == 2
    assert number_of_games(large, 200, PYTHON) == 1
