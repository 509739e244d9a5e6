"""The rows of a report as turns to play."""

from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import Clicks, words_clicked, write_line, write_turn
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
    line = iter(row.pv)
    turn = next(turns_of(report.position, line))  # the rest of the line is left
    steps = report.forced + turn.steps
    words = (write_turn(position, steps), *write_line(turn.position, line))
    return Candidate(row, words, tuple(words_clicked(position, clicks, steps)), turn.whole)
