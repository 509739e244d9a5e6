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
from gtp_engine.learn.network import NetParameters, NetShape, loss, new, pack, unpack
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


class FitOptions(NamedTuple):
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
    lessons -- that could be learned from, and those that were set apart
    steps   -- of the optimizer
    samples -- lessons that the optimizer saw in these steps, each as often as it was drawn
    seconds -- that it took, making the lessons and compiling included
    """

    numbers: NDArray[np.float32]
    losses: tuple[float, float, float]
    lessons: int
    apart: int
    steps: int
    samples: int
    seconds: float

    @property
    def epochs(self) -> float:
        """How many times through the lessons that is."""
        return self.samples / self.lessons


class Fit:
    """A fit in progress; it is kept in a file, from which it goes on after an end of any kind."""

    def __init__(
        self,
        lessons: list[Lessons],
        shape: NetShape,
        numbers: NDArray[np.float32] | None,
        course: FitOptions,
        path: Path,
        began: float | None = None,
    ) -> None:
        """Begin with the numbers of a net or, without any, with a new one; or go on.

        began -- when it began, by the monotonic clock: making the lessons is a part of it
        """
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
        self._state: tuple[NetParameters, Any] = weights, self._optimizer.init(weights)
        self._began = time.monotonic() if began is None else began
        self._steps, self._earlier = 0, 0.0
        self._compiling = 0.0
        self._compiled: set[int] = set()
        self._go_on()
        self._step = jax.jit(self._stepped)

    @property
    def seconds(self) -> float:
        """How long it has taken, without what is no longer known."""
        return self._earlier + time.monotonic() - self._began

    def run(self, stopped: Stopped) -> Fitted | None:
        """Fit to the end of the course; None where it was stopped, or had no time for a step.

        The time for compiling is the course's, too: as long as that of the steps took is kept back
        for that of the losses.
        """
        saved = self.seconds
        while (rate := self._rate()) > 0:
            if stopped():
                self.save()
                return None
            self._learn(rate)
            if self.seconds - saved > _SECONDS_BETWEEN_SAVES:
                saved = self.seconds
                self.save()
        if not self._steps:
            return None
        lessons, apart = (sum(map(len, each)) for each in (self._learned, self._apart))
        numbers, losses = pack(self._state[0], self._shape), self._losses()
        samples = self._steps * self._course.batch
        return Fitted(numbers, losses, lessons, apart, self._steps, samples, self.seconds)

    def _learn(self, rate: np.float32) -> None:
        """One step. The first on each size of board is slow, since it is compiled."""
        began = time.monotonic()
        which, batch = self._next_batch()
        self._state, parts = self._step(self._state, batch, rate)
        np.asarray(parts)  # waits until the step is done
        self._steps += 1
        if which not in self._compiled:
            self._compiled.add(which)
            self._compiling += time.monotonic() - began

    def save(self) -> None:
        """Keep all that is needed to go on. Raises OSError."""
        flat = np.asarray(ravel_pytree(self._state)[0], np.float32)
        write_stored(self._path, KIND, VERSION, self._facts(), flat.tobytes())

    def _facts(self) -> dict[str, Any]:
        seeds = list(self._course.seeds)
        return {"seeds": seeds, "steps": self._steps, "seconds": round(self.seconds, 1)}

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
            self._steps, self._earlier = facts["steps"], facts["seconds"]

    @property
    def _most_steps(self) -> int:
        course = self._course
        return math.ceil(course.epochs * sum(map(len, self._learned)) / course.batch)

    def _rate(self) -> np.float32:
        """The part of the highest rate that is due; 0 at the end of the course."""
        spent, most = self.seconds, self._course.seconds
        if spent + self._compiling >= most or self._steps >= self._most_steps:
            return np.float32(0)
        in_time, in_steps = spent / most, self._steps / self._most_steps
        done = in_steps if in_time < _UNHURRIED else max(in_time, in_steps)
        fall = (1 + math.cos(math.pi * done)) / 2
        rising = min(_RISING_STEPS, _RISING_PART * self._most_steps)
        rise = min(1.0, _LOWEST_RATE + self._steps / rising)
        return np.float32(rise * (_LOWEST_RATE + (1 - _LOWEST_RATE) * fall))

    def _next_batch(self) -> tuple[int, Batch]:
        """Of which lessons, and a batch of them: the same for the same step of the course."""
        rng = np.random.default_rng((*self._course.seeds, self._steps))
        counts = np.array([len(each) for each in self._learned], float)
        which = int(rng.choice(len(counts), p=counts / counts.sum()))
        chosen = rng.choice(self._learned[which], self._course.batch)
        image = self._images[which][rng.integers(len(self._images[which]))]
        return which, make_batch(self._lessons[which], chosen, image)

    def _stepped(
        self, state: tuple[NetParameters, Any], batch: Batch, rate: float
    ) -> tuple[tuple[NetParameters, Any], jax.Array]:
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
