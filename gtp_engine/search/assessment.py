"""What a position is worth: a solver's result, or else that of a search.

Reviews and analysis of many positions stand on `assess`, which keeps nothing between calls.
"""

from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.step import Pie, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.backends.choose import await_kernel, backend_for
from gtp_engine.search.budget import Deadline
from gtp_engine.search.endgames import TO_EXPLAIN
from gtp_engine.search.exact import exact_report
from gtp_engine.search.finite_search import SearchSetup
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.player import TreePlayer
from gtp_engine.search.players import make_endgame_solver, make_player

# Positions that a solver searches in the time of a visit.
_POSITIONS_FOR_A_VISIT = 20


class Assessment(NamedTuple):
    """What a position is worth.

    value  -- for BLACK, 0 to 1, with best play, in which a swap counts
    proven -- the same if it is exact, else None
    report -- of the position after its forced steps; None after the end of the game
    forced -- these steps
    """

    value: float
    proven: float | None
    report: Report | None = None
    forced: tuple[Step, ...] = ()

    @classmethod
    def of(cls, report: Report, forced: tuple[Step, ...] = ()) -> "Assessment":
        """What a report says, also a report of a running search."""
        value, proven, position = report.value, report.proven, report.position
        if proven is None and position.pie is not Pie.OFF and position.to_move is BLACK:
            # White takes the better color; the search itself knows no swap.
            value = min(report.rows[0].value, 1 - report.rows[0].value)
        return cls(value, proven, report, forced)


def assess(
    position: Position,
    setup: SearchSetup,
    among: tuple[Step, ...] | None = None,
    observer: SearchObserver | None = None,
    player: TreePlayer | None = None,
) -> Assessment:
    """Find what a position is worth. Several threads may call this at a time.

    With a seed, a limit of visits and one thread per search the result depends on the arguments
    alone. Raises ValueError without a step to search.

    among    -- the legal steps to search; None for all of them. It has no effect on a forced step
    observer -- gets the report of the assessment at the end, unless the game is over, and before
                that the reports of the running search
    player   -- searches in its own tree, with its own options. By default a new tree is used
    """
    forced, position = settle(position)
    outcome = position.outcome()
    if outcome is not None:
        return Assessment(outcome.value, outcome.value, None, forced)
    if setup.budget.visits is not None:
        await_kernel(position.game, setup.backend)
    legal, deadline = position.legal_steps(), setup.budget.begin()
    if among is None or forced:
        among = legal
    if not among:
        raise ValueError("no steps to look at")
    report = _solved(position, setup, deadline) if len(among) == len(legal) else None
    if report is None:
        report = (player or _new_player(position, setup)).analyze(
            position, among, deadline, observer
        )
    elif observer is not None:
        observer.end(report)
    return Assessment.of(report, forced)


def _solved(position: Position, setup: SearchSetup, deadline: Deadline) -> Report | None:
    """The exact report, if a solver finds the value in its part of the budget."""
    backend = backend_for(position.game, setup.backend)
    endgames = make_endgame_solver(backend, setup.options, policy=TO_EXPLAIN)
    if deadline.visits is not None:
        deadline = deadline._replace(visits=_POSITIONS_FOR_A_VISIT * deadline.visits)
    for solver, share in endgames.ask(position, deadline):
        report = exact_report(position, solver, share)
        if report is not None:
            return report
    return None


def _new_player(position: Position, setup: SearchSetup) -> TreePlayer:
    player = make_player(position.game, "mcts", setup.seed, setup.backend, setup.options)
    assert isinstance(player, TreePlayer)
    return player
