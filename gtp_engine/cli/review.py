"""`gtp-engine review`: searches every turn of a game and writes a web page of the mistakes."""

import argparse
import sys
from collections.abc import Sequence

from gtp_engine.cli.flags import add_flags, chosen
from gtp_engine.cli.game_files import add_game_and_page, read_game, write
from gtp_engine.cli.interrupts import interruptible
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.engine.explanation import USUAL_SECONDS
from gtp_engine.engine.game_review import TurnReview, review, reviewed_turns
from gtp_engine.engine.replay_page import COSTLY, review_page
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import Settings, settings
from gtp_engine.search.budget import Budget

PROGRAM = "gtp-engine review"
SETTINGS = settings("backend", "threads", "hash_mb", "visits", "seconds", "seed")

COMPLETE, INCOMPLETE, REFUSED = 0, 1, 2
"""Exit statuses: all turns searched, or not all."""


def main(arguments: Sequence[str]) -> int:
    """Search and write the page. Returns the exit status. Raises OSError."""
    options = _parser().parse_args(arguments)
    try:
        settings: Settings = options.settings
        session = read_game(options.file, settings=settings)
        total = len(reviewed_turns(session))
        if not total:
            raise ValueError(f"{options.file} has no turn to review")
        with interruptible() as interrupt:
            seconds = settings.seconds or (None if settings.visits else USUAL_SECONDS)
            budget = Budget(settings.visits or None, seconds, interrupt)
            found = _searched(session, budget, total)
        if not found:
            print(f"{PROGRAM}: ended before the first turn was searched", file=sys.stderr)
            return INCOMPLETE
        write(review_page(session, found, budget).encode(), options.output)
    except ValueError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return REFUSED
    return COMPLETE if len(found) == total else INCOMPLETE


def _searched(session: Session, budget: Budget, total: int) -> list[TurnReview]:
    """The search's review of each turn, with progress on stderr."""
    found = []
    live = sys.stderr.isatty()
    for turn in review(session, budget):
        found.append(turn)
        cost = f", cost {turn.loss:.1%}" if turn.loss >= COSTLY else ""
        name = session.game.color_names[turn.color]
        line = f"{PROGRAM}: {turn.number} of {total}: {name} {turn.word}{cost}"
        # A mistake stays on the terminal; the next line overwrites any other turn.
        end = "\n" if cost or not live or turn.number == total else "\r"
        print(f"\033[K{line}" if live else line, end=end, file=sys.stderr, flush=True)
    return found


def _check(options: argparse.Namespace) -> None:
    """Read the settings. Raises ValueError, with a sentence for the user."""
    options.settings = Settings(**chosen(options, SETTINGS))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=PROGRAM,
        description=purpose(__doc__),
        epilog="Without --visits and --seconds each position is searched for "
        f"{USUAL_SECONDS:g} second. Ctrl-C writes the page with the turns searched so far. Exit "
        "status: 0 if all turns were searched, 1 if not, 2 for a file that cannot be read or "
        "written.",
        check=_check,
        waits=True,
    )
    add_game_and_page(parser)
    add_flags(parser, SETTINGS)
    return parser
