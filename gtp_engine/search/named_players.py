"""The players by name."""

import random
from collections.abc import Callable

from gtp_engine.rules.game import Game, Position
from gtp_engine.search.backends.choose import AUTO, backend_for
from gtp_engine.search.backends.protocol import Backend
from gtp_engine.search.endgames import IN_PLAY, EndgameSolver, SolverPolicy
from gtp_engine.search.options import DEFAULT_OPTIONS, SearchOptions
from gtp_engine.search.player import Player, TreePlayer
from gtp_engine.search.simple_players import GreedyPlayer, RandomPlayer, TwiceGreedyPlayer
from gtp_engine.search.solution import RETROGRADE, Solver
from gtp_engine.search.solver import table_of
from gtp_engine.search.step_features import CAREFUL, Habits

MakePlayer = Callable[[Backend, str | None, SearchOptions, Habits], Player]


def make_endgame_solver(
    backend: Backend, options: SearchOptions, keep: bool = False, policy: SolverPolicy = IN_PLAY
) -> EndgameSolver:
    """The solvers of a backend, asked by a policy; see Endings."""

    def solver(position: Position, options: SearchOptions, method: str) -> Solver:
        if method == RETROGRADE:
            return table_of(backend, position, options)
        return backend.solver(position, options, method)

    return EndgameSolver(solver, options, keep, policy)


def tree_player(
    backend: Backend, seed: str | None, options: SearchOptions, habits: Habits = CAREFUL
) -> TreePlayer:
    """The player that searches a tree; without a seed it keeps the tree if the backend can."""
    rng = random.Random(seed)
    keeps = seed is None and backend.keeps_trees and habits.considers is None
    trees = backend.trees(options, rng, keeps)
    endgames = make_endgame_solver(backend, options, keeps)
    return TreePlayer(trees, rng, endgames, options.swap_maps, habits, keeps)


def _naive(kind: type[RandomPlayer]) -> MakePlayer:
    def make(backend: Backend, seed: str | None, options: SearchOptions, habits: Habits) -> Player:
        return kind(random.Random(seed))

    return make


PLAYERS: dict[str, MakePlayer] = {
    "mcts": tree_player,
    "random": _naive(RandomPlayer),
    "greedy": _naive(GreedyPlayer),
    "greedy2": _naive(TwiceGreedyPlayer),
}


def make_player(
    game: Game,
    name: str,
    seed: str | None,
    backend: str = AUTO,
    options: SearchOptions = DEFAULT_OPTIONS,
    habits: Habits = CAREFUL,
) -> Player:
    """The player of a name for a game. With a seed its choices can be repeated.

    Without a seed a player that is kept reuses its tree.
    Raises KeyError for an unknown name.
    """
    return PLAYERS[name](backend_for(game, backend), seed, options, habits)
