"""Only positions of equal value for the color to move share a canonical key: solvers rely on it.

Two positions with one key must go on alike. A header with a wrong symmetry or color mirror fails
here, and one without a state in its `extra_state`.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from itertools import product
from random import Random

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.symmetry import SQUARE
from gtp_engine.rules.points.vertex import STRIDE
from gtp_engine.rules.step import UnplayablePosition
from support.examples import any_game_there
from support.mirror import in_kernel, numbers
from support.playing import random_game
from support.thorough import first_of

KeyOf = Callable[[Position], Hashable]


def canonical_key(position: Position) -> Hashable:
    return in_kernel(position).canonical_key


def continuations(position: Position, key_of: KeyOf) -> Counter[object]:
    """What the legal steps lead to, from the view of the color to move."""
    found = Counter[object]()
    for step in position.legal_steps():
        after = position.play_unchecked(step)
        end = after.outcome()
        if end is None:
            found[after.to_move is position.to_move, key_of(after)] += 1
        else:
            found[None if end.winner is None else end.winner is position.to_move] += 1
    return found


def variants(position: Position, states: list[dict[str, str]]) -> Iterator[Position]:
    """Positions that a careless key could take for this one: its images, with the same or with
    exchanged colors, and with other states beside the pieces; those that are possible in a game.
    """
    game, content = position.game, position.content
    exchanged = str.maketrans("BWbw", "WBwb")
    for image, swap, fields in product(SQUARE, (False, True), states):
        layers = {
            word.translate(exchanged) if swap else word: image.of_points(points, position.size)
            for word, points in content.layers.items()
        }
        to_move = content.to_move.opponent if swap else content.to_move
        with suppress(UnplayablePosition):
            yield game.set_up(content._replace(layers=layers, to_move=to_move, fields=fields))


def thinned(position: Position, rng) -> Position:
    """The position with about a quarter of its pieces, if that is possible in a game."""
    content = position.content
    bits = content.size * STRIDE
    board = rng.getrandbits(bits) & rng.getrandbits(bits)
    layers = {word: points & board for word, points in content.layers.items() if points & board}
    try:
        return position.game.set_up(content._replace(layers=layers))
    except UnplayablePosition:
        return position


def conflict(game: Game, key_of: KeyOf, rng, count: int) -> tuple[str, str] | None:
    """Two positions with the same key that do not go on alike, in or near so many random games."""
    played = [
        position
        for _ in range(count)
        for position, _ in random_game(
            game.start(max(rng.choice((2, 3, 4)), game.smallest_size)), rng
        )
    ]
    met = [*played, *(thinned(position, rng) for position in played)]
    met = [position for position in met if position.outcome() is None]
    states = [dict(fields) for fields in {tuple(at.fields().items()): None for at in met}]
    for position in met:
        key, seen = key_of(position), None
        for other in variants(position, states):
            if key_of(other) == key:
                seen = seen or continuations(position, key_of)
                if continuations(other, key_of) != seen and other.outcome() is None:
                    return write_position(position), write_position(other)
    return None


def depends_on_the_past(game: Game, module) -> bool:
    """Such a game is not solved depth first, nor by the keys of single positions."""
    try:
        module.Solver(write_position(game.start(3)), 16, "depth-first")
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("part", first_of(range(7)))
def test_positions_with_the_same_key_go_on_alike(game, module, part):
    if depends_on_the_past(game, module):
        pytest.skip("a repetition decides")
    assert conflict(game, canonical_key, Random(part), 3) is None


def test_a_position_and_its_color_mirror_have_the_same_key(game, rng):
    for size in (3, 5, 8, 11):
        for position, _ in random_game(game.start(size), rng):
            if not position.fields():
                assert canonical_key(position) == canonical_key(position.mirrored())


def test_the_state_beside_the_planes_has_four_bits(game, module, rng):
    for position, _ in random_game(game.start(4), rng):
        _, whole, _ = module.Position(write_position(position)).features()
        assert 0 <= numbers(whole)[3] < 16


def without_mirror(position: Position) -> Hashable:
    """A key for games in which a color goes up and the other down, with the color mirror left out:
    the sets of own and of other pieces.
    """
    held = position.held()
    return held[position.to_move], held[position.to_move.opponent]


def without_state(position: Position) -> Hashable:
    """A key without the state beside the pieces."""
    return position.to_move, tuple(sorted(position.layers().items()))


@pytest.mark.parametrize(
    ("name", "key_of"),
    [("breakthrough", without_mirror), ("pilo", without_state)],
)
def test_a_wrong_key_is_found(name, key_of, rng):
    with any_game_there(name):
        assert conflict(find_game(name), key_of, rng, 20) is not None
