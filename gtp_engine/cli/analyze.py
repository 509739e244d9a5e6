"""`gtp-engine analyze`: analyzes many positions side by side, by JSON lines on stdin and stdout."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gtp_engine.base import stderr
from gtp_engine.base.affinity import processor_count
from gtp_engine.base.numbers import number_of
from gtp_engine.base.option import (
    any_text,
    choice,
    integers,
    numbers,
    option,
    option_of,
    options,
    or_auto,
)
from gtp_engine.cli.flags import add_flags, chosen, taking
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.engine.settings import DEFAULTS, Settings, setting_of
from gtp_engine.gtp.analysis.games import UsualGame
from gtp_engine.gtp.analysis.overrides import PERSPECTIVE_WORDS, USUAL_PERSPECTIVE
from gtp_engine.gtp.analysis.pipes import FINISHED, serve
from gtp_engine.gtp.analysis.service import Usual
from gtp_engine.rules import default_game, find_game
from gtp_engine.rules.points.vertex import MAX_SIZE, MIN_SIZE
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.choose import check_named
from gtp_engine.search.pool import MOST_THREADS
from gtp_engine.search.weights import OWN

PROGRAM = "gtp-engine analyze"

# Clients of KataGo wait for this text on stderr.
_READY = "Started, ready to begin handling requests"

_USUAL_VISITS = 1000
_BACKEND = setting_of("backend")

_WITHOUT_EFFECT = ("config", "model", "human-model")
"""Flags of KataGo that mean nothing here. Its clients give them always."""

_OVERRIDE_CONFIG = "override-config"

OVERRIDDEN = {
    "maxVisits": "visits",
    "maxTime": "seconds",
    "numAnalysisThreads": "positions",
    "numSearchThreadsPerAnalysisThread": "threads",
    "numSearchThreads": "threads",
    "reportAnalysisWinratesAs": "perspective",
}
"""Settings of KataGo in `-override-config`, with the options here that mean the same."""


@dataclass(frozen=True)
class AnalyzeOptions:
    """The options of the command line."""

    game: str | None = option(None, any_text("name", 1), "the game of requests that name none")
    size: int | None = option(
        None, integers(MIN_SIZE, MAX_SIZE), "points along an edge in requests that do not say"
    )
    pie: str | None = option(
        None, choice(*(pie.value for pie in Pie)), "the same for the form of the pie rule"
    )
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
    perspective: str = option(
        USUAL_PERSPECTIVE,
        PERSPECTIVE_WORDS,
        "the color whose values are told where a request has no reportAnalysisWinratesAs",
    )
    backend: str = option(DEFAULTS.backend, _BACKEND.values, _BACKEND.meaning)


class Asked(NamedTuple):
    """What the command line asks for.

    positions -- searched side by side
    waits     -- whether all requests are answered after the end of input
    """

    usual: Usual
    positions: int
    waits: bool


def main(arguments: Sequence[str]) -> int:
    """Answer requests until the input ends. Does not return: searches may still run at the end."""
    asked = parsed(arguments)
    if sys.stdin is None or sys.__stdout__ is None:
        return FINISHED
    tell_ready(asked.positions)
    descriptors = sys.stdin.fileno(), sys.stdout.fileno()
    status = serve(asked.usual, asked.positions, asked.waits, *descriptors)
    stderr.flush()
    os._exit(status)


def parsed(arguments: Sequence[str]) -> Asked:
    """The options; stderr tells which of them have no effect. Raises SystemExit."""
    found = _parser().parse_args(arguments)
    given: AnalyzeOptions = found.given
    positions = given.positions or min(MOST_THREADS, processor_count())
    settings = Settings(backend=given.backend, threads=given.threads, hash_mb=given.hash_mb)
    visits = given.visits
    if visits is None and given.seconds is None:
        visits = _USUAL_VISITS
    game = UsualGame(given.game, given.size, given.pie)
    usual = Usual(settings, visits, given.seconds, given.most_waiting, game, given.perspective)
    if unused := ", ".join(found.unused):
        stderr.write(f"{PROGRAM}: without effect here: {unused}\n")
    return Asked(usual, positions, not found.quit_without_waiting)


def tell_ready(positions: int) -> None:
    """Say on stderr that requests can come."""
    stderr.write(f"{PROGRAM}: {_READY}, {number_of(positions, 'position')} side by side\n")


def _check(found: argparse.Namespace) -> None:
    """Read the options. Raises ValueError, with a sentence for the user."""
    found.unused = [f"-{flag}" for flag in _WITHOUT_EFFECT if vars(found)[flag]]
    found.unused += _override(found)
    found.given = AnalyzeOptions(**chosen(found, options(AnalyzeOptions)))
    game = default_game() if found.given.game is None else find_game(found.given.game)
    check_named(game, OWN, found.given.backend)


def _override(found: argparse.Namespace) -> Iterator[str]:
    """Take the settings of KataGo for options that are not given; yields those without effect.

    Raises ValueError, with a sentence, for an unfit value.
    """
    for item in ",".join(vars(found)[_OVERRIDE_CONFIG]).split(","):
        key, _, value = (part.strip() for part in item.partition("="))
        if key in OVERRIDDEN:
            same = option_of(options(AnalyzeOptions), OVERRIDDEN[key])
            try:
                vars(found).setdefault(same.flag, same.values.parse(value))
            except ValueError as error:
                raise ValueError(f"-{_OVERRIDE_CONFIG}: {key}: {error}") from None
        elif key:
            yield f"-{_OVERRIDE_CONFIG} {key[:100]}"


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=PROGRAM,
        description=f"{purpose(__doc__)} This is KataGo's analysis protocol for the games here: "
        "protocol_specs/clients/analysis-engine.md. `gtp-engine analysis` is the same.",
        epilog="Exit status: 0 after the end of input, a signal, or when nobody reads stdout any "
        "more; 2 for a wrong option, or if stdout cannot be written.",
        check=_check,
    )
    add_flags(parser, options(AnalyzeOptions))
    parser.add_argument(
        "--quit-without-waiting",
        "-quit-without-waiting",
        action="store_true",
        help="at the end of input drop what is not searched yet",
    )
    _add_flags_of_katago(parser)
    return parser


def _add_flags_of_katago(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("KataGo's flags, as its clients give them")
    for flag in _WITHOUT_EFFECT:
        group.add_argument(
            f"-{flag}",
            f"--{flag}",
            dest=flag,
            metavar="FILE",
            action="append",
            help="without effect",
        )
    group.add_argument(
        f"-{_OVERRIDE_CONFIG}",
        f"--{_OVERRIDE_CONFIG}",
        dest=_OVERRIDE_CONFIG,
        metavar="KEY=VALUE,...",
        action="append",
        default=[],
        help=f"{', '.join(OVERRIDDEN)} are the same as options above; others have no effect",
    )
    positions = option_of(options(AnalyzeOptions), "positions")
    group.add_argument(
        "-analysis-threads",
        "--analysis-threads",
        dest=positions.flag,
        metavar="N",
        type=taking(positions.values),
        default=argparse.SUPPRESS,
        help="the same as --positions",
    )
