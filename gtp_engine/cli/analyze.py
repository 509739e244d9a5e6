"""`gtp-engine analyze`: analyzes many positions side by side, by JSON lines on stdin and stdout."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from gtp_engine import stderr
from gtp_engine.affinity import processor_count
from gtp_engine.analyze.service import Usual
from gtp_engine.analyze.serving import FINISHED, serve
from gtp_engine.cli.flags import add_flags, chosen
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.engine.settings import DEFAULTS, Settings, setting_of
from gtp_engine.numbers import number_of
from gtp_engine.option import integers, numbers, option, options, or_auto
from gtp_engine.search.pool import MOST_THREADS

PROGRAM = "gtp-engine analyze"

# Clients of KataGo wait for this text on stderr.
_READY = "Started, ready to begin handling requests"

_USUAL_VISITS = 1000
_BACKEND = setting_of("backend")


@dataclass(frozen=True)
class AnalyzeOptions:
    """The options of the command line."""

    positions: int | None = option(
        None,
        or_auto(integers(1, MOST_THREADS)),
        "positions searched side by side; auto: one per processor",
    )
    visits: int | None = option(
        None,
        or_auto(integers(1, 10**9)),
        f"limit of a search without maxVisits and maxTime; auto: {_USUAL_VISITS}, or none with "
        "--seconds",
    )
    seconds: float | None = option(
        None, or_auto(numbers(0.001, 10**6)), "limit of a search without maxTime; auto: none"
    )
    threads: int = option(
        1, integers(1, 256), "search threads per position; with more than one no answer repeats"
    )
    hash_mb: int = option(64, integers(1, 65536), "memory of each search tree in MiB")
    most_waiting: int = option(
        100_000, integers(1, 10**7), "positions that may wait; a request beyond them is refused"
    )
    backend: str = option(DEFAULTS.backend, _BACKEND.values, _BACKEND.meaning)


def main(arguments: Sequence[str]) -> int:
    """Answer requests until the input ends. Does not return: searches may still run at the end."""
    found = _parser().parse_args(arguments)
    given: AnalyzeOptions = found.given
    positions = given.positions or min(MOST_THREADS, processor_count())
    settings = Settings(backend=given.backend, threads=given.threads, hash_mb=given.hash_mb)
    visits = given.visits
    if visits is None and given.seconds is None:
        visits = _USUAL_VISITS
    usual = Usual(settings, visits, given.seconds, given.most_waiting)
    if sys.stdin is None or sys.stdout is None:
        return FINISHED
    stderr.write(f"{PROGRAM}: {_READY}, {number_of(positions, 'position')} side by side\n")
    descriptors = sys.stdin.fileno(), sys.stdout.fileno()
    status = serve(usual, positions, not found.quit_without_waiting, *descriptors)
    stderr.flush()
    os._exit(status)


def _check(found: argparse.Namespace) -> None:
    """Read the options. Raises ValueError, with a sentence for the user."""
    found.given = AnalyzeOptions(**chosen(found, options(AnalyzeOptions)))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=PROGRAM,
        description=f"{purpose(__doc__)} This is KataGo's analysis protocol for the games here: "
        "protocol_specs/clients/analysis-engine.md.",
        epilog="Exit status: 0 after the end of input, a signal, or when nobody reads stdout any "
        "more; 1 if stdout cannot be written; 2 for a wrong option.",
        check=_check,
    )
    add_flags(parser, options(AnalyzeOptions))
    parser.add_argument(
        "--quit-without-waiting",
        "-quit-without-waiting",
        action="store_true",
        help="at the end of input drop what is not searched yet",
    )
    return parser
