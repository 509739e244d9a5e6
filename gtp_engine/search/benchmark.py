"""How fast rules, search and learned evaluations are.

Each result has two times: `seconds` by the clock, and `processor`, the processor time of all
threads. Other programs disturb processor time less. Random games also report their results, so that
a fast but wrong rule shows.
"""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.choose import AUTO, backend_for
from gtp_engine.search.backends.kernel import KernelBackend
from gtp_engine.search.backends.protocol import Backend, PlayedGames
from gtp_engine.search.backends.python import random_step
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import DEFAULT_OPTIONS, SearchOptions
from gtp_engine.search.stopwatch import Stopwatch

_MOST_TIMES = 1_000_000  # that the kernel judges a position in one call
_FIRST_VISITS = 1000


class Load(NamedTuple):
    """The request for a benchmark.

    `seconds` is the least time of a sample; for evaluations it is processor time.
    """

    seconds: float = 0.5
    seed: int = 1
    backend: str = AUTO
    options: SearchOptions = DEFAULT_OPTIONS

    @property
    def threads(self) -> int:
        """One thread, unless the options say otherwise."""
        return self.options.threads or 1


class Games(NamedTuple):
    """Random games of uniformly chosen steps, by all threads together."""

    games: int
    plies: int
    black_wins: int
    draws: int
    seconds: float
    processor: float


class Searched(NamedTuple):
    """What a search did. `nodes` and `used_bytes` are 0 where the tree does not tell."""

    visits: int
    seconds: float
    processor: float
    nodes: int
    used_bytes: int


class Counted(NamedTuple):
    """Sequences of `depth` legal steps."""

    depth: int
    sequences: int
    seconds: float
    processor: float


class Evaluated(NamedTuple):
    """Evaluations of one position by one thread."""

    times: int
    seconds: float
    processor: float


def playouts(position: Position, load: Load) -> Games:
    """Random games, as the search plays them."""
    return _games(position, load, step_by_step=False)


def play(position: Position, load: Load) -> Games:
    """Random games, every step chosen from the list of legal ones."""
    return _games(position, load, step_by_step=True)


def search(position: Position, load: Load, budget: Budget | None = None) -> Searched:
    """One search from a fresh tree, of a position that is not over; no swap is considered."""
    backend = backend_for(position.game, load.backend)
    return search_by(backend, position, load, budget or Budget(seconds=load.seconds))


def search_by(backend: Backend, position: Position, load: Load, budget: Budget) -> Searched:
    """The same by a certain backend."""
    position = replace(position, pie=Pie.OFF)
    options = replace(load.options, threads=load.threads)
    trees = backend.trees(options, random.Random(load.seed), keep=False)
    tree = trees(position, position.legal_steps())
    watch = Stopwatch()
    tree.search(budget.begin())
    return Searched(tree.visits, *watch.read(), tree.nodes, tree.used_bytes)


def visits(backend: Backend, position: Position, load: Load) -> Searched:
    """As `search_by`, for at least `load.seconds` of processor time, unless it is done before."""
    wanted = _FIRST_VISITS
    while True:
        found = search_by(backend, position, load, Budget(visits=wanted))
        if found.processor >= load.seconds or found.visits < wanted:
            return found
        wanted = _more(wanted, found.processor, load.seconds)


def evaluate(backend: KernelBackend, position: Position, load: Load) -> Evaluated | None:
    """A learned evaluation of a position in the middle of a random game, inputs included.

    None where the game has no learned evaluation.
    """
    middle = _middle(position, random.Random(load.seed))
    times = 1
    while True:
        watch = Stopwatch()
        if not backend.evaluate(middle, load.options, times):
            return None
        seconds, processor = watch.read()
        if processor >= load.seconds or times == _MOST_TIMES:
            return Evaluated(times, seconds, processor)
        times = min(_more(times, processor, load.seconds), _MOST_TIMES)


def _more(times: int, processor: float, wanted: float) -> int:
    """How often to do what took so much processor time, so that it takes as much as wanted.

    A busy machine leaves little of the time on the clock, so that this would tell nothing.
    """
    return max(2 * times, int(1.1 * times * wanted / max(processor, 1e-6)))


def _middle(position: Position, rng: random.Random) -> Position:
    passed = [replace(position, pie=Pie.OFF)]
    while passed[-1].outcome() is None:
        passed.append(passed[-1].play_unchecked(random_step(passed[-1], rng)))
    return passed[len(passed) // 2]


def count(position: Position, load: Load) -> Counted:
    """Perft, one step deeper until it takes the time asked for."""
    backend, depth = backend_for(position.game, load.backend), 0
    while True:
        depth += 1
        watch = Stopwatch()
        sequences = backend.perft(position, depth)
        seconds, processor = watch.read()
        # One deeper takes several times as long.
        if seconds * 4 >= load.seconds or not sequences:
            return Counted(depth, sequences, seconds, processor)


def _games(position: Position, load: Load, step_by_step: bool) -> Games:
    """By as many threads as the load has."""
    backend, threads = backend_for(position.game, load.backend), load.threads

    def some(thread: int) -> PlayedGames:
        return backend.timed_games(position, load.seconds, load.seed + thread, step_by_step)

    watch = Stopwatch()
    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(some, range(threads)))
    games, plies, black_wins, draws = (int(sum(column)) for column in list(zip(*parts))[:4])
    seconds = max(part.seconds for part in parts)
    return Games(games, plies, black_wins, draws, seconds, watch.read().processor)
