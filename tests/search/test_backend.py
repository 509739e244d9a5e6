"""The choice of a backend; without a kernel everything works in Python."""

import random

import pytest

from gtp_engine.engine.choosing import choose
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import Settings
from gtp_engine.rules import find_game, games
from gtp_engine.rules.notation.turns import words_of_line, write_line
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.step import Pie
from gtp_engine.rules.turns import settle, turn_ends
from gtp_engine.search.backends import kernel as kernel_module
from gtp_engine.search.backends.choose import AUTO, KERNEL, PYTHON
from gtp_engine.search.backends.kernel import KernelTree, kernel_built
from gtp_engine.search.backends.python import PythonTree
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import SearchOptions
from support.playing import trees
from support.thorough import first_of


@pytest.fixture
def no_kernel(monkeypatch):
    monkeypatch.setattr(kernel_module, "_CORE", "never_built")


def tree(name: str):
    start = find_game("implo").start(4)
    plant = trees(name, SearchOptions(hash_mb=1), random.Random(1), keep=False)
    return plant(start, start.legal_steps())


def test_auto_is_the_kernel_where_it_was_built():
    if kernel_built():
        assert isinstance(tree(AUTO), KernelTree)
        assert isinstance(tree(KERNEL), KernelTree)
    assert isinstance(tree(PYTHON), PythonTree)


def test_without_a_kernel_auto_is_python(no_kernel):
    assert isinstance(tree(AUTO), PythonTree)
    assert choose(Session(find_game("implo"), 4), BLACK).word


def test_without_a_kernel_it_cannot_be_asked_for(no_kernel):
    with pytest.raises(ValueError):
        Settings().change("backend", KERNEL)


def test_more_memory_than_there_is_is_not_taken():
    if not kernel_built():
        pytest.skip("no kernel was built")
    start = find_game("robble").start(5)
    options = SearchOptions(hash_mb=65536, leaf_playouts=1)
    plant = trees(KERNEL, options, random.Random(1), keep=False)
    grown = plant(start, start.legal_steps())
    grown.search(Budget(visits=100).begin())
    assert grown.visits == 100


@pytest.mark.parametrize("name", [PYTHON, KERNEL] if kernel_built() else [PYTHON])
def test_both_show_the_same_things(name):
    grown = tree(name)
    grown.search(Budget(visits=300).begin())
    rows = grown.rows()
    assert sum(row.visits for row in rows) == grown.visits == 300
    for row in rows:
        assert row.pv[0] == row.step
        assert 0 <= row.lcb <= 1
        assert 0 < row.prior < 1
    assert grown.nodes >= len(rows)
    assert all(len(row.pv) == 1 for row in grown.rows(longest_pv=1))
    most = max(rows, key=lambda row: row.visits)
    steps = grown.descend(most.step)
    assert steps[0] == most.step
    assert grown.visits == most.visits


# The fast part has the search in Python with one game, whose turns have several steps.
IN_TURN = sorted((game.name for game in games()), key=lambda name: name != "implo")
IN_KERNEL = [(name, KERNEL) for name in IN_TURN if kernel_built()]
TREES = [*IN_KERNEL, *((name, PYTHON) for name in IN_TURN)]


@pytest.mark.parametrize(("name", "backend"), first_of(TREES, len(IN_KERNEL) + 1))
def test_a_tree_tells_where_the_turns_of_its_lines_end(backend, name):
    """So the words of a line are written without playing it."""
    game, rng = find_game(name), random.Random(7)
    plant = trees(backend, SearchOptions(hash_mb=1), rng, keep=False)
    longest = 0
    for number in range(8):
        position = game.start(4, Pie.OFF)
        for _ in range(number):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_steps()))
        _, position = settle(position)
        if position.outcome() is not None:
            continue
        grown = plant(position, position.legal_steps())
        grown.search(Budget(visits=400).begin())
        for row in grown.rows():
            assert row.ends == turn_ends(position, row.pv)
            assert words_of_line(row.pv, row.ends) == write_line(position, row.pv)
            longest = max(longest, len(row.pv))
    assert longest > 2
