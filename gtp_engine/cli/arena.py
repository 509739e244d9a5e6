"""`gtp-arena`: plays and reports matches between GTP engines."""

import os
import signal
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.arena import ArenaError
from gtp_engine.base.retrying import Outlasted
from gtp_engine.cli.arena_options import matches
from gtp_engine.cli.arena_parsers import TOOLS, make_parser
from gtp_engine.cli.interrupts import (
    FAILED,
    OUTLASTED,
    engines_stop_too,
    exit_status,
    terminable,
)
from gtp_engine.cli.parser import Parser, known_tool, purpose, subcommands

_PROGRAM = "gtp-arena"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand. Returns its exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    name = " ".join([_PROGRAM, *(word for word in words[:1] if word in TOOLS)])
    told: dict[type[Exception], int] = {Outlasted: OUTLASTED, ArenaError: FAILED}
    return exit_status(name, partial(_run, words), told, serves=list(words[:1]) == ["watch"])


def _run(arguments: Sequence[str]) -> int:
    """Run a subcommand. Raises ArenaError, OSError or KeyboardInterrupt."""
    parser = Parser(
        prog=_PROGRAM,
        description=purpose(__doc__),
        epilog=subcommands(TOOLS),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{ENGINE_NAME} {__version__}")
    parser.add_argument("tool", metavar="SUBCOMMAND", help="one of those below")
    if not known_tool(parser, TOOLS, arguments):
        parser.parse_args(arguments)
    name, *words = arguments
    # An engine of another checkout waits for its kernel, too: a match compares nothing else.
    os.environ.setdefault("PATCHPIE_IN_MATCH", "1")
    options = make_parser(name).parse_args(words)
    if "tables" in options:  # a wrong match is told before the modules that play are loaded
        options.matches = matches(options)
    with terminable([signal.SIGTERM]), engines_stop_too():
        return int(import_module(f"gtp_engine.cli.arena_{name}").main(options))


if __name__ == "__main__":
    raise SystemExit(main())
