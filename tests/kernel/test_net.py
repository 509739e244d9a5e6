"""Learned evaluations in the kernel: their arithmetic, and the search with one."""

import math
import random
import struct
from functools import cache
from itertools import product

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.vertex import MAX_SIZE, MIN_SIZE
from gtp_engine.rules.step import Pie
from gtp_engine.search.tree import value_for
from support.mirror import games_in_kernel, numbers
from support.playing import random_game
from support.searching import ended, kernel_search
from support.thorough import first_of

GAMES = games_in_kernel()
OUTPUTS = 16
SIZES = range(MIN_SIZE, MAX_SIZE + 1)


def packed(values: list[float]) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


@cache
def weights(module, game: str, channels: int, blocks: int, seed: int = 1) -> list[float]:
    inputs, globals_, outputs = module.shape(game)
    pooled = 2 * channels
    layers = [9 * inputs + 1 + globals_]
    layers += [9 * channels + 1, pooled, 9 * channels + 1] * blocks
    layers += [channels + 1, pooled, pooled + 1]
    count = sum(layers) * channels + (channels + 1) * outputs + channels + 1
    rng = random.Random(seed)
    return [rng.gauss(0, 0.1) for _ in range(count)]


def net_of(module, game: str, channels: int = 16, blocks: int = 1, seed: int = 1):
    values = weights(module, game, channels, blocks, seed)
    return module.Net(game, channels, blocks, packed(values))


class Reference:
    """The net as net.hpp describes it, slowly."""

    def __init__(self, values: list[float], channels: int, blocks: int) -> None:
        self._values = iter(values)
        self._channels = channels
        self._blocks = blocks

    def evaluate(
        self, points: list[list[float]], globals_: list[float], size: int
    ) -> tuple[float, list[float]]:
        """The value, and the outputs of all points."""
        channels = self._channels
        grid = [[rounded(value, 64) for value in point] for point in points]
        grid = self._convolve(grid, size)
        for_all = times(globals_, self._take(len(globals_), channels))
        grid = [activated(added(point, for_all)) for point in grid]
        for _ in range(self._blocks):
            inner = self._convolve(grid, size)
            shared = times(pool(grid), self._take(2 * channels, channels))
            inner = [activated(added(point, shared)) for point in inner]
            outer = self._convolve(inner, size)
            grid = [activated(added(*both)) for both in zip(grid, outer)]
        hidden = self._layer(grid, channels)
        shared = times(pool(grid), self._take(2 * channels, channels))
        hidden = [activated(added(point, shared)) for point in hidden]
        outputs = self._layer(hidden, OUTPUTS)
        weights, bias = self._take(2 * channels, channels), self._take(1, channels)[0]
        sums = [max(0.0, value) for value in added(times(pool(grid), weights), bias)]
        ((value,),) = [added(times(sums, self._take(channels, 1)), self._take(1, 1)[0])]
        assert next(self._values, None) is None
        return 1 / (1 + math.exp(-value)), [each for point in outputs for each in point]

    def _take(self, rows: int, columns: int) -> list[list[float]]:
        return [[next(self._values) for _ in range(columns)] for _ in range(rows)]

    def _take_rounded(self, rows: int, columns: int, highest: int) -> list[list[float]]:
        """Weights, each a whole number times a part of the largest one of its output."""
        matrix = self._take(rows, columns)
        units = [max(abs(row[k]) for row in matrix) / highest for k in range(columns)]
        return [[round(value / unit) * unit for value, unit in zip(row, units)] for row in matrix]

    def _layer(self, rows: list[list[float]], outputs: int) -> list[list[float]]:
        weights, bias = self._take_rounded(len(rows[0]), outputs, 127), self._take(1, outputs)[0]
        return [added(times(row, weights), bias) for row in rows]

    def _convolve(self, grid: list[list[float]], size: int) -> list[list[float]]:
        inputs = len(grid[0])
        weights = self._take_rounded(9 * inputs, self._channels, 31)
        bias = self._take(1, self._channels)[0]
        made = []
        for i, j in product(range(size), repeat=2):
            point = bias
            for tap, (di, dj) in enumerate(product((-1, 0, 1), repeat=2)):
                if 0 <= i + di < size and 0 <= j + dj < size:
                    of_tap = weights[tap * inputs : (tap + 1) * inputs]
                    point = added(point, times(grid[(i + di) * size + j + dj], of_tap))
            made.append(point)
        return made


def times(values: list[float], matrix: list[list[float]]) -> list[float]:
    return [sum(x * row[k] for x, row in zip(values, matrix)) for k in range(len(matrix[0]))]


def added(one: list[float], other: list[float]) -> list[float]:
    return [a + b for a, b in zip(one, other)]


def rounded(value: float, units: int) -> float:
    """The next whole number of parts of 1, 0 to 127 of them."""
    return min(max(round(value * units), 0), 127) / units


def activated(values: list[float]) -> list[float]:
    return [rounded(value, 32) for value in values]


def pool(grid: list[list[float]]) -> list[float]:
    columns = list(zip(*grid))
    return [sum(column) / len(column) for column in columns] + [max(column) for column in columns]


def farthest(some: list[float], others: list[float]) -> float:
    """The largest difference, as a part of the largest number."""
    return max(abs(a - b) for a, b in zip(some, others, strict=True)) / max(map(abs, others))


@cache
def in_the_middle(game: str, size: int, seed: int = 5) -> Position:
    passed = list(random_game(find_game(game).start(size, Pie.OFF), random.Random(seed)))
    return passed[len(passed) // 2][0]


def check_arithmetic(module, at: Position, values: list[float], channels: int, blocks: int):
    """A net gives the results of the description, on every instruction set of this processor."""
    game, inputs = at.game.name, module.shape(at.game.name)[0]
    inside = module.Position(write_position(at))
    flat, globals_, _ = inside.features()
    points = [numbers(flat)[i : i + inputs] for i in range(0, inputs * at.size**2, inputs)]
    reference = Reference(values, channels, blocks)
    own, outputs = reference.evaluate(points, numbers(globals_), at.size)
    value = own if at.to_move == 0 else 1 - own
    for isa in module.isas():
        net = module.Net(game, channels, blocks, packed(values), isa)
        assert inside.evaluate(net) == pytest.approx(value, abs=1e-4), isa
        assert farthest(numbers(inside.outputs_by(net)), outputs) < 1e-4, isa


@pytest.mark.parametrize("channels, blocks", first_of([(16, 1), (16, 2), (32, 1), (64, 1)]))
@pytest.mark.parametrize("game", GAMES)
def test_the_arithmetic_is_that_of_the_description(module, game, channels, blocks):
    # With seed 1 a weight of Boloa is so near to a half that it rounds up in doubles only.
    values = weights(module, game, channels, blocks, seed=2)
    for size, seed in ((2, 1), (3, 2), (3, 3), (5, 4)):
        check_arithmetic(module, in_the_middle(game, size, seed), values, channels, blocks)


def largest_sums(module, game: str, channels: int) -> list[float]:
    """A net of one block. All activations after its first layer are 127, and all weights of its
    convolutions are 31 units, with one sign in each row of the board."""
    inputs, globals_, _ = module.shape(game)
    rng = random.Random(1)

    def some(count: int) -> list[float]:
        return [rng.gauss(0, 0.1) for _ in range(count)]

    def convolution() -> list[float]:
        signs = (1, rng.choice((-1, 1)), -1)
        return [0.1 * sign for sign in signs for _ in range(3 * channels**2)] + some(channels)

    values = some(9 * inputs * channels) + [50.0] * channels + some(globals_ * channels)
    values += convolution() + some(2 * channels**2) + convolution()
    values += some((channels + 1 + 2 * channels) * channels + (channels + 1) * OUTPUTS)
    return values + some((2 * channels + 1) * channels + channels + 1)


@pytest.mark.parametrize("channels", [16, 32])
def test_no_sum_of_products_overflows(module, channels):
    """Eight products of 127 and 31 are the most that 16 bits hold."""
    for game, size in product(GAMES, (3, 5)):
        values = largest_sums(module, game, channels)
        check_arithmetic(module, in_the_middle(game, size), values, channels, 1)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("channels, blocks", first_of([(16, 2), (32, 1), (64, 1)]))
def test_all_instruction_sets_agree_exactly_on_all_sizes(module, channels, blocks, size):
    for game in GAMES:
        inside = module.Position(write_position(in_the_middle(game, size)))
        values = packed(weights(module, game, channels, blocks))
        first, *others = (module.Net(game, channels, blocks, values, isa) for isa in module.isas())
        value, outputs = inside.evaluate(first), inside.outputs_by(first)
        assert 0 < value < 1
        assert len(numbers(outputs)) == size**2 * OUTPUTS
        assert inside.evaluate(first, 3) == value
        for net in others:
            assert inside.evaluate(net) == value
            assert inside.outputs_by(net) == outputs


def test_a_net_of_another_game_is_refused(module):
    mine, other = (
        module.Net(game, 16, 1, packed(weights(module, game, 16, 1)))
        for game in ("boloa", "robble")
    )
    inside = module.Position(write_position(in_the_middle("boloa", 5)))
    assert 0 < inside.evaluate(mine) < 1
    for evaluate in (inside.evaluate, inside.outputs_by):
        with pytest.raises(ValueError, match="another game"):
            evaluate(other)


def searched(module, at: Position, net, visits: int = 300, **options):
    wanted = {"seed": 7, "hash_mb": 4, "exploration": 0.7, "decisive": True, "playout_weight": 0.5}
    tree = kernel_search(module, write_position(at), net=net, **(wanted | options))
    tree.start(visits, None)
    return ended(tree)


@pytest.mark.parametrize("game", GAMES)
def test_a_search_with_a_net_can_be_repeated(module, game):
    start = find_game(game).start(5, Pie.OFF)
    net = net_of(module, game)
    first, second = (searched(module, start, net).rows(5) for _ in range(2))
    assert first == second
    assert sum(row[1] for row in first) == 300
    assert sum(row[3] for row in first) <= 1


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", GAMES)
def test_it_proves_what_is_near(module, game, threads):
    """On 2x2 all turns are in reach; the value is exact, whatever the net thinks."""
    start = find_game(game).start(2, Pie.OFF)
    plain = searched(module, start, None, 50_000, playout_weight=0.0, exploration=0.4)
    if plain.proven is not None:
        tree = searched(module, start, net_of(module, game), 50_000, threads=threads)
        assert tree.proven == plain.proven


@pytest.mark.parametrize("threads, exploration", first_of([(3, 5.0), (1, 0.7), (1, 5.0), (3, 0.7)]))
@pytest.mark.parametrize("game", GAMES)
def test_it_goes_on_when_memory_is_full(module, game, threads, exploration):
    """Much exploration fills it with nodes of many children, little with nodes of many depths."""
    start = find_game(game).start(9, Pie.OFF)
    common = {"hash_mb": 1, "threads": threads, "exploration": exploration}
    tree = searched(module, start, net_of(module, game), 12_000, **common)
    assert tree.visits == 12_000
    assert sum(row[1] for row in tree.rows(1)) == 12_000
    assert tree.used_bytes <= 2**20 < bytes_of_12_000_visits(module, game)


@cache
def bytes_of_12_000_visits(module, game: str) -> int:
    """What they take where there is memory for all of them."""
    start = find_game(game).start(9, Pie.OFF)
    return searched(module, start, net_of(module, game), 12_000, hash_mb=64).used_bytes


@pytest.mark.parametrize("size", first_of([5, 9, 13], 2))
@pytest.mark.parametrize("game", GAMES)
def test_a_visit_needs_few_bytes(module, game, size):
    """However many steps a position has."""
    start = find_game(game).start(size, Pie.OFF)
    tree = searched(module, start, net_of(module, game), 3_000, hash_mb=64)
    assert tree.used_bytes < 300 * tree.visits


@pytest.mark.parametrize("game", GAMES)
def test_children_are_visited_first_in_the_order_of_their_priors(module, game):
    starts = (find_game(game).start(size, Pie.OFF) for size in range(7, 20))
    start = next(each for each in starts if len(each.legal_steps()) > 32)
    net, most = net_of(module, game), len(start.legal_steps())
    everything = searched(module, start, net, 50 * most, exploration=20.0).rows(1)
    priors = sorted((row[3] for row in everything), reverse=True)
    assert len(priors) == most
    for visits in (1, 2, 3, 8, 9, 32, 33):
        rows = searched(module, start, net, visits, exploration=100.0).rows(1)
        assert sorted((row[3] for row in rows), reverse=True) == priors[: len(rows)]
        assert len({row[0] for row in rows}) == len(rows)


@pytest.mark.parametrize("game", GAMES)
def test_most_visits_go_to_steps_that_are_good_for_the_color_to_move(module, game):
    at = find_game(game).start(4, Pie.OFF)
    for color in (BLACK, WHITE):
        while at.to_move is not color:
            at = at.play(at.legal_steps()[0])
        rows = searched(module, at, net_of(module, game), 3_000).rows(1)
        chances = [value_for(color, row.value) for row in rows]
        by_visits = sum(row.visits * chance for row, chance in zip(rows, chances, strict=True))
        assert by_visits / sum(row.visits for row in rows) > sum(chances) / len(chances)


@pytest.mark.parametrize("threads, hash_mb", first_of([(1, 1), (3, 64), (1, 64)]))
@pytest.mark.parametrize("game", GAMES)
def test_a_longer_list_has_the_same_order(module, game, threads, hash_mb):
    """A root lists all steps. A node lists the most probable ones, and later more of them."""
    starts = (find_game(game).start(size, Pie.OFF) for size in range(7, 20))
    start = next(each for each in starts if len(each.legal_steps()) > 64)
    net = net_of(module, game)
    step = searched(module, start, net, 1).rows(1)[0].step
    common = {"hash_mb": hash_mb, "threads": threads, "exploration": 20.0}
    below = searched(module, start, net, 15_000, among=[step], **common)
    below.advance(step)
    after = module.Position(write_position(start))
    after.play(step)
    fresh = kernel_search(module, after.text(), net=net, exploration=100.0, decisive=True)
    fresh.start(500, None)
    ended(fresh)
    assert below.text() == fresh.text()
    rows, all_rows = ([(row.step, row.prior) for row in tree.rows(1)] for tree in (below, fresh))
    assert len(rows) > 33
    assert rows == all_rows[: len(rows)]


@pytest.mark.parametrize("game", first_of(["boloa", "implo", "pilo"]))
@pytest.mark.parametrize("threads", [1, 2])
def test_a_position_has_the_same_priors_however_it_is_reached(module, game, threads):
    """Black's first two turns in either order."""
    start = find_game(game).start(5, Pie.OFF)
    net = net_of(module, game, seed=2)  # with seed 1 Implo comes to an open turn of two steps

    rows = searched(module, start, net, 100).rows(1)
    steps = [row[0] for row in sorted(rows, key=lambda row: -row[1])[:2]]

    def visits_and_priors(tree):
        return {step: (visits, prior) for step, visits, _, prior, *_ in tree.rows(1)}

    common = {"among": steps, "hash_mb": 64, "exploration": 9.0, "threads": threads}
    trees = [searched(module, start, net, 50_000, **common) for _ in steps]
    for tree, step in zip(trees, steps, strict=True):
        tree.advance(step)
    one, other = map(visits_and_priors, trees)
    reply = max(one.keys() & other.keys() - {*steps}, key=lambda step: min(one[step], other[step]))
    for tree, step in zip(trees, reversed(steps), strict=True):
        tree.advance(reply)
        tree.advance(step)
    one, other = map(visits_and_priors, trees)
    both = one.keys() & other.keys()
    assert len(both) > 3
    assert {step: one[step][1] for step in both} == {step: other[step][1] for step in both}


@pytest.mark.parametrize("game", GAMES)
def test_memory_in_order_holds_the_same_tree(module, game):
    """A search of no further visits only puts the memory of the tree in order."""
    start = find_game(game).start(6, Pie.OFF)
    tree = searched(module, start, net_of(module, game), 6_000, hash_mb=1, exploration=3.0)
    moved = 0
    while len(rows := tree.rows(30)) > 1:
        step, *_ = max(rows, key=lambda row: row[1])
        tree.advance(step)
        before, used = tree.rows(30), tree.used_bytes
        tree.start(tree.visits, None)
        ended(tree)
        assert tree.rows(30) == before
        moved += tree.used_bytes < used
    assert moved > 0


def test_a_tree_with_priors_follows_the_game(module):
    """Also where its memory is put in order on the way."""
    game = find_game("pilo")
    at = game.start(6, Pie.OFF)
    tree = searched(module, at, net_of(module, "pilo"), 6_000, hash_mb=1)
    for _ in range(6):
        best = max(tree.rows(1), key=lambda row: row[1])
        tree.advance(best[0])
        tree.start(3_000, None)
        ended(tree)
        priors = [row[3] for row in tree.rows(1)]
        assert all(0 <= prior <= 1 for prior in priors)
        assert sum(priors) == pytest.approx(1, abs=0.02) or len(priors) < 20


@pytest.mark.parametrize("game", GAMES)
def test_with_few_empty_points_the_net_gives_priors_and_no_values(module, game):
    """Two nets differ only in their value: the first is sure of a win, the second of a loss."""
    *others, _ = weights(module, game, 16, 1)
    win, loss = (module.Net(game, 16, 1, packed([*others, bias])) for bias in (30.0, -30.0))
    start = find_game(game).start(5, Pie.OFF)
    if start.occupied():
        pytest.skip("points do not fill")
    common = {"expand_after": 2, "playout_weight": 0.0}

    def rows(net, priors_only):
        return searched(module, start, net, priors_only=priors_only, **common).rows(1)

    # The root is the only empty board.
    assert rows(win, 1.0) == rows(loss, 1.0)
    assert rows(win, 0.0) != rows(loss, 0.0)
    # No position of so short a search has so few empty points.
    assert rows(win, 0.25) == rows(win, 0.0)


def test_noise_changes_the_priors_of_the_root(module):
    start = find_game("robble").start(5, Pie.OFF)
    net = net_of(module, "robble")
    quiet, noisy = (
        {row[0]: row[3] for row in searched(module, start, net, noise=noise).rows(1)}
        for noise in (0.0, 0.5)
    )
    assert max(noisy.values()) > max(quiet.values())


def test_a_search_with_noise_begins_anew_after_a_step(module):
    start = find_game("robble").start(5, Pie.OFF)
    for noise in (0.0, 0.5):
        tree = searched(module, start, net_of(module, "robble"), noise=noise)
        tree.advance(max(tree.rows(1), key=lambda row: row.visits).step)
        assert (tree.visits > 0) is (noise == 0)
        tree.start(500, None)
        ended(tree)
        assert tree.visits == 500


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (("implo", 16, 1, packed([0.0] * 10)), "not as many"),
        (("implo", 17, 1, b""), "channels are 16, 32 or 64"),
        (("implo", 16, 0, b""), "blocks are"),
        (("implo", 16, 1, b"abc"), "4 bytes"),
        (("implo", 16, 1, packed([math.nan])), "finite"),
        (("chess", 16, 1, b""), "no such game"),
    ],
)
def test_what_is_no_net_is_refused(module, arguments, problem):
    with pytest.raises(ValueError, match=problem):
        module.Net(*arguments)


def test_a_net_needs_an_instruction_set_of_this_processor(module):
    values = packed(weights(module, "implo", 16, 1))
    with pytest.raises(ValueError, match="no such instruction set"):
        module.Net("implo", 16, 1, values, "v9")


def test_a_net_is_of_one_game(module):
    start = find_game("boloa").start(5, Pie.OFF)
    with pytest.raises(ValueError, match="another game"):
        searched(module, start, net_of(module, "implo"))
