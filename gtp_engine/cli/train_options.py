"""The options of `gtp-engine train`."""

import argparse
import re
from functools import partial
from pathlib import Path

from gtp_engine.base.files import sentence_of
from gtp_engine.base.option import integers, numbers
from gtp_engine.cli.flags import add_cluster_flags, add_flags, add_size_flag, taking
from gtp_engine.cli.parser import Parser
from gtp_engine.cli.train_plan import PLANNED, planned
from gtp_engine.learn.plan import PLAYER, Unfit
from gtp_engine.rules import games
from gtp_engine.search.weights import NONE, OWN

# A size, or the first and the last one of several.
_SIZES = re.compile(r"(?P<first>\d{1,2})(?:-(?P<last>\d{1,2}))?")


def train_parser(program: str) -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = Parser(
        prog=program,
        description="Trains a learned evaluation. Each generation plays games against itself and "
        "fits a small net to them; the next generation plays with that net. Run the same command "
        "again to continue an interrupted training, or with more --hours or --generations to "
        "extend it.",
        epilog="`train --status FOLDER` shows what a training has learned, also while it runs: "
        "games, losses, accuracy and gates of each generation; `--json` prints lines of JSON, "
        "`--picture FILE` writes charts. Ctrl-C and SIGTERM stop within a second and keep all "
        "results. Exit status: 0 when complete, 130 if interrupted, 75 after an outage, 2 for bad "
        "arguments or files. Time limits make each training different. With --games and --epochs "
        "set, and enough time, a repeated training is identical.",
        check=partial(_check, program),
        extras=lambda options: ("cluster", "train") if options.cluster else ("train",),
    )
    parser.add_argument("game", metavar="GAME", help=" ".join(game.name for game in games()))
    _add_limits(parser)
    _add_files(parser)
    _add_boards(parser)
    _add_players(parser)
    add_flags(parser, PLANNED)
    return parser


def _check(program: str, options: argparse.Namespace) -> None:
    """Store the plan and the nets in `options.planned`. Raises ValueError, with a sentence."""
    try:
        options.planned = planned(options)
    except (Unfit, OSError) as error:
        told = str(error) if isinstance(error, Unfit) else sentence_of(error)
        raise ValueError(told.replace("\n", f"\n{program}: ")) from None


def _add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the limits of the whole training. They may change from run to run."""
    parser.add_argument(
        "--hours",
        type=taking(numbers(0.0, 1e6)),
        required=True,
        help="total hours, including those of earlier runs",
    )
    parser.add_argument(
        "--generations",
        type=taking(integers(1, 10**6)),
        help="maximum number of generations, including earlier runs",
    )
    parser.add_argument(
        "--outage",
        type=taking(numbers(0, 10**7)),
        default=86400.0,
        help="seconds to wait while the disk is full; then the training ends (default 86400)",
    )
    parser.add_argument(
        "--memory",
        type=taking(integers(1, 2**20)),
        default=1024,
        help="memory for samples in MiB (default 1024)",
    )


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="folder of the training"
    )
    parser.add_argument(
        "--weights",
        default=NONE,
        metavar="FILE",
        help=f"initial weights: a file, or {OWN} for those in the package (default {NONE}: the "
        "first generation plays without a net)",
    )
    parser.add_argument(
        "--teacher",
        metavar="FILE",
        help="weights that tell the chances in positions without a full search: a file, "
        f"{OWN} for those in the package, {PLAYER} for those that played the generation's games, "
        f"or {NONE} to leave these positions out (default: {PLAYER})",
    )
    parser.add_argument(
        "--learn-from",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="games of an earlier self-play, such as games-001.jsonl of another training: the "
        "first generation learns from them and plays none; may be repeated, the best games last",
    )


def _add_boards(parser: argparse.ArgumentParser) -> None:
    add_size_flag(parser)
    parser.add_argument(
        "--sizes",
        type=_sizes,
        help="board sizes of self-play, such as 6-10 or 6,8,10; half of the games use --size, the "
        "others the rest (default: the sizes recommended by the designer, or else up to 2 smaller "
        "and larger)",
    )


def _add_players(parser: argparse.ArgumentParser) -> None:
    """Add where the games are played. It may change from run to run."""
    parser.add_argument(
        "--concurrency",
        type=taking(integers(1, 256)),
        help="games in parallel, one process each, 1..256 (default: one per usable processor, or "
        "one per thread of the workers)",
    )
    add_cluster_flags(
        parser,
        "address of a Dask scheduler whose workers play the games; DIR here stores them",
    )


def _sizes(text: str) -> tuple[int, ...]:
    """The sizes in an option such as `6-10` or `6,8,10`, in ascending order."""
    found: set[int] = set()
    for part in text.split(","):
        if (ends := _SIZES.fullmatch(part)) is None:
            raise argparse.ArgumentTypeError(f"not a list of sizes: {text}")
        lowest, highest = int(ends["first"]), int(ends["last"] or ends["first"])
        if not 0 < lowest <= highest < 100:
            raise argparse.ArgumentTypeError(f"not a list of sizes: {text}")
        found |= set(range(lowest, highest + 1))
    return tuple(sorted(found))
