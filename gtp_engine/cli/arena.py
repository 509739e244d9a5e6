"""`gtp-arena`: matches between GTP engines."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from gtp_engine import ENGINE_NAME, __version__

TOOLS = {
    "run": "plays a match, or goes on with one",
    "report": "tells what the games of a match say",
    "export": "writes the games as SGF, JSON lines or CSV",
    "check": "holds an engine against the protocol",
    "tune": "looks for better settings of an engine by self-play",
}
"""What the program does: modules of this folder, by name."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the tools. Returns its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments and arguments[0] in TOOLS:
        try:
            tool = import_module(f"gtp_engine.cli.arena_{arguments[0]}")
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("gtp_engine"):
                raise
            wanted = f"pip install 'gtp-engine[arena]' ({error.name} is missing)"
            print(f"gtp-arena: it needs more libraries: {wanted}", file=sys.stderr)
            return 2
        return int(tool.main(arguments[1:]))
    parser = argparse.ArgumentParser(
        prog="gtp-arena",
        description=__doc__,
        epilog="; ".join(f"{name} {does}" for name, does in TOOLS.items()),
    )
    parser.add_argument("--version", action="version", version=f"{ENGINE_NAME} {__version__}")
    parser.add_argument("tool", choices=TOOLS, help="each has its own --help")
    parser.parse_args(arguments)
    return 2


if __name__ == "__main__":
    raise SystemExit(main())
