"""Robble by retrograde analysis: equal to the rules in Python, after any history."""

import random
from itertools import product

import pytest

from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.choose import KERNEL
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solution import PROOF_NUMBERS, RETROGRADE
from gtp_engine.search.solver import make_solver, solve
from support.playing import played
from support.small_robble import ROBBLE, board, goes_on, occurs, values, with_past
from support.thorough import thorough

pytestmark = pytest.mark.skipif(not kernel_built(), reason="needs the kernel")

AMPLE = Budget()
SMALL = SearchOptions(hash_mb=16)


def value_of(at: Position, method: str = RETROGRADE) -> float | None:
    """For the color to move."""
    value = solve(at, AMPLE, KERNEL, SMALL if at.size < 4 else SearchOptions(), method).value
    return value if value is None or at.to_move is BLACK else 1 - value


def test_3x3_is_solved_right_from_every_board(rng):
    expected = values()
    start = ROBBLE.start(3)
    solver = make_solver(start, method=RETROGRADE)
    census = solver.solve(start, AMPLE).census
    counts = [sum(worth == wanted for worth in expected.values()) / 2 for wanted in (1, 0, 0.5)]
    assert census is not None and [census.won, census.lost, census.drawn] == counts
    met = [side for side in expected if occurs(side)]
    decided = [side for side in met if expected[side] != 0.5]
    for side in rng.sample(decided, 150) + rng.sample(met, 50):
        at = board(*side)
        worth = expected[side]
        assert solver.solve(at, AMPLE).value == (worth if at.to_move is BLACK else 1 - worth)


def test_a_repeated_past_can_save_a_lost_board(rng):
    """Where a turn leads to a board that was there twice already, it is a draw (R16)."""
    lost = [side for side, worth in values().items() if worth == 0 and goes_on(side[0])]
    saved = 0
    for side in rng.sample(lost, len(lost)):
        at = board(*side)
        then = at.play(rng.choice(at.legal_steps()))
        if then.outcome() is not None:
            continue
        assert value_of(at) == value_of(with_past(at, then)) == 0
        assert value_of(with_past(at, then, then)) == 0.5
        saved += 1
        if saved == 5:
            return
    raise AssertionError("no lost board goes on")


def test_whatever_was_there_twice_the_values_are_right(rng):
    """One table is enough where nothing that is barred lies on the way to the end."""
    plain = values()
    met = [side for side in plain if occurs(side) and goes_on(side[0])]
    decided = [side for side in met if plain[side] != 0.5]
    changed = searched = 0
    for _ in range(2):
        barred = rng.sample(decided, 40)
        expected = values(tuple(barred))
        past = [board(*side) for side in barred for _ in range(2)]
        different = [side for side in decided if expected[side] != plain[side]]
        others = [side for side in different if side not in barred]
        changed += len(others)
        for side in others[:10] + rng.sample(decided, 10) + rng.sample(met, 10):
            if side not in barred:
                at = with_past(board(*side), *past)
                assert value_of(at) == expected[side]
                found = solve(at, Budget(2000), KERNEL, SMALL, PROOF_NUMBERS).value
                searched += found is not None
                assert found in (
                    None,
                    expected[side] if at.to_move is BLACK else 1 - expected[side],
                )
    assert changed > 10 and searched > 40


@pytest.mark.parametrize("text", [
    "robble 3 .BB/BBB/WW. b pie=off seen=bi64,bi64",
    "robble 3 .WB/WWW/WW. w pie=off seen=wgps,wgps",
])  # fmt: skip
def test_a_full_board_is_the_end_however_often_it_was_there(text):
    """R12: no past, even an impossible one, makes a draw of it (R16)."""
    at = read_position(text)
    without = read_position(text.partition(" seen")[0])
    assert value_of(at) == value_of(without) == value_of(at, PROOF_NUMBERS)


def test_proof_numbers_agree(rng):
    """They find each win and each loss, and may leave a draw open."""
    expected = values()
    met = [side for side in expected if occurs(side)]
    boards = [side for side in met if expected[side] != 0.5 and goes_on(side[0])]
    for side in rng.sample(boards, 40):
        found = solve(board(*side), Budget(2000), KERNEL, SMALL, PROOF_NUMBERS)
        assert found.value == (expected[side] if side[1] is BLACK else 1 - expected[side])
        assert played(board(*side), found.line).outcome().value == found.value
    drawn = [side for side in met if expected[side] == 0.5]
    for side in rng.sample(drawn, 20):
        found = solve(board(*side), Budget(2000), KERNEL, SMALL, PROOF_NUMBERS)
        assert found.value in (None, 0.5)


@thorough
def test_deep_4x4_is_consistent_by_the_rules_in_python(rng):
    """A board is worth the best of its turns, and what proof numbers say, if they do."""
    solver = make_solver(ROBBLE.start(4), method=RETROGRADE)
    searched = 0
    for _ in range(100):
        at = random_board(rng)
        value = solver.solve(at, AMPLE).value
        after = [at.play(step) for step in at.legal_steps()]
        best = max if at.to_move is BLACK else min
        assert value == best(solver.solve(each, AMPLE).value for each in after)
        found = solve(at, Budget(2000), KERNEL, SMALL, PROOF_NUMBERS).value
        searched += found is not None
        assert found in (None, value)
    assert searched > 5


def random_board(rng: random.Random) -> Position:
    """A board that a game can lead to."""
    squares = [Vertex.at(column, row) for column, row in product(range(4), repeat=2)]
    while True:
        stones = [0, 0]
        for square in rng.sample(squares, rng.randrange(16)):
            stones[rng.randrange(2)] |= 1 << square
        at = board((stones[0], stones[1]), rng.choice(list(Color)), 4)
        if at.flaw() is None:
            return at


@thorough
def test_a_deep_table_goes_on_where_it_was_stopped(rng):
    """Answers come as soon as they are known: those near the end before the table is complete."""
    whole, slow = (make_solver(ROBBLE.start(4), method=RETROGRADE) for _ in range(2))
    early = tried = 0
    found = None
    while found is None:
        for at in [random_board(rng) for _ in range(5)]:
            value = slow.solve(at, Budget(100_000)).value
            if value is not None:
                assert value == whole.solve(at, AMPLE).value
                early += value != 0.5
        tried += 1
        found = slow.solve(ROBBLE.start(4), Budget(100_000)).census
    assert found == whole.solve(ROBBLE.start(4), AMPLE).census
    assert early > 0 and tried > 1


def test_a_swap_changes_nothing_that_was_there():
    """Drawn for both forms of the swap, and for none, from each opening."""
    for size, pie in product((2, 3), Pie):
        start = ROBBLE.start(size, pie)
        assert all(value_of(start.play(step)) == 0.5 for step in start.legal_steps())


def test_without_memory_for_its_table_a_board_is_searched():
    assert solve(ROBBLE.start(4), Budget(1000), KERNEL, SMALL).value is None
