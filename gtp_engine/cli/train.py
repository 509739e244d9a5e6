"""`gtp-engine train`: trains a learned evaluation by self-play."""

import argparse
import os
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from gtp_engine.base.affinity import processor_count
from gtp_engine.base.kernel_build import wait_telling
from gtp_engine.base.numbers import number_of
from gtp_engine.base.own_commands import own_command
from gtp_engine.base.retrying import Outlasted, Patience
from gtp_engine.base.signals import handled, keeping
from gtp_engine.cli.interrupts import DONE, FAILED, INTERRUPTED, OUTLASTED
from gtp_engine.cli.train_options import train_parser
from gtp_engine.cli.train_status import show_status, status_wanted
from gtp_engine.learn.plan import Folder, Plan, Unfit
from gtp_engine.learn.players import GameSource, PlayingCluster, PlayingProcesses
from gtp_engine.rules import find_game
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.backends.kernel import KernelBackend
from gtp_engine.search.weights import NONE, OWN, weights_for

if TYPE_CHECKING:
    from gtp_engine.learn.training import Training

PROGRAM = "gtp-engine train"

# A training has this long to end by itself, so that the process ends within a second of a signal.
_SECONDS_TO_STOP, _SECONDS_BETWEEN_LOOKS = 0.4, 0.05

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
        return _Run(train_parser(PROGRAM).parse_args(arguments)).status()
    except _StoppedInOutage:  # the files hold what was stored before
        _tell(_CONTINUE)
        return INTERRUPTED
    except (Unfit, ValueError, Outlasted) as error:
        for line in str(error).splitlines():
            _tell(line)
        return OUTLASTED if isinstance(error, Outlasted) else FAILED


class _Run:
    """A training in a thread of its own.

    So the main thread hears signals while JAX compiles or computes, which may take long.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._stop = threading.Event()
        self._stopped = 0.0  # when; the monotonic time
        self._training: Training | None = None

    def status(self) -> int:
        """Train to the end. Returns the exit status, and raises as `_train`."""
        with (
            handled(self._interrupt, within_a_second=True),
            ThreadPoolExecutor(1, "training") as threads,
        ):
            work = threads.submit(self._train)
            while not wait([work], _SECONDS_BETWEEN_LOOKS).done:
                if self._stop.is_set() and time.monotonic() > self._stopped + _SECONDS_TO_STOP:
                    self._end()
            return work.result()

    def _interrupt(self, number: int, frame: object) -> None:
        """Handle a signal: a second one ends the process at once."""
        if self._stop.is_set():
            os._exit(INTERRUPTED)
        self._stopped = time.monotonic()
        self._stop.set()
        _tell("stopping; press Ctrl-C again to end at once")

    def _end(self) -> NoReturn:
        """End the process in the middle of something that takes longer, with all that is known."""
        with keeping():
            try:
                if self._training is not None:
                    self._training.keep()
            except (_StoppedInOutage, OSError):
                pass  # the files hold what was stored before
            _tell(_CONTINUE)
            os._exit(INTERRUPTED)

    def _train(self) -> int:
        """Raises Unfit, ValueError and Outlasted, with a text for the user, and OSError."""
        options, stop = self._options, self._stop
        plan, *nets = options.planned
        wait_telling(PROGRAM)
        began = time.monotonic()  # the wait, once in a checkout, takes nothing from the games
        backend = backend_for(find_game(plan.game))
        if not isinstance(backend, KernelBackend):
            raise Unfit(f"training needs the kernel, which has no {plan.game} here")
        folder = Folder(options.output)
        with closing(_players(options)) as players, folder.held():
            # This import takes seconds.
            from gtp_engine.learn.training import GivenNets, Storing, Training, TrainingLimits

            bounds = TrainingLimits(options.hours, options.generations, options.memory, began)
            course = plan, GivenNets(*nets), folder, bounds, players
            storing = Storing(Patience(options.outage, _tell, partial(_wait, stop)))
            training = Training(backend.module, *course, _tell, stop.is_set, storing)
            self._training = training
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
        return PlayingProcesses(options.concurrency or processor_count())
    return PlayingCluster(options.cluster, options.concurrency, options.accept_other_builds, _tell)


class _StoppedInOutage(Exception):
    """Somebody stopped the training while the disk was full."""


def _wait(stop: threading.Event, seconds: float) -> None:
    """Wait in an outage. Raises _StoppedInOutage."""
    if stop.wait(seconds):
        raise _StoppedInOutage


def _tell(text: str) -> None:
    print(f"{PROGRAM}: {text}", file=sys.stderr, flush=True)


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
