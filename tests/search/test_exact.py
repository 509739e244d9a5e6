"""A solver's result for every step: equal to a minimax, with the best step first."""

import threading
from functools import cache

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.choose import KERNEL, PYTHON
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.exact import exact_report
from gtp_engine.search.observer import Report
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solver import make_solver
from gtp_engine.search.tree import value_for
from support.boards import after, position

SMALL = SearchOptions(hash_mb=16)


@pytest.fixture(params=[KERNEL, PYTHON] if kernel_built() else [PYTHON])
def backend(request) -> str:
    return request.param


def exact(at: Position, backend: str, **bounds) -> Report | None:
    return exact_report(at, make_solver(at, backend, SMALL), Budget(**bounds))


@cache
def minimax(at: Position) -> float:
    outcome = at.outcome()
    if outcome is not None:
        return outcome.value
    values = (minimax(at.play(step)) for step in at.legal_steps())
    return min(values) if at.to_move else max(values)


LATE = {
    "Implo 4x4, won": ("implo", "b b W w\n. . . b\nW . W W\nB . B W", "b"),
    "Boloa 3x3, won": ("boloa", ". . W\n. B B\n. w B", "w"),
    "Pilo 3x3, a capture": ("pilo", "B1 # W2\n# # B2\nB1 . W2", "w"),
}  # fmt: skip


@pytest.mark.parametrize("name", LATE)
def test_each_step_has_its_exact_value(name, backend):
    at = position(*LATE[name])
    report = exact(at, backend)
    assert report is not None
    assert report.value == report.proven == report.rows[0].value == minimax(at)
    assert {row.step: row.proven for row in report.rows} == {
        step: minimax(at.play(step)) for step in at.legal_steps()
    }
    gains = [value_for(at.to_move, row.value) for row in report.rows]
    assert gains == sorted(gains, reverse=True)
    assert all(row.pv[0] == row.step and row.visits for row in report.rows)


def test_of_lost_steps_the_longest_line_is_first(backend):
    report = exact(position("implo", "b b W w\n. . . b\nW . W W\nB . B W", "w"), backend)
    lengths = [len(row.pv) for row in report.rows]
    assert lengths == sorted(lengths, reverse=True)


def test_a_swap_is_a_step_like_others(backend):
    at = after(find_game("implo").start(3, Pie.SIDES), "a1")
    report = exact(at, backend)
    assert str(report.rows[0].step) == "swap-sides"
    assert report.value == 0
    assert len(report.rows) == len(at.legal_steps())


def test_what_is_not_solved_or_over_has_no_report(backend):
    assert exact(find_game("boloa").start(9), backend, visits=10) is None
    interrupt = threading.Event()
    interrupt.set()
    assert exact(find_game("pilo").start(8), backend, interrupt=interrupt) is None
    assert exact(position("boloa", "B w .\nB b .\nB . ."), backend) is None
