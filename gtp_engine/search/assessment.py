"""What a position is worth: a solver's result, or else that of a search.

Reviews and analysis of many positions stand on `assess`, which keeps nothing between calls.
"""

import time
from dataclasses import replace
from typing import NamedTuple

from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.step import Pie, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.backends.choose import await_kernel, backend_for
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.endgames import TO_EXPLAIN
from gtp_engine.search.exact import exact_report
from gtp_engine.search.named_players import make_endgame_solver, tree_player
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.player import TreePlayer
from gtp_engine.search.root import Root
from gtp_engine.search.tree import LONGEST_PV

# Positions that a solver searches in the time of a visit.
_POSITIONS_FOR_A_VISIT = 20


class SearchSetup(NamedTuple):
    """What searches, how, and for how long. Without a seed each search is different."""

    backend: str
    options: SearchOptions
    seed: str | None
    budget: Budget

    def player(self, game: Game) -> TreePlayer:
        """A player that searches so, in a new tree."""
        return tree_player(backend_for(game, self.backend), self.seed, self.options)


def assess(
    position: Position,
    setup: SearchSetup,
    among: tuple[Step, ...] | None = None,
    observer: SearchObserver | None = None,
    player: TreePlayer | None = None,
) -> Report:
    """Find what a position is worth. Several threads may call this at a time.

    With a seed, a limit of visits and one thread per search the result depends on the arguments
    alone. Raises ValueError without a step to search.

    among    -- the legal steps to search; None for all of them. It has no effect on a forced step
    observer -- gets the report of the assessment at the end, unless the game is over, and before
                that the reports of the running search
    player   -- searches in its own tree, with its own options. By default a new tree is used
    """
    forced, settled = settle(position)
    outcome = settled.outcome()
    if outcome is not None:
        return Report.ended(settled, outcome.value, forced)
    if setup.budget.visits is not None:
        await_kernel(position.game, setup.backend)
    legal, deadline = settled.legal_steps(), setup.budget.begin()
    if among is None or forced:
        among = legal
    if not among:
        raise ValueError("no steps to look at")
    report = _solved(position, setup, deadline) if len(among) == len(legal) else None
    if report is None:
        player = player or setup.player(position.game)
        report = player.analyze(position, among, deadline, observer)
    elif observer is not None:
        observer.end(report)
    return report


def search(position: Position, among: tuple[Step, ...], setup: SearchSetup) -> Report:
    """Search some legal steps of a position, without swaps there and later, and without a solver.

    Where the first step is forced, the search begins after it. Steps without a visit are left out.
    Raises ValueError without a step.
    """
    root = Root.of(replace(position, pie=Pie.OFF), among)
    if not root.others:
        raise ValueError("no steps to look at")
    player = setup.player(position.game)
    began = time.perf_counter()
    found = player.analyze(root.position, root.others, setup.budget.begin(), longest_pv=LONGEST_PV)
    seconds = time.perf_counter() - began
    return found._replace(rows=tuple(row for row in found.rows if row.visits), seconds=seconds)


def _solved(position: Position, setup: SearchSetup, deadline: Deadline) -> Report | None:
    """The exact report, if a solver finds the value in its part of the budget."""
    backend = backend_for(position.game, setup.backend)
    endgames = make_endgame_solver(backend, setup.options, policy=TO_EXPLAIN)
    if deadline.visits is not None:
        deadline = deadline._replace(visits=_POSITIONS_FOR_A_VISIT * deadline.visits)
    for solver, share in endgames.ask(settle(position)[1], deadline):
        report = exact_report(position, solver, share)
        if report is not None:
            return report
    return None
