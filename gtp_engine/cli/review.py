"""`gtp-engine review`: a page that shows what each turn of a game cost, and what was better."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice

from gtp_engine.board.color import Color
from gtp_engine.cli.files import STDOUT, read_game, write
from gtp_engine.cli.interrupts import interruptible
from gtp_engine.cli.options import Parser, add_settings, read_settings
from gtp_engine.numbers import number_of
from gtp_engine.records.moments import replay_of
from gtp_engine.records.sgf import Remarks
from gtp_engine.render.replay import BetterTurn, Replay, ReviewedTurn, page
from gtp_engine.render.scene import Scene
from gtp_engine.search.budget import Budget
from gtp_engine.session.scenes import line_scenes
from gtp_engine.session.session import RESIGN, Session
from gtp_engine.thinking.explanation import USUAL_SECONDS
from gtp_engine.thinking.review import TurnReview, review, reviewed_turns

PROGRAM = "gtp-engine review"
SETTINGS = ("backend", "threads", "hash_mb", "visits", "seconds", "seed")

COMPLETE, INCOMPLETE, REFUSED = 0, 1, 2
"""Exit statuses: whether all turns were searched."""

# Losses that are worth a mark, and those that are none.
_COSTLY, _NOTHING = 0.05, 0.005

# So many turns of a better line are shown on the board.
_LONGEST_LINE = 6


def main(arguments: Sequence[str]) -> int:
    """Search and write the page. Returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        settings = read_settings(options, SETTINGS)
        session, remarks = read_game(options.file, settings=settings)
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
        told = _how(budget, len(found), total)
        write(page(_replay(session, remarks, found, told)).encode(), options.output)
    except (ValueError, OSError) as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return REFUSED
    return COMPLETE if len(found) == total else INCOMPLETE


def _searched(session: Session, budget: Budget, total: int) -> list[TurnReview]:
    """What the search says of each turn, with the progress on stderr."""
    found = []
    live = sys.stderr.isatty()
    for turn in review(session, budget):
        found.append(turn)
        cost = f", cost {turn.loss:.1%}" if turn.loss >= _COSTLY else ""
        name = session.game.color_names[turn.color]
        line = f"{PROGRAM}: {turn.number} of {total}: {name} {turn.word}{cost}"
        # A turn that cost much stays on the terminal; the others make place.
        end = "\n" if cost or not live or turn.number == total else "\r"
        print(f"\033[K{line}" if live else line, end=end, file=sys.stderr, flush=True)
    return found


def _how(budget: Budget, found: int, total: int) -> str:
    """A sentence about the search, for the page."""
    visits = None if budget.visits is None else number_of(budget.visits, "visit")
    seconds = None if budget.seconds is None else f"{budget.seconds:g} seconds"
    seconds = "1 second" if seconds == "1 seconds" else seconds
    bound = ", at most ".join(filter(None, (visits, seconds)))
    turns = "Every turn was" if found == total else f"The first {found} of {total} turns were"
    share = f"{_COSTLY:.0%}".replace("%", " %")
    return f"{turns} searched with {bound} a position. Listed is what cost {share} or more."


def _replay(session: Session, remarks: Remarks, found: Sequence[TurnReview], told: str) -> Replay:
    """The game to step through, with what was found."""
    replay, turns = replay_of(session, remarks), reviewed_turns(session)
    start, *moments = replay.moments
    first = found[0]
    frames = [start._replace(chance=first.chance, proven=first.proven is not None)]
    for number, moment in enumerate(moments):
        if number < len(found):
            each = found[number]
            # A swap of sides turns the color over that the curve is about.
            moment = moment._replace(
                chance=each.after,
                proven=each.after_proven is not None,
                review=_reviewed(each, line_scenes(turns[number].start, each.best_line)),
            )
        else:
            moment = moment._replace(chance=None)
        frames.append(moment)
    return replay._replace(moments=tuple(frames), reviewed=told)


def _reviewed(turn: TurnReview, line: Iterator[tuple[Scene, Color, str]]) -> ReviewedTurn:
    """What the page says of a turn; it shows the line where that is another one."""
    same = turn.word == turn.best
    shown = () if same else tuple(BetterTurn(*each) for each in islice(line, _LONGEST_LINE))
    costly = turn.loss >= _COSTLY
    return ReviewedTurn(_title(turn), turn.best, turn.loss, costly, turn.why, shown)


def _title(turn: TurnReview) -> str:
    if turn.word == RESIGN:
        return f"There was still {turn.best}"
    if turn.word == turn.best:
        return "The search would play it, too"
    return f"{'As good' if turn.loss < _NOTHING else 'Better'}: {turn.best}"


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=PROGRAM,
        description=__doc__,
        epilog=f"Without --visits and --seconds each position is searched for "
        f"{USUAL_SECONDS:g} second. Ctrl-C ends it with a page of what has been found. Exit "
        "status: 0 if all turns were searched, 1 if not, 2 for what cannot be read or written.",
    )
    parser.add_argument("file", metavar="FILE.sgf", help="a game that `printsgf` wrote")
    parser.add_argument(
        "-o",
        dest="output",
        default=STDOUT,
        metavar="FILE.html",
        help="where to write the page (default: stdout)",
    )
    add_settings(parser, SETTINGS)
    return parser
