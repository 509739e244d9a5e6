"""Proof numbers in the tree: a search with a net proves results with fewer visits."""

import random
from functools import cache

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.step import Pie
from gtp_engine.search.weights import weights_for
from support.playing import random_game
from support.searching import ended, kernel_search
from support.thorough import first_of

MOST = 20_000
IMPLO = find_game("implo")


@cache
def net_of(module):
    weights = weights_for("implo", "auto")
    return module.Net("implo", weights.channels, weights.blocks, weights.numbers)


@cache
def late_positions(count: int = 10, empty: int = 12) -> tuple[str, ...]:
    """Positions of random games on 6x6, each the first with so few empty points."""
    found = []
    for seed in range(count):
        at = next(
            position
            for position, _ in random_game(IMPLO.start(6, Pie.OFF), random.Random(seed))
            if position.size**2 - position.occupied().bit_count() <= empty and not position.open
        )
        found.append(write_position(at))
    return tuple(found)


def proving(
    module, text: str, weight: float, threads: int = 1, most: int = MOST, hash_mb: int = 64
):
    """A search until the result is proven, or until it has made the most visits."""
    options = {"exploration": 0.45, "threads": threads, "hash_mb": hash_mb}
    tree = kernel_search(module, text, net=net_of(module), proof_weight=weight, **options)
    tree.start(most, None)
    return ended(tree)


@pytest.mark.parametrize("some", first_of([slice(5), slice(5, None)]))
def test_proofs_need_fewer_visits(module, some):
    proven = 0
    for text in late_positions()[some]:
        plain = proving(module, text, 0.0)
        if plain.proven is not None:
            tree = proving(module, text, 0.2)
            assert tree.proven == plain.proven
            assert tree.visits < plain.visits
            proven += 1
    assert proven >= 2


@pytest.mark.parametrize("threads", [1, 3])
def test_proofs_are_right_when_memory_is_full(module, threads):
    """With 1 MiB the tree moves in memory some times, and its proof numbers with it."""
    text = late_positions()[0]
    ample = proving(module, text, 0.2)
    tree = proving(module, text, 0.2, threads, hash_mb=1)
    assert tree.used_bytes <= 2**20
    assert tree.proven == ample.proven is not None


def test_proof_numbers_take_memory(module):
    start = write_position(IMPLO.start(8, Pie.OFF))
    few, more = (proving(module, start, weight, most=2_000) for weight in (0.0, 0.2))
    assert few.visits == more.visits == 2_000
    assert few.used_bytes < more.used_bytes < 2 * few.used_bytes


def test_a_search_without_a_net_keeps_none(module):
    options = {"hash_mb": 4, "leaf_playouts": 1}
    trees = [
        kernel_search(module, late_positions()[0], proof_weight=weight, **options)
        for weight in (0.0, 0.2)
    ]
    for tree in trees:
        tree.start(2_000, None)
        ended(tree)
    first, second = trees
    assert first.rows(5) == second.rows(5)
    assert first.used_bytes == second.used_bytes
