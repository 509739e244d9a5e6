"""`bin/make-site`: makes a folder of files in which the engine runs without an installation."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gtp_engine.base.platforms import cache_folder
from gtp_engine.cli.interrupts import DONE, FAILED, exit_status, terminable
from gtp_engine.cli.parser import Parser, purpose

PROGRAM = "make-site"


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the folder. Returns the exit status."""
    options = _parser().parse_args(arguments)
    return exit_status(PROGRAM, lambda: _make(options))


def _make(options: argparse.Namespace) -> int:
    from gtp_engine.board.table.messages import CannotDo
    from gtp_engine.browser.make_site import make
    from gtp_engine.browser.making import CannotMake
    from gtp_engine.cli.first_state import first_messages
    from gtp_engine.gtp.client.faults import EngineFault

    try:
        with terminable():
            make(options.folder, options.npm, _cache(), _tell, first_messages)
    except (CannotMake, CannotDo, EngineFault) as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return FAILED
    print(options.folder)
    return DONE


def _cache() -> Path:
    """Where parts are kept that need not be made again. Raises CannotMake."""
    from gtp_engine.browser.making import CannotMake

    try:
        return cache_folder() / "site"
    except RuntimeError as error:  # there is no home
        raise CannotMake(f"{error} Set XDG_CACHE_HOME to a folder that you can write to.") from None


def _tell(sentence: str) -> None:
    print(f"{PROGRAM}: {sentence}", file=sys.stderr)


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description=f"{purpose(__doc__)} It needs Node with npm, from which it gets Python as "
        "WebAssembly; everything else is made from the checkout. See "
        "protocol_specs/clients/browser.md.",
        extras=lambda options: ("site",),
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder to make")
    parser.add_argument(
        "--npm", action="store_true", help="make the engine for Node, as a package for npm"
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
