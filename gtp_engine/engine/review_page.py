"""A reviewed game as an HTML page that steps through it."""

from collections.abc import Iterator, Sequence
from itertools import islice

from gtp_engine.board.color import Color
from gtp_engine.engine.game_review import TurnReview, reviewed_turns
from gtp_engine.engine.scenes import line_scenes
from gtp_engine.engine.session import RESIGN, Session
from gtp_engine.look.replay import BetterTurn, Replay, ReviewedTurn, page
from gtp_engine.look.scene import Scene
from gtp_engine.numbers import number_of
from gtp_engine.search.budget import Budget

COSTLY = 0.05
"""Losses from here on are marked as mistakes."""

# Losses below this do not count.
_NOTHING = 0.005

# Most turns of a better line shown on the board.
_LONGEST_LINE = 6


def review_page(
    session: Session, replay: Replay, found: Sequence[TurnReview], budget: Budget
) -> str:
    """The page.

    replay  -- the game to step through
    found   -- the reviewed turns, at least one
    budget  -- the limit of each search
    """
    told = _how(budget, len(found), len(reviewed_turns(session)))
    return page(_with_review(session, replay, found, told))


def _how(budget: Budget, found: int, total: int) -> str:
    """A sentence about the search, for the page."""
    visits = None if budget.visits is None else number_of(budget.visits, "visit")
    seconds = None if budget.seconds is None else f"{budget.seconds:g} seconds"
    seconds = "1 second" if seconds == "1 seconds" else seconds
    bound = ", at most ".join(filter(None, (visits, seconds)))
    turns = "Every turn was" if found == total else f"The first {found} of {total} turns were"
    share = f"{COSTLY:.0%}".replace("%", " %")
    return (
        f"{turns} searched with {bound} per position. Turns that lost {share} or more are listed."
    )


def _with_review(
    session: Session, replay: Replay, found: Sequence[TurnReview], told: str
) -> Replay:
    """The game to step through, with the results of the review."""
    turns = reviewed_turns(session)
    start, *moments = replay.moments
    first = found[0]
    frames = [start._replace(chance=first.chance, proven=first.proven is not None)]
    for number, moment in enumerate(moments):
        if number < len(found):
            each = found[number]
            # After a swap of sides the curve shows the other player's chance.
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
    """The review of a turn for the page, with the better line if there is one."""
    same = turn.word == turn.best
    shown = () if same else tuple(BetterTurn(*each) for each in islice(line, _LONGEST_LINE))
    costly = turn.loss >= COSTLY
    return ReviewedTurn(_title(turn), turn.best, turn.loss, costly, turn.why, shown)


def _title(turn: TurnReview) -> str:
    if turn.word == RESIGN:
        return f"Still possible: {turn.best}"
    if turn.word == turn.best:
        return "Also the best turn of the search"
    return f"{'As good' if turn.loss < _NOTHING else 'Better'}: {turn.best}"
