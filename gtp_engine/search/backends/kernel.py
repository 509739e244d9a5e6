"""The backend in the kernel, for each game with a header there.

The kernel is a core and a module for each game, which is loaded when the game is first used. Only
this module and learn/ import it.
"""

import os
import random
import sys
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

from gtp_engine.base.log import logger
from gtp_engine.base.signals import watched_by
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.step import Step
from gtp_engine.search.backends.kernel_declared import check_declarations
from gtp_engine.search.backends.kernel_solver import KernelSolver
from gtp_engine.search.backends.kernel_steps import step_number
from gtp_engine.search.backends.kernel_tree import KernelTree
from gtp_engine.search.backends.protocol import Ends, MakeTree, PlayedGames, PlayRandom
from gtp_engine.search.data_file import UnusableFile
from gtp_engine.search.options import SearchOptions, tuned
from gtp_engine.search.processor import isa_in_use
from gtp_engine.search.solution import Solver
from gtp_engine.search.weights import KEPT, OWN, Weights, weights_for

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

_PACKAGE, _CORE, _FASTER = "gtp_engine.kernel", "kernel", "_v3"
_FOR_FASTER = ("v3", "v3_vnni", "v4", "v4_vnni", "v4_amx")

# The kernel's options have these fields, but not from the search options. A tree sets its threads
# for each search.
_NO_OPTIONS = {"seed", "noise", "threads"}


class TreeCache:
    """Makes trees in the kernel, and reuses the last one for positions in it.

    keep -- whether to reuse the last tree; results then depend on earlier searches
    isa  -- the instruction set of learned evaluations
    """

    def __init__(
        self,
        kernel: ModuleType,
        isa: str,
        options: SearchOptions,
        rng: random.Random,
        keep: bool,
    ) -> None:
        self._kernel = kernel
        self._isa = isa
        self._options = options
        self._rng = rng
        self._keep = keep
        self._last: KernelTree | None = None

    def __call__(self, position: Position, among: tuple[Step, ...]) -> KernelTree:
        """The tree of a position: the kept tree if it holds the position, else a new one."""
        everything = len(among) == len(position.legal_steps())
        if self._last is not None and everything and self._last.follow(position):
            return self._last
        self._last = None  # frees its memory before the next tree takes some
        tree = self._new(position, () if everything else among)
        if self._keep and everything:
            self._last = tree
        return tree

    def _new(self, position: Position, among: tuple[Step, ...]) -> KernelTree:
        net = net_for(self._kernel, self._isa, position.game.name, self._options.weights)
        search = new_search(
            self._kernel,
            position.game,
            write_position(position),
            self._options,
            self._rng.getrandbits(64),
            net,
            among=[step_number(position.game, step) for step in among],
        )
        own = tuned(self._options, position.game, net is not None)
        return KernelTree(search, position, own.threads, own.trusted_visits or 0.0)


def new_search(
    kernel: ModuleType,
    game: Game,
    text: str,
    options: SearchOptions,
    seed: int,
    net: "_kernel.Net | None",
    among: Sequence[int] = (),
    noise: float = 0.0,
) -> "_kernel.Search":
    """A search of the kernel for a position text.

    among -- the steps to search at the root; empty for all of them
    noise -- the random part of the priors at the root
    """
    own = tuned(options, game, net is not None)
    chosen = kernel.SearchOptions()
    for name in dir(kernel.SearchOptions):
        if not name.startswith("_") and name not in _NO_OPTIONS:
            setattr(chosen, name, getattr(own, name))
    chosen.seed, chosen.noise = seed, noise
    chosen.hash_mb = min(own.hash_mb, kernel.memory_mb())
    search: _kernel.Search = kernel.Search(text, chosen, list(among), net)
    return search


@lru_cache(KEPT)
def net_for(kernel: ModuleType, isa: str, game: str, which: str) -> "_kernel.Net | None":
    """The net for playing a game; None to play without. As `weights_for`: raises UnusableFile."""
    weights = weights_for(game, which)
    if weights is None:
        return None
    try:
        return new_net(kernel, isa, weights)
    except ValueError as problem:
        if which != OWN:
            raise UnusableFile(f"{which}: {problem}") from None
        logger().warning("no learned evaluation for {}: {}", game, problem)
        return None


def new_net(kernel: ModuleType, isa: str, weights: Weights) -> "_kernel.Net":
    """The net of some weights. Raises ValueError, with one line, if the kernel rejects them."""
    try:
        net: _kernel.Net = kernel.Net(
            weights.game, weights.channels, weights.blocks, weights.numbers, isa
        )
    except (ValueError, TypeError) as problem:  # TypeError: beyond the kernel's integers
        raise ValueError(str(problem).partition("\n")[0]) from None
    return net


def kernel_wanted() -> bool:
    """Whether the kernel may be used: PATCHPIE_KERNEL=none in the environment disables it."""
    return os.environ.get("PATCHPIE_KERNEL") != "none"


_given: ModuleType | None = None


def take_core(core: ModuleType) -> None:
    """Search in this core from now on, which has all its games: a program brings it along.

    core -- has the interface of `kernel/_kernel.pyi`
    """
    global _given
    _given = core


def kernel_built(game: str | None = None) -> bool:
    """Whether the core, and the module of a game if one is named, can be found; loads nothing.

    Always False if the kernel is not wanted.
    """
    if _given is not None:
        return kernel_wanted() and (game is None or game in _given.games())
    names = (_CORE,) if game is None else (_CORE, game)
    return kernel_wanted() and _found(*names)


def kernel_games() -> list[str]:
    """The names of the games in the kernel, sorted; loads nothing."""
    if _given is not None:
        return sorted(_given.games()) if kernel_wanted() else []
    names = (name[1:] for name in _modules() if not name.endswith(_FASTER))
    return sorted(name for name in names if name != _CORE and kernel_built(name))


def kernel_files() -> Iterator[str]:
    """The paths of all built modules; none for a core that a program brings along."""
    for name in _modules() if _given is None else ():
        found = find_spec(f"{_PACKAGE}.{name}")
        if found is not None and found.origin is not None:
            yield found.origin


def kernel_for(game: str) -> ModuleType | None:
    """The core for the current instruction set, with a game; None if one of them was not built.

    Loads them on first use. Raises ImportError, with one line, if they cannot be loaded.
    """
    if not kernel_built(game):
        return None
    return _build_for(isa_in_use(_core()), game)


def _core() -> ModuleType:
    return _module(_CORE) if _given is None else _given


@cache
def _build_for(isa: str, game: str) -> ModuleType:
    """The core for an instruction set of this processor, with a game. Raises ImportError."""
    if _given is not None:
        check_declarations(_given, find_game(game))
        return _given
    faster = isa in _FOR_FASTER and _found(_CORE + _FASTER, game + _FASTER)
    suffix = _FASTER if faster else ""
    core = _module(_CORE + suffix)
    core.add_game(_module(game + suffix).entry)
    check_declarations(core, find_game(game))
    watched_by(core.end_if_deaf)
    return core


def _module(name: str) -> ModuleType:
    return import_module(f"{_PACKAGE}._{name}")


def _modules() -> set[str]:
    """The names of all modules in the package of the kernel."""
    return {module.name for module in iter_modules(_fresh_path()) if module.name.startswith("_")}


def _found(*names: str) -> bool:
    """Whether these modules are loaded, or can be found now."""
    paths = [f"{_PACKAGE}._{name}" for name in names]
    if all(path in sys.modules for path in paths):
        return True
    _fresh_path()
    return all(find_spec(path) is not None for path in paths)


def _fresh_path() -> list[str]:
    """The folders of the kernel. Python forgets what it saw there: a compiler may write there."""
    folders = list(import_module(_PACKAGE).__path__)
    for folder in folders:
        sys.path_importer_cache.pop(folder, None)
    return folders


class KernelBackend:
    """See protocol.Backend.

    module -- the core of the kernel, with the game
    isa    -- the instruction set of learned evaluations; None for the current one
    """

    keeps_trees = True

    def __init__(self, module: ModuleType, game: Game, isa: str | None = None) -> None:
        self.module = module
        self.isa = isa or isa_in_use(module)
        self._game = game

    @property
    def name(self) -> str:
        """The name of the kernel's module, which names the variant in use."""
        return self.module.__name__.rpartition(".")[2].lstrip("_")

    def weights(self, options: SearchOptions) -> Weights | None:
        """See Backend.weights."""
        return weights_for(self._game.name, options.weights)

    def trees(self, options: SearchOptions, rng: random.Random, keep: bool) -> MakeTree:
        """See Backend.trees."""
        return TreeCache(self.module, self.isa, options, rng, keep)

    def solver(self, position: Position, options: SearchOptions, method: str) -> Solver:
        """See Backend.solver."""
        hash_mb = min(options.hash_mb, self.module.memory_mb())
        solver = self.module.Solver(write_position(position), hash_mb, method)
        return KernelSolver(solver, options.threads)

    def random_games(self, position: Position, rng: random.Random) -> PlayRandom:
        """See Backend.random_games."""
        there = self.module.Position(write_position(position))

        def play(most: int) -> Ends:
            found = there.forecast(most, rng.getrandbits(64))
            return Ends(most, found.black_wins + found.draws / 2, found.held)

        return play

    def timed_games(
        self, position: Position, seconds: float, seed: int, step_by_step: bool
    ) -> PlayedGames:
        """See Backend.timed_games."""
        there = self.module.Position(write_position(position))
        found = there.play_games(seconds, seed, step_by_step)
        return PlayedGames(*found)

    def perft(self, position: Position, depth: int) -> int:
        """See Backend.perft."""
        return int(self.module.Position(write_position(position)).perft(depth))

    def net(self, options: SearchOptions) -> "_kernel.Net | None":
        """The learned evaluation that the options select; None without one."""
        return net_for(self.module, self.isa, self._game.name, options.weights)

    def evaluate(self, position: Position, options: SearchOptions, times: int) -> bool:
        """Evaluate a position `times` times; returns False without a learned evaluation."""
        net = self.net(options)
        if net is None:
            return False
        self.module.Position(write_position(position)).evaluate(net, times)
        return True


def kernel_backends(game: Game) -> list[KernelBackend]:
    """A backend for each usable instruction set, the fastest first; empty without a kernel."""
    if not kernel_built(game.name):
        return []
    isas = _core().isas()
    return [KernelBackend(_build_for(isa, game.name), game, isa) for isa in isas]
