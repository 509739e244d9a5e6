"""`gtp-engine train`: trains a learned evaluation by self-play."""

import argparse
import os
import shlex
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from gtp_engine.base.affinity import processor_count
from gtp_engine.base.kernel_build import wait_telling
from gtp_engine.base.numbers import number_of
from gtp_engine.base.signals import handled
from gtp_engine.cli.flags import given
from gtp_engine.cli.interrupts import DONE, FAILED, INTERRUPTED
from gtp_engine.cli.train_options import PLANNED, train_parser
from gtp_engine.learn.plan import PLAYER, Folder, Plan, Unfit
from gtp_engine.learn.selfplay import GameSource
from gtp_engine.rules import find_game
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.backends.kernel import KernelBackend
from gtp_engine.search.data_file import UnusableFile
from gtp_engine.search.weights import NONE, OWN, Weights, shipped, weights_for, weights_of

PROGRAM = "gtp-engine train"


def main(arguments: Sequence[str]) -> int:
    """Train, then print commands that test the result. Returns the exit status. Raises OSError."""
    options = train_parser(PROGRAM).parse_args(arguments)
    with _interruptible() as stop:
        try:
            return _train(options, stop)
        except (Unfit, ValueError) as error:
            for line in str(error).splitlines():
                _tell(line)
            return FAILED


def _train(options: argparse.Namespace, stop: threading.Event) -> int:
    """Raises Unfit or ValueError, with a text for the user, and OSError."""
    began = time.monotonic()
    plan, *nets = _plan(options)
    wait_telling(PROGRAM)
    backend = backend_for(find_game(plan.game))
    if not isinstance(backend, KernelBackend):
        raise Unfit(f"training needs the kernel, which has no {plan.game} here")
    folder = Folder(options.output)
    with closing(_players(options)) as players, folder.held():
        # This import takes seconds.
        from gtp_engine.learn.training import GivenNets, Training, TrainingLimits

        bounds = TrainingLimits(options.hours, options.generations, options.memory, began)
        course = plan, GivenNets(*nets), folder, bounds, players
        training = Training(backend.module, *course, _tell, stop.is_set)
        training.run()
    if training.player:
        print("\n".join(_matches(plan, folder, training.player, training.player_before)))
    if stop.is_set():
        _tell("stopped; run the same command to continue")
        return INTERRUPTED
    if not training.finished:
        _tell("no generation was finished: increase --hours")
    _tell(f"done: {number_of(training.finished, 'generation')} in {training.hours:.2f} hours")
    return DONE


def _players(options: argparse.Namespace) -> GameSource:
    """The players of the games. Raises Unfit if the cluster cannot be reached."""
    if options.cluster is None:
        from gtp_engine.learn.processes import PlayingProcesses

        return PlayingProcesses(options.concurrency or processor_count())
    from gtp_engine.learn.cluster_selfplay import PlayingCluster

    return PlayingCluster(options.cluster, options.concurrency, options.accept_other_builds, _tell)


def _tell(text: str) -> None:
    print(f"{PROGRAM}: {text}", file=sys.stderr, flush=True)


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set; a second signal ends the process."""
    stop = threading.Event()

    def interrupt(number: int, frame: object) -> None:
        if stop.is_set():
            os._exit(INTERRUPTED)
        stop.set()
        _tell("stopping; press Ctrl-C again to end at once")

    with handled(interrupt):
        yield stop


def _matches(plan: Plan, folder: Folder, generation: int, before: int) -> list[str]:
    """Commands for matches of the newest player against others, at equal time per turn.

    before -- the generation whose net played before; 0 for none
    """
    opponents = {"unlearned": NONE}
    if weights_for(plan.game, OWN) is not None:
        opponents["shipped"] = OWN
    if before:
        opponents["before"] = str(folder.weights(before).resolve())
    new = str(folder.weights(generation).resolve())
    return [
        f"gtp-arena run --game {plan.game} --size {plan.size} --games 400 --sprt 0 30 "
        "--openings random --turns 2 --pie off --set seconds=0.5 --no-comments "
        f"--engine {_engine('new', new)} --engine {_engine(name, weights)} "
        f"--db {shlex.quote(str(folder.matches(name, generation)))}"
        for name, weights in opponents.items()
    ]


def _engine(name: str, weights: str) -> str:
    return f"{name}={shlex.quote(f'gtp-engine --weights {shlex.quote(weights)}')}"


def _given(game: str, which: str) -> Weights | None:
    """The weights of a choice: a file, those of the package, or none. Raises Unfit."""
    if which == NONE:
        return None
    path = shipped(game) if which == OWN else Path(which)
    if which == OWN and not path.exists():
        raise Unfit(f"the package has no weights for {game}")
    try:
        return weights_of(game, path)
    except UnusableFile as problem:
        raise Unfit(str(problem)) from None


def _shape(options: argparse.Namespace, weights: Weights | None) -> dict[str, int]:
    """The channels and blocks of the net. Raises ValueError or Unfit."""
    known: Weights | type[Plan] = Plan if weights is None else weights
    wanted = given(options, PLANNED)
    shape = {name: wanted.get(name, getattr(known, name)) for name in ("channels", "blocks")}
    if weights is not None and (
        shape["channels"] != weights.channels or shape["blocks"] < weights.blocks
    ):
        raise Unfit(
            f"the initial weights have {weights.channels} channels and {weights.blocks} blocks: "
            "--channels must be the same, and --blocks not less"
        )
    return shape


def _mark(weights: Weights | None) -> str:
    return NONE if weights is None else weights.mark


def _plan(options: argparse.Namespace) -> tuple[Plan, Weights | None, Weights | None]:
    """The plan, the initial weights and the teacher. Raises ValueError or Unfit."""
    game = find_game(options.game)
    size = game.start(options.size).size
    weights = _given(game.name, options.weights)
    word = options.teacher in (None, PLAYER)
    teacher = None if word else _given(game.name, options.teacher)
    taught_by = options.teacher if word else _mark(teacher)
    sources = tuple(str(path.resolve()) for path in options.learn_from)
    planned = given(options, PLANNED) | _shape(options, weights)
    learned = _mark(weights), taught_by, sources
    return Plan(game.name, size, options.sizes, *learned, **planned), weights, teacher
