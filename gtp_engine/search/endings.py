"""Exact results inside a game: when a solver is asked, which one, and for how long."""

from collections.abc import Callable

from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.step import Step
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.exact import exact_report
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solution import BEST, DRAWN, RETROGRADE, Solution, Solver

# A solver of one position has little time: more memory would not be filled.
_FOR_A_POSITION = SearchOptions(hash_mb=16)

# With so many empty points or fewer it may succeed, and is asked before the search: for as many
# positions as there are visits, and for a part of the time, which is all that bounds it on a small
# board.
_MOST_EMPTY = 10
_SHARE = 0.2
_SMALL_SIZE = 4
_SHARE_ON_SMALL_BOARDS = 0.8
_MOST_POSITIONS = 10**6

# The least time in which to go on with a table of all positions of a small board.
_SECONDS_FOR_A_TABLE = 0.1

MakeSolver = Callable[[Position, SearchOptions, str], Solver]
"""Gives a solver for positions of the same game and size, with what it may take and its method.

A new one, but for a table, which may be one that was begun before: what it tells does not depend on
what it was asked. Raises ValueError where the method is not for that.
"""


class Endings:
    """Solves what can be solved in the time of a turn.

    keep -- whether what was found out about other positions may help
    """

    def __init__(self, make_solver: MakeSolver, options: SearchOptions, keep: bool) -> None:
        self._make_solver = make_solver
        self._options = options
        self._keep = keep
        self._kept: tuple[Game, int, Solver] | None = None

    def solve(self, position: Position, deadline: Deadline) -> Solution | None:
        """The solution of a position; None where it is not even tried."""
        table = self._table(position, deadline)
        found = None
        if table is not None:
            share = deadline.share(_SHARE_ON_SMALL_BOARDS)
            found = table.solve(position, Budget(None, share.seconds_left(), deadline.interrupt))
        late = position.size**2 - position.occupied().bit_count() <= _MOST_EMPTY
        if not late or (found is not None and found.value is not None):
            return found
        small = position.size <= _SMALL_SIZE
        share = deadline.share(_SHARE_ON_SMALL_BOARDS if small else _SHARE)
        positions = deadline.visits
        if positions is None and (not small or share.end is None):
            positions = _MOST_POSITIONS
        budget = Budget(positions, share.seconds_left(), deadline.interrupt)
        return self._solver(position).solve(position, budget)

    def drawing_steps(self, position: Position, deadline: Deadline) -> tuple[Step, ...]:
        """The steps of a drawn position that keep the draw; none where no table tells them."""
        table = self._table(position, deadline)
        if table is None:
            return ()
        share = deadline.share(_SHARE)
        budget = Budget(None, share.seconds_left(), deadline.interrupt)
        report = exact_report(position, table, budget)
        rows = () if report is None else report.rows
        return tuple(row.step for row in rows if row.value == DRAWN)

    def _table(self, position: Position, deadline: Deadline) -> Solver | None:
        """What knows, or finds, the values of the whole board; None where that is too much.

        A bound on visits is one on what the player may know.
        """
        if deadline.visits is not None:
            return None
        try:
            table = self._make_solver(position, self._options, RETROGRADE)
        except ValueError:
            return None
        left = deadline.seconds_left()
        hurried = left is not None and left < _SECONDS_FOR_A_TABLE
        return None if hurried and not table.complete else table

    def _solver(self, position: Position) -> Solver:
        """A solver for a position: the last one, if that was kept and fits."""
        board = position.game, position.size
        if self._kept is not None and self._kept[:-1] == board:
            return self._kept[-1]
        solver = self._make_solver(position, _FOR_A_POSITION, BEST)
        if self._keep:
            self._kept = *board, solver
        return solver
