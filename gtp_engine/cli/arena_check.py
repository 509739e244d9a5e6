"""`gtp-arena check "ENGINE COMMAND"`: checks an engine against protocol_specs."""

import argparse
import json
import sys

from gtp_engine.arena.checking.check import ITEMS, CheckResult, check, count, table
from gtp_engine.arena.checking.check_subject import Options
from gtp_engine.base.kernel_build import wait_telling
from gtp_engine.base.option import integers, numbers
from gtp_engine.base.own_commands import own_command
from gtp_engine.cli.flags import taking
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.rules import games

_ADVICE = "tries the rules on cases, and names the rule that is broken"


def main(options: argparse.Namespace) -> int:
    """Print the finding for each item as it is found, then the number of findings of each kind.

    Returns 0, 1 if an item failed, or 2 if the engine does not respond at all.
    """
    if options.items:
        print(table(), end="")
        return 0
    wait_telling("gtp-arena check")
    chosen = Options(
        options.seconds, options.games, options.game, tuple(options.only), options.seed
    )
    findings: list[CheckResult] = []
    try:
        for finding in check(options.engine, chosen):
            findings.append(finding)
            lines = [json.dumps(finding.record())] if options.json else finding.lines()
            print(*lines, sep="\n", flush=True)
    except EngineFault as fault:
        print(f"gtp-arena check: {fault}", file=sys.stderr)
        return 2
    counts = count(finding.verdict for finding in findings)
    summary = ", ".join(f"{number} {verdict}" for verdict, number in counts.items())
    print(json.dumps(counts) if options.json else summary)
    if not (options.json or options.only):
        print(f"{own_command('gtp-arena', ['conformance'])} {_ADVICE}")
    return 1 if counts["failed"] else 0


def check_options(options: argparse.Namespace) -> None:
    """Raises ValueError, with a sentence, for options without an engine or with unknown items."""
    if options.engine is None and not options.items:
        raise ValueError("the following arguments are required: ENGINE")
    for start in options.only:
        if not any(item.id.startswith(start) for item in ITEMS):
            raise ValueError(f"no item begins with {start}")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add all options of the subcommand."""
    parser.add_argument(
        "engine",
        nargs="?",
        metavar="ENGINE",
        help="the engine's command line, quoted as one argument",
    )
    parser.add_argument(
        "--seconds",
        type=taking(numbers(0.1, 86400.0)),
        default=Options().seconds,
        help="seconds for start-up and for each response (default %(default)g)",
    )
    parser.add_argument(
        "--games",
        type=taking(integers(1, 10**6)),
        default=Options().games,
        help="games of self-play for each game (default %(default)s)",
    )
    parser.add_argument(
        "--game",
        choices=[game.name for game in games()],
        help="check only this game; required for an engine without game-list",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="ID",
        help="check only items whose ids begin with ID, such as `games` or `lines.ids`",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=Options().seed,
        help="seed of random choices (default %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per item")
    parser.add_argument("--items", action="store_true", help="only print the table of items")
