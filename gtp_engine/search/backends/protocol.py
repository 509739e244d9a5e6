"""The interface of a backend: what both the kernel and Python do for one game."""

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
"""Gives a tree of a position that searches some of its legal steps; no swap may be among them."""


class Ends(NamedTuple):
    """The results of random games, added up.

    value -- the sum of their values for BLACK
    held  -- for each point, by row from the top: the games in which BLACK holds it at the end,
             minus those in which WHITE does
    """

    games: int
    value: float
    held: list[int]


PlayRandom = Callable[[int], Ends]
"""Plays random games from a position: at least one, at most as many as it is asked for."""


class PlayedGames(NamedTuple):
    """Random games of one thread, and the seconds that they took on the clock."""

    games: int
    plies: int
    black_wins: int
    draws: int
    seconds: float


class Backend(Hashable, Protocol):
    """Searches and plays one game.

    name        -- as benchmarks show it
    keeps_trees -- whether its trees can be kept for positions that they contain
    """

    @property
    def name(self) -> str:
        """As benchmarks show it."""
        ...

    @property
    def keeps_trees(self) -> bool:
        """Whether its trees can be kept for positions that they contain."""
        ...

    def weights(self, options: SearchOptions) -> Weights | None:
        """The learned evaluation that its trees use, if any."""
        ...

    def trees(self, options: SearchOptions, rng: random.Random, keep: bool) -> MakeTree:
        """A maker of trees.

        keep -- whether a tree may be used again for a position that it contains; then the result
                of a search depends on the searches before it
        """
        ...

    def solver(self, position: Position, options: SearchOptions, method: str) -> Solver:
        """A solver for positions of the same size.

        Raises ValueError where the method does not fit the game, the size or the memory.
        """
        ...

    def random_games(self, position: Position, rng: random.Random) -> PlayRandom:
        """A player of uniformly random games, without a swap, from a position."""
        ...

    def timed_games(
        self, position: Position, seconds: float, seed: int, step_by_step: bool
    ) -> PlayedGames:
        """Random games for some time, at least one.

        step_by_step -- choose each step from the list of legal steps, not as playouts do
        """
        ...

    def perft(self, position: Position, depth: int) -> int:
        """The number of sequences of `depth` legal steps."""
        ...
