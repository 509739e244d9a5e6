"""Fits a net to samples with AdamW. The learning rate rises quickly and then follows a cosine down.

Each batch is in a random image of the board. Half of it teaches the policy, the other half the
value and the owners: see network.loss.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.flatten_util import ravel_pytree
from numpy.typing import NDArray

from gtp_engine.learn.game_in_progress import Stopped
from gtp_engine.learn.network import NetParameters, NetShape, judge, loss, new, pack, unpack
from gtp_engine.learn.plan import Unfit
from gtp_engine.learn.progress import FitProgress
from gtp_engine.learn.samples import Batch, SampleSet, images_of_places, make_batch
from gtp_engine.rules.points.symmetry import Symmetry
from gtp_engine.search.data_file import UnusableFile, read_stored, write_stored

KIND, VERSION = "fit", 1

# The most bytes of the file: a fit of the largest net has 8 MiB.
_LARGEST = 2**25

_CACHE = "jax_compilation_cache_dir"
_SHORTEST_KEPT = "jax_persistent_cache_min_compile_time_secs"

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
_BATCHES_TO_JUDGE = 16

# The result of a drawn game.
_DRAWN = 0.5


def keep_compilations(folder: Path) -> None:
    """Let JAX keep what it compiles, for all fits of this process and of later ones.

    A folder that JAX has already, by its environment variable, stays.
    """
    if not getattr(jax.config, _CACHE):
        for name, value in ((_CACHE, str(folder)), (_SHORTEST_KEPT, 0)):
            jax.config.update(name, value)  # type: ignore[no-untyped-call]


class FitOptions(NamedTuple):
    """The options of a fit.

    seconds  -- the longest time of the steps
    whole    -- the longest time of everything: samples, compilation, steps, losses
    least    -- the fewest steps of a net that is of use
    epochs   -- the most passes over the positions with a full search
    rate     -- the highest learning rate
    batch    -- the samples in each step of the optimizer, at least 2
    symmetry -- the symmetry of the game
    seeds    -- the seeds of all random choices
    """

    seconds: float
    whole: float
    least: int
    epochs: float
    rate: float
    batch: int
    symmetry: Symmetry
    seeds: tuple[int, ...]


class Judged(NamedTuple):
    """How good a net is on some samples with a full search.

    losses -- of steps, value and owners
    steps  -- the share of samples whose most probable step has the most visits
    value  -- the share of samples whose later winner has the better chance; draws do not count
    """

    losses: tuple[float, float, float]
    steps: float
    value: float


class Fitted(NamedTuple):
    """The result of a fit.

    numbers  -- the weights, in the order of the kernel
    judged   -- how good the net is on the samples that measure it; without any, on training samples
    samples  -- the number of training samples
    searched -- the number of them with a full search
    steps    -- the number of optimizer steps
    epochs   -- the number of passes over the samples with a full search
    held_out -- the number of samples that measure the net
    seconds  -- the whole time, with that of samples and of compiling
    """

    numbers: NDArray[np.float32]
    judged: Judged
    samples: int
    searched: int
    steps: int
    epochs: float
    held_out: int
    seconds: float


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
        measuring: Sequence[SampleSet] = (),
        storing: Callable[[Callable[[], None]], None] = lambda work: work(),
    ) -> None:
        """Continue the fit in the file; otherwise begin with `numbers`, or with a new net.

        measuring -- the samples with a full search that measure the net
        storing   -- does the work of writing the file
        began     -- the monotonic time of the start; `seconds` includes the making of samples
        """
        self._samples = samples
        self._shape = shape
        self._course = course
        self._path = path
        self._images = [images_of_places(each.size, course.symmetry) for each in samples]
        self._training = [each.numbers(held_out=False) for each in samples]
        self._searched = [each.numbers(held_out=False, searched=True) for each in samples]
        self._measuring, self._storing = measuring, storing
        rng = np.random.default_rng(course.seeds)
        begin = new(shape, rng) if numbers is None else unpack(numbers, shape, rng)
        weights = {name: jnp.asarray(layer) for name, layer in begin.items()}
        self._optimizer = optax.chain(optax.scale_by_adam(), optax.add_decayed_weights(_DECAY))
        self._state: tuple[NetParameters, Any] = weights, self._optimizer.init(weights)
        self._began = time.monotonic() if began is None else began
        self._steps, self._earlier = 0, 0.0
        self._compiling = self._learning = 0.0
        self._recent: deque[NDArray[np.float32]] = deque(maxlen=_MOST_REPORTED)  # losses of steps
        self._compiled: set[int] = set()
        self._lock = threading.Lock()  # of the state, its steps and its times
        self._load()
        self._step = jax.jit(self._stepped)

    @property
    def steps(self) -> int:
        """The steps so far, with those of earlier runs."""
        return self._steps

    @property
    def seconds(self) -> float:
        """The time so far. An interrupted fit loses the time since its last save."""
        return self._earlier + time.monotonic() - self._began

    @property
    def _policy_samples(self) -> int:
        """The samples of each step that teach the policy."""
        return self._course.batch // 2

    def run(
        self, stopped: Stopped, show: Callable[[FitProgress], None] | None = None
    ) -> Fitted | None:
        """Fit to the end; returns None if that comes too early, and stores the steps so far.

        show -- receives the progress every minute

        It comes too early if the fit is stopped, or if the whole time ends before the least number
        of steps. The method reserves whole time to compile the losses: as much as compiling the
        steps took. It raises Unfit if a step gives numbers that are not finite, or weights too
        large to store. The last save then stays as it was.
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
        if self._steps < self._course.least and self._out_of_time:
            self.save()
            return None
        numbers, judged = pack(self._state[0], self._shape), self._judged()
        samples, searched = (sum(map(len, each)) for each in (self._training, self._searched))
        held_out = sum(len(each.values) for each in self._measuring)
        epochs = self._steps * self._policy_samples / searched
        return Fitted(
            numbers, judged, samples, searched, self._steps, epochs, held_out, self.seconds
        )

    def _learn(self, rate: np.float32) -> None:
        """Take one optimizer step. The first one on each board size compiles, which is slow."""
        began = time.monotonic()
        which, batch = self._next_batch()
        if self._steps and which not in self._compiled:
            self.save()  # nothing can be done for a process that ends while JAX compiles
        state, parts = self._step(self._state, batch, np.float32(rate * self._course.rate))
        if not np.isfinite(parts).all():  # waits for the end of the step
            raise Unfit(
                f"step {self._steps + 1} of the fit gives numbers that are not finite; the weights "
                "of before are kept; another training, with a lower --rate, may go further"
            )
        took = time.monotonic() - began
        with self._lock:
            self._state = state
            self._steps += 1
            if which in self._compiled:
                self._learning += took
            else:
                self._compiled.add(which)
                self._compiling += took
        self._recent.append(np.asarray(parts))

    def _progress(self) -> FitProgress:
        """The progress since the last report. The call begins the next report."""
        most = self._most_steps
        left = min(
            self._allowed - self._learning, (most - self._steps) * self._learning / self._steps
        )
        steps, value, owners = np.mean(self._recent, axis=0)
        self._recent.clear()
        return FitProgress(self._steps, most, (float(steps), float(value), float(owners)), left)

    def save(self) -> None:
        """Store the state after the last step, also from another thread. Raises OSError."""
        with self._lock:
            # Without JAX, which may be busy: the order is that of ravel_pytree.
            parts = (np.asarray(part, np.float32) for part in jax.tree.leaves(self._state))
            facts, content = self._facts(), b"".join(part.tobytes() for part in parts)
            self._storing(lambda: self._write(facts, content))

    def _write(self, facts: dict[str, Any], content: bytes) -> None:
        write_stored(self._path, KIND, VERSION, facts, content, largest=_LARGEST)

    def _facts(self) -> dict[str, Any]:
        seeds = list(self._course.seeds)
        times = {"seconds": round(self.seconds, 1), "learning": round(self._learning, 1)}
        return {"seeds": seeds, "steps": self._steps, **times}

    def _load(self) -> None:
        """Load the state if the file belongs to this fit."""
        flat, to_state = ravel_pytree(self._state)
        try:
            facts, payload = read_stored(self._path, KIND, VERSION, largest=_LARGEST)
        except UnusableFile:
            return
        known = np.frombuffer(payload, np.float32)
        if facts.keys() != self._facts().keys():  # of another version
            return
        if facts["seeds"] == list(self._course.seeds) and known.shape == flat.shape:
            self._state = to_state(jnp.asarray(known, flat.dtype))
            self._steps, self._earlier = facts["steps"], facts["seconds"]
            self._learning = facts["learning"]

    @property
    def _most_steps(self) -> int:
        samples = sum(map(len, self._searched))
        return math.ceil(self._course.epochs * samples / self._policy_samples)

    @property
    def _allowed(self) -> float:
        """The seconds of all steps: those of the options, unless the whole time ends before."""
        left = self._course.whole - self.seconds - self._compiling
        return min(self._course.seconds, self._learning + left)

    @property
    def _out_of_time(self) -> bool:
        """Whether the whole time ends the fit, and not the time of its steps."""
        return self._learning < self._course.seconds and self._steps < self._most_steps

    def _rate(self) -> np.float32:
        """The current learning rate as a part of the highest; 0 at the end."""
        most, allowed = self._most_steps, self._allowed
        if self._learning >= allowed or self._steps >= most:
            return np.float32(0)
        in_time, in_steps = self._learning / allowed, self._steps / most
        done = in_steps if in_time < _UNHURRIED else max(in_time, in_steps)
        fall = (1 + math.cos(math.pi * done)) / 2
        rising = min(_RISING_STEPS, _RISING_PART * most)
        rise = min(1.0, _LOWEST_RATE + self._steps / rising)
        return np.float32(rise * (_LOWEST_RATE + (1 - _LOWEST_RATE) * fall))

    def _next_batch(self) -> tuple[int, Batch]:
        """A batch, after the number of its sample set. The step number determines both."""
        rng = np.random.default_rng((*self._course.seeds, self._steps))
        counts = np.array([len(each) for each in self._searched], float)
        which = int(rng.choice(len(counts), p=counts / counts.sum()))
        halves = self._searched[which], self._training[which]
        chosen = np.concatenate([rng.choice(each, self._policy_samples) for each in halves])
        image = self._images[which][rng.integers(len(self._images[which]))]
        return which, make_batch(self._samples[which], chosen, image)

    def _stepped(
        self, state: tuple[NetParameters, Any], batch: Batch, rate: float
    ) -> tuple[tuple[NetParameters, Any], jax.Array]:
        weights, moments = state
        (_, parts), slope = jax.value_and_grad(loss, has_aux=True)(weights, batch)
        changes, moments = self._optimizer.update(slope, moments, weights)
        changes = jax.tree.map(lambda change: -rate * change, changes)
        state = optax.apply_updates(weights, changes), moments
        return state, jnp.where(_sound(*state), parts, jnp.nan)

    def _judged(self) -> Judged:
        """How good the net is, over some batches of the samples that measure it."""
        look = jax.jit(judge)
        parts, right, winners = [], [], []
        for batch, results in self._batches_to_judge():
            losses, best, chances = look(self._state[0], batch)
            parts.append(np.asarray(losses))
            right.append(np.asarray(best))
            decided = results != _DRAWN
            winners.append((np.asarray(chances) > 0)[decided] == (results > _DRAWN)[decided])
        steps, value, owners = np.mean(parts, axis=0)
        known = np.concatenate(winners)
        share = float(known.mean()) if len(known) else _DRAWN
        losses = float(steps), float(value), float(owners)
        return Judged(losses, float(np.concatenate(right).mean()), share)

    def _batches_to_judge(self) -> Iterator[tuple[Batch, NDArray[np.float32]]]:
        """Batches whose halves are the same samples, with the results of the games of a half."""
        sets: Sequence[SampleSet] = self._measuring or self._samples
        size = self._policy_samples
        for samples in sets:
            chosen = samples.numbers(held_out=bool(self._measuring), searched=True)
            image = images_of_places(samples.size, self._course.symmetry)[0]
            batches = min(math.ceil(len(chosen) / size), _BATCHES_TO_JUDGE)
            for half in np.resize(chosen, batches * size).reshape(batches, size):
                yield (
                    make_batch(samples, np.concatenate([half, half]), image),
                    samples.results[half],
                )


def _sound(weights: NetParameters, moments: Any) -> jax.Array:
    """Return whether all numbers are finite and all weights small enough to store."""
    storable = jnp.abs(ravel_pytree(weights)[0]) <= _LARGEST_WEIGHT
    return storable.all() & jnp.isfinite(ravel_pytree(moments)[0]).all()
