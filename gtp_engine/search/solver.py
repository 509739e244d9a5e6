"""Exact results, by whatever solves here."""

from gtp_engine.rules.game import Position
from gtp_engine.search.backend import AUTO, make_solver
from gtp_engine.search.budget import MODEST, Budget, Resources
from gtp_engine.search.solution import BEST, Solution


def solve(
    position: Position,
    budget: Budget,
    backend: str = AUTO,
    resources: Resources = MODEST,
    method: str = BEST,
) -> Solution:
    """The exact value of a position, or that the budget was not enough.

    Raises ValueError where the method is not for the game, the size or the memory.
    """
    return make_solver(position, backend, resources, method).solve(position, budget)
