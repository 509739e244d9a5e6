"""Late positions of Robble 7x7: how many the solver decides, and that it is right.

robble_ends.txt holds twenty positions each with 7, 8, 9 and 10 empty squares. Each is the first
with so many of a game that the engine played against itself, without the past of the game.
"""

import random
from pathlib import Path

import pytest

from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.search.backends.choose import KERNEL
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solver import solve
from support.playing import played
from support.shipped_data import shipped_data

pytestmark = [
    shipped_data("ends of Robble"),
    pytest.mark.skipif(not kernel_built(), reason="needs the kernel"),
]

SMALL = SearchOptions(hash_mb=16)


def solved(at, positions=100_000):
    return solve(at, Budget(positions), KERNEL, SMALL)


def with_empty(squares: int):
    lines = Path(__file__).with_name("robble_ends.txt").read_text().splitlines()
    found = [at for at in map(read_position, lines) if at.empty.bit_count() == squares]
    assert len(found) == 20
    return found


@pytest.mark.parametrize(("squares", "decided"), [(7, 18), (8, 17)])
def test_so_many_are_decided_within_100000_positions(squares, decided):
    found = [(at, solved(at)) for at in with_empty(squares)]
    assert sum(each.value is not None for _, each in found) == decided
    for at, each in found:
        if each.value is not None:
            assert played(at, each.line).outcome().value == each.value


def test_a_found_win_is_won_against_any_answers(rng: random.Random):
    """The rules in Python judge. The winner asks anew each turn, with all of the game's past."""
    won = 0
    for at in with_empty(7):
        value = solved(at).value
        winner = at.to_move if value == (at.to_move is BLACK) else at.to_move.opponent
        while value is not None and at.outcome() is None:
            if at.to_move is winner:
                found = solved(at)
                assert found.value == value
                at = at.play(found.line[0])
            else:
                at = at.play(rng.choice(at.legal_steps()))
        if value is not None:
            assert at.outcome().value == value
            won += 1
    assert won == 18
