"""Exact results, by the solvers of the backends."""

import threading
from functools import lru_cache

from gtp_engine.rules.game import Game, Position
from gtp_engine.search.backends.choose import AUTO, backend_for
from gtp_engine.search.backends.protocol import Backend
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import DEFAULT_OPTIONS, SearchOptions
from gtp_engine.search.solution import BEST, RETROGRADE, Solution, Solver

# Enough for a table of all positions of a small board, unless repetitions need a second table.
_MB_FOR_A_TABLE = 64

# Boards whose tables are kept: a change to another board and back must not begin a table anew.
_MOST_TABLES = 2


def make_solver(
    position: Position,
    backend: str = AUTO,
    options: SearchOptions = DEFAULT_OPTIONS,
    method: str = BEST,
) -> Solver:
    """A solver of a backend for positions of the same game and size.

    Raises ValueError if the method does not suit the game, the size or the memory; Python has only
    depth-first search.
    """
    return backend_for(position.game, backend).solver(position, options, method)


def table_of(backend: Backend, position: Position, options: SearchOptions) -> Solver:
    """A solver that finds the values of all positions of a small board; it may have begun before.

    Raises ValueError if the board is too large.
    """
    hash_mb = min(options.hash_mb, _MB_FOR_A_TABLE)
    with _making_a_table:
        return _table(backend, position.game, position.size, hash_mb)


_making_a_table = threading.Lock()


@lru_cache(_MOST_TABLES)
def _table(backend: Backend, game: Game, size: int, hash_mb: int) -> Solver:
    """One cache for all players and threads, also for players that are made for one position."""
    return backend.solver(game.start(size), SearchOptions(hash_mb=hash_mb), RETROGRADE)


def solve(
    position: Position,
    budget: Budget,
    backend: str = AUTO,
    options: SearchOptions = DEFAULT_OPTIONS,
    method: str = BEST,
) -> Solution:
    """The exact value of a position, or that the budget was not enough.

    Raises ValueError if the method does not suit the game, the size or the memory.
    """
    return make_solver(position, backend, options, method).solve(position, budget)


def forget_tables() -> None:
    """Drop the tables that nobody uses now."""
    _table.cache_clear()
