"""The options of `gtp-engine train`."""

import argparse
from pathlib import Path

from gtp_engine.base.option import integers, numbers
from gtp_engine.base.option import options as options_of
from gtp_engine.cli.flags import add_cluster_flags, add_flags, add_size_flag, taking
from gtp_engine.cli.parser import Parser
from gtp_engine.learn.plan import PLAYER, Plan
from gtp_engine.rules import find_game, games
from gtp_engine.search.weights import NONE, OWN

PLANNED = options_of(Plan)
"""The options that are part of the plan."""


def train_parser(program: str) -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = Parser(
        prog=program,
        description="Trains a learned evaluation. Each generation plays games against itself and "
        "fits a small net to them; the next generation plays with that net. Run the same command "
        "again to continue an interrupted training, or with more --hours or --generations to "
        "extend it.",
        epilog="Ctrl-C stops within seconds and keeps all results. Exit status: 0 when complete, "
        "130 if interrupted, 2 for bad arguments or files. Time limits make each training "
        "different. With --games and --epochs set, and enough time, a repeated training is "
        "identical.",
        check=_check,
        extras=lambda options: ("cluster", "train") if options.cluster else ("train",),
    )
    parser.add_argument("game", metavar="GAME", help=" ".join(game.name for game in games()))
    _add_limits(parser)
    _add_files(parser)
    _add_boards(parser)
    _add_players(parser)
    add_flags(parser, PLANNED)
    return parser


def _check(options: argparse.Namespace) -> None:
    """Raises ValueError, with a sentence, for a board on which the game is not played."""
    game = find_game(options.game)
    size = game.start(options.size).size
    for each in options.sizes or ():
        game.start(each)
    if options.sizes and size not in options.sizes:
        raise ValueError(f"--sizes must include {size}, the size of the training")


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
        first, _, last = part.partition("-")
        lowest, highest = int(first), int(last or first)
        if not 0 < lowest <= highest < 100:
            raise argparse.ArgumentTypeError(f"not a list of sizes: {text}")
        found |= set(range(lowest, highest + 1))
    return tuple(sorted(found))


_sizes.__name__ = "list of sizes"  # argparse shows this name for an invalid text
