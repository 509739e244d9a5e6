"""Batches of samples, in images of the board under its symmetries."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gtp_engine.board.symmetry import Symmetry
from gtp_engine.learn.samples import INPUT_UNIT, OWNER_UNIT, SampleSet, moved


class Batch(NamedTuple):
    """Samples on boards of one size, as in samples.py.

    points -- samples x size x size x inputs
    steps  -- samples x steps x 2, padded to the most steps of any sample; samples without a full
              search have only padding
    legal  -- samples x steps: True for a step, False for padding
    """

    points: NDArray[np.float32]
    whole: NDArray[np.float32]
    steps: NDArray[np.int32]
    shares: NDArray[np.float32]
    legal: NDArray[np.bool_]
    values: NDArray[np.float32]
    owners: NDArray[np.float32]


def images_of_places(size: int, symmetry: Symmetry) -> list[NDArray[np.intp]]:
    """The images of a board, the identity first. Each maps a place to the source of its content."""
    places = np.arange(size * size).reshape(size, size)
    return [moved(places, image).ravel() for image in symmetry]


def make_batch(samples: SampleSet, chosen: NDArray[np.int64], image: NDArray[np.intp]) -> Batch:
    """The samples with the numbers `chosen`, in an image of the board."""
    size, area, outputs = samples.size, samples.size**2, samples.outputs
    first, end = samples.first[chosen], samples.first[chosen + 1]
    slots = np.arange(samples.step_counts.max())
    legal = slots < (end - first)[:, None]
    found = np.where(legal, first[:, None] + slots, 0)
    comes_to = np.empty(area + 1, np.int32)
    comes_to[image], comes_to[area] = np.arange(area), area
    steps = samples.steps[found]
    points = samples.points[chosen][:, image].astype(np.float32) * np.float32(INPUT_UNIT)
    return Batch(
        points.reshape(len(chosen), size, size, -1),
        samples.whole[chosen],
        comes_to[steps // outputs] * outputs + steps % outputs,
        samples.shares[found].astype(np.float32) * legal,
        legal,
        samples.values[chosen],
        samples.owners[chosen][:, image].astype(np.float32) * np.float32(OWNER_UNIT),
    )
