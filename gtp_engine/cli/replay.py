"""`gtp-engine replay`: writes a web page that steps through a game, without network access."""

import sys
from collections.abc import Sequence

from gtp_engine.cli.game_files import STDOUT, read_game, write
from gtp_engine.cli.interrupts import DONE, FAILED
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.engine.replay_page import replay_page


def main(arguments: Sequence[str]) -> int:
    """Write the page. Returns the exit status. Raises OSError."""
    parser = Parser(prog="gtp-engine replay", description=purpose(__doc__))
    parser.add_argument("file", metavar="FILE.sgf", help="a game in SGF, as `printsgf` writes it")
    parser.add_argument(
        "-o",
        dest="output",
        default=STDOUT,
        metavar="FILE.html",
        help="file for the page (default: stdout)",
    )
    options = parser.parse_args(arguments)
    try:
        session = read_game(options.file)
        write(replay_page(session).encode(), options.output)
    except ValueError as error:
        print(f"gtp-engine replay: {error}", file=sys.stderr)
        return FAILED
    return DONE
