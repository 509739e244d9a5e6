"""Search trees that the kernel grows."""

import random
import time
from functools import cache, lru_cache
from types import ModuleType
from typing import TYPE_CHECKING

from gtp_engine.board.vertex import VERTICES
from gtp_engine.log import logger
from gtp_engine.notation.position_text import write_position
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.step import SWAP_PIECES, SWAP_SIDES, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.budget import Budget, Deadline, Resources
from gtp_engine.search.processor import isa_in_use
from gtp_engine.search.solution import Census, Solution
from gtp_engine.search.tree import LONGEST_PV, Look, Row, look_away
from gtp_engine.search.tuning import learned_rule_for, rule_for
from gtp_engine.search.weights import Weights, weights_for

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

# How often the interrupt is looked at, and signals are answered, while the kernel searches.
_SECONDS_BETWEEN_LOOKS = 0.001

# What an interrupted search may still take for its first visit: its threads start slowly at
# times, and any answer is better than none.
_FIRST_VISIT = 0.01

_SWAP_NUMBERS = {SWAP_PIECES: 14 << 18, SWAP_SIDES: 15 << 18}
_SWAPS_BY_NUMBER = {number: swap for swap, number in _SWAP_NUMBERS.items()}


def step_number(game: Game, step: Step) -> int:
    """A step as the kernel writes it."""
    if step in _SWAP_NUMBERS:
        return _SWAP_NUMBERS[step]
    first, second, *_ = (*step.vertices, 0, 0)
    return game.kinds.index(step.kind) << 18 | first << 9 | second


@lru_cache(maxsize=2**15)
def numbered_step(game: Game, number: int) -> Step:
    """The step that the kernel writes so; remembered, as lines of play name few again and again."""
    if number in _SWAPS_BY_NUMBER:
        return _SWAPS_BY_NUMBER[number]
    kind = game.kinds[number >> 18]
    vertices = VERTICES[number >> 9 & 511], VERTICES[number & 511]
    return Step(kind, vertices[: kind.template.count("{}")])


class NativeTree:
    """The tree of a position in the kernel."""

    def __init__(self, search: "_kernel.Search", position: Position) -> None:
        self._search = search
        self._position = position

    @property
    def position(self) -> Position:
        return self._position

    @property
    def visits(self) -> int:
        return self._search.visits

    @property
    def value(self) -> float:
        return self._search.value

    @property
    def proven(self) -> float | None:
        return self._search.proven

    @property
    def nodes(self) -> int:
        return self._search.nodes

    @property
    def used_bytes(self) -> int:
        return self._search.used_bytes

    def search(self, deadline: Deadline, look: Look = look_away) -> None:
        """The main thread comes back again and again, so that it can answer signals."""
        self._search.start(deadline.visits, deadline.seconds_left())
        grace = time.monotonic() + _FIRST_VISIT
        while not self._search.wait(_SECONDS_BETWEEN_LOOKS):
            if deadline.interrupted():
                if self.visits or time.monotonic() > grace:
                    self._search.stop()
            elif look():
                self._search.stop()
        if not self.visits and deadline.visits is None and not deadline.interrupted():
            # Time was up before the first visit.
            self._search.start(1, None)
            while not self._search.wait(_SECONDS_BETWEEN_LOOKS):
                pass

    def rows(self, longest_pv: int = LONGEST_PV) -> list[Row]:
        def steps(numbers: list[int]) -> tuple[Step, ...]:
            return tuple(numbered_step(self._position.game, number) for number in numbers)

        return [
            Row(pv[0], row.visits, row.value, row.prior, row.lcb, row.proven, pv)
            for row in self._search.rows(longest_pv)
            for pv in [steps(row.pv)]
        ]

    def descend(self, step: Step) -> tuple[Step, ...]:
        self._search.advance(step_number(self._position.game, step))
        forced, self._position = settle(self._position.play_unchecked(step))
        return step, *forced

    def follow(self, position: Position) -> bool:
        """Make a position that the tree holds the root; whether there is one."""
        if not self._search.follow(write_position(position)):
            return False
        self._position = position
        return True


class Nursery:
    """Plants trees in the kernel; keeps the last one for positions that follow in it.

    keep -- whether to: what a kept tree finds depends on what it was asked before
    isa  -- the instruction set of learned evaluations; None for the one in use
    """

    def __init__(
        self,
        kernel: ModuleType,
        resources: Resources,
        rng: random.Random,
        keep: bool,
        isa: str | None = None,
    ) -> None:
        self._kernel = kernel
        self._isa = isa or isa_in_use(kernel)
        self._resources = resources
        self._rng = rng
        self._keep = keep
        self._last: NativeTree | None = None

    def __call__(self, position: Position, among: tuple[Step, ...]) -> NativeTree:
        everything = len(among) == len(position.legal_steps())
        if self._last is not None and everything and self._last.follow(position):
            return self._last
        self._last = None  # before the next one takes memory
        tree = self._planted(position, () if everything else among)
        if self._keep and everything:
            self._last = tree
        return tree

    def _planted(self, position: Position, among: tuple[Step, ...]) -> NativeTree:
        name, resources = position.game.name, self._resources
        net = net_of(self._kernel, self._isa, weights_for(name, resources.weights))
        rule = (rule_for if net is None else learned_rule_for)(name, resources)
        search = self._kernel.Search(
            write_position(position),
            seed=self._rng.getrandbits(64),
            threads=resources.threads,
            hash_mb=min(resources.hash_mb, self._kernel.memory_mb()),
            exploration=rule.exploration,
            rave=rule.rave,
            patience=rule.patience,
            every_order=resources.every_order,
            decisive=resources.decisive,
            among=[step_number(position.game, step) for step in among],
            net=net,
            chance=rule.chance,
            noise=0.0,
            playouts=rule.playouts,
        )
        return NativeTree(search, position)


@cache
def net_of(kernel: ModuleType, isa: str, weights: Weights | None) -> "_kernel.Net | None":
    """The net of some weights; None without any, or where they are not those of a net."""
    if weights is None:
        return None
    try:
        net: _kernel.Net = kernel.Net(
            weights.game, weights.channels, weights.blocks, weights.numbers, isa
        )
    except (ValueError, TypeError) as problem:  # TypeError: more than the kernel counts up to
        reason = str(problem).partition("\n")[0]
        logger().warning("no learned evaluation for {}: {}", weights.game, reason)
        return None
    return net


class NativeSolver:
    """Solves positions of one game and size in the kernel."""

    def __init__(self, solver: "_kernel.Solver") -> None:
        self._solver = solver
        self.complete = False

    def solve(self, position: Position, budget: Budget) -> Solution:
        deadline = budget.begin()
        self._solver.turn_to(write_position(position))
        self._solver.start(deadline.visits, deadline.seconds_left())
        while not self._solver.wait(_SECONDS_BETWEEN_LOOKS):
            if deadline.interrupted():
                self._solver.stop()
        found = self._solver.solved()
        line = tuple(numbered_step(position.game, number) for number in found.line)
        census = None if found.census is None else Census(*found.census)
        self.complete = self.complete or census is not None
        return Solution(
            found.value,
            line,
            found.positions,
            found.hits,
            found.used_bytes,
            found.seconds,
            census,
        )
