"""Proven results: found, true, and played; with and without rave."""

import random
from functools import cache

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.search.backends.choose import KERNEL, PYTHON
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.backends.python import Node
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.player import TreePlayer
from gtp_engine.search.tree import Tree
from support.boards import position
from support.playing import random_game, trees

WAYS = {"python": (PYTHON, 0.0)}
if kernel_built():
    WAYS |= {"kernel": (KERNEL, 0.0), "rave": (KERNEL, 300.0)}


def planter(way: str):
    backend, rave = WAYS[way]
    return trees(backend, SearchOptions(hash_mb=16, rave=rave), random.Random(1), keep=False)


@pytest.fixture(params=WAYS)
def plant(request):
    return planter(request.param)


def grown(plant, at: Position, visits: int) -> Tree:
    tree = plant(at, at.legal_steps())
    tree.search(Budget(visits=visits).begin())
    return tree


@cache
def bounds(at: Position, depth: int) -> tuple[float, float]:
    """What BLACK gets at least and at most, for all that can be seen in so many steps."""
    outcome = at.outcome()
    if outcome is not None:
        return outcome.value, outcome.value
    if depth == 0:
        return 0.0, 1.0
    lows, highs = zip(*(bounds(at.play_unchecked(step), depth - 1) for step in at.legal_steps()))
    choose = max if at.to_move is BLACK else min
    return choose(lows), choose(highs)


def late_positions(name: str, size: int, left: int, count: int):
    """Positions of random games so many steps before their end."""
    for number in range(count):
        moments = list(random_game(find_game(name).start(size), random.Random(number)))
        yield moments[max(0, len(moments) - left)][0]


DECIDED_BY_ONE_STEP = {
    "Implo: the middle patch": ("implo", "b b W w\n. . . b\nW . W W\nB . B W", "b", "B2"),
    "Boloa: White blocks": ("boloa", ". . W\n. B B\n. w B", "w", "sB3"),
    "Boloa: only the displacement wins": ("boloa", ". . .\nW w .\n. B b", "b", "sB2-C2"),
    "Pilo: only the capture wins": ("pilo", "# W1 B3\n. B1 .\n. # #", "w", "B3-B2"),
    "Pilo: only a placement wins": ("pilo", "B2 # W1\n# W2 .\n. . B1", "b", "C2"),
}  # fmt: skip


@pytest.mark.parametrize("name", DECIDED_BY_ONE_STEP)
def test_the_only_step_that_wins_is_found_played_and_proven(name, plant):
    game, picture, to_move, answer = DECIDED_BY_ONE_STEP[name]
    at = position(game, picture, to_move)
    choice = TreePlayer(plant, random.Random(1)).choose(at, at.legal_steps(), Budget(visits=20_000))
    assert str(choice.steps[0]) == answer
    assert choice.value_for(at.to_move) == 1


# Size, steps before the end of a random game, and how deep to look: in Robble games may go on.
LATE = {"implo": (4, 5, 9), "robble": (4, 2, 4), "pilo": (3, 5, 7)}
LATE_IN_OTHERS = (3, 3, 5)


def test_proven_values_are_those_of_an_exhaustive_search(game):
    size, left, depth = LATE.get(game.name, LATE_IN_OTHERS)
    for way in WAYS:
        compared, plant = 0, planter(way)
        for at in late_positions(game.name, size, left, 8):
            for row in grown(plant, at, 1000).rows():
                if row.proven is not None:
                    low, high = bounds(at.play(row.step), depth)
                    assert low <= row.proven <= high, way
                    compared += low == high
        assert compared >= 8, way
    bounds.cache_clear()


def test_a_draw_is_better_than_a_loss():
    """For either color, in a node of Python whose children are all proven."""
    black = find_game("robble").start(3)
    for at, loss in ((black, 0.0), (black.play(black.legal_steps()[0]), 1.0)):
        node = Node(at)
        node.untried = []
        for value in (0.5, loss):
            child = Node(at)
            child.proven = value
            node.children.append(child)
        node.prove()
        assert node.proven == 0.5
