"""The rows of a report as turns to play."""

from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import (
    SEPARATOR,
    Clicks,
    words_clicked,
    words_of_line,
    write_turn,
)
from gtp_engine.rules.turns import turns_of
from gtp_engine.search.observer import Report
from gtp_engine.search.tree import Row


class Candidate(NamedTuple):
    """A possible continuation.

    row    -- its statistics
    pv     -- the words of the expected line, never empty
    clicks -- the clicks of the first word; a pass is a word instead
    whole  -- whether the first word is a complete turn
    """

    row: Row
    pv: tuple[str, ...]
    clicks: tuple[str, ...]
    whole: bool


def turn_candidate(position: Position, clicks: Clicks, report: Report, row: Row) -> Candidate:
    """The turn that begins with a row, as far as the search has seen it.

    position, clicks -- what the report is about, with the clicks of a half-clicked selection
    """
    forced, ends = report.forced, report.ends(row)
    first, *others = words_of_line(row.pv, ends)
    if forced:
        first = SEPARATOR.join([write_turn(position, forced), first])
    steps = row.pv[:1]
    if ends[:1] != (1,):  # to click a later step of a turn, the forced ones before it are played
        steps = next(turns_of(report.position, row.pv)).steps
    clicked = tuple(words_clicked(position, clicks, forced + steps))
    return Candidate(row, (first, *others), clicked, whole=bool(ends))
