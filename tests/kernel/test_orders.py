"""Within a turn of Implo the search compares final positions, and not orders of steps."""

import random
from collections.abc import Iterator

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.turns import legal_turns, settle
from gtp_engine.search.backends.kernel import step_number
from support.boards import position
from support.playing import random_game
from support.searching import ended, kernel_search
from support.thorough import first_of

# Three patches, each beside stones of both colors: White, who has not placed the last stone, owns
# them and loses a stone for each. They may be resolved in six orders.
CORNERS = """
    . W . . B .
    B . . . . W
    . . . . . .
    . . . . . .
    B . . . . .
    . W . . . .
"""

# Eight patches, more than half of them with a choice of stones: their sequences lead through more
# positions than are looked at at once, to 32 ends.
AROUND = """
    . W B . W B .
    B . . W . . W
    W . . . . . B
    . W B B B W .
    B . . . . B W
    W . . W . . B
    . B W . B W .
"""


def at_corners() -> Position:
    return position("implo", CORNERS, "b", open="yes")


def grown(module, text: str, visits: int = 3000, **options):
    """A tree that so much exploration makes come by everything."""
    tree = kernel_search(module, text, **({"hash_mb": 1, "exploration": 100} | options))
    tree.start(visits, None)
    return ended(tree)


def ways(module, text: str, path: tuple[int, ...] = (), **options) -> Iterator[str]:
    """What each way through the open turn ends with, of those that the tree holds."""
    tree = grown(module, text, **options)
    for step in path:
        tree.advance(step)
    if "open=yes" not in tree.text():
        yield tree.text()
        return
    for row in tree.rows(1):
        yield from ways(module, text, (*path, row[0]), **options)


def ends(at: Position) -> list[str]:
    """What the turn can end with, by the rules in Python."""
    return sorted(write_position(turn.position) for turn in legal_turns(at, 1000))


def sequences(at: Position) -> int:
    """How many sequences of steps the rules allow until the turn is over."""
    at = settle(at)[1]
    return sum(sequences(at.play_unchecked(step)) for step in at.legal_steps()) if at.open else 1


def open_turns(seeds: range) -> Iterator[Position]:
    """Positions of random games inside a turn, with so many empty points that nothing is proven."""
    for seed in seeds:
        rng = random.Random(seed)
        for at, _ in random_game(find_game("implo").start(rng.choice((5, 6, 7))), rng):
            at = settle(at)[1]
            if at.open and write_position(at).count(".") > 12:
                yield at


def test_six_orders_are_one_way(module):
    text = write_position(at_corners())
    assert sequences(at_corners()) == 6
    assert list(ways(module, text, turn_orders="every")) == 6 * ends(at_corners())
    assert list(ways(module, text)) == ends(at_corners())


def test_each_end_of_a_turn_is_in_the_tree_once(module):
    orders = found = 0
    for at in open_turns(range(12)):
        held = sorted(ways(module, write_position(at)))
        assert held == ends(at)
        orders += sequences(at)
        found += len(held)
    assert orders > found


@pytest.mark.parametrize(("threads", "visits"), first_of([(1, 4_000), (1, 20_000), (3, 20_000)]))
def test_a_turn_through_very_many_positions_loses_no_end(module, threads, visits):
    start = position("implo", AROUND, "b", open="yes")
    every = ends(start)
    assert len(every) == 32
    for end in every:
        tree = grown(module, write_position(start), visits, hash_mb=64, threads=threads)
        assert tree.follow(end)


def test_an_order_that_the_tree_does_not_hold_is_followed(module):
    """Another way to a position that it holds leads there; inside the turn it begins anew."""
    start = at_corners()
    text = write_position(start)
    (kept,) = (row[0] for row in grown(module, text).rows(1))
    for step in start.legal_steps():
        tree = grown(module, text)
        middle = start.play(step)
        end = settle(middle.play(middle.legal_steps()[-1]))[1]
        assert tree.follow(write_position(end))
        assert tree.visits > 0
        tree = grown(module, text)
        known = step_number(start.game, step) == kept
        assert tree.follow(write_position(middle)) is known
        assert (tree.text() == text) is not known
        tree = grown(module, text)
        tree.advance(step_number(start.game, step))
        assert tree.text() == write_position(middle)
        assert (tree.visits > 0) is known
        tree.start(5000, None)
        ended(tree)
        assert tree.visits == 5000


def test_steps_that_are_asked_for_are_searched_in_any_order(module):
    among = [step_number(at.game, step) for at in (at_corners(),) for step in at.legal_steps()[1:]]
    tree = grown(module, write_position(at_corners()), among=among)
    assert {row[0] for row in tree.rows(1)} == set(among)


@pytest.mark.parametrize(("threads", "rave"), first_of([(1, 0), (3, 300), (1, 300), (3, 0)], 2))
def test_turns_fit_in_scarce_memory(module, threads, rave):
    board = "wBWWB.Wb/wwB...Bb/wwWB..bb/W.bW...b/..W....w/B.bWwW.B/.Bbw...W/.wwwBW.b"
    text = f"implo 8 {board} b open=yes"
    tree = grown(module, text, 50_000, threads=threads, rave=rave, exploration=0.4)
    assert tree.used_bytes <= 2**20
    assert tree.visits == 50_000 == sum(row[1] for row in tree.rows(1))
