"""How fast rules, search and learned evaluations are.

Each result has two times: `seconds` on the clock, and `processor`, the seconds that processors
spent on all threads together. Other programs disturb the second one less. Random games also tell
what they came to, so that speed is not bought with wrong rules.
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
from gtp_engine.search.backend import AUTO, PYTHON, Path, kernel, make_plant
from gtp_engine.search.budget import MODEST, Budget, Resources
from gtp_engine.search.mcts import random_step
from gtp_engine.search.native import Nursery, net_of
from gtp_engine.search.player import Plant
from gtp_engine.search.weights import weights_for

_MOST_TIMES = 1_000_000  # that the kernel judges a position in one call


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
    """One position, judged so many times by one thread."""

    times: int
    seconds: float
    processor: float


class _Stopwatch:
    """Runs from when it is made."""

    def __init__(self) -> None:
        self._began, self._spent = time.perf_counter(), time.process_time()

    def read(self) -> tuple[float, float]:
        """Seconds on the clock, and of processors."""
        return time.perf_counter() - self._began, time.process_time() - self._spent


def playouts(position: Position, load: Load) -> Games:
    """Random games, as the search plays them."""
    return _games(position, load, step_by_step=False)


def play(position: Position, load: Load) -> Games:
    """Random games, every step chosen from the list of legal ones."""
    return _games(position, load, step_by_step=True)


def search(position: Position, load: Load, budget: Budget | None = None) -> Searched:
    """One search from a fresh tree, of a position that is not over; no swap is considered."""
    plant = make_plant(load.backend, load.resources, random.Random(load.seed), keep=False)
    return _searched(plant, position, budget or Budget(seconds=load.seconds))


def search_by(path: Path, position: Position, load: Load) -> Searched:
    """The same with an instruction set of this processor, whichever is in use."""
    rng = random.Random(load.seed)
    plant = Nursery(path.kernel, load.resources, rng, keep=False, isa=path.isa)
    return _searched(plant, position, Budget(seconds=load.seconds))


def _searched(plant: Plant, position: Position, budget: Budget) -> Searched:
    position = replace(position, pie=Pie.OFF)
    tree = plant(position, position.legal_steps())
    watch = _Stopwatch()
    tree.search(budget.begin())
    return Searched(tree.visits, *watch.read(), tree.nodes, tree.used_bytes)


def evaluate(path: Path, position: Position, load: Load) -> Evaluated | None:
    """A learned evaluation of a position in the middle of a random game, inputs included.

    None where the game has no learned evaluation.
    """
    weights = weights_for(position.game.name, load.resources.weights)
    net = net_of(path.kernel, path.isa, weights)
    if net is None:
        return None
    middle = path.kernel.Position(write_position(_middle(position, random.Random(load.seed))))
    times = 1
    while True:
        watch = _Stopwatch()
        middle.evaluate(net, times)
        seconds, processor = watch.read()
        if seconds >= load.seconds or times == _MOST_TIMES:
            return Evaluated(times, seconds, processor)
        wanted = int(1.1 * times * load.seconds / max(seconds, 1e-6))
        times = min(max(2 * times, wanted), _MOST_TIMES)


def _middle(position: Position, rng: random.Random) -> Position:
    passed = [replace(position, pie=Pie.OFF)]
    while passed[-1].outcome() is None:
        passed.append(passed[-1].play_unchecked(random_step(passed[-1], rng)))
    return passed[len(passed) // 2]


def count(position: Position, load: Load) -> Counted:
    """Perft, one deeper until it takes the time asked for."""
    counted = _counter(position, load.backend)
    depth = 0
    while True:
        depth += 1
        watch = _Stopwatch()
        sequences = counted(depth)
        seconds, processor = watch.read()
        # One deeper takes several times as long.
        if seconds * 4 >= load.seconds or not sequences:
            return Counted(depth, sequences, seconds, processor)


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

    def some(thread: int) -> tuple[int, int, int, int, float]:
        tally: tuple[int, int, int, int, float] = in_kernel.play_games(
            load.seconds, load.seed + thread, step_by_step
        )
        return tally

    watch = _Stopwatch()
    with ThreadPoolExecutor(load.resources.threads) as pool:
        parts = list(pool.map(some, range(load.resources.threads)))
    _, processor = watch.read()
    games, plies, black_wins, draws, _ = (int(sum(column)) for column in zip(*parts))
    return Games(games, plies, black_wins, draws, max(part[4] for part in parts), processor)


def _games_in_python(start: Position, load: Load, step_by_step: bool) -> Games:
    rng = random.Random(load.seed)
    games = plies = black_wins = draws = 0
    watch = _Stopwatch()
    while not games or watch.read()[0] < load.seconds:
        position = start
        while (outcome := position.outcome()) is None:
            choose = rng.choice(position.legal_steps()) if step_by_step else None
            position = position.play_unchecked(choose or random_step(position, rng))
            plies += 1
        games += 1
        black_wins += outcome.winner is BLACK
        draws += outcome.winner is None
    return Games(games, plies, black_wins, draws, *watch.read())
