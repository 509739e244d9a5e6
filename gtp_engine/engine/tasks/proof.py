"""What the solver says of a position: which turns win; and whether a puzzle keeps its promise."""

from collections.abc import Iterable, Iterator

from gtp_engine.engine.tasks import BadExercise
from gtp_engine.engine.tasks.identity import identity, symmetric
from gtp_engine.engine.tasks.puzzle import BETTER, Puzzle
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import UnreadablePosition, read_position
from gtp_engine.rules.notation.turns import Unreadable, read_turn, write_turn
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import IllegalStep, UnplayablePosition
from gtp_engine.rules.turns import Turn, legal_turns
from gtp_engine.search.backends.choose import AUTO
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solution import Solver
from gtp_engine.search.solver import make_solver
from gtp_engine.search.tree import value_for

MOST_POSITIONS = 2_000_000
"""The solver may search so many positions for each value that a proof needs."""

_MOST_TURNS = 400

# More memory takes longer to get from the system than most proofs take.
_MB = 32


class Unproven(Exception):
    """The solver did not find a value that was needed."""


def distinct_turns(position: Position) -> list[Turn]:
    """One turn for each different result. Raises TooMany for hundreds of them."""
    turns = legal_turns(position, _MOST_TURNS)
    return list({turn.position: turn for turn in reversed(turns)}.values())


def new_solver(position: Position, backend: str = AUTO) -> Solver:
    """A solver for positions of the same game and size."""
    return make_solver(position, backend, SearchOptions(hash_mb=_MB))


def wins(position: Position, color: Color, solver: Solver, most: int = MOST_POSITIONS) -> bool:
    """Whether a color wins a position with best play. Raises Unproven.

    most -- positions that the solver may search
    """
    outcome = position.outcome()
    value = outcome.value if outcome else solver.solve(position, Budget(visits=most)).value
    if value is None:
        raise Unproven
    return value_for(color, value) == 1


def winning(
    turns: Iterable[Turn], color: Color, solver: Solver, most: int = MOST_POSITIONS
) -> Iterator[Turn]:
    """Those of a color's turns that win, one by one. Raises Unproven."""
    return (turn for turn in turns if wins(turn.position, color, solver, most))


def check(puzzle: Puzzle) -> None:
    """Prove again what is claimed of a puzzle. Raises BadExercise or Unproven.

    Of a turn that is far better than the others it is only checked that it is legal.
    """
    position, right = read(puzzle)
    if puzzle.id != identity(position):
        raise BadExercise(f"{puzzle.id} is the id of another position")
    if position.open or symmetric(position):
        raise BadExercise(f"{puzzle.id}: the position is inside a turn or symmetric")
    if puzzle.kind == BETTER:
        return
    turns = distinct_turns(position)
    solver = new_solver(position)
    found = {turn.position for turn in winning(turns, position.to_move, solver)}
    if found != right:
        words = [write_turn(position, turn.steps) for turn in turns if turn.position in found]
        raise BadExercise(f"{puzzle.id}: what wins is {' '.join(words) or 'nothing'}")


def read(puzzle: Puzzle) -> tuple[Position, set[Position]]:
    """The position of a puzzle, and those after its turns. Raises BadExercise."""
    try:
        position = read_position(puzzle.position)
        readings = [read_turn(position, (), word) for word in puzzle.turns]
    except (UnreadablePosition, UnplayablePosition, Unreadable, IllegalStep) as error:
        raise BadExercise(f"{puzzle.id}: {error}") from None
    if any(each.clicks or each.position.open for each in readings):
        raise BadExercise(f"{puzzle.id}: a turn is not whole")
    return position, {each.position for each in readings}
