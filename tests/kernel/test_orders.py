"""Within a turn of Implo the search compares final positions, and not orders of steps."""

import random
from collections.abc import Iterator

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import read_position, write_position
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


def value_of(module, text: str) -> float:
    """The exact value of a position for Black."""
    solver = module.Solver(text, 16, "best")
    solver.start(None, None)
    return ended(solver).solved().value


def last_turns(seed: int) -> Iterator[str]:
    """Positions of a random game inside a turn, with few empty points."""
    rng = random.Random(seed)
    for at, _ in random_game(find_game("implo").start(5), rng):
        text = write_position(settle(at)[1])
        if "open=yes" in text and text.count(".") <= 9:
            yield text


def claims(tree, text: str) -> Iterator[tuple[str, float]]:
    """What a tree says is proven: of its root, and after each step."""
    if tree.proven is not None:
        yield text, tree.proven
    for row in tree.rows(1):
        if row.proven is not None:
            yield after(text, row.step), row.proven


def after(text: str, step: int) -> str:
    at = read_position(text)
    (played,) = (each for each in at.legal_steps() if step_number(at.game, each) == step)
    return write_position(settle(at.play(played))[1])


# In each of them a step leads to a position that the search keeps behind another one.
BEHIND_OTHERS = [
    "implo 5 WWBwb/BBWBb/.W..w/B.B.w/WBwBb w pie=off open=yes",
    "implo 5 WWBwb/BBW.b/.Wbbw/B.Bbw/WBwBb w pie=off open=yes",
    "implo 5 w..Bb/wW.Wb/bWW.b/wwbbB/wBbww w pie=off open=yes",
]


def check_claims(module, text: str) -> int:
    """Check the search of a position, and those that go on where a step of it was played."""
    at, compared = read_position(text), 0
    for step in (None, *at.legal_steps()):
        tree, here = grown(module, text, 4000), text
        if step is not None:
            here = after(text, step_number(at.game, step))
            if not tree.follow(here):
                continue
            tree.start(4000, None)
        for said, value in claims(ended(tree), here):
            assert value == value_of(module, said), (text, here, said)
            compared += 1
    return compared


@pytest.mark.parametrize("text", BEHIND_OTHERS)
def test_a_position_that_is_kept_behind_another_one_is_not_forgotten(module, text):
    assert check_claims(module, text)


@pytest.mark.parametrize("seed", first_of(range(40), 2))
def test_what_is_proven_inside_a_turn_is_true_by_whichever_order(module, seed):
    for text in last_turns(seed):
        check_claims(module, text)


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
