"""The kernel as a backend: its modules, trees and solvers, and what it declares of itself."""

import os
import random
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from threading import Event
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.base.log import logger
from gtp_engine.base.option import options
from gtp_engine.base.signals import watched_by
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.points.points import HEXAGONAL, ORTHOGONAL
from gtp_engine.rules.points.vertex import VERTICES
from gtp_engine.rules.step import SWAP_PIECES, SWAP_SIDES, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.backends.protocol import Ends, MakeTree, PlayedGames, PlayRandom
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.data_file import UnusableFile
from gtp_engine.search.options import SearchOptions, isa_in_use, threads_for, tuned
from gtp_engine.search.solution import Census, CheckedWords, ContradictoryTable, Solution, Solver
from gtp_engine.search.tree import LONGEST_PV, Poll, Row, never_stop
from gtp_engine.search.weights import KEPT, OWN, Weights, weights_for

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel


NOT_READ = {"weights", "swap_maps", "trusted_visits"}
"""Search options that the kernel does not read."""


class _Declared(NamedTuple):
    """The fields of _kernel.Declared, in words and in Python's terms."""

    symmetry: int
    color_mirror: int
    neighbors: tuple[int, ...]
    kinds_of_steps: int
    kind_with_two_points: int


def check_declarations(core: ModuleType, game: Game) -> None:
    """Raises ImportError, with one line, where the declarations differ: results would differ, too.

    core -- has the game
    """
    symmetry, color_mirror, six_neighbors, kinds, two_point_kind = core.declared(game.name)
    neighbors = HEXAGONAL if six_neighbors else ORTHOGONAL
    compiled = _Declared(symmetry, color_mirror, neighbors, kinds, two_point_kind)
    two_points = (n for n, kind in enumerate(game.kinds) if kind.template.count("{}") == 2)
    declared = _Declared(
        sum(1 << image.number for image in game.symmetry),
        game.color_mirror.number,
        game.neighbors,
        len(game.kinds),
        next(two_points, -1),
    )
    for name, one, other in zip(_Declared._fields, compiled, declared, strict=True):
        if one != other:
            what = name.replace("_", " ")
            raise ImportError(f"the header of {game.title} does not declare the {what} of its file")
    known = {each.name for each in options(SearchOptions)} - NOT_READ
    if missing := known - set(dir(core.SearchOptions)):
        raise ImportError(f"it was compiled without the search option {min(missing)}")


# Steps as numbers of the kernel -------------------------------------------------------------------

_SWAP_NUMBERS = {SWAP_PIECES: 14 << 18, SWAP_SIDES: 15 << 18}
_SWAPS_BY_NUMBER = {number: swap for swap, number in _SWAP_NUMBERS.items()}


def step_number(game: Game, step: Step) -> int:
    """The number of a step in the kernel."""
    if step in _SWAP_NUMBERS:
        return _SWAP_NUMBERS[step]
    first, second, *_ = (*step.vertices, 0, 0)
    return game.kinds.index(step.kind) << 18 | first << 9 | second


@lru_cache(maxsize=2**15)
def numbered_step(game: Game, number: int) -> Step:
    """The step with this kernel number; cached, because lines of play repeat few steps."""
    if number in _SWAPS_BY_NUMBER:
        return _SWAPS_BY_NUMBER[number]
    kind = game.kinds[number >> 18]
    vertices = VERTICES[number >> 9 & 511], VERTICES[number & 511]
    return Step(kind, vertices[: kind.template.count("{}")])


# The solver in the kernel -------------------------------------------------------------------------

# Seconds between checks of interrupt and signals while the kernel searches.
SECONDS_BETWEEN_LOOKS = 0.001

# The same while another thread has the solver.
_SECONDS_BETWEEN_TRIES = 0.01

_CONTRADICTED = "the table of proofs contradicts itself: begin without it"

_UNSOLVED = Solution(None, (), 0, 0, 0, 0.0)


def until_next_look(deadline: Deadline) -> float:
    """Seconds to wait for the kernel, until the next check or the end of the time."""
    left = deadline.seconds_left()
    return SECONDS_BETWEEN_LOOKS if left is None else min(left, SECONDS_BETWEEN_LOOKS)


class KernelSolver:
    """Solves positions of one game and size in the kernel, one at a time.

    Players share the table of a board, so several threads may ask. Who waits keeps to its own
    budget; what the others find meanwhile helps it.
    """

    def __init__(self, solver: "_kernel.Solver", threads: int | None = None) -> None:
        """See SearchOptions for the threads."""
        self._solver = solver
        self._threads = threads
        self._busy = threading.Lock()
        self.complete = False

    def solve(self, position: Position, budget: Budget) -> Solution:
        """See Solver.solve."""
        deadline = budget.begin()
        while not self._busy.acquire(timeout=_SECONDS_BETWEEN_TRIES):
            if deadline.reached():
                return _UNSOLVED
        try:
            return self._solve(position, deadline)
        finally:
            self._busy.release()

    def saved_parts(self) -> Iterator[bytes]:
        """See Prover.saved_parts."""
        with self._busy:
            part, following = self._solver.saved_part(0)
            yield part
            while following:
                part, following = self._solver.saved_part(following)
                yield part

    def restore(self, entries: bytes) -> None:
        """See Prover.restore."""
        with self._busy:
            self._solver.restore_part(entries)

    def certify(self, position: Position, budget: Budget) -> bytes | None:
        """See Prover.certify."""
        with self._busy:
            began = self._run(position, budget.begin(), certify=True)
            if began and self._solver.solved().contradicted:
                raise ContradictoryTable(_CONTRADICTED)
            return self._solver.certificate() if began else None

    def check(
        self, position: Position, winner: Color, words: bytes, interrupt: Event
    ) -> CheckedWords:
        """See Prover.check."""
        with self._busy:
            self._solver.turn_to(write_position(position))
            self._solver.check(words, winner is BLACK)
            while not self._solver.wait(SECONDS_BETWEEN_LOOKS):
                if interrupt.is_set():
                    self._solver.stop()
            return CheckedWords(*self._solver.checked())

    def _run(self, position: Position, deadline: Deadline, certify: bool) -> bool:
        """Run the solver; False if its thread does not notice the end of the last request."""
        while not self._solver.wait(until_next_look(deadline)):
            if deadline.reached():
                return False
        self._solver.turn_to(write_position(position))
        threads = threads_for(deadline, self._threads)
        self._solver.start(deadline.visits, deadline.seconds_left(), certify, threads)
        while not self._solver.wait(until_next_look(deadline)):
            if deadline.reached():
                self._solver.stop()
                self._solver.wait(SECONDS_BETWEEN_LOOKS)  # no longer: it may lack a processor
                break
        return True

    def _solve(self, position: Position, deadline: Deadline) -> Solution:
        began = time.monotonic()
        if not self._run(position, deadline, certify=False):
            return _UNSOLVED
        found = self._solver.solved()
        if found.contradicted:
            raise ContradictoryTable(_CONTRADICTED)
        line = tuple(numbered_step(position.game, number) for number in found.line)
        census = None if found.census is None else Census(*found.census)
        self.complete = self.complete or census is not None
        return Solution(
            found.value,
            line,
            found.positions,
            found.hits,
            found.used_bytes,
            time.monotonic() - began,
            census,
        )


# The search tree in the kernel --------------------------------------------------------------------

# An interrupted search may take this many more seconds for its first visit. Any answer is better
# than none.
_FIRST_VISIT = 0.01


def _look(search: "_kernel.Search") -> None:
    """Make a visit to a step, if the limit was reached before the first one.

    A root that was kept has visits itself, perhaps without any to its steps.
    """
    if not search.rows(1):
        search.start(search.visits + 1, None)
        while not search.wait(SECONDS_BETWEEN_LOOKS):
            pass


class KernelTree:
    """The tree of a position, in the kernel.

    A search ends when its time is up, though its threads may not have noticed: on a busy machine
    they wait for a processor. What needs a tree at rest waits for them.
    """

    def __init__(
        self,
        search: "_kernel.Search",
        position: Position,
        threads: int | None = None,
        trusted_visits: float = 1.0,
    ) -> None:
        self._search = search
        self._position = position
        self._threads = threads
        self._trusted_visits = trusted_visits
        self._descended: list[Step] = []  # before the root of the kernel has followed

    @property
    def position(self) -> Position:
        """See Tree.position."""
        return self._position

    @property
    def trusted_visits(self) -> float:
        """See Tree.trusted_visits."""
        return self._trusted_visits

    @property
    def visits(self) -> int:
        """See Tree.visits."""
        return self._followed().visits

    @property
    def value(self) -> float:
        """See Tree.value."""
        return self._followed().value

    @property
    def proven(self) -> float | None:
        """See Tree.proven."""
        return self._followed().proven

    @property
    def nodes(self) -> int:
        """See Tree.nodes."""
        return self._followed().nodes

    @property
    def used_bytes(self) -> int:
        """See Tree.used_bytes."""
        return self._followed().used_bytes

    def search(self, deadline: Deadline, poll: Poll = never_stop) -> None:
        """Search. The main thread returns to Python at intervals to handle signals."""
        search = self._followed()
        search.set_threads(threads_for(deadline, self._threads))
        before = search.visits
        search.start(deadline.visits, deadline.seconds_left())
        grace = time.monotonic() + _FIRST_VISIT
        while not search.wait(until_next_look(deadline)):
            if deadline.interrupted():
                ends = search.visits > 0 or time.monotonic() > grace
            else:
                ends = deadline.reached() or poll()
            if ends:
                search.stop()
                search.wait(SECONDS_BETWEEN_LOOKS)
                break
        if search.visits == before and deadline.visits != 0 and not deadline.interrupted():
            _look(search)

    def rows(self, longest_pv: int = LONGEST_PV) -> list[Row]:
        """See Tree.rows."""

        def steps(numbers: list[int]) -> tuple[Step, ...]:
            return tuple(numbered_step(self._position.game, number) for number in numbers)

        found = []
        for row in self._followed().rows(longest_pv):
            pv, ends = steps(row.pv), tuple(row.ends) if longest_pv > 1 else None
            found.append(
                Row(pv[0], row.visits, row.value, row.prior, row.lcb, row.proven, pv, ends)
            )
        return found

    def descend(self, step: Step) -> tuple[Step, ...]:
        """See Tree.descend."""
        self._descended.append(step)
        forced, self._position = settle(self._position.play_unchecked(step))
        return step, *forced

    def follow(self, position: Position) -> bool:
        """Make `position` the root; returns False if the tree does not hold it."""
        if not self._followed().follow(write_position(position)):
            return False
        self._position = position
        return True

    def _followed(self) -> "_kernel.Search":
        """The search in the kernel, with the root where the tree has descended to."""
        while self._descended:
            self._search.advance(step_number(self._position.game, self._descended.pop(0)))
        return self._search


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

    @property
    def isas(self) -> tuple[str, str]:
        """See Backend.isas."""
        return str(self.module.compiled_for()), self.isa

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
