"""Fits a net to samples with AdamW. The learning rate rises quickly and then follows a cosine down.

Each batch is in a random image of the board.
"""

import math
import time
from collections import deque
from collections.abc import Callable
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
from gtp_engine.learn.game_in_progress import Stopped
from gtp_engine.learn.network import NetParameters, NetShape, loss, new, pack, unpack
from gtp_engine.learn.plan import Unfit
from gtp_engine.learn.samples import SampleSet
from gtp_engine.learn.telling import FitProgress
from gtp_engine.search.stored import UnusableFile, read_stored, write_stored

KIND, VERSION = "fit", 1

# The lowest learning rate, as a part of the highest. The rate rises during this number of steps, or
# during this part of all steps if that is less.
_LOWEST_RATE, _RISING_STEPS, _RISING_PART = 0.02, 100, 0.03

# A fit that needs at most this part of its time does not depend on the clock.
_UNHURRIED = 0.25

_DECAY = 3e-5

# Weights are stored in half precision. This is its largest number.
_LARGEST_WEIGHT = float(np.finfo(np.float16).max)

_SECONDS_BETWEEN_SAVES = 20.0
_SECONDS_BETWEEN_REPORTS = 60.0

# A report averages the losses of at most this many steps.
_MOST_REPORTED = 1000
_BATCHES_TO_JUDGE = 8


class FitOptions(NamedTuple):
    """The options of a fit.

    seconds  -- the longest time
    epochs   -- the most passes over the samples
    batch    -- the samples in each step of the optimizer
    rate     -- the highest learning rate
    symmetry -- the symmetry of the game
    seeds    -- the seeds of all random choices
    """

    seconds: float
    epochs: float
    batch: int
    rate: float
    symmetry: Symmetry
    seeds: tuple[int, ...]


class Fitted(NamedTuple):
    """The result of a fit.

    numbers  -- the weights, in the order of the kernel
    losses   -- of steps, value and owners, on held-out samples; without any, on training samples
    samples  -- the number of training samples
    held_out -- the number of held-out samples
    steps    -- the number of optimizer steps
    drawn    -- the samples drawn in these steps, with repetition
    seconds  -- the time, including that for making samples and compiling
    """

    numbers: NDArray[np.float32]
    losses: tuple[float, float, float]
    samples: int
    held_out: int
    steps: int
    drawn: int
    seconds: float

    @property
    def epochs(self) -> float:
        """The number of passes over the samples."""
        return self.drawn / self.samples


class Fit:
    """A fit in progress. Its file keeps the state, so an interrupted fit can continue."""

    def __init__(
        self,
        samples: list[SampleSet],
        shape: NetShape,
        numbers: NDArray[np.float32] | None,
        course: FitOptions,
        path: Path,
        began: float | None = None,
    ) -> None:
        """Continue the fit in the file; otherwise begin with `numbers`, or with a new net.

        began -- the monotonic time of the start; the seconds include the making of samples
        """
        self._samples = samples
        self._shape = shape
        self._course = course
        self._path = path
        self._training = [np.flatnonzero(~each.held_out) for each in samples]
        self._held_out = [np.flatnonzero(each.held_out) for each in samples]
        self._images = [images_of_places(each.size, course.symmetry) for each in samples]
        rng = np.random.default_rng(course.seeds)
        begin = new(shape, rng) if numbers is None else unpack(numbers, shape, rng)
        weights = {name: jnp.asarray(layer) for name, layer in begin.items()}
        self._optimizer = optax.chain(optax.scale_by_adam(), optax.add_decayed_weights(_DECAY))
        self._state: tuple[NetParameters, Any] = weights, self._optimizer.init(weights)
        self._began = time.monotonic() if began is None else began
        self._steps, self._earlier = 0, 0.0
        self._compiling = 0.0
        self._recent: deque[NDArray[np.float32]] = deque(maxlen=_MOST_REPORTED)  # losses of steps
        self._compiled: set[int] = set()
        self._go_on()
        self._step = jax.jit(self._stepped)

    @property
    def seconds(self) -> float:
        """The time so far. An interrupted fit loses the time since its last save."""
        return self._earlier + time.monotonic() - self._began

    def run(
        self, stopped: Stopped, show: Callable[[FitProgress], None] | None = None
    ) -> Fitted | None:
        """Fit to the end; returns None if stopped, or if there was no time for a step.

        show -- receives the progress every minute

        The time includes compiling. The method reserves time to compile the losses: as much as
        compiling the steps took. It raises Unfit if a step gives numbers that are not finite, or
        weights too large to store. The last save then stays as it was.
        """
        saved = shown = self.seconds
        while (rate := self._rate()) > 0:
            if stopped():
                self.save()
                return None
            self._learn(rate)
            if self.seconds - saved > _SECONDS_BETWEEN_SAVES:
                saved = self.seconds
                self.save()
            if show is not None and self.seconds - shown > _SECONDS_BETWEEN_REPORTS:
                shown = self.seconds
                show(self._progress())
        if not self._steps:
            return None
        samples, held_out = (sum(map(len, each)) for each in (self._training, self._held_out))
        numbers, losses = pack(self._state[0], self._shape), self._losses()
        drawn = self._steps * self._course.batch
        return Fitted(numbers, losses, samples, held_out, self._steps, drawn, self.seconds)

    def _learn(self, rate: np.float32) -> None:
        """Take one optimizer step. The first one on each board size compiles, which is slow."""
        began = time.monotonic()
        which, batch = self._next_batch()
        state, parts = self._step(self._state, batch, rate)
        if not np.isfinite(parts).all():  # waits for the end of the step
            raise Unfit(
                f"step {self._steps + 1} of the fit gives numbers that are not finite; the weights "
                "of before are kept; another training, with a lower --rate, may go further"
            )
        self._state = state
        self._recent.append(np.asarray(parts))
        self._steps += 1
        if which not in self._compiled:
            self._compiled.add(which)
            self._compiling += time.monotonic() - began

    def _progress(self) -> FitProgress:
        """The progress since the last report. The call begins the next report."""
        spent, most = self.seconds, self._most_steps
        in_time = self._course.seconds - spent - self._compiling
        in_steps = (most - self._steps) * spent / self._steps
        steps, value, owners = np.mean(self._recent, axis=0)
        self._recent.clear()
        losses = float(steps), float(value), float(owners)
        return FitProgress(self._steps, most, losses, min(in_time, in_steps))

    def save(self) -> None:
        """Store the state of the fit. Raises OSError."""
        flat = np.asarray(ravel_pytree(self._state)[0], np.float32)
        write_stored(self._path, KIND, VERSION, self._facts(), flat.tobytes())

    def _facts(self) -> dict[str, Any]:
        seeds = list(self._course.seeds)
        return {"seeds": seeds, "steps": self._steps, "seconds": round(self.seconds, 1)}

    def _go_on(self) -> None:
        """Load the state if the file belongs to this fit."""
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
        return math.ceil(course.epochs * sum(map(len, self._training)) / course.batch)

    def _rate(self) -> np.float32:
        """The current learning rate as a part of the highest; 0 at the end."""
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
        """A batch, after the number of its sample set. The step number determines both."""
        rng = np.random.default_rng((*self._course.seeds, self._steps))
        counts = np.array([len(each) for each in self._training], float)
        which = int(rng.choice(len(counts), p=counts / counts.sum()))
        chosen = rng.choice(self._training[which], self._course.batch)
        image = self._images[which][rng.integers(len(self._images[which]))]
        return which, make_batch(self._samples[which], chosen, image)

    def _stepped(
        self, state: tuple[NetParameters, Any], batch: Batch, rate: float
    ) -> tuple[tuple[NetParameters, Any], jax.Array]:
        weights, moments = state
        (_, parts), slope = jax.value_and_grad(loss, has_aux=True)(weights, batch)
        changes, moments = self._optimizer.update(slope, moments, weights)
        changes = jax.tree.map(lambda change: -rate * self._course.rate * change, changes)
        state = optax.apply_updates(weights, changes), moments
        return state, jnp.where(_sound(*state), parts, jnp.nan)

    def _losses(self) -> tuple[float, float, float]:
        """Mean losses over some batches of held-out samples; without any, of training samples."""
        parts_of = jax.jit(lambda weights, batch: loss(weights, batch)[1])
        size, sums, count = self._course.batch, np.zeros(3), 0
        judged = self._held_out if any(map(len, self._held_out)) else self._training
        for samples, chosen, images in zip(self._samples, judged, self._images):
            batches = min(math.ceil(len(chosen) / size), _BATCHES_TO_JUDGE)
            for part in np.resize(chosen, batches * size).reshape(batches, size):
                batch = make_batch(samples, part, images[0])
                sums += np.asarray(parts_of(self._state[0], batch))
                count += 1
        steps, value, owners = sums / count
        return float(steps), float(value), float(owners)


def _sound(weights: NetParameters, moments: Any) -> jax.Array:
    """Return whether all numbers are finite and all weights small enough to store."""
    storable = jnp.abs(ravel_pytree(weights)[0]) <= _LARGEST_WEIGHT
    return storable.all() & jnp.isfinite(ravel_pytree(moments)[0]).all()
