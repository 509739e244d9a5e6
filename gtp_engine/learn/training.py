"""Training: generations of self-play, each with the net of the generation before.

All progress reaches the disk within seconds, so an interrupted training continues from there. Games
come from other processes, on this machine or on a cluster, and are stored here: see
selfplay.GameSource.
"""

import time
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np

from gtp_engine.base.numbers import number_of
from gtp_engine.learn.fitting import Fit, FitOptions, Fitted
from gtp_engine.learn.game_in_progress import Stopped
from gtp_engine.learn.game_records import GamesFile, join_games, records
from gtp_engine.learn.network import NetShape
from gtp_engine.learn.plan import PLAYER, Folder, Plan, TrainingProgress, Unfit
from gtp_engine.learn.samples import SampleSet, TargetSources, gather
from gtp_engine.learn.selfplay import GameSource, SelfplayJob
from gtp_engine.learn.telling import FitProgress, SelfplayPace
from gtp_engine.rules import find_game
from gtp_engine.search.backends.kernel import new_net
from gtp_engine.search.data_file import UnusableFile
from gtp_engine.search.options import isa_in_use
from gtp_engine.search.weights import (
    LONGEST_NAME,
    NONE,
    Weights,
    read_weights,
    write_weights,
)

# A last generation with less than this part of its time would gain little, so it is left out.
_LEAST_PART = 0.1

_SECONDS_BETWEEN_LOOKS = 0.5
_SECONDS_BETWEEN_SAVES = 5.0
_SECONDS_BETWEEN_REPORTS = 60.0


class GivenNets(NamedTuple):
    """The nets that a training is given.

    first   -- the initial weights, of the plan's game and shape, or None
    teacher -- the teacher, if the plan has the mark of its weights, or None
    """

    first: Weights | None = None
    teacher: Weights | None = None


class TrainingLimits(NamedTuple):
    """The limits of a training.

    hours       -- the total hours since the first start, whatever the program does
    began       -- the monotonic time at which this run began
    generations -- the most generations; None for no limit
    memory_mb   -- the memory for samples
    """

    hours: float
    generations: int | None
    memory_mb: int
    began: float


class Training:
    """A training in its own folder."""

    def __init__(
        self,
        kernel: ModuleType,
        plan: Plan,
        nets: GivenNets,
        folder: Folder,
        bounds: TrainingLimits,
        players: GameSource,
        tell: Callable[[str], None],
        stopped: Stopped,
    ) -> None:
        """Open the folder. Raises Unfit if it holds another training, and OSError.

        players -- the source of games
        tell    -- receives progress reports
        """
        self._kernel = kernel
        self._folder = folder
        self._bounds = bounds
        self._players = players
        self._tell = tell
        self._stopped = stopped
        self._plan, self._progress = folder.begin(plan)
        self._nets = nets
        self._mark = bounds.began  # all time before it is counted

    @property
    def finished(self) -> int:
        """The number of complete generations."""
        return self._progress.generation - 1

    @property
    def hours(self) -> float:
        """The hours so far, without the fit in progress."""
        return (self._progress.before + self._progress.playing) / 3600

    def run(self) -> None:
        """Make generations up to the limits, or until stopped.

        Raises Unfit if the games hold no samples, UnusableFile and OSError.
        """
        self._last()  # refuse damaged weights, even if no work is left
        if self._seconds() > 0:
            self._replace_damaged_games()
        while not self._stopped() and (seconds := self._seconds()) > 0:
            if not self._progress.played:
                if self._plan.learn_from and not self.finished:
                    self._take_games()
                else:
                    self._play(seconds * self._plan.playing)
            if self._progress.played and self._fit(seconds):
                continue
            if not self._stopped():
                self._tell(
                    f"generation {self._progress.generation}: the hours ended before a first step "
                    "of the fit; with more --hours the same command goes on"
                )
            return

    @property
    def _left(self) -> float:
        """The seconds left of the total hours."""
        progress = self._progress
        return self._bounds.hours * 3600 - progress.before - progress.playing

    def _seconds(self) -> float:
        """The seconds for the next generation; 0 if there is none."""
        whole, generation = self._plan.minutes * 60, self._progress.generation
        left = self._left + self._progress.playing
        most = self._bounds.generations
        if (most is not None and generation > most) or left <= 0:
            return 0.0
        if generation > 1 and left < whole * _LEAST_PART and not self._progress.playing:
            return 0.0
        return min(whole, left)

    def _play(self, seconds: float) -> None:
        progress, players = self._progress, self._players
        job = self._job(progress.generation)
        games = GamesFile(self._folder.games(progress.generation), self._plan.games)
        if games.damaged:
            self._tell_damage(progress.generation, games)
            games.set_damaged_aside()
        began = told = saved = self._mark
        end = began + seconds - progress.playing
        # Games in progress may finish until half of the fit's share of the hours is used.
        whole = self._left
        last = began + whole * (1 + self._plan.playing) / 2
        said = f"generation {progress.generation}: "
        pace = SelfplayPace(games.count, self._plan.games, began)
        players.begin(job, games)
        self._tell(f"{said}self-play, {number_of(games.count, 'game')} so far; {players.shown}")
        while True:
            now = time.monotonic()
            stopped = self._stopped() or now > last
            over = stopped or (now >= end and games.count > 0)
            if stopped:
                players.stop()
            elif not over:
                players.fill()
            if not players.busy and (over or games.complete):
                break
            for game in players.collect(_SECONDS_BETWEEN_LOOKS):
                games.add(game)
            if now - saved > _SECONDS_BETWEEN_SAVES:
                saved = now
                self._save(progress._replace(playing=progress.playing + now - began))
            if now - told > _SECONDS_BETWEEN_REPORTS:
                told = now
                left = max(0.0, end - now), self._until_end(whole - (now - began), end - now)
                self._tell(f"{said}{pace.told(games.count, now, *left)}; {players.shown}")
        players.rest()
        self._mark = time.monotonic()
        taken = progress.playing + self._mark - began
        self._save(progress._replace(playing=taken, played=games.count > 0 and not self._stopped()))
        self._tell(f"{said}{number_of(games.count, 'game')}, {taken / 60:.1f} minutes")

    def _take_games(self) -> None:
        """Take the games of the first generation from the files of the plan."""
        path, sources = self._folder.games(1), [Path(name) for name in self._plan.learn_from]
        count, damaged = join_games(self._plan.game, sources, path)
        self._save(self._progress._replace(played=True))
        said = f"generation 1: {number_of(count, 'game')} of {number_of(len(sources), 'file')}"
        left_out = f"; {number_of(damaged, 'damaged line')} left out" if damaged else ""
        self._tell(said + left_out)

    def _replace_damaged_games(self) -> None:
        """Play games again whose lines are damaged, so that the next fit has as many as before.

        The generation in progress gets its games with the others: see `_play`.
        """
        current = self._progress.generation
        for generation in range(max(1, current - self._plan.window + 1), current + 1):
            games = GamesFile(self._folder.games(generation), None)
            if games.damaged and (self._progress.played or generation < current):
                self._tell_damage(generation, games)
                self._play_damaged(generation, games)

    def _play_damaged(self, generation: int, games: GamesFile) -> None:
        games.wanted = games.count + games.damaged
        self._players.begin(self._job(generation), games)
        while not (games.complete or self._stopped()):
            self._players.fill()
            for game in self._players.collect(_SECONDS_BETWEEN_LOOKS):
                games.add(game)
        self._players.rest()
        if games.complete:
            games.set_damaged_aside()

    def _tell_damage(self, generation: int, games: GamesFile) -> None:
        path = self._folder.games(generation)
        lines = number_of(games.damaged, "damaged line")
        self._tell(f"{path} has {lines}, which other games replace; {path.name}.damaged keeps them")

    def _until_end(self, hours: float, selfplay: float) -> float:
        """The estimated seconds until the training ends.

        hours    -- the seconds left of the total hours
        selfplay -- the seconds left for self-play; negative if they are over
        """
        most = self._bounds.generations
        if most is None:
            return max(0.0, hours)
        whole = self._plan.minutes * 60
        each = self._progress.before / self.finished if self.finished else whole
        fit = whole * (1 - self._plan.playing)
        return max(0.0, min(hours, max(0.0, selfplay) + fit + (most - self.finished - 1) * each))

    def _save(self, progress: TrainingProgress) -> None:
        self._progress = progress
        self._folder.save(progress)

    def _last(self) -> Weights | None:
        """The weights of the last generation, or the initial ones. Raises Unfit."""
        return self._weights_for(self.finished + 1)

    def _weights_for(self, generation: int) -> Weights | None:
        """The weights that play the games of a generation. Raises Unfit."""
        if generation == 1:
            return self._nets.first
        path = self._folder.weights(generation - 1)
        try:
            return read_weights(path)
        except UnusableFile as problem:
            raise Unfit(str(problem)) from None

    def _job(self, generation: int) -> SelfplayJob:
        """The job of a generation. Raises Unfit."""
        plan, weights = self._plan, self._weights_for(generation)
        seed = f"{plan.seed} {generation}"
        net = None if weights is None else weights._replace(facts={})
        return SelfplayJob(plan.game, plan.boards, seed, plan.effort(net is not None), net)

    def _teacher(self) -> Weights | None:
        """The teacher of the current generation's fit; None for none. Raises Unfit."""
        if self._plan.teacher == PLAYER:
            return self._last()
        return self._nets.teacher

    def _samples(self, teacher: Weights | None) -> list[SampleSet]:
        """The samples of the newest games; empty if stopped. Raises Unfit if there are none."""
        plan, progress = self._plan, self._progress
        generation = progress.generation
        newest_first = range(generation, max(0, generation - plan.window), -1)
        games = chain.from_iterable(records(self._folder.games(each)) for each in newest_first)
        # Samples get half of the memory, because building them needs copies of the arrays.
        most = self._bounds.memory_mb * 2**20 // 2
        net = None
        if teacher is not None:
            net = new_net(self._kernel, isa_in_use(self._kernel), teacher)
        sources = TargetSources(net, plan.playouts or 0)
        samples = gather(self._kernel, games, most, sources, self._stopped)
        if self._stopped():
            return []
        count = sum(len(each.numbers(held_out=False)) for each in samples)
        full = sum(len(each.numbers(held_out=False, searched=True)) for each in samples)
        if not full:
            self._save(
                TrainingProgress(generation, progress.before + progress.playing, progress.games)
            )
            raise Unfit(f"the games of generation {generation} hold nothing to learn from")
        said = f"generation {generation}: learning from {number_of(count, 'position')}"
        if teacher is not None:
            said += f", {full:,} with a full search; the teacher is {teacher.mark}"
        self._tell(said)
        return samples

    def _fit(self, seconds: float) -> bool:
        """Fit the net to the games; returns False if there was no time, or the fit was stopped."""
        plan, progress = self._plan, self._progress
        generation = progress.generation
        if self._left <= time.monotonic() - self._mark:
            return False
        teacher = self._teacher()
        samples = self._samples(teacher)
        if not samples:
            return False
        inputs, whole, outputs = self._kernel.shape(plan.game)
        shape = NetShape(inputs, whole, plan.channels, plan.blocks, outputs)
        last = self._last()
        numbers = None if last is None else np.frombuffer(last.numbers, np.float32)
        course = FitOptions(
            min(max(seconds - progress.playing, seconds * (1 - plan.playing)), self._left),
            plan.epochs,
            plan.rate,
            plan.batch,
            find_game(plan.game).symmetry,
            (plan.seed, generation),
        )
        fit = Fit(samples, shape, numbers, course, self._folder.fit, self._mark)

        def show(found: FitProgress) -> None:
            self._tell(f"generation {generation}: {found}")

        fitted = fit.run(self._stopped, show)
        if fitted is None:
            return False
        self._mark = time.monotonic()
        self._finish(fitted, teacher)
        return True

    def _finish(self, fitted: Fitted, teacher: Weights | None) -> None:
        plan, progress = self._plan, self._progress
        generation = progress.generation
        spent = progress.before + progress.playing + fitted.seconds
        losses = dict(zip(("steps", "value", "owners"), (round(x, 4) for x in fitted.losses)))
        games = progress.games + GamesFile(self._folder.games(generation), None).count
        path = self._folder.weights(generation)
        name = f"{plan.channels}x{plan.blocks}, generation {generation} of {self._folder.name}"
        write_weights(
            path,
            plan.game,
            plan.channels,
            plan.blocks,
            fitted.numbers.tolist(),
            name=name[:LONGEST_NAME],
            size=plan.size,
            generation=generation,
            games=games,
            hours=round(spent / 3600, 3),
            seed=plan.seed,
            teacher=NONE if teacher is None else teacher.mark,
            held_out=fitted.held_out,
            losses=losses,
            samples=fitted.samples,
            searched=fitted.searched,
            optimizer_steps=fitted.steps,
            epochs=round(fitted.epochs, 3),
        )
        self._save(TrainingProgress(generation + 1, spent, games))
        self._folder.fit.unlink(missing_ok=True)
        said = ", ".join(f"{name} {loss}" for name, loss in losses.items())
        learned = f"{number_of(fitted.steps, 'step')}, {fitted.epochs:.3g} epochs"
        self._tell(
            f"generation {generation}: {path}; {learned}; losses: {said}; {spent / 3600:.2f} hours"
        )
