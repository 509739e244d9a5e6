"""The rules in the kernel and in Python are the same, position by position.

`--games N` compares N random games of each kind instead of some dozens.
"""

import random
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.points.diagram import rows
from gtp_engine.rules.step import SWAPS, Pie
from gtp_engine.rules.turns import perft
from gtp_engine.search.backends.kernel import numbered_step, step_number
from gtp_engine.search.backends.python import random_step
from support.mirror import UNDECIDED, WINNERS, assert_same, games_in_kernel, in_kernel
from support.playing import every_position
from support.thorough import first_of

NAMES = games_in_kernel()
PLIES_BETWEEN_TEXTS = 5
SIZES = [*range(2, 12)] * 3 + [13, 16, 19]


def size_of(game: Game, number: int) -> int:
    """The size of a random game."""
    return max(SIZES[number % len(SIZES)], game.smallest_size)


# Every third game has another size, until all had one.
every_third = pytest.mark.parametrize("first", first_of(range(3)))


@every_third
def test_random_games_are_the_same_step_by_step(game, pytestconfig, first):
    """Of all sizes, small ones more often; with both forms of the swap."""
    for number in range(first, pytestconfig.getoption("games"), 3):
        rng = random.Random(f"{game.name} {number}")
        position = game.start(size_of(game, number), rng.choice(list(Pie)))
        there = in_kernel(position)
        for ply in count():
            outcome, steps = position.outcome(), position.legal_steps()
            assert_same(position, there, outcome, steps)
            # The texts of Robble's long past take most of the time, so not all are looked at.
            if ply % PLIES_BETWEEN_TEXTS == 0 or outcome is not None:
                assert there.text() == write_position(position)
            if outcome is not None:
                break
            step = rng.choice(steps)
            position = position.play_unchecked(step)
            there.play(step_number(game, step))


@every_third
def test_playouts_are_legal_games_with_the_right_result(game, pytestconfig, first):
    """The fast path plays what the rules allow, from positions inside a game and inside a turn."""
    for number in range(first, pytestconfig.getoption("games"), 3):
        rng = random.Random(number)
        size = size_of(game, number)
        position = game.start(size)
        for _ in range(rng.randrange(size * size)):
            if position.outcome() is None:
                position = position.play_unchecked(random_step(position, rng))
        steps, winner = in_kernel(position).playout(number)
        for step in steps:
            position = position.play(numbered_step(game, step))
        outcome = position.outcome()
        assert winner != UNDECIDED and outcome is not None
        assert WINNERS[winner] is outcome.winner


@every_third
def test_forecasts_are_what_playouts_come_to(game, pytestconfig, first):
    """Who holds each point at the end of the first game; Python replays it."""
    for number in range(first, pytestconfig.getoption("games"), 3):
        rng = random.Random(f"forecast {number}")
        size = size_of(game, number)
        position = game.start(size)
        for _ in range(rng.randrange(size * size)):
            if position.outcome() is None:
                position = position.play_unchecked(random_step(position, rng))
        there = in_kernel(position)
        for step in there.playout(number)[0]:
            position = position.play_unchecked(numbered_step(game, step))
        black, white = position.held()
        held = [word for row in rows(size, {"B": black, "W": white}) for word in row]
        outcome = position.outcome()
        assert outcome is not None
        wins, draws = int(outcome.winner is BLACK), int(outcome.winner is None)
        signs = [{"B": 1, "W": -1}.get(word, 0) for word in held]
        assert there.forecast(1, number) == (wins, draws, signs)


def test_playouts_choose_evenly_among_the_legal_steps(game, rng):
    """Chi-squared over the first steps, from positions with few of them."""
    late = [
        position
        for position in every_position(game, range(3, 5), 20, rng)
        if 2 <= len(position.legal_steps()) <= 8 and not position.swaps()
    ]
    for position in rng.sample(late, 10):
        steps = position.legal_steps()
        chosen = dict.fromkeys(steps, 0)
        there = in_kernel(position)
        for seed in range(200 * len(steps)):
            chosen[numbered_step(game, there.playout(seed)[0][0])] += 1
        deviation = sum((times - 200) ** 2 / 200 for times in chosen.values())
        assert deviation < 30, f"{write_position(position)}: {chosen}"


@pytest.mark.parametrize("count", first_of([12, 40]))
def test_equal_positions_have_equal_keys_and_others_have_others(game, rng, count):
    keys: dict[str, int] = {}
    boards: dict[int, str] = {}
    for position in every_position(game, range(2, 8), count, rng):
        text, key = write_position(position), in_kernel(position).key
        # How a board of Robble came about may be in its key or not.
        board, _, _ = text.partition(" seen=")
        assert keys.setdefault(text, key) == key
        assert boards.setdefault(key, board) == board


@pytest.mark.parametrize(("size", "depth"), [(2, 5), (3, 3), (4, 2), (5, 2)])
@pytest.mark.parametrize("pie", list(Pie))
def test_perft_is_the_same(game, size, depth, pie):
    start = game.start(max(size, game.smallest_size), pie)
    assert in_kernel(start).perft(depth) == perft(start, depth)


# Counts of step sequences from the empty board, without the pie rule; those that Python reaches
# in a minute agree with it.
PERFT = {
    ("boloa", 4, 4): 868632,
    ("implo", 3, 8): 84568,
    ("pilo", 3, 7): 904112,
    ("robble", 3, 7): 697380,
    ("boloa", 3, 6): 10554900,
    ("boloa", 5, 4): 5603592,
    ("implo", 4, 6): 3048496,
    ("implo", 5, 5): 5678152,
    ("pilo", 4, 6): 8346208,
    ("pilo", 5, 5): 7057600,
    ("robble", 4, 6): 6521168,
    ("robble", 5, 5): 6480252,
}


@pytest.mark.parametrize(("name", "size", "depth"), first_of(PERFT, 4))
def test_deep_perft(name, size, depth):
    assert in_kernel(find_game(name).start(size)).perft(depth) == PERFT[name, size, depth]


@given(
    name=st.sampled_from(NAMES),
    size=st.integers(2, 19),
    pie=st.sampled_from(list(Pie)),
    seed=st.binary(max_size=60),
)
def test_any_bytes_are_the_same_steps_or_the_same_refusals(name, size, pie, seed):
    """Three bytes make the number of a step, of this game or of none; one, that of a legal one."""
    game = find_game(name)
    position = game.start(size, pie)
    there = in_kernel(position)
    taken = iter(seed)
    for byte in taken:
        steps = position.legal_steps()
        if not steps:
            return
        numbers = [step_number(game, step) for step in steps]
        number = numbers[byte % len(numbers)]
        if byte >= 192:
            number = (byte & 15) << 18 | next(taken, 0) << 10 | next(taken, 0)
        if number in numbers:
            position = position.play_unchecked(steps[numbers.index(number)])
            there.play(number)
        else:
            with pytest.raises(ValueError, match="illegal step"):
                there.play(number)
        assert_same(position, there, position.outcome(), position.legal_steps())
        assert there.text() == write_position(position)


def test_swaps_are_steps_of_the_kernel_too(game):
    for pie, swap in SWAPS.items() if game.has_pie else ():
        position = game.start(5, pie)
        position = position.play(position.legal_steps()[7])
        there = in_kernel(position)
        there.play(step_number(game, swap))
        assert there.text() == write_position(position.play(swap))
