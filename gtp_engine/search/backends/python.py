"""The backend in Python. It needs only the rules, so it plays any game."""

import random
import time

from gtp_engine.board.color import BLACK
from gtp_engine.board.diagram import by_row
from gtp_engine.rules.game import Position
from gtp_engine.rules.turns import perft
from gtp_engine.search.backends.protocol import Ends, MakeTree, PlayedGames, PlayRandom
from gtp_engine.search.backends.python_solver import PythonSolver
from gtp_engine.search.backends.python_tree import PythonTree, random_step
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solution import BEST, DEPTH_FIRST, Solver
from gtp_engine.search.weights import Weights


class PythonBackend:
    """See protocol.Backend."""

    name = "python"
    keeps_trees = False

    def weights(self, options: SearchOptions) -> Weights | None:
        """None, because the Python search has no learned evaluation."""
        return None

    def trees(self, options: SearchOptions, rng: random.Random, keep: bool) -> MakeTree:
        """See Backend.trees."""
        return lambda position, among: PythonTree(position, among, rng, options)

    def solver(self, position: Position, options: SearchOptions, method: str) -> Solver:
        """See Backend.solver."""
        if method not in (BEST, DEPTH_FIRST):
            raise ValueError("no such way to solve this")
        return PythonSolver()

    def random_games(self, position: Position, rng: random.Random) -> PlayRandom:
        """See Backend.random_games."""
        return lambda most: _one_game(position, rng)

    def timed_games(
        self, position: Position, seconds: float, seed: int, step_by_step: bool
    ) -> PlayedGames:
        """See Backend.timed_games."""
        rng = random.Random(seed)
        games = plies = black_wins = draws = 0
        start, began = position, time.perf_counter()
        while not games or time.perf_counter() - began < seconds:
            position = start
            while (outcome := position.outcome()) is None:
                chosen = rng.choice(position.legal_steps()) if step_by_step else None
                position = position.play_unchecked(chosen or random_step(position, rng))
                plies += 1
            games += 1
            black_wins += outcome.winner is BLACK
            draws += outcome.winner is None
        return PlayedGames(games, plies, black_wins, draws, time.perf_counter() - began)

    def perft(self, position: Position, depth: int) -> int:
        """See Backend.perft."""
        return perft(position, depth)


def _one_game(position: Position, rng: random.Random) -> Ends:
    while (outcome := position.outcome()) is None:
        position = position.play_unchecked(random_step(position, rng))
    black, white = position.held()
    held = [(black >> vertex & 1) - (white >> vertex & 1) for vertex in by_row(position.size)]
    return Ends(1, outcome.value, held)
