"""`gtp-arena`: plays and reports matches between GTP engines."""

import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.arena.errors import ArenaError
from gtp_engine.cli.interrupts import discard_stdout, terminable
from gtp_engine.cli.options import Parser, purpose, subcommands
from gtp_engine.extras import how_to_install

TOOLS = {
    "run": "plays or continues a match",
    "report": "prints the results of a match, or writes them as a page",
    "merge": "joins the files of a match played in parts",
    "export": "writes the games of a match as SGF, JSON lines or CSV",
    "check": "checks an engine against the protocol",
    "tune": "searches for better settings of an engine by matches",
    "watch": "shows a match in the browser during play",
}
"""The subcommands and what each does; each is a module of this folder."""

# The exit statuses for an error and after Ctrl-C.
FAILED, INTERRUPTED = 2, 130

LIBRARIES = ("matplotlib", "msgspec", "psutil", "rich", "scipy")
"""Libraries that only matches need: the extra `arena` of pyproject.toml."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand. Returns its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments and arguments[0] in TOOLS:
        needed = () if arguments[0] == "check" else LIBRARIES
        if missing := [name for name in needed if find_spec(name) is None]:
            wanted = how_to_install("arena")
            print(f"gtp-arena: {', '.join(missing)} missing: {wanted}", file=sys.stderr)
            return 2
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
    try:
        with terminable():
            status = int(import_module(f"gtp_engine.cli.arena_{name}").main(arguments))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of stdout is gone, as with `| head`
        discard_stdout()
        return 1
    except (ArenaError, OSError) as error:
        print(f"gtp-arena {name}: {error}", file=sys.stderr)
        return FAILED
    return status


if __name__ == "__main__":
    raise SystemExit(main())
