"""How fast rules and search are.

Random games also tell what they came to, so that speed is not bought with wrong rules.
"""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.choose import AUTO, backend_for
from gtp_engine.search.backends.protocol import Games
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import DEFAULT_OPTIONS, SearchOptions


class Load(NamedTuple):
    """What a benchmark is asked for. `seconds` is the least time of a sample."""

    seconds: float = 0.5
    seed: int = 1
    backend: str = AUTO
    options: SearchOptions = DEFAULT_OPTIONS


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
    backend = backend_for(position.game, load.backend)
    trees = backend.trees(load.options, random.Random(load.seed), keep=False)
    tree = trees(position, position.legal_steps())
    began = time.perf_counter()
    tree.search((budget or Budget(seconds=load.seconds)).begin())
    seconds = time.perf_counter() - began
    return Searched(tree.visits, seconds, tree.nodes, tree.used_bytes)


def count(position: Position, load: Load) -> Counted:
    """Perft, one deeper until it takes the time asked for."""
    backend, depth = backend_for(position.game, load.backend), 0
    while True:
        depth += 1
        began = time.perf_counter()
        sequences = backend.perft(position, depth)
        seconds = time.perf_counter() - began
        # One deeper takes several times as long.
        if seconds * 4 >= load.seconds or not sequences:
            return Counted(depth, sequences, seconds)


def _games(position: Position, load: Load, step_by_step: bool) -> Games:
    """By as many threads as the load has, one after another where the backend has no threads."""
    backend = backend_for(position.game, load.backend)

    def some(thread: int) -> Games:
        return backend.timed_games(position, load.seconds, load.seed + thread, step_by_step)

    with ThreadPoolExecutor(load.options.threads) as pool:
        parts = list(pool.map(some, range(load.options.threads)))
    games, plies, black_wins, draws = (int(sum(column)) for column in list(zip(*parts))[:4])
    return Games(games, plies, black_wins, draws, max(part.seconds for part in parts))
