"""The players by name."""

import random
from collections.abc import Callable

from gtp_engine.rules.game import Game, Position
from gtp_engine.search.backends.choose import AUTO, backend_for
from gtp_engine.search.backends.protocol import Backend
from gtp_engine.search.endgames import IN_PLAY, EndgameSolver, SolverPolicy
from gtp_engine.search.options import DEFAULT_OPTIONS, SearchOptions
from gtp_engine.search.player import Player, RandomPlayer, TreePlayer
from gtp_engine.search.solution import RETROGRADE, Solver
from gtp_engine.search.solver import table_of


def make_endgame_solver(
    backend: Backend, options: SearchOptions, keep: bool = False, policy: SolverPolicy = IN_PLAY
) -> EndgameSolver:
    """The solvers of a backend, asked by a policy; see Endings."""

    def solver(position: Position, options: SearchOptions, method: str) -> Solver:
        if method == RETROGRADE:
            return table_of(backend, position, options)
        return backend.solver(position, options, method)

    return EndgameSolver(solver, options, keep, policy)


def _tree_player(
    backend: Backend, seed: str | None, options: SearchOptions, leeway: float
) -> Player:
    rng = random.Random(seed)
    keeps = seed is None and backend.keeps_trees
    trees = backend.trees(options, rng, keeps)
    endgames = make_endgame_solver(backend, options, keeps)
    return TreePlayer(trees, rng, endgames, options.swap_maps, leeway, keeps)


def _random_player(
    backend: Backend, seed: str | None, options: SearchOptions, leeway: float
) -> Player:
    return RandomPlayer(random.Random(seed))


PLAYERS: dict[str, Callable[[Backend, str | None, SearchOptions, float], Player]] = {
    "mcts": _tree_player,
    "random": _random_player,
}


def make_player(
    game: Game,
    name: str,
    seed: str | None,
    backend: str = AUTO,
    options: SearchOptions = DEFAULT_OPTIONS,
    leeway: float = 0.0,
) -> Player:
    """The player of a name for a game. With a seed its choices can be repeated.

    Without a seed a player that is kept reuses its tree.
    Raises KeyError for an unknown name.

    leeway -- see levels.Level
    """
    return PLAYERS[name](backend_for(game, backend), seed, options, leeway)
