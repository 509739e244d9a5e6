"""How fast rules and search are.

Random games also tell what they came to, so that speed is not bought with wrong rules.
"""

import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

from gtp_engine.board.color import BLACK
from gtp_engine.notation.position_text import write_position
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Pie
from gtp_engine.rules.turns import perft
from gtp_engine.search.backend import AUTO, PYTHON, kernel, make_plant
from gtp_engine.search.budget import MODEST, Budget, Resources
from gtp_engine.search.mcts import random_step


class Load(NamedTuple):
    """What a benchmark is asked for. `seconds` is the least time of a sample."""

    seconds: float = 0.5
    seed: int = 1
    backend: str = AUTO
    resources: Resources = MODEST


class Games(NamedTuple):
    """Random games of uniformly chosen steps, by all threads together."""

    games: int
    plies: int
    black_wins: int
    draws: int
    seconds: float


class Searched(NamedTuple):
    """What a search did. `nodes` and `used_bytes` are 0 where the tree does not tell."""

    visits: int
    seconds: float
    nodes: int
    used_bytes: int


class Counted(NamedTuple):
    """Sequences of `depth` legal steps."""

    depth: int
    sequences: int
    seconds: float


def playouts(position: Position, load: Load) -> Games:
    """Random games, as the search plays them."""
    return _games(position, load, step_by_step=False)


def play(position: Position, load: Load) -> Games:
    """Random games, every step chosen from the list of legal ones."""
    return _games(position, load, step_by_step=True)


def search(position: Position, load: Load, budget: Budget | None = None) -> Searched:
    """One search from a fresh tree, of a position that is not over; no swap is considered."""
    position = replace(position, pie=Pie.OFF)
    plant = make_plant(load.backend, load.resources, random.Random(load.seed), keep=False)
    tree = plant(position, position.legal_steps())
    began = time.perf_counter()
    tree.search((budget or Budget(seconds=load.seconds)).begin())
    seconds = time.perf_counter() - began
    return Searched(tree.visits, seconds, tree.nodes, tree.used_bytes)


def count(position: Position, load: Load) -> Counted:
    """Perft, one deeper until it takes the time asked for."""
    counted = _counter(position, load.backend)
    depth = 0
    while True:
        depth += 1
        began = time.perf_counter()
        sequences = counted(depth)
        seconds = time.perf_counter() - began
        # One deeper takes several times as long.
        if seconds * 4 >= load.seconds or not sequences:
            return Counted(depth, sequences, seconds)


def _counter(position: Position, backend: str) -> Callable[[int], int]:
    module = None if backend == PYTHON else kernel()
    if module is None:
        return lambda depth: perft(position, depth)
    in_kernel = module.Position(write_position(position))
    return lambda depth: int(in_kernel.perft(depth))


def _games(position: Position, load: Load, step_by_step: bool) -> Games:
    module = None if load.backend == PYTHON else kernel()
    if module is None:
        return _games_in_python(position, load, step_by_step)
    in_kernel = module.Position(write_position(position))

    def some(thread: int) -> Games:
        return Games(*in_kernel.play_games(load.seconds, load.seed + thread, step_by_step))

    with ThreadPoolExecutor(load.resources.threads) as pool:
        parts = list(pool.map(some, range(load.resources.threads)))
    games, plies, black_wins, draws = (int(sum(column)) for column in list(zip(*parts))[:4])
    return Games(games, plies, black_wins, draws, max(part.seconds for part in parts))


def _games_in_python(start: Position, load: Load, step_by_step: bool) -> Games:
    rng = random.Random(load.seed)
    games = plies = black_wins = draws = 0
    began = time.perf_counter()
    while not games or time.perf_counter() - began < load.seconds:
        position = start
        while (outcome := position.outcome()) is None:
            choose = rng.choice(position.legal_steps()) if step_by_step else None
            position = position.play_unchecked(choose or random_step(position, rng))
            plies += 1
        games += 1
        black_wins += outcome.winner is BLACK
        draws += outcome.winner is None
    return Games(games, plies, black_wins, draws, time.perf_counter() - began)
