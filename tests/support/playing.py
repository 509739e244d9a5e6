"""Random games, for tests."""

import random
from collections.abc import Iterable, Iterator
from itertools import islice

from hypothesis import strategies as st

from gtp_engine.rules import games
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.turns import write_line
from gtp_engine.rules.step import Pie, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.backends.protocol import MakeTree
from gtp_engine.search.backends.python import random_step
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.tree import Tree


def random_game(position: Position, rng: random.Random) -> Iterator[tuple[Position, Step]]:
    """The positions of a game of random steps, each with the step played there."""
    while position.outcome() is None:
        step = rng.choice(position.swaps() or (None,)) if rng.random() < 0.5 else None
        step = step or random_step(position, rng)
        yield position, step
        position = position.play_unchecked(step)


def random_nodes(start: Position, rng: random.Random, most: int) -> list[str]:
    """The nodes of the first steps of such a game, as in a record."""
    return [
        f";{position.to_move.letter.upper()}[{'/'.join(write_line(position, [step]))}]"
        for position, step in islice(random_game(start, rng), most)
    ]


def every_position(game: Game, sizes: range, count: int, rng: random.Random) -> Iterator[Position]:
    """All positions of some random games, terminal ones included; on sizes that the game has."""
    for _ in range(count):
        size = max(rng.choice(sizes), game.smallest_size)
        start = game.start(size, rng.choice(list(Pie)))
        last = start
        for position, step in random_game(start, rng):
            yield position
            last = position.play_unchecked(step)
        yield last


def played(start: Position, line: Iterable[Step]) -> Position:
    """The position after a line of play, with the forced steps that it leaves out."""
    _, at = settle(start)
    for step in line:
        _, at = settle(at.play(step))
    return at


def trees(backend: str, options: SearchOptions, rng: random.Random, keep: bool) -> MakeTree:
    """What makes the trees of a backend, for positions of any game."""
    makers: dict[Game, MakeTree] = {}

    def make(position: Position, among: tuple[Step, ...]) -> Tree:
        game = position.game
        if game not in makers:
            makers[game] = backend_for(game, backend).trees(options, rng, keep)
        return makers[game](position, among)

    return make


@st.composite
def positions(draw: st.DrawFn, largest: int = 7) -> Position:
    """A position some way into a random game of any kind."""
    game = draw(st.sampled_from(games()))
    size = draw(st.integers(2, largest))
    pie = draw(st.sampled_from(list(Pie)))
    count = draw(st.integers(0, 2 * size * size))
    rng = random.Random(draw(st.integers(0, 2**32)))
    position = game.start(size, pie)
    for _, (before, step) in zip(range(count), random_game(position, rng)):
        position = before.play_unchecked(step)
    return position
