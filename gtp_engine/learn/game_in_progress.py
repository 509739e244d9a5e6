"""A game that a program plays against itself for its record. See selfplay.py, held_out_games.py."""

import random
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from gtp_engine.learn.game_records import SearchedPosition, first_position
from gtp_engine.rules import find_game
from gtp_engine.rules.notation.position_text import read_to_move
from gtp_engine.rules.points.color import BLACK
from gtp_engine.search.backends.kernel import new_search
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.tree import best

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

Stopped = Callable[[], bool]
"""Returns whether to stop the current work."""

_RESULTS = {1: 1.0, 2: 0.0, 3: 0.5}
_SECONDS_BETWEEN_LOOKS = 0.05


class GameInProgress:
    """A game in progress, with the tree of its last search.

    position -- the current position
    steps    -- the steps so far
    looks    -- the recorded searches so far
    rng      -- makes all random choices
    options  -- of the searches
    net      -- of the searches, or None
    tree     -- the tree of the last search, or None
    """

    def __init__(
        self,
        kernel: ModuleType,
        start: tuple[str, int],
        rng: random.Random,
        options: SearchOptions,
        net: "_kernel.Net | None",
    ) -> None:
        """Begin with the start of the game.

        start -- game and size
        rng   -- makes all random choices
        """
        self._kernel = kernel
        self._start = start
        self.options = options
        self.net = net
        self.rng = rng
        self.tree: _kernel.Search | None = None
        self.looks: list[SearchedPosition] = []
        self._begin()

    def _begin(self) -> None:
        self.position = first_position(self._kernel, *self._start)
        self.steps: list[int] = []

    @property
    def black_to_move(self) -> bool:
        """Whether BLACK is to move."""
        return read_to_move(self.position.text()) is BLACK

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.position.outcome()[0])

    @property
    def result(self) -> float:
        """The result of a game that is over, as in SelfplayGame."""
        return _RESULTS[self.position.outcome()[0]]

    def open_at_random(self, numbers: Sequence[int]) -> None:
        """Begin with random turns, as many as one of `numbers`. The game is open after them."""
        while True:
            self._begin()
            turns = self.rng.choice(numbers)
            while not self.over and (turns or self.position.open):
                self.play(self.rng.choice(self.position.legal_steps()))
                turns -= not self.position.open
            if not self.over:
                return

    def play(self, step: int) -> None:
        """Play a step. The tree stays as it is."""
        self.position.play(step)
        self.steps.append(step)

    @property
    def tree_fits(self) -> bool:
        """Whether there is a tree whose root is the current position."""
        return self.tree is not None and self.tree.text() == self.position.text()

    def plant(self, noise: float = 0.0) -> "_kernel.Search":
        """Begin a new tree with a share of noise in the root's priors."""
        text, seed = self.position.text(), self.rng.getrandbits(63)
        game = find_game(self._start[0])
        self.tree = new_search(self._kernel, game, text, self.options, seed, self.net, noise=noise)
        return self.tree

    def search(self, tree: "_kernel.Search", visits: int, stopped: Stopped) -> bool:
        """Search until the root has this many visits; returns False if stopped."""
        tree.start(visits, None)
        while not tree.wait(_SECONDS_BETWEEN_LOOKS):
            if stopped():
                tree.stop()
        return not stopped()

    def best_of(self, rows: Sequence["_kernel.AnalysisRow"]) -> "_kernel.AnalysisRow":
        """The row to play: a proven win, or else the most visited one."""
        return best(rows, read_to_move(self.position.text()))

    def record(
        self, tree: "_kernel.Search", rows: Sequence["_kernel.AnalysisRow"], best: int
    ) -> None:
        """Record the search of the current position, with the visits of the steps of `rows`."""
        visits = [(row.step, row.visits) for row in rows]
        value = round(tree.value, 4)
        self.looks.append(SearchedPosition(len(self.steps), value, tree.proven, visits, best))
