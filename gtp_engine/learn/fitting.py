"""Fitting a net to lessons: AdamW, with a rate that rises quickly and then falls like a cosine.

Each batch is learned in a random one of the board's images_of_places.
"""

import math
import time
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.flatten_util import ravel_pytree
from numpy.typing import NDArray

from gtp_engine.board.symmetry import Symmetry
from gtp_engine.learn.batches import Batch, images_of_places, make_batch
from gtp_engine.learn.lessons import Lessons
from gtp_engine.learn.network import Shape, Weights, loss, new, pack, unpack
from gtp_engine.learn.selfplay import Stopped
from gtp_engine.search.stored import UnusableFile, read_stored, write_stored

KIND, VERSION = "fit", 1

# The lowest rate as a part of the full one, and how it rises: in so many steps, or in this part of
# them all where they are few.
_LOWEST_RATE, _RISING_STEPS, _RISING_PART = 0.02, 100, 0.03

# A fit that is done in this part of its time does not depend on the clock at all.
_UNHURRIED = 0.25

_DECAY = 3e-5

_SECONDS_BETWEEN_SAVES = 20.0
_BATCHES_TO_JUDGE = 8


class Course(NamedTuple):
    """How to fit.

    seconds, epochs -- at most so long, and so many times through the lessons
    batch           -- lessons of a step
    rate            -- of learning, at its highest
    symmetry        -- of the game
    seeds           -- what all chance comes from
    """

    seconds: float
    epochs: float
    batch: int
    rate: float
    symmetry: Symmetry
    seeds: tuple[int, ...]


class Fitted(NamedTuple):
    """What came of it.

    numbers -- for the kernel
    losses  -- of steps, of the value, of owners: on lessons set apart, else on those learned
    learned -- lessons, and those that were set apart
    """

    numbers: NDArray[np.float32]
    losses: tuple[float, float, float]
    learned: int
    apart: int
    seconds: float


class Fit:
    """A fit in progress; it is kept in a file, from which it goes on after an end of any kind."""

    def __init__(
        self,
        lessons: list[Lessons],
        shape: Shape,
        numbers: NDArray[np.float32] | None,
        course: Course,
        path: Path,
    ) -> None:
        """Begin with the numbers of a net or, without any, with a new one; or go on."""
        self._lessons = lessons
        self._shape = shape
        self._course = course
        self._path = path
        self._learned = [np.flatnonzero(~each.apart) for each in lessons]
        self._apart = [np.flatnonzero(each.apart) for each in lessons]
        self._images = [images_of_places(each.size, course.symmetry) for each in lessons]
        rng = np.random.default_rng(course.seeds)
        begin = new(shape, rng) if numbers is None else unpack(numbers, shape, rng)
        weights = {name: jnp.asarray(layer) for name, layer in begin.items()}
        self._optimizer = optax.chain(optax.scale_by_adam(), optax.add_decayed_weights(_DECAY))
        self._state: tuple[Weights, Any] = weights, self._optimizer.init(weights)
        self._steps, self._seconds = 0, 0.0
        self._go_on()
        self._step = jax.jit(self._stepped)

    @property
    def seconds(self) -> float:
        """How long it has taken, without what is no longer known."""
        return self._seconds

    def run(self, stopped: Stopped) -> Fitted | None:
        """Fit to the end of the course; None where it was stopped before."""
        saved = self._seconds
        while (rate := self._rate()) > 0:
            if stopped():
                self.save()
                return None
            began = time.monotonic()
            batch = self._next_batch()
            self._state, parts = self._step(self._state, batch, rate)
            parts.block_until_ready()
            self._steps += 1
            self._seconds += time.monotonic() - began
            if self._seconds - saved > _SECONDS_BETWEEN_SAVES:
                saved = self._seconds
                self.save()
        learned, apart = (sum(map(len, each)) for each in (self._learned, self._apart))
        return Fitted(
            pack(self._state[0], self._shape), self._losses(), learned, apart, self._seconds
        )

    def save(self) -> None:
        """Keep all that is needed to go on. Raises OSError."""
        flat = np.asarray(ravel_pytree(self._state)[0], np.float32)
        write_stored(self._path, KIND, VERSION, self._facts(), flat.tobytes())

    def _facts(self) -> dict[str, Any]:
        seeds = list(self._course.seeds)
        return {"seeds": seeds, "steps": self._steps, "seconds": round(self._seconds, 1)}

    def _go_on(self) -> None:
        """Go on with what is in the file, if that is of this fit."""
        flat, to_state = ravel_pytree(self._state)
        try:
            facts, payload = read_stored(self._path, KIND, VERSION)
        except UnusableFile:
            return
        known = np.frombuffer(payload, np.float32)
        if facts["seeds"] == list(self._course.seeds) and known.shape == flat.shape:
            self._state = to_state(jnp.asarray(known, flat.dtype))
            self._steps, self._seconds = facts["steps"], facts["seconds"]

    @property
    def _most_steps(self) -> int:
        course = self._course
        return math.ceil(course.epochs * sum(map(len, self._learned)) / course.batch)

    def _rate(self) -> np.float32:
        """The part of the highest rate that is due; 0 at the end of the course."""
        in_time, in_steps = self._seconds / self._course.seconds, self._steps / self._most_steps
        if max(in_time, in_steps) >= 1:
            return np.float32(0)
        done = in_steps if in_time < _UNHURRIED else max(in_time, in_steps)
        fall = (1 + math.cos(math.pi * done)) / 2
        rising = min(_RISING_STEPS, _RISING_PART * self._most_steps)
        rise = min(1.0, _LOWEST_RATE + self._steps / rising)
        return np.float32(rise * (_LOWEST_RATE + (1 - _LOWEST_RATE) * fall))

    def _next_batch(self) -> Batch:
        """The same for the same step of the course, whenever it is made."""
        rng = np.random.default_rng((*self._course.seeds, self._steps))
        counts = np.array([len(each) for each in self._learned], float)
        which = int(rng.choice(len(counts), p=counts / counts.sum()))
        chosen = rng.choice(self._learned[which], self._course.batch)
        image = self._images[which][rng.integers(len(self._images[which]))]
        return make_batch(self._lessons[which], chosen, image)

    def _stepped(
        self, state: tuple[Weights, Any], batch: Batch, rate: float
    ) -> tuple[tuple[Weights, Any], jax.Array]:
        weights, moments = state
        (_, parts), slope = jax.value_and_grad(loss, has_aux=True)(weights, batch)
        changes, moments = self._optimizer.update(slope, moments, weights)
        changes = jax.tree.map(lambda change: -rate * self._course.rate * change, changes)
        return (optax.apply_updates(weights, changes), moments), parts

    def _losses(self) -> tuple[float, float, float]:
        """Means over some batches of the lessons set apart, else of the others."""
        parts_of = jax.jit(lambda weights, batch: loss(weights, batch)[1])
        size, sums, count = self._course.batch, np.zeros(3), 0
        judged = self._apart if any(map(len, self._apart)) else self._learned
        for lessons, chosen, images in zip(self._lessons, judged, self._images):
            batches = min(math.ceil(len(chosen) / size), _BATCHES_TO_JUDGE)
            for part in np.resize(chosen, batches * size).reshape(batches, size):
                batch = make_batch(lessons, part, images[0])
                sums += np.asarray(parts_of(self._state[0], batch))
                count += 1
        steps, value, owners = sums / count
        return float(steps), float(value), float(owners)
