"""`gtp-engine train`: trains a learned evaluation by self-play."""

import argparse
import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial

from gtp_engine.base.affinity import processor_count
from gtp_engine.base.kernel_build import wait_telling
from gtp_engine.base.numbers import number_of
from gtp_engine.base.outages import Outlasted, Patience
from gtp_engine.base.own_commands import own_command
from gtp_engine.base.signals import handled
from gtp_engine.cli.interrupts import DONE, FAILED, INTERRUPTED, OUTLASTED
from gtp_engine.cli.train_options import train_parser
from gtp_engine.cli.train_status import show_status, status_wanted
from gtp_engine.learn.plan import Folder, Plan, Unfit
from gtp_engine.learn.selfplay import GameSource
from gtp_engine.rules import find_game
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.backends.kernel import KernelBackend
from gtp_engine.search.weights import NONE, OWN, weights_for

PROGRAM = "gtp-engine train"

_CONTINUE = "stopped; run the same command to continue"

_MATCH = (
    "run --game {plan.game} --size {plan.size} --games 400 --sprt 0 30 --openings random "
    "--turns 2 --pie off --set seconds=0.5 --no-comments"
)


def main(arguments: Sequence[str]) -> int:
    """Train, then print commands that test the result. Returns the exit status. Raises OSError."""
    try:
        if status_wanted(arguments):
            return show_status(PROGRAM, arguments)
        options = train_parser(PROGRAM).parse_args(arguments)
        with _interruptible() as stop:
            return _train(options, stop)
    except _StoppedInOutage:  # the files hold what was stored before
        _tell(_CONTINUE)
        return INTERRUPTED
    except (Unfit, ValueError, Outlasted) as error:
        for line in str(error).splitlines():
            _tell(line)
        return OUTLASTED if isinstance(error, Outlasted) else FAILED


def _train(options: argparse.Namespace, stop: threading.Event) -> int:
    """Raises Unfit, ValueError and Outlasted, with a text for the user, and OSError."""
    began = time.monotonic()
    plan, *nets = options.planned
    wait_telling(PROGRAM)
    backend = backend_for(find_game(plan.game))
    if not isinstance(backend, KernelBackend):
        raise Unfit(f"training needs the kernel, which has no {plan.game} here")
    folder = Folder(options.output)
    with closing(_players(options)) as players, folder.held():
        # This import takes seconds.
        from gtp_engine.learn.storing import Storing
        from gtp_engine.learn.training import GivenNets, Training, TrainingLimits

        bounds = TrainingLimits(options.hours, options.generations, options.memory, began)
        course = plan, GivenNets(*nets), folder, bounds, players
        storing = Storing(Patience(options.outage, _tell, partial(_wait, stop)))
        training = Training(backend.module, *course, _tell, stop.is_set, storing)
        training.run()
    if training.player:
        print("\n".join(_matches(plan, folder, training.player, training.player_before)))
    if stop.is_set():
        _tell(_CONTINUE)
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


class _StoppedInOutage(Exception):
    """Somebody stopped the training while the disk was full."""


def _wait(stop: threading.Event, seconds: float) -> None:
    """Wait in an outage. Raises _StoppedInOutage."""
    if stop.wait(seconds):
        raise _StoppedInOutage


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
        own_command(
            "gtp-arena",
            [
                *_MATCH.format(plan=plan).split(),
                *("--engine", _engine("new", new), "--engine", _engine(name, weights)),
                *("--db", str(folder.matches(name, generation))),
            ],
        )
        for name, weights in opponents.items()
    ]


def _engine(name: str, weights: str) -> str:
    return f"{name}={own_command('gtp-engine', ['--weights', weights])}"
