"""Which player answers to a name, and what it searches with: the kernel or Python.

The one place that imports the kernel.
"""

import os
import random
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import NamedTuple

from gtp_engine.log import logger
from gtp_engine.notation.position_text import write_position
from gtp_engine.rules.game import Game, Position
from gtp_engine.search.budget import MODEST, Resources
from gtp_engine.search.endings import Endings
from gtp_engine.search.mcts import PythonTree
from gtp_engine.search.minimax import PythonSolver
from gtp_engine.search.native import NativeSolver, Nursery
from gtp_engine.search.player import Plant, Player, RandomPlayer, TreePlayer
from gtp_engine.search.processor import isa_in_use
from gtp_engine.search.solution import BEST, DEPTH_FIRST, RETROGRADE, Solver
from gtp_engine.search.weights import Weights, weights_for

AUTO, KERNEL, PYTHON = "auto", "kernel", "python"
BACKENDS = (AUTO, KERNEL, PYTHON)

# What is enough for a table of all positions of a small board, as long as nothing that came back
# is in its way.
_MB_FOR_A_TABLE = 64

_BASELINE, _FASTER = "gtp_engine.kernel._kernel", "gtp_engine.kernel._kernel_v3"
_FOR_FASTER = ("v3", "v4")


class Path(NamedTuple):
    """An instruction set for learned evaluations, and the build of the kernel that goes with it."""

    isa: str
    kernel: ModuleType


def kernel_built() -> bool:
    """Whether there is a kernel, and it is wanted; it is not loaded for that.

    PATCHPIE_KERNEL=none in the environment does without, as bin/in-venv does then.
    """
    return os.environ.get("PATCHPIE_KERNEL") != "none" and find_spec(_BASELINE) is not None


def kernel_files() -> Iterator[str]:
    """The paths of the kernels that were built."""
    for name in (_BASELINE, _FASTER):
        found = find_spec(name)
        if found is not None and found.origin is not None:
            yield found.origin


@cache
def kernel() -> ModuleType | None:
    """The kernel for the instruction set in use, or None where none was built."""
    if not kernel_built():
        logger().info("no kernel: searching in Python")
        return None
    return _build_for(isa_in_use(import_module(_BASELINE)))


def paths(name: str) -> list[Path]:
    """Every instruction set that a backend could use here, the fastest first; none in Python."""
    if name == PYTHON or not kernel_built():
        return []
    return [Path(isa, _build_for(isa)) for isa in import_module(_BASELINE).isas()]


def _build_for(isa: str) -> ModuleType:
    """The build of the kernel that goes with an instruction set of this processor."""
    faster = isa in _FOR_FASTER and find_spec(_FASTER) is not None
    return import_module(_FASTER if faster else _BASELINE)


def backend(text: str) -> str:
    """The backend of a name. Raises ValueError where there is none, or it was not built."""
    if text not in BACKENDS or (text == KERNEL and not kernel_built()):
        raise ValueError(f"no such backend: {text}")
    return text


def make_plant(name: str, resources: Resources, rng: random.Random, keep: bool) -> Plant:
    """What gives the trees of a backend; `keep` as in Nursery."""
    module = None if name == PYTHON else kernel()
    if module is None:
        return partial(PythonTree, rng=rng, resources=resources)
    return Nursery(module, resources, rng, keep)


def weights_in_use(game: Game, name: str, resources: Resources) -> Weights | None:
    """The learned evaluation that the trees of a backend have in a game."""
    searches = name != PYTHON and kernel() is not None
    return weights_for(game.name, resources.weights) if searches else None


def make_solver(
    position: Position, name: str = AUTO, resources: Resources = MODEST, method: str = BEST
) -> Solver:
    """A solver of a backend for positions of the same game and size.

    Raises ValueError where the method is not for the game, the size or the memory; Python has
    but one, depth first.
    """
    module = None if name == PYTHON else kernel()
    if module is None:
        if method not in (BEST, DEPTH_FIRST):
            raise ValueError("no such way to solve this")
        return PythonSolver()
    hash_mb = min(resources.hash_mb, module.memory_mb())
    return NativeSolver(module.Solver(write_position(position), hash_mb, method))


def make_table(position: Position, name: str = AUTO, resources: Resources = MODEST) -> Solver:
    """A solver that goes for all positions of a small board, which may have begun before.

    Raises ValueError where that is too much.
    """
    return _table(name, position.game, position.size, min(resources.hash_mb, _MB_FOR_A_TABLE))


@lru_cache(maxsize=1)
def _table(name: str, game: Game, size: int, hash_mb: int) -> Solver:
    """One for all players, also for those that a seed makes anew for each turn."""
    return make_solver(game.start(size), name, Resources(hash_mb=hash_mb), RETROGRADE)


def _searching(backend: str, seed: str | None, resources: Resources) -> Player:
    rng = random.Random(seed)
    plant = make_plant(backend, resources, rng, keep=seed is None)
    keeps = seed is None and isinstance(plant, Nursery)
    endings = Endings(partial(_ending_solver, backend), resources, keeps)
    return TreePlayer(plant, rng, endings, resources.swap_maps, resources.leeway, keeps)


def _ending_solver(backend: str, position: Position, resources: Resources, method: str) -> Solver:
    if method == RETROGRADE:
        return make_table(position, backend, resources)
    return make_solver(position, backend, resources, method)


def _at_random(backend: str, seed: str | None, resources: Resources) -> Player:
    return RandomPlayer(random.Random(seed))


PLAYERS: dict[str, Callable[[str, str | None, Resources], Player]] = {
    "mcts": _searching,
    "random": _at_random,
}


def make_player(
    name: str, seed: str | None, backend: str = AUTO, resources: Resources = MODEST
) -> Player:
    """The player of a name. With a seed its choices can be repeated.

    Without one, a player gets better when it is kept: it goes on with what it has searched.
    Raises KeyError for an unknown name.
    """
    return PLAYERS[name](backend, seed, resources)
