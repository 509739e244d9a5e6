"""The choice of a player, with what the search found."""

from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import Step
from gtp_engine.search.observer import Report
from gtp_engine.search.tree import Row, lower_bound, value_for

# The most expected steps in a choice.
LONGEST_LINE = 10


class Choice(NamedTuple):
    """A player's choice of a turn.

    steps  -- the steps to play until the turn is over, forced ones included
    value  -- the chance that BLACK wins, 0 to 1; a draw counts half
    visits -- how often the position was visited, 0 without a search
    line   -- the steps that the search expects: those of the turn and some after it, forced
              ones left out
    proven -- the exact value, if it is known; the chosen steps keep it
    report -- the search report on the first step; None without a search
    """

    steps: tuple[Step, ...]
    value: float = 0.5
    visits: int = 0
    line: tuple[Step, ...] = ()
    proven: float | None = None
    report: Report | None = None

    def value_for(self, color: Color) -> float:
        """The chance that a color wins."""
        return value_for(color, self.value)


def unvisited(among: tuple[Step, ...]) -> tuple[Row, ...]:
    """Rows of unvisited steps."""
    return tuple(Row(step, 0, 0.5, 1 / len(among), 0.0, None, (step,)) for step in among)


def told(position: Position, choice: Choice) -> Report:
    """The report on a choice that was made without a search."""
    seen = choice.value_for(position.to_move)
    if choice.proven is None and choice.visits:
        seen = lower_bound(seen, choice.visits)
    value, visits = choice.value, choice.visits
    row = Row(choice.line[0], visits, value, 1.0, seen, choice.proven, choice.line)
    return Report(position, (row,), value, visits, choice.proven)
