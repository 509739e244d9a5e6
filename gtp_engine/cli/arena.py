"""`gtp-arena`: plays and reports matches between GTP engines."""

import os
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.arena import ArenaError
from gtp_engine.arena.setup.outages import Outlasted
from gtp_engine.arena.setup.tables import make_match
from gtp_engine.cli.arena_parsers import TOOLS, make_parser
from gtp_engine.cli.interrupts import discard_stdout, engines_stop_too, terminable
from gtp_engine.cli.parser import Parser, purpose, subcommands

# The exit statuses for an error, after an outage that lasted too long, and after Ctrl-C.
FAILED, OUTLASTED, INTERRUPTED = 2, 75, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand. Returns its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments and arguments[0] in TOOLS:
        return _run(arguments[0], arguments[1:])
    parser = Parser(
        prog="gtp-arena",
        description=purpose(__doc__),
        epilog=subcommands(TOOLS),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{ENGINE_NAME} {__version__}")
    parser.add_argument("tool", choices=TOOLS, metavar="SUBCOMMAND", help="one of those below")
    parser.parse_args(arguments)
    return 2


def _run(name: str, arguments: Sequence[str]) -> int:
    """Run a subcommand; an error is printed as one line."""
    # An engine of another checkout waits for its kernel, too: a match compares nothing else.
    os.environ.setdefault("PATCHPIE_IN_MATCH", "1")
    try:
        options = make_parser(name).parse_args(arguments)
        if "tables" in options:  # a wrong match is told before the modules that play are loaded
            options.match = make_match(options.tables(options))
        with terminable(), engines_stop_too():
            status = int(import_module(f"gtp_engine.cli.arena_{name}").main(options))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of stdout is gone, as with `| head`
        discard_stdout()
        return 1
    except (ArenaError, OSError) as error:
        print(f"gtp-arena {name}: {error}", file=sys.stderr)
        return OUTLASTED if isinstance(error, Outlasted) else FAILED
    return status


if __name__ == "__main__":
    raise SystemExit(main())
