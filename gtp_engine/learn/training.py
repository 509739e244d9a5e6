"""Training: generations of self-play, each with the net of the generation before.

All progress reaches the disk within seconds, so an interrupted training continues from there. Games
come from other processes, on this machine or on a cluster, and are stored here: see
players.GameSource.
"""

import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from gtp_engine.base.files import sentence_of
from gtp_engine.base.numbers import number_of
from gtp_engine.base.retrying import Patience
from gtp_engine.learn.fitting import Fit, FitOptions, Fitted, keep_compilations
from gtp_engine.learn.game_in_progress import Stopped
from gtp_engine.learn.game_records import (
    GamesFile,
    SelfplayGame,
    games_in,
    held_out,
    join_games,
    records,
)
from gtp_engine.learn.gate_match import GateMatch
from gtp_engine.learn.gate_match import told as gate_told
from gtp_engine.learn.network import NetShape
from gtp_engine.learn.plan import PLAYER, Folder, Plan, TrainingProgress, Unfit
from gtp_engine.learn.players import GameSource
from gtp_engine.learn.playouts import KnownPlayouts
from gtp_engine.learn.progress import FitProgress, SelfplayPace
from gtp_engine.learn.record import add_generation
from gtp_engine.learn.samples import SampleSet, TargetSources, gather
from gtp_engine.learn.selfplay import Rival, SelfplayJob
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

# This part of the hours that are left is kept for the gate, when a fit begins.
_GATE_PART = 0.1

_NO_STEP = "before a first step of the fit"

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
    began       -- the monotonic time at which this run began, with the kernel there
    generations -- the most generations; None for no limit
    memory_mb   -- the memory for samples
    """

    hours: float
    generations: int | None
    memory_mb: int
    began: float


_Stored = TypeVar("_Stored")

_FULL = {errno.ENOSPC, errno.EDQUOT}


class Storing:
    """Does the work of writing a file, again and again while the disk is full."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience

    def __call__(self, work: Callable[[], _Stored]) -> _Stored:
        """The result of the work. Raises Outlasted if the disk stays full, and other OSErrors."""
        while True:
            try:
                found = work()
            except OSError as error:
                if error.errno not in _FULL:
                    raise
                # What to do, the second part of the sentence, is no news to who waits for it.
                self._patience.wait(sentence_of(error).partition("; ")[0])
            else:
                self._patience.over("the files are written again")
                return found


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
        storing: Storing,
    ) -> None:
        """Open the folder. Raises Unfit if it holds another training, and OSError.

        players -- the source of games
        tell    -- receives progress reports
        storing -- writes files, and waits while the disk is full
        """
        self._kernel = kernel
        self._folder = folder
        self._bounds = bounds
        self._players = players
        self._tell = tell
        self._stopped = stopped
        self._storing = storing
        self._plan, self._progress = folder.begin(plan)
        self._nets = nets
        self._mark = bounds.began  # all time before it is counted
        self._processor = _processor_seconds()  # as counted so far
        self._fit_in_progress: Fit | None = None
        keep_compilations(folder.compiled)

    @property
    def finished(self) -> int:
        """The number of complete generations."""
        return self._progress.generation - 1

    @property
    def player(self) -> int:
        """The newest generation whose net plays; 0 if none does."""
        return self._progress.player(self._progress.generation)

    @property
    def player_before(self) -> int:
        """The generation whose net played before the player's; 0 if none did."""
        return self._progress.player(self.player) if self.player else 0

    @property
    def hours(self) -> float:
        """The hours so far, without the fit in progress."""
        return self._progress.spent / 3600

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
            if not self._progress.played:
                self._tell_end(_NO_STEP)
                return
            if not (self._progress.fitted or self._fit(seconds)):
                return
            if self._progress.fitted and not self._pass_gate():
                return

    def keep(self) -> None:
        """Store what only memory has: the steps of a fit in progress. For any thread."""
        if self._fit_in_progress is not None:
            self._fit_in_progress.save()

    @property
    def _left(self) -> float:
        """The seconds left of the total hours."""
        return self._bounds.hours * 3600 - self._progress.spent

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
                self._storing(partial(games.add, game))
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
        before = games.count
        games.wanted = before + games.damaged
        self._players.begin(self._job(generation), games)
        while not (games.complete or self._stopped()):
            self._players.fill()
            for game in self._players.collect(_SECONDS_BETWEEN_LOOKS):
                self._storing(partial(games.add, game))
        self._players.rest()
        # What is replaced goes aside also after a stop, else the next start would replace it again.
        games.set_damaged_aside(games.count - before)

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
        """Store the progress, with the processor time since the last call."""
        used = _processor_seconds()
        same = progress.generation == self._progress.generation
        before = self._progress.processor if same else 0.0
        processor = round(before + used - self._processor, 2)
        self._processor, self._progress = used, progress._replace(processor=processor)
        self._storing(partial(self._folder.save, self._progress))

    def _last(self) -> Weights | None:
        """The weights that play this generation's games. Raises Unfit."""
        return self._weights_for(self._progress.generation)

    def _weights_for(self, generation: int) -> Weights | None:
        """The weights that play the games of a generation. Raises Unfit."""
        player = self._progress.player(generation)
        if not player:
            return self._nets.first
        return self._read(player)

    def _read(self, generation: int) -> Weights:
        """The weights of a generation. Raises Unfit."""
        try:
            return read_weights(self._folder.weights(generation))
        except UnusableFile as problem:
            raise Unfit(str(problem)) from None

    def _job(self, generation: int) -> SelfplayJob:
        """The job of a generation. Raises Unfit."""
        plan, weights = self._plan, self._weights_for(generation)
        seed = f"{plan.seed} {generation}"
        net = _bare(weights)
        return SelfplayJob(plan.game, plan.boards, seed, plan.effort(net is not None), net)

    def _teacher(self) -> Weights | None:
        """The teacher of the current generation's fit; None for none. Raises Unfit."""
        if self._plan.teacher == PLAYER:
            return self._last()
        return self._nets.teacher

    def _measuring(self, playouts: KnownPlayouts | None) -> list[SampleSet]:
        """The samples that measure the nets of all generations: held-out ones of the first."""
        path, most = self._folder.games(1), self._bounds.memory_mb * 2**20 // 4
        games = (each for each in games_in(path, self._plan.game) if held_out(each))
        sources = TargetSources(None, playouts)
        return gather(self._kernel, games, most, sources, self._stopped)

    def _counted(self, games: Iterable[SelfplayGame], said: str) -> Iterator[SelfplayGame]:
        """The games; every minute the number so far is told."""
        told = time.monotonic()
        for count, game in enumerate(games):
            if (now := time.monotonic()) - told > _SECONDS_BETWEEN_REPORTS:
                told = now
                self._tell(f"{said} {number_of(count, 'game')} so far")
            yield game

    def _samples(self, teacher: Weights | None, playouts: KnownPlayouts | None) -> list[SampleSet]:
        """The samples of the newest games; empty if stopped. Raises Unfit if there are none."""
        plan, progress = self._plan, self._progress
        generation = progress.generation
        newest_first = range(generation, max(0, generation - plan.window), -1)
        newest = chain.from_iterable(records(self._folder.games(each)) for each in newest_first)
        self._tell(f"generation {generation}: making samples of the newest games")
        games = self._counted(newest, f"generation {generation}: samples of")
        # Samples get half of the memory, because building them needs copies of the arrays.
        most = self._bounds.memory_mb * 2**20 // 2
        net = None
        if teacher is not None:
            net = new_net(self._kernel, isa_in_use(self._kernel), teacher)
        sources = TargetSources(net, playouts)
        samples = gather(self._kernel, games, most, sources, self._stopped)
        if self._stopped():
            return []
        count = sum(len(each.numbers(held_out=False)) for each in samples)
        full = sum(len(each.numbers(held_out=False, searched=True)) for each in samples)
        if not full:
            self._save(progress._replace(before=progress.spent, playing=0.0, played=False))
            raise Unfit(f"the games of generation {generation} hold nothing to learn from")
        said = f"generation {generation}: learning from {number_of(count, 'position')}"
        if teacher is not None:
            said += f", {full:,} with a full search; the teacher is {teacher.mark}"
        self._tell(said)
        return samples

    def _fit(self, seconds: float) -> bool:
        """Fit the net to the games; returns False if there was no time, or the fit was stopped."""
        plan, progress = self._plan, self._progress
        generation, least = progress.generation, plan.least_steps or 1
        if self._left <= time.monotonic() - self._mark:
            self._tell_end(_NO_STEP)
            return False
        teacher = self._teacher()
        playouts = KnownPlayouts(plan.playouts, self._folder.playouts) if plan.playouts else None
        samples = self._samples(teacher, playouts)
        measuring = self._measuring(playouts)
        if not samples or self._stopped():
            return False
        if playouts is not None:
            self._storing(playouts.write)
        inputs, whole, outputs = self._kernel.shape(plan.game)
        shape = NetShape(inputs, whole, plan.channels, plan.blocks, outputs)
        last = self._last()
        numbers = None if last is None else np.frombuffer(last.numbers, np.float32)
        course = FitOptions(
            max(seconds - progress.playing, seconds * (1 - plan.playing)),
            self._left * (1 - _GATE_PART) if plan.gate else self._left,
            least,
            plan.epochs,
            plan.rate,
            plan.batch,
            find_game(plan.game).symmetry,
            (plan.seed, generation),
        )
        fit = Fit(
            samples, shape, numbers, course, self._folder.fit, self._mark, measuring, self._storing
        )
        if fit.steps:
            self._tell(f"generation {generation}: the fit goes on after step {fit.steps:,}")

        def show(found: FitProgress) -> None:
            self._tell(f"generation {generation}: {found}")

        self._fit_in_progress = fit
        fitted = fit.run(self._stopped, show)
        self._fit_in_progress = None
        if fitted is None:
            ended = f"at step {fit.steps:,} of the fit, of {least:,} that a net needs"
            self._tell_end(ended if fit.steps else _NO_STEP)
            return False
        self._mark = time.monotonic()
        if fitted.steps < least:
            self._keep_player(fitted)
        else:
            self._finish(fitted, teacher)
        return True

    def _tell_end(self, when: str) -> None:
        """Tell that the hours ended in the middle of a generation, unless it was stopped."""
        if not self._stopped():
            self._tell(
                f"generation {self._progress.generation}: the hours ended {when}; with more "
                "--hours the same command goes on"
            )

    def _keep_player(self, fitted: Fitted) -> None:
        """End a generation whose fit was too short: the net of before plays on."""
        plan, progress = self._plan, self._progress
        generation, player = progress.generation, progress.player(progress.generation)
        stays = f"the net of generation {player}" if player else "the first player"
        self._progress = progress._replace(fitting=fitted.seconds)
        self._end_generation(_learned(fitted), plays=False)
        self._tell(
            f"generation {generation}: a fit of {number_of(fitted.steps, 'step')} makes no net, "
            f"which needs --least-steps {plan.least_steps}; {stays} plays on, and the next fit "
            f"has these games, too; --minutes, --playing, --epochs and --batch decide how many "
            "steps there are"
        )

    def _finish(self, fitted: Fitted, teacher: Weights | None) -> None:
        """Write the net. The gate decides whether it plays."""
        plan, progress = self._plan, self._progress
        generation = progress.generation
        progress = progress._replace(fitted=True, fitting=fitted.seconds)
        learned = _learned(fitted)
        games = progress.games + GamesFile(self._folder.games(generation), None).count
        path = self._folder.weights(generation)
        name = f"{plan.channels}x{plan.blocks}, generation {generation} of {self._folder.name}"
        write = partial(
            write_weights,
            path,
            plan.game,
            plan.channels,
            plan.blocks,
            fitted.numbers.tolist(),
            name=name[:LONGEST_NAME],
            size=plan.size,
            generation=generation,
            games=games,
            hours=round(progress.spent / 3600, 3),
            seed=plan.seed,
            teacher=NONE if teacher is None else teacher.mark,
            **learned,
        )
        self._storing(write)
        self._save(progress)
        self._folder.fit.unlink(missing_ok=True)
        said = ", ".join(f"{name} {loss}" for name, loss in learned["losses"].items())
        right = "right: steps {steps:.1%}, winner {value:.1%}".format(**learned["accuracy"])
        steps = f"{number_of(fitted.steps, 'step')}, {fitted.epochs:.3g} epochs"
        hours = f"{progress.spent / 3600:.2f} hours"
        self._tell(f"generation {generation}: {path}; {steps}; losses: {said}; {right}; {hours}")

    def _pass_gate(self) -> bool:
        """Let the new net play against the player, then end the generation.

        Returns False if there was no time, or the gate was stopped.
        """
        generation = self._progress.generation
        facts = self._read(generation).facts
        learned = {name: facts.get(name) for name in _LEARNED}
        if not self._plan.gate:
            self._end_generation(learned, plays=True)
            return True
        gate = self._play_gate(self._plan.gate)
        if gate.passed is None and not self._stopped() and gate.counts.units:
            gate.close()
        if gate.passed is None:
            self._tell_end("before a first pair of the gate")
            return False
        self._tell(f"generation {generation}: gate: {gate_told(gate.facts())}")
        self._end_generation(learned, plays=gate.passed, gate=gate.facts())
        return True

    def _play_gate(self, most: int) -> GateMatch:
        """Play until the match is decided, the hours end, or the training is stopped."""
        plan, progress, players = self._plan, self._progress, self._players
        generation = progress.generation
        path = self._folder.gate(generation)
        games = GamesFile(path, 2 * most)
        if games.damaged:
            games.set_damaged_aside()
        gate = GateMatch(most, games_in(path, plan.game) if path.exists() else ())
        before = self._last()
        rival = Rival(plan.effort(before is not None), _bare(before))
        job = self._job(generation)._replace(
            seed=f"{plan.seed} gate {generation}",
            effort=plan.effort(learned=True),
            weights=_bare(self._read(generation)),
            rival=rival,
        )
        began = told = saved = self._mark
        end = began + self._left
        self._tell(f"generation {generation}: gate of at most {number_of(most, 'pair')} of games")
        players.begin(job, games)
        while gate.passed is None and not self._stopped() and (now := time.monotonic()) < end:
            players.fill()
            for game in players.collect(_SECONDS_BETWEEN_LOOKS):
                self._storing(partial(games.add, game))
                gate.add(game)
            if now - saved > _SECONDS_BETWEEN_SAVES:
                saved = now
                self._save(progress._replace(fitting=progress.fitting + now - began))
            if now - told > _SECONDS_BETWEEN_REPORTS:
                told = now
                self._tell(f"generation {generation}: gate: {gate.counts.units} pairs so far")
        players.rest()
        self._mark = time.monotonic()
        self._save(self._progress._replace(fitting=progress.fitting + self._mark - began))
        return gate

    def _end_generation(
        self, learned: dict[str, Any], plays: bool, gate: dict[str, Any] | None = None
    ) -> None:
        """Add a line to the record, and begin the next generation.

        learned -- what the fit tells of itself
        plays   -- whether this generation's net becomes the player
        gate    -- the result of the gate, if there was one
        """
        self._save(self._progress)
        progress = self._progress
        generation = progress.generation
        count = GamesFile(self._folder.games(generation), None).count
        facts = {
            "generation": generation,
            "games": count,
            "positions": learned["samples"],
            "searched": learned["searched"],
            "steps": learned["optimizer_steps"],
            "epochs": learned["epochs"],
            "losses": learned["losses"],
            "accuracy": learned["accuracy"],
            "held_out": learned["held_out"],
            "gate": gate,
            "plays": plays,
            "hours": round(progress.spent / 3600, 4),
            "processor_seconds": progress.processor,
        }
        self._storing(partial(add_generation, self._folder.record, facts))
        kept = progress.kept if plays else (*progress.kept, generation)
        games = progress.games + count
        self._save(TrainingProgress(generation + 1, progress.spent, games, kept=kept))
        self._folder.fit.unlink(missing_ok=True)


# What the fit tells of itself in weights, and the record repeats.
_LEARNED = (
    "held_out",
    "losses",
    "accuracy",
    "samples",
    "searched",
    "optimizer_steps",
    "epochs",
)


def _learned(fitted: Fitted) -> dict[str, Any]:
    judged = fitted.judged
    losses = zip(("steps", "value", "owners"), (round(each, 4) for each in judged.losses))
    return {
        "held_out": fitted.held_out,
        "losses": dict(losses),
        "accuracy": {"steps": round(judged.steps, 4), "value": round(judged.value, 4)},
        "samples": fitted.samples,
        "searched": fitted.searched,
        "optimizer_steps": fitted.steps,
        "epochs": round(fitted.epochs, 3),
    }


def _processor_seconds() -> float:
    """The processor time of this process, and of the ended ones that it started."""
    return sum(os.times()[:4])


def _bare(weights: Weights | None) -> Weights | None:
    """The weights without facts, which players do not need."""
    return None if weights is None else weights._replace(facts={})
