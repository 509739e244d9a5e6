"""The net of kernel/nn/net.hpp in JAX, for training: the same layers, the same order of numbers.

The kernel computes with integers of 8 bits, so training rounds as the kernel does. The forward pass
rounds weights and activations. The backward pass treats the rounding as the identity, which is the
straight-through estimator (Jacob et al., "Quantization and Training of Neural Networks for
Efficient Integer-Arithmetic-Only Inference", CVPR 2018).

The net has one more head, which predicts the owner of each point. This auxiliary target improves
the others (Wu, "Accelerating Self-Play Learning in Go", 2019); the head is not stored.
"""

from collections.abc import Mapping
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from gtp_engine.learn.samples import HIGHEST, INPUT_UNIT, Batch

NetParameters = Mapping[str, jax.Array]

# Layers with small initial weights: a new net has even outputs, and its blocks change nothing.
_SMALL = ("outer", "shared", "hidden shared", "outputs", "judgement", "owners")
_SMALLNESS = 0.1

# Activations are whole multiples of this unit, and inputs of INPUT_UNIT, from 0 to HIGHEST. A
# weight is a whole number from -HIGHEST to HIGHEST, in a convolution from -_HIGHEST_IN_CONVOLUTION,
# times a factor of its output. See kernel/nn/net.hpp.
_ACTIVATION_UNIT = 1 / 32
_HIGHEST_IN_CONVOLUTION = 31

# The weights of two parts of the loss.
_VALUE_PART, _OWNERS_PART = 1.5, 0.5

_BLOCKED = -1e9


class NetShape(NamedTuple):
    """The shape of a net, as in kernel/nn/shape.hpp.

    inputs   -- the inputs of each point
    whole    -- the inputs of the whole board
    channels -- the channels of each point, in every layer
    blocks   -- the residual blocks
    outputs  -- the outputs of each point
    """

    inputs: int
    whole: int
    channels: int
    blocks: int
    outputs: int


class NetOutput(NamedTuple):
    """The outputs of a net.

    logits -- samples x size x size x outputs: the logit of a step is the sum of two of them
    value  -- samples: the logit of the chance to win
    owners -- samples x size x size: -1 to 1
    """

    logits: jax.Array
    value: jax.Array
    owners: jax.Array


def layers(shape: NetShape) -> dict[str, tuple[int, ...]]:
    """The arrays of a net with their shapes, in the order of the kernel."""
    inputs, whole, channels, blocks, outputs = shape
    found: dict[str, tuple[int, ...]] = {
        "first": (3, 3, inputs, channels),
        "first bias": (channels,),
        "whole": (whole, channels),
    }
    for block in range(blocks):
        found |= {
            f"inner {block}": (3, 3, channels, channels),
            f"inner bias {block}": (channels,),
            f"shared {block}": (2 * channels, channels),
            f"outer {block}": (3, 3, channels, channels),
            f"outer bias {block}": (channels,),
        }
    return found | {
        "hidden": (channels, channels),
        "hidden bias": (channels,),
        "hidden shared": (2 * channels, channels),
        "outputs": (channels, outputs),
        "outputs bias": (outputs,),
        "judging": (2 * channels, channels),
        "judging bias": (channels,),
        "judgement": (channels, 1),
        "judgement bias": (1,),
    }


def _count(shape: NetShape) -> int:
    """The number of weights of a net."""
    return sum(int(np.prod(size)) for size in layers(shape).values())


def new(shape: NetShape, rng: np.random.Generator) -> dict[str, NDArray[np.float32]]:
    """A new net (initialised as in He et al., "Delving Deep into Rectifiers", 2015)."""
    found = {}
    for name, size in {**layers(shape), "owners": (shape.channels, 1)}.items():
        spread = 0.0 if "bias" in name else (2 / np.prod(size[:-1])) ** 0.5
        if name.startswith(_SMALL):
            spread *= _SMALLNESS
        found[name] = rng.normal(0, spread, size).astype(np.float32)
    return found


def pack(weights: NetParameters, shape: NetShape) -> NDArray[np.float32]:
    """The weights as one array, in the order of the kernel."""
    return np.concatenate([np.asarray(weights[name]).ravel() for name in layers(shape)])


def unpack(
    numbers: NDArray[np.float32], shape: NetShape, rng: np.random.Generator
) -> dict[str, NDArray[np.float32]]:
    """The net with these weights. Layers that the weights lack are new.

    Weights may have fewer blocks than `shape`. The new blocks change nothing at first. Raises
    ValueError if no number of blocks fits the weights.
    """
    by_count = {_count(shape._replace(blocks=few)): few for few in range(shape.blocks + 1)}
    if len(numbers) not in by_count:
        raise ValueError(f"{len(numbers)} numbers do not fit {shape}")
    known = by_count[len(numbers)]
    found, at = new(shape, rng), 0
    for block in range(known, shape.blocks):
        found[f"outer {block}"] = np.zeros_like(found[f"outer {block}"])
    for name, size in layers(shape._replace(blocks=known)).items():
        count = int(np.prod(size))
        found[name] = numbers[at : at + count].reshape(size)
        at += count
    return found


def forward(weights: NetParameters, points: jax.Array, whole: jax.Array) -> NetOutput:
    """The outputs of a net for positions on boards of one size."""
    everywhere = weights["first bias"] + whole @ weights["whole"]
    x = _convolved(_rounded(points, INPUT_UNIT), weights["first"])
    x = _rounded(x + everywhere[:, None, None], _ACTIVATION_UNIT)
    for block in range(sum(name.startswith("inner bias") for name in weights)):
        added = _pooled(x) @ weights[f"shared {block}"] + weights[f"inner bias {block}"]
        y = _convolved(x, weights[f"inner {block}"]) + added[:, None, None]
        y = _convolved(_rounded(y, _ACTIVATION_UNIT), weights[f"outer {block}"])
        x = _rounded(x + y + weights[f"outer bias {block}"], _ACTIVATION_UNIT)
    pooled = _pooled(x)
    added = pooled @ weights["hidden shared"] + weights["hidden bias"]
    hidden = x @ _rounded_weights(weights["hidden"]) + added[:, None, None]
    hidden = _rounded(hidden, _ACTIVATION_UNIT)
    judging = jax.nn.relu(pooled @ weights["judging"] + weights["judging bias"])
    return NetOutput(
        hidden @ _rounded_weights(weights["outputs"]) + weights["outputs bias"],
        (judging @ weights["judgement"] + weights["judgement bias"])[:, 0],
        jnp.tanh(x @ weights["owners"])[..., 0],
    )


def _convolved(x: jax.Array, weights: jax.Array) -> jax.Array:
    dimensions = ("NHWC", "HWIO", "NHWC")
    rounded = _rounded_weights(weights, _HIGHEST_IN_CONVOLUTION)
    return jax.lax.conv_general_dilated(x, rounded, (1, 1), "SAME", dimension_numbers=dimensions)


def _pooled(x: jax.Array) -> jax.Array:
    return jnp.concatenate([x.mean((1, 2)), x.max((1, 2))], axis=-1)


def _rounded(x: jax.Array, unit: float) -> jax.Array:
    """Rectify, clip and round to a whole number of units."""
    clipped = jnp.clip(x, 0, HIGHEST * unit)
    return clipped + jax.lax.stop_gradient(jnp.round(clipped / unit) * unit - clipped)


def _rounded_weights(weights: jax.Array, highest: int = HIGHEST) -> jax.Array:
    """Round each weight to a whole number of units: those of its output, at most `highest`."""
    units = jnp.abs(weights).max(axis=tuple(range(weights.ndim - 1))) / highest
    units = jax.lax.stop_gradient(jnp.where(units > 0, units, 1))
    return weights + jax.lax.stop_gradient(jnp.round(weights / units) * units - weights)


def log_shares(logits: jax.Array, steps: jax.Array, legal: jax.Array) -> jax.Array:
    """The log policy, as samples x steps."""
    flat = logits.reshape(len(logits), -1)
    flat = jnp.concatenate([flat, jnp.zeros((len(flat), 1))], axis=1)
    logit = sum(jnp.take_along_axis(flat, steps[..., which], axis=1) for which in (0, 1))
    return jax.nn.log_softmax(jnp.where(legal, logit, _BLOCKED), axis=1)


def best_steps(logs: jax.Array, shares: jax.Array, legal: jax.Array) -> jax.Array:
    """Whether the most probable step is the one with the largest share, for each sample."""
    return logs.argmax(axis=1) == jnp.where(legal, shares, -1).argmax(axis=1)


def judge(weights: NetParameters, batch: Batch) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The parts of the loss, and what the accuracy of a net follows from.

    Returns the parts as `loss` does; whether each sample of the first half has the right step on
    top; and the logit of the chance to win for each sample of the second half.
    """
    found = forward(weights, jnp.asarray(batch.points), jnp.asarray(batch.whole))
    half = len(batch.values) // 2
    legal = jnp.asarray(batch.legal[:half])
    logs = log_shares(found.logits[:half], jnp.asarray(batch.steps[:half]), legal)
    right = best_steps(logs, jnp.asarray(batch.shares[:half]), legal)
    return loss(weights, batch)[1], right, found.value[half:]


def loss(weights: NetParameters, batch: Batch) -> tuple[jax.Array, jax.Array]:
    """The loss, and its three parts: policy, value and owners.

    The first half of the batch teaches the policy, the second half the value and the owners. The
    first two parts are cross entropies in nats. The last one is a mean square error.
    """
    found = forward(weights, jnp.asarray(batch.points), jnp.asarray(batch.whole))
    half = len(batch.values) // 2
    legal = batch.legal[:half]
    logs = log_shares(found.logits[:half], jnp.asarray(batch.steps[:half]), jnp.asarray(legal))
    of_steps = -jnp.where(legal, batch.shares[:half] * logs, 0).sum(axis=1).mean()
    value, owners = found.value[half:], batch.owners[half:]
    of_value = (jax.nn.softplus(value) - batch.values[half:] * value).mean()
    of_owners = ((found.owners[half:].reshape(owners.shape) - owners) ** 2).mean()
    parts = jnp.stack([of_steps, of_value, of_owners])
    return of_steps + _VALUE_PART * of_value + _OWNERS_PART * of_owners, parts
