"""`gtp-engine review`: searches every turn of games and writes web pages of the mistakes."""

import argparse
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from gtp_engine.base.affinity import processor_count
from gtp_engine.base.files import check_writable
from gtp_engine.base.kernel_build import wait_telling
from gtp_engine.base.option import integers
from gtp_engine.base.signals import keeping
from gtp_engine.cli.assessors import Assessors, NoAssessors, cluster, result_of, threads
from gtp_engine.cli.flags import add_cluster_flags, add_flags, chosen, taking
from gtp_engine.cli.game_files import STDOUT, check_outputs, read_game, write
from gtp_engine.cli.interrupts import DONE, FAILED, UNFINISHED, interruptible, unfinished
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.cli.review_folder import INDEX, LINES, ReviewFolder
from gtp_engine.engine.explanation import USUAL_SECONDS
from gtp_engine.engine.game_review import (
    MISTAKE,
    TurnReview,
    judged,
    judged_positions,
    reviewed_turns,
)
from gtp_engine.engine.position_analysis import setup_of
from gtp_engine.engine.replay_page import review_page
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import Settings, settings
from gtp_engine.rules import default_game
from gtp_engine.rules.game import Position
from gtp_engine.search.assessment import SearchSetup
from gtp_engine.search.backends.choose import check_named
from gtp_engine.search.budget import Budget
from gtp_engine.search.observer import Report
from gtp_engine.search.pool import MOST_THREADS
from gtp_engine.search.weights import OWN

PROGRAM = "gtp-engine review"
SETTINGS = settings("backend", "threads", "hash_mb", "visits", "seconds", "seed")


def main(arguments: Sequence[str]) -> int:
    """Search and write the page or the pages. Returns the exit status. Raises OSError."""
    options = _parser().parse_args(arguments)
    with interruptible() as interrupt:
        try:
            if _wants_folder(options):
                return _review_files(options, interrupt)
            return _review_file(options, interrupt)
        except NoAssessors as error:
            _tell(f"{error}; the same command goes on" if _wants_folder(options) else str(error))
            return UNFINISHED
        except ValueError as error:
            _tell(str(error))
            return FAILED


def _wants_folder(options: argparse.Namespace) -> bool:
    """Whether a page for each file was asked for."""
    output = options.output
    return len(options.files) > 1 or output.endswith(("/", os.sep)) or Path(output).is_dir()


def _review_files(options: argparse.Namespace, interrupt: threading.Event) -> int:
    setup = _setup(options.settings)
    folder = ReviewFolder(Path(options.output), PROGRAM, options.settings, setup)
    # What the folder knows is known by the build, and the kernel belongs to it.
    wait_telling(PROGRAM)
    refused = folder.open(options.files)
    with _assessors(options, setup) as assessors:
        complete = folder.fill(assessors, interrupt)
    if not complete:
        return unfinished(interrupt)
    return FAILED if refused else DONE


def _review_file(options: argparse.Namespace, interrupt: threading.Event) -> int:
    (file,) = options.files
    check_outputs([options.output], options.files)
    session = read_game(file, settings=options.settings)
    total = len(reviewed_turns(session))
    if not total:
        raise ValueError(f"{file} has no turn to review")
    if options.output != STDOUT:
        check_writable(options.output, streams=True)
    setup = _setup(options.settings)
    wait_telling(PROGRAM)
    with _assessors(options, setup) as assessors:
        found = _searched(session, assessors, interrupt)
    if not found:
        _tell("ended before the first turn was searched")
        return unfinished(interrupt)
    with keeping():
        write(review_page(session, found, setup.budget).encode(), options.output)
    return DONE if len(found) == total else unfinished(interrupt)


def _setup(settings: Settings) -> SearchSetup:
    """The setup of the search of a position: with one thread, if no other number was chosen.

    Raises ValueError for an instruction set that this processor lacks.
    """
    check_named(default_game(), OWN, settings.backend)
    seconds = settings.seconds or (None if settings.visits else USUAL_SECONDS)
    budget = Budget(settings.visits or None, seconds)
    return setup_of(replace(settings, threads=settings.threads or 1), budget)


def _assessors(
    options: argparse.Namespace, setup: SearchSetup
) -> AbstractContextManager[Assessors]:
    if options.cluster is not None:
        return cluster(options.cluster, setup, options.accept_other_builds, _tell)
    return threads(setup, options.positions or min(processor_count(), MOST_THREADS))


def _searched(
    session: Session, assessors: Assessors, interrupt: threading.Event
) -> list[TurnReview]:
    """The search's review of each turn, with progress on stderr."""
    turns = reviewed_turns(session)
    futures = {each: assessors.submit(each) for each in judged_positions(turns)}

    def assessed(position: Position) -> Report | None:
        return result_of(futures[position], assessors, interrupt)

    found = []
    live = sys.stderr.isatty()
    for turn in judged(turns, assessed):
        found.append(turn)
        cost = f", cost {turn.loss:.1%}" if turn.loss >= MISTAKE else ""
        name = session.game.color_names[turn.color]
        line = f"{PROGRAM}: {turn.number} of {len(turns)}: {name} {turn.word}{cost}"
        # A mistake stays on the terminal; the next line overwrites any other turn.
        end = "\n" if cost or not live or turn.number == len(turns) else "\r"
        print(f"\033[K{line}" if live else line, end=end, file=sys.stderr, flush=True)
    return found


def _tell(sentence: str) -> None:
    print(f"{PROGRAM}: {sentence}", file=sys.stderr, flush=True)


def _check(options: argparse.Namespace) -> None:
    """Read the settings. Raises ValueError, with a sentence for the user."""
    options.settings = Settings(**chosen(options, SETTINGS))
    if len(options.files) > 1 and options.output == STDOUT:
        raise ValueError("several games need a folder for their pages: -o FOLDER")
    if options.cluster is not None and options.positions is not None:
        raise ValueError("--positions is for this machine; a cluster takes one for each thread")


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=PROGRAM,
        description=purpose(__doc__),
        epilog="Without --visits and --seconds each position is searched for "
        f"{USUAL_SECONDS:g} second. Limited by visits, a review does not depend on the machine. "
        "Ctrl-C writes what was found so far. "
        f"FOLDER gets a page for each game, {INDEX} with a table of them, and {LINES} with a line "
        "for each turn; the same command goes on there. Exit status: 0 if all turns were searched, "
        "1 if not, 2 for a file that cannot be read or written, 130 after Ctrl-C.",
        check=_check,
        extras=lambda options: ("cluster",) if options.cluster is not None else (),
    )
    parser.add_argument(
        "files", metavar="FILE.sgf", nargs="+", help="games in SGF, as `printsgf` writes them"
    )
    parser.add_argument(
        "-o",
        dest="output",
        default=STDOUT,
        metavar="OUTPUT",
        help="file for the page of one game (default: stdout), or a folder",
    )
    parser.add_argument(
        "--positions",
        metavar="N",
        type=taking(integers(1, MOST_THREADS)),
        help=f"positions searched at a time, 1..{MOST_THREADS}, with one thread each unless "
        "--threads is given (default: one per processor)",
    )
    add_cluster_flags(parser, "address of a Dask scheduler whose workers search the positions")
    add_flags(parser, SETTINGS)
    return parser
