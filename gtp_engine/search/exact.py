"""The exact value of every step of a position that a solver solves."""

from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import SWAP_SIDES, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.observer import Report
from gtp_engine.search.solution import Solution, Solver
from gtp_engine.search.tree import Row, value_for

_SHARE_FOR_THE_POSITION = 0.7


def exact_report(position: Position, solver: Solver, budget: Budget) -> Report | None:
    """The exact value of a position and of its steps, a step of best play first.

    None where the position is not solved, or over. The rows leave out
    steps for which there was no time. `visits` are positions searched. A swap counts as a step. Of
    lost steps the one with the longest line is first.
    """
    if position.outcome() is not None:
        return None
    deadline = budget.begin()
    forced, position = settle(position)
    found = _solve(solver, position, deadline.share(_SHARE_FOR_THE_POSITION))
    if found.value is None or not found.line:
        return None
    rows = [_row(position, found.line[0], found)]
    for step in position.legal_steps():
        if step != found.line[0] and (row := _looked_at(solver, position, step, deadline)):
            rows.append(row)
    mover = position.to_move
    lost = value_for(mover, found.value) == 0
    rows[not lost :] = sorted(rows[not lost :], key=lambda row: _rank(row, mover), reverse=True)
    searched = sum(row.visits for row in rows)
    return Report(position, tuple(rows), found.value, searched, found.value, forced)


def _rank(row: Row, mover: Color) -> tuple[float, int]:
    """The rank of a row: higher is better. A longer loss ranks higher."""
    value = value_for(mover, row.value)
    return value, 0 if value else len(row.pv)


def _solve(solver: Solver, position: Position, deadline: Deadline) -> Solution:
    return solver.solve(
        position, Budget(deadline.visits, deadline.seconds_left(), deadline.interrupt)
    )


def _row(position: Position, step: Step, found: Solution) -> Row:
    """The row of a step with the value and the line of play of its position."""
    assert found.value is not None
    seen = value_for(position.to_move, found.value)
    visits = max(1, found.positions)
    return Row(step, visits, found.value, 0.0, seen, found.value, found.line)


def _looked_at(solver: Solver, position: Position, step: Step, deadline: Deadline) -> Row | None:
    """The row of a step; None if time ran out."""
    _, after = settle(position.play_unchecked(step))
    outcome = after.outcome()
    if outcome is not None:
        found = Solution(outcome.value, (), 1, 0, 0, 0.0)
    else:
        found = _solve(solver, after, deadline)
    if found.value is None:
        return None
    value = 1 - found.value if step == SWAP_SIDES else found.value
    return _row(position, step, found._replace(value=value, line=(step, *found.line)))
