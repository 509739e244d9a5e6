"""Exact results inside a game: when a solver is asked, which solver, and for how long."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.step import Step
from gtp_engine.search.budget import SMALL_SIZE, SOLVED_EARLY, Budget, Deadline
from gtp_engine.search.canonical_image import solved_alike
from gtp_engine.search.certificates import has_book
from gtp_engine.search.exact import exact_report
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solution import BEST, DRAWN, RETROGRADE, Solution, Solver

# A solver has little time per position and could not fill more memory. For few positions even this
# would take longer to get from the system than the solver takes.
_MB_FOR_A_POSITION = 16
_POSITIONS_IN_A_MB = 10_000


class SolverPolicy(NamedTuple):
    """When solvers are asked before a search.

    most_empty     -- largest number of empty points of late positions, for which a solver is asked;
                      it searches at most as many positions as the budget says
    share          -- the solver's share of the time
    share_on_small -- the same for late positions of small boards, and for a table of all positions
    most_positions -- the solver's limit if the budget sets none, on boards that are not small
    table_first    -- whether an incomplete table is continued before a solver is asked
    """

    most_empty: int
    share: float
    share_on_small: float
    most_positions: int | None
    table_first: bool


IN_PLAY = SolverPolicy(10, 0.2, 0.8, 10**6, table_first=True)
TO_EXPLAIN = SolverPolicy(12, 0.6, 0.6, None, table_first=False)

# The least time for continuing a table of all positions of a small board.
_SECONDS_FOR_A_TABLE = 0.1

MakeSolver = Callable[[Position, SearchOptions, str], Solver]
"""Returns a solver for positions of one game and size, with its limits and its method.

The solver is new, except that a table may be one begun before: its results do not depend on earlier
requests. Raises ValueError if the method does not suit the position.
"""


def solved_by(solver: Solver, position: Position, budget: Budget) -> Solution:
    """What a solver finds; on a board with a book it solves all images of a position alike."""
    alike = has_book(position.game, position.size)
    return solved_alike(solver, position, budget) if alike else solver.solve(position, budget)


def hash_mb_for(most: int | None) -> int:
    """The memory of a solver that may search so many positions; None for no limit."""
    whole = _MB_FOR_A_POSITION
    return whole if most is None else min(whole, 1 + most // _POSITIONS_IN_A_MB)


def _bounded_by_visits(deadline: Deadline) -> bool:
    """Whether visits bound what may be known, not only what is searched."""
    return deadline.visits is not None and deadline.positions is None


class EndgameSolver:
    """Solves positions within the time of a turn.

    keep -- whether results for other positions may be reused
    """

    def __init__(
        self,
        make_solver: MakeSolver,
        options: SearchOptions,
        keep: bool,
        policy: SolverPolicy = IN_PLAY,
    ) -> None:
        self._make_solver = make_solver
        self._policy = policy
        self._options = options
        self._keep = keep
        self._kept: tuple[Game, int, Solver] | None = None

    def ask(self, position: Position, deadline: Deadline) -> Iterator[tuple[Solver, Budget]]:
        """The solvers for a position, each with its share of the remaining time."""
        table, policy = self._table(position, deadline), self._policy
        late = position.size**2 - position.occupied().bit_count() <= policy.most_empty
        first = table is not None and (table.complete or policy.table_first or not late)
        if table is not None and first:
            yield table, self._for_table(deadline)
        if late or (not _bounded_by_visits(deadline) and has_book(position.game, position.size)):
            small = position.size <= SMALL_SIZE
            share = deadline.share(policy.share_on_small if late and small else policy.share)
            positions = deadline.visits if deadline.positions is None else deadline.positions
            if not late:
                positions = min(SOLVED_EARLY, positions or SOLVED_EARLY)
            elif positions is None and (not small or share.end is None):
                positions = policy.most_positions
            budget = Budget(positions, share.seconds_left(), deadline.interrupt)
            yield self._solver(position, positions), budget
        if table is not None and not first:
            yield table, self._for_table(deadline)

    def _for_table(self, deadline: Deadline) -> Budget:
        share = deadline.share(self._policy.share_on_small)
        return Budget(None, share.seconds_left(), deadline.interrupt)

    def solve(self, position: Position, deadline: Deadline) -> Solution | None:
        """The solution of a position; None if no solver is asked."""
        found = None
        for solver, budget in self.ask(position, deadline):
            found = solved_by(solver, position, budget)
            if found.value is not None:
                break
        return found

    def drawing_steps(self, position: Position, deadline: Deadline) -> tuple[Step, ...]:
        """The steps of a drawn position that keep the draw; none without a table."""
        table = self._table(position, deadline)
        if table is None:
            return ()
        share = deadline.share(self._policy.share)
        budget = Budget(None, share.seconds_left(), deadline.interrupt)
        report = exact_report(position, table, budget)
        rows = () if report is None else report.rows
        return tuple(row.step for row in rows if row.value == DRAWN)

    def _table(self, position: Position, deadline: Deadline) -> Solver | None:
        """The table of all positions of the board; None if it would be too large.

        A limit on visits alone excludes the table, which would know more than that many visits.
        """
        if _bounded_by_visits(deadline):
            return None
        try:
            table = self._make_solver(position, self._options, RETROGRADE)
        except ValueError:
            return None
        left = deadline.seconds_left()
        hurried = left is not None and left < _SECONDS_FOR_A_TABLE
        return None if hurried and not table.complete else table

    def _solver(self, position: Position, most: int | None) -> Solver:
        """A solver for a position: the last one if it was kept and suits the position.

        most -- positions that it may search; None for no limit
        """
        board = position.game, position.size
        if self._kept is not None and self._kept[:-1] == board:
            return self._kept[-1]
        hash_mb = hash_mb_for(None if self._keep else most)
        options = SearchOptions(hash_mb=hash_mb, threads=self._options.threads)
        solver = self._make_solver(position, options, BEST)
        if self._keep:
            self._kept = *board, solver
        return solver
