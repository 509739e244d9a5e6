"""How many threads search: one where a search can be repeated, otherwise one per processor."""

import os
from itertools import count
from types import SimpleNamespace

import pytest

from gtp_engine.base import affinity
from gtp_engine.rules import find_game
from gtp_engine.search.backends.kernel import KernelSolver, KernelTree
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import all_threads, threads_for

TIME, VISITS, BOTH = Budget(seconds=1.0), Budget(visits=100), Budget(visits=100, seconds=1.0)
NO_LIMIT = Budget()


@pytest.fixture
def four(monkeypatch):
    """A process with four processors."""
    monkeypatch.setattr(affinity, "usable_processors", lambda: frozenset({0, 2, 4, 6}))


@pytest.mark.parametrize(
    ("budget", "chosen", "number"),
    [
        (TIME, None, 4),
        (NO_LIMIT, None, 4),
        (VISITS, None, 1),
        (BOTH, None, 1),
        (TIME, 3, 3),
        (VISITS, 3, 3),
        (TIME, 1, 1),
    ],
)
def test_only_visits_ask_for_one_thread(four, budget, chosen, number):
    assert threads_for(budget.begin(), chosen) == number


@pytest.mark.parametrize(
    ("own", "there", "number"),
    [({1, 3, 5}, 64, 3), (set(range(64)), 64, 8), (None, 6, 6), (None, None, 1)],
)
def test_each_processor_gets_a_thread_up_to_eight(monkeypatch, own, there, number):
    monkeypatch.setattr(affinity, "usable_processors", lambda: own)
    monkeypatch.setattr(os, "cpu_count", lambda: there)
    assert all_threads() == number


class Recorder:
    """Stands for a search of the kernel: takes down what it is asked for."""

    def __init__(self):
        self.asked = []
        self._visits = count(1)

    @property
    def visits(self):
        return next(self._visits)

    def set_threads(self, number):
        self.asked.append(number)

    def start(self, visits, seconds):
        self.asked.append((visits, seconds is not None))

    def wait(self, seconds):
        return True


def test_each_search_of_a_tree_has_its_own_threads(four):
    recorder = Recorder()
    tree = KernelTree(recorder, find_game("robble").start(5))
    for budget in (TIME, VISITS):
        tree.search(budget.begin())
    assert recorder.asked == [4, (None, True), 1, (100, False)]


class Starved:
    """Stands for a search or a solver whose thread gets no processor before it is waited for."""

    def __init__(self):
        self.asked = []
        self._visits = count(5)

    @property
    def visits(self):
        return next(self._visits)

    def __getattr__(self, name):
        return lambda *_: self.asked.append(name) or []

    def wait(self, seconds):
        self.asked.append("wait")
        return "start" not in self.asked

    def solved(self):
        found = {"value": None, "line": [], "positions": 9, "hits": 0, "used_bytes": 0}
        return SimpleNamespace(**found, census=None, contradicted=False)


def after_stop(starved):
    return starved.asked[starved.asked.index("stop") + 1 :]


def test_the_end_of_a_search_does_not_wait_for_its_threads():
    """The turn is answered first. Only what needs the tree at rest waits."""
    starved = Starved()
    tree = KernelTree(starved, find_game("implo").start(5))
    tree.search(Budget(seconds=0.01).begin())
    first, *_ = tree.position.legal_steps()
    tree.descend(first)
    assert tree.position == find_game("implo").start(5).play(first)
    assert after_stop(starved) == ["wait"]
    tree.rows()
    assert after_stop(starved) == ["wait", "advance", "rows"]


def test_the_end_of_a_solver_does_not_wait_for_its_thread():
    starved = Starved()
    solver, position = KernelSolver(starved), find_game("implo").start(5)
    found = solver.solve(position, Budget(seconds=0.01))
    assert (found.value, found.positions) == (None, 9)
    assert after_stop(starved) == ["wait"]
    assert solver.solve(position, Budget(seconds=0.01)).positions == 0
    assert {*after_stop(starved)} == {"wait"}


def test_a_solver_waits_for_its_thread_within_its_own_time():
    """The thread may still be at the request before, whose time was up."""
    starved = Starved()
    looks = iter([False, False, True])
    starved.wait = lambda seconds: next(looks, True)
    found = KernelSolver(starved).solve(find_game("implo").start(5), Budget(seconds=1000))
    assert found.positions == 9
    assert starved.asked == ["turn_to", "start"]
