"""The backend in Python and its solver. They need only the rules, so they know any game."""

import random
import time

from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.points.diagram import by_row
from gtp_engine.rules.step import SWAP_SIDES, Step
from gtp_engine.rules.turns import perft, settle
from gtp_engine.search.backends.protocol import Ends, MakeTree, PlayedGames, PlayRandom
from gtp_engine.search.backends.python_tree import PythonTree, random_step
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solution import BEST, DEPTH_FIRST, Solution, Solver
from gtp_engine.search.weights import Weights

# The most positions in memory. They take some hundred MiB.
_MOST_POSITIONS = 2**19

# The solver gives up on longer lines, before Python's stack overflows.
_DEEPEST = 300


class GaveUp(Exception):
    """The budget is used up."""


class PythonSolver:
    """Solves positions of any game and size."""

    complete = False

    def __init__(self) -> None:
        self._values: dict[Position, float] = {}
        self._searched = self._hits = 0

    def solve(self, position: Position, budget: Budget) -> Solution:
        """See Solver.solve."""
        began = time.perf_counter()
        self._searched = self._hits = 0
        deadline = budget.begin()
        value, line = None, list[Step]()
        try:
            value = self._value(position, deadline)
            while True:
                _, position = settle(position)
                step = self._best_step(position, deadline)
                if step is None:
                    break
                line.append(step)
                position = position.play_unchecked(step)
        except GaveUp:
            pass
        seconds = time.perf_counter() - began
        return Solution(value, tuple(line), self._searched, self._hits, 0, seconds)

    def _best_step(self, position: Position, deadline: Deadline) -> Step | None:
        """A step that keeps the value; None at the end of the game."""
        if position.outcome() is not None:
            return None
        value = self._value(position, deadline)
        for step in position.legal_steps():
            if self._after(position, step, deadline) == value:
                return step
        raise AssertionError("no step has the value of its position")

    def _value(self, position: Position, deadline: Deadline, depth: int = 0) -> float:
        if position in self._values:
            self._hits += 1
            return self._values[position]
        outcome = position.outcome()
        if outcome is not None:
            return outcome.value
        self._count(deadline, depth)
        best = float(position.to_move is not BLACK)
        win = 1 - best
        for step in position.legal_steps():
            value = self._after(position, step, deadline, depth)
            best = max(best, value) if position.to_move is BLACK else min(best, value)
            if best == win:
                break
        if len(self._values) < _MOST_POSITIONS:
            self._values[position] = best
        return best

    def _after(self, position: Position, step: Step, deadline: Deadline, depth: int = 0) -> float:
        """The value after a step, for the player who is BLACK before the step."""
        value = self._value(position.play_unchecked(step), deadline, depth + 1)
        return 1 - value if step == SWAP_SIDES else value

    def _count(self, deadline: Deadline, depth: int) -> None:
        if depth > _DEEPEST or deadline.visits is not None and self._searched >= deadline.visits:
            raise GaveUp
        if self._searched % 64 == 0 and deadline.reached():
            raise GaveUp
        self._searched += 1


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
