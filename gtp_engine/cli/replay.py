"""`gtp-engine replay`: writes a web page that steps through games, without network access."""

import sys
from collections.abc import Sequence
from pathlib import Path

from gtp_engine.base.numbers import number_of
from gtp_engine.cli.game_files import STDOUT, check_outputs, read_game, write
from gtp_engine.cli.interrupts import DONE, FAILED
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.engine.replay_page import GamesPage, Listed, replay_page
from gtp_engine.engine.session import Session

PROGRAM = "gtp-engine replay"


def main(arguments: Sequence[str]) -> int:
    """Write the page. Returns the exit status. Raises OSError."""
    parser = Parser(prog=PROGRAM, description=purpose(__doc__))
    parser.add_argument(
        "files",
        metavar="FILE.sgf",
        nargs="+",
        help="a game in SGF, as `printsgf` writes it; several games share one page, with a list",
    )
    parser.add_argument(
        "-o",
        dest="output",
        default=STDOUT,
        metavar="FILE.html",
        help="file for the page (default: stdout)",
    )
    options = parser.parse_args(arguments)
    try:
        check_outputs([options.output], options.files)
        page = _page(options.files)
    except ValueError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return FAILED
    write(page.encode(), options.output)
    return DONE


def _page(files: Sequence[str]) -> str:
    """The page of a game, or of several with a list.

    Raises ValueError, with a sentence for the user, if a file has no game or there is no room.
    """
    if len(files) == 1:
        return replay_page(read_game(files[0]))
    page = GamesPage("Replay")
    for number, file in enumerate(files, 1):
        session = read_game(file)
        if not page.add(session, listed=_listed(number, file, session)):
            raise ValueError(f"a page has no room for more than {number_of(number - 1, 'game')}")
    return page.html()


def _listed(number: int, file: str, session: Session) -> Listed:
    """How the page lists the game of a file."""
    board = f"{session.game.title} {session.position.size}x{session.position.size}"
    return Listed(number, f"{number}. {board}: {Path(file).stem}", session.result or "")
