"""Some lessons at a time, in the symmetries of the board."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gtp_engine.board.symmetry import Symmetry
from gtp_engine.learn.lessons import Lessons


class Batch(NamedTuple):
    """Some lessons on boards of one size, as in lessons.py.

    points -- lessons x size x size x inputs
    steps  -- lessons x steps x 2, filled up to the most steps of any lesson
    legal  -- lessons x steps: whether there is such a step
    """

    points: NDArray[np.float32]
    whole: NDArray[np.float32]
    steps: NDArray[np.int32]
    shares: NDArray[np.float32]
    legal: NDArray[np.bool_]
    values: NDArray[np.float32]
    owners: NDArray[np.float32]


def images_of_places(size: int, symmetry: Symmetry) -> list[NDArray[np.intp]]:
    """The images of a board, itself first: for each place the place whose content comes there."""
    places = np.arange(size * size).reshape(size, size)
    found = []
    for transposed, columns_reversed, rows_reversed in symmetry.images:
        image = places.T if transposed else places
        image = image[::-1] if columns_reversed else image
        image = image[:, ::-1] if rows_reversed else image
        found.append(image.ravel())
    return found


def make_batch(lessons: Lessons, chosen: NDArray[np.int64], image: NDArray[np.intp]) -> Batch:
    """Some lessons, by their numbers, in an image of the board."""
    size, area, outputs = lessons.size, lessons.size**2, lessons.outputs
    first, end = lessons.first[chosen], lessons.first[chosen + 1]
    slots = np.arange(np.diff(lessons.first).max())
    legal = slots < (end - first)[:, None]
    found = np.where(legal, first[:, None] + slots, 0)
    comes_to = np.empty(area + 1, np.int32)
    comes_to[image], comes_to[area] = np.arange(area), area
    steps = lessons.steps[found]
    points = lessons.points[chosen][:, image].astype(np.float32)
    return Batch(
        points.reshape(len(chosen), size, size, -1),
        lessons.whole[chosen],
        comes_to[steps // outputs] * outputs + steps % outputs,
        lessons.shares[found] * legal,
        legal,
        lessons.values[chosen],
        lessons.owners[chosen][:, image].astype(np.float32),
    )
