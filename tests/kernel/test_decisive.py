"""Winning stones in Boloa: playouts play them, and the tree proves them without a visit."""

import random
from collections.abc import Iterator

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.boloa import PAWN
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.step import Pie, Step
from gtp_engine.search.backends.kernel import numbered_step, step_number
from support.boards import position
from support.mirror import UNDECIDED, WINNERS, in_kernel
from support.playing import random_game
from support.searching import ended, kernel_search
from support.thorough import first_of, thorough

BOLOA = find_game("boloa")

# White threatens to connect at B2 and nowhere else. A pawn there cannot be displaced either: it has
# nowhere to go.
THREAT = """
    . . . b
    . B . .
    W . W W
    . b . .
"""


def wins_at_once(at: Position) -> list[Step]:
    """The steps that end the game with a win for who plays them."""
    steps = [step for step in at.legal_steps() if step.vertices]
    ends = [(step, at.play_unchecked(step).outcome()) for step in steps]
    return [step for step, end in ends if end is not None and end.winner is at.to_move]


def connects(at: Position, step: Step) -> bool:
    """Whether a step that wins does so by its own stone alone, without pawns that turn."""
    return step.kind is not PAWN and stones(at.play_unchecked(step)) == stones(at) + 1


def stones(at: Position) -> int:
    cells = write_position(at).split()[2]
    return cells.count("B") + cells.count("W")


def grown(module, at: Position, visits: int, **options):
    tree = kernel_search(module, write_position(at), **({"decisive": True} | options))
    tree.start(visits, None)
    return ended(tree)


def late_positions() -> Iterator[Position]:
    """The last positions of random games in which the game goes on."""
    for seed in range(60):
        rng = random.Random(seed)
        game = list(random_game(BOLOA.start(rng.choice((4, 5, 6)), Pie.OFF), rng))
        yield from (at for at, _ in game[-6:])


def test_all_but_the_answers_to_a_threat_are_proven_lost_at_once(module):
    at = position("boloa", THREAT, "b")
    steps = at.legal_steps()
    tree = grown(module, at, len(steps))
    saved = {numbered_step(BOLOA, row[0]) for row in tree.rows(1) if row[5] is None}
    assert saved == {step for step in steps if not wins_at_once(at.play(step))}
    assert {str(step) for step in saved} == {"sB2", "sB1-B2"}
    plain = grown(module, at, len(steps), decisive=False)
    assert all(row[5] is None for row in plain.rows(1))


@thorough
def test_what_is_proven_at_once_is_true_and_no_connection_is_overlooked(module):
    """Each step has one visit: nothing is proven by looking further."""
    lost = 0
    for at in late_positions():
        steps = at.legal_steps()
        for row in grown(module, at, len(steps)).rows(1):
            after = at.play_unchecked(numbered_step(BOLOA, row[0]))
            if after.outcome() is None:
                wins = wins_at_once(after)
                if row[5] is not None:
                    assert WINNERS[1 if row[5] else 2] is after.to_move
                    assert wins
                    lost += 1
                else:
                    assert not any(connects(after, step) for step in wins)
    assert lost > 100


@pytest.mark.parametrize("size", [4, 5, 9, 11])
def test_decisive_playouts_are_legal_games_that_miss_no_connection(size):
    for seed in range(8):
        at = BOLOA.start(size, Pie.OFF)
        steps, winner = in_kernel(at).playout(seed, decisive=True)
        for number in steps[:-1]:
            if size < 9:
                assert not any(connects(at, step) for step in wins_at_once(at))
            at = at.play(numbered_step(BOLOA, number))
        end = at.play(numbered_step(BOLOA, steps[-1])).outcome()
        assert winner != UNDECIDED and end is not None
        assert WINNERS[winner] is end.winner


@pytest.mark.parametrize(("threads", "rave"), first_of([(1, 0), (3, 300), (1, 300), (3, 0)], 2))
def test_a_won_position_is_played_on(module, rng, threads, rave):
    """Once it is the root, what was proven without steps has the one that wins."""
    found = 0
    for at in late_positions():
        step = rng.choice(at.legal_steps())
        after = at.play_unchecked(step)
        if after.outcome() is not None or not wins_at_once(after):
            continue
        tree = grown(module, at, 200, threads=threads, rave=rave)
        tree.advance(step_number(BOLOA, step))
        tree.start(5000, None)
        ended(tree)
        won = 1.0 if after.to_move is BLACK else 0.0
        assert tree.proven == won
        shown = [numbered_step(BOLOA, row[0]) for row in tree.rows(1) if row[5] == won]
        assert shown
        found += 1
    assert found > 20
