"""The interface of a backend: the services that the kernel and Python both give for one game."""

import random
from collections.abc import Callable, Hashable
from typing import NamedTuple, Protocol

from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solution import Solver
from gtp_engine.search.tree import Tree
from gtp_engine.search.weights import Weights

MakeTree = Callable[[Position, tuple[Step, ...]], Tree]
"""Makes the tree of a position. The tree searches the given legal steps, which contain no swap."""


class Ends(NamedTuple):
    """The ends of random games, as sums.

    value -- the sum of their values for BLACK
    held  -- for each point, by row from the top: the number of games in which BLACK holds it at the
             end, minus the number in which WHITE does
    """

    games: int
    value: float
    held: list[int]


PlayRandom = Callable[[int], Ends]
"""Plays random games from a position: at least one, and at most the given number."""


class PlayedGames(NamedTuple):
    """Random games of one thread, and the wall time that they took in seconds."""

    games: int
    plies: int
    black_wins: int
    draws: int
    seconds: float


class Backend(Hashable, Protocol):
    """Searches and plays one game.

    name        -- the name in benchmarks
    keeps_trees -- whether a tree can be kept for positions in it
    """

    @property
    def name(self) -> str:
        """The name in benchmarks."""
        ...

    @property
    def keeps_trees(self) -> bool:
        """Whether a tree can be kept for positions in it."""
        ...

    @property
    def isas(self) -> tuple[str, str] | None:
        """The instruction sets of rules and search, and of nets; None in Python."""
        ...

    def weights(self, options: SearchOptions) -> Weights | None:
        """The learned evaluation of its trees; None without one."""
        ...

    def trees(self, options: SearchOptions, rng: random.Random, keep: bool) -> MakeTree:
        """A maker of trees.

        keep -- whether to reuse a tree for positions in it; results then depend on earlier searches
        """
        ...

    def solver(self, position: Position, options: SearchOptions, method: str) -> Solver:
        """A solver for positions of the same size.

        Raises ValueError if the method does not fit the game, the size or the memory.
        """
        ...

    def random_games(self, position: Position, rng: random.Random) -> PlayRandom:
        """A player of uniformly random games from a position, without swaps."""
        ...

    def timed_games(
        self, position: Position, seconds: float, seed: int, step_by_step: bool
    ) -> PlayedGames:
        """Play random games for some time, at least one.

        step_by_step -- whether to choose each step from the list of legal steps, unlike playouts
        """
        ...

    def perft(self, position: Position, depth: int) -> int:
        """The number of sequences of `depth` legal steps."""
        ...
