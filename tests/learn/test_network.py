"""The net in training is the same as the net in the kernel."""

import math
import random

import pytest

np = pytest.importorskip("numpy")
jax = pytest.importorskip("jax")

from gtp_engine.learn.accuracy import log_policy  # noqa: E402
from gtp_engine.learn.network import (  # noqa: E402
    NetShape,
    forward,
    layers,
    log_shares,
    new,
    pack,
    unpack,
)
from gtp_engine.rules import find_game  # noqa: E402
from gtp_engine.rules.notation.position_text import write_position  # noqa: E402
from gtp_engine.rules.step import Pie  # noqa: E402
from support.mirror import games_in_kernel  # noqa: E402
from support.playing import random_game  # noqa: E402

GAMES = games_in_kernel()


def random_net(module, game: str, channels: int, blocks: int):
    """A net with nothing small or zero in it, and its shape."""
    inputs, whole, outputs = module.shape(game)
    shape = NetShape(inputs, whole, channels, blocks, outputs)
    rng = np.random.default_rng(5)
    weights = {}
    for name, size in {**layers(shape), "owners": (channels, 1)}.items():
        spread = 0.2 if "bias" in name else np.prod(size[:-1]) ** -0.5
        weights[name] = rng.normal(0, spread, size).astype(np.float32)
    return shape, weights


def middles(game: str, sizes: tuple[int, ...], count: int):
    """Texts of positions inside random games where there is a choice."""
    rng = random.Random(f"{game} {sizes}")
    rules = find_game(game)
    for size in sizes:
        played = list(random_game(rules.start(size, Pie.OFF), rng))
        choices = [position for position, _ in played if len(position.legal_steps()) > 1]
        for position in rng.sample(choices, count):
            yield write_position(position)


@jax.jit
def said(weights, points, whole, steps, legal):
    """One compilation for all positions of a size; op by op it takes minutes."""
    found = forward(weights, points, whole)
    return jax.nn.sigmoid(found.value), jax.numpy.exp(log_shares(found.logits, steps, legal))


def judged(weights, position, size: int, outputs: int):
    """The chance to win of the color to move, and the share of each step by number."""
    points, whole, steps = position.features()
    inputs = np.frombuffer(points, np.float32).reshape(1, size, size, -1)
    places = np.zeros((1, 400, 2), np.int32)
    for at, (_, kind, a, b) in enumerate(steps):
        other = size**2 * outputs if b < 0 else b * outputs + outputs // 2 + kind
        places[0, at] = a * outputs + kind, other
    legal = np.arange(400)[None] < len(steps)
    value, shares = said(weights, inputs, np.frombuffer(whole, np.float32)[None], places, legal)
    return float(value[0]), {step[0]: float(share) for step, share in zip(steps, shares[0])}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("channels, blocks", [(16, 2), (32, 1)])
def test_the_kernel_evaluates_like_the_trained_net(module, game, channels, blocks):
    """Values and policies are the same, but where a sum lies so near to a half that it rounds to
    the other side: one activation is then one unit off.
    """
    shape, weights = random_net(module, game, channels, blocks)
    net = module.Net(game, channels, blocks, pack(weights, shape).tobytes())
    values, differences = [], []
    for text in middles(game, (4, 6), 4):
        position = module.Position(text)
        size, color = int(text.split()[1]), text.split()[3]
        value, shares = judged(weights, position, size, shape.outputs)
        black = value if color == "b" else 1 - value
        values.append(black)
        policy = log_policy(position, size, net)
        assert policy.keys() == shares.keys()
        farthest = max(abs(math.exp(log) - shares[step]) for step, log in policy.items())
        differences.append(max(farthest, abs(position.evaluate(net) - black)))
    assert max(values) - min(values) > 0.01
    assert np.median(differences) < 2e-5
    assert max(differences) < 5e-3


def test_numbers_and_net_turn_into_each_other(module):
    shape, weights = random_net(module, "pilo", 16, 1)
    again = unpack(pack(weights, shape), shape, np.random.default_rng(1))
    assert again.keys() == weights.keys()
    assert all((again[name] == weights[name]).all() for name in layers(shape))


def test_a_net_with_more_blocks_begins_with_the_same_outputs(module):
    shape, weights = random_net(module, "pilo", 16, 1)
    larger = shape._replace(blocks=3)
    grown = unpack(pack(weights, shape), larger, np.random.default_rng(1))
    position = module.Position(next(middles("pilo", (5,), 1)))
    expected_value, expected_shares = judged(weights, position, 5, shape.outputs)
    value, shares = judged(grown, position, 5, shape.outputs)
    assert value == expected_value
    assert shares == expected_shares


def test_weights_of_another_shape_are_refused(module):
    shape, weights = random_net(module, "pilo", 16, 2)
    with pytest.raises(ValueError, match="numbers do not fit"):
        unpack(pack(weights, shape), shape._replace(blocks=1), np.random.default_rng(1))


def test_a_new_net_has_hardly_an_opinion(module):
    inputs, whole, outputs = module.shape("boloa")
    shape = NetShape(inputs, whole, 16, 2, outputs)
    weights = new(shape, np.random.default_rng(1))
    assert weights.keys() == {*layers(shape), "owners"}
    text = next(middles("boloa", (5,), 1))
    value, shares = judged(weights, module.Position(text), 5, outputs)
    assert value == pytest.approx(0.5, abs=0.2)
    assert max(shares.values()) < 3 / len(shares)
