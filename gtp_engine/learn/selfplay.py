"""Self-play: the search plays games against itself, and records of them train the net.

Some turns get a full search, which becomes a training sample. The other turns get a short one
(playout cap randomization: Wu, "Accelerating Self-Play Learning in Go", 2019). Three things make
games differ: random turns at the beginning, noise at the root of full searches, and early turns
chosen in proportion to visits.
"""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from gtp_engine.board.color import BLACK
from gtp_engine.notation.position_text import read_to_move, write_position
from gtp_engine.rules import find_game
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.kernel import new_search
from gtp_engine.search.options import SearchOptions

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

Stopped = Callable[[], bool]
"""Returns whether to stop the current work."""

BoardMix = tuple[tuple[int, float], ...]
"""Board sizes, each with its share of the games."""

# The numbers of random turns at the beginning of a game; each entry is equally likely.
_RANDOM_TURNS = (0, 0, 1, 2, 2, 3, 4)

# During the first turns of a game, most steps are chosen in proportion to visits, with the first
# chance. All other steps are random with the last chance.
_VARIED_TURNS, _VARIED_SHARE, _RANDOM_SHARE = 10, 0.7, 0.02

# The weight of a step with a proven value in a choice in proportion to visits.
_PROVEN_WEIGHT = 0.01

_HASH_MB = 16
_SECONDS_BETWEEN_LOOKS = 0.05
_VALUES = {1: 1.0, 2: 0.0, 3: 0.5}


class SelfplaySearch(NamedTuple):
    """The search options of a game's turns.

    full, fast -- the visits of a full search, and of a short one
    share      -- the share of turns with a full search
    noise      -- the share of noise in the root priors of a full search
    options    -- the options of the search
    sharpening -- the power of visits in the policy target: a search without priors spreads its
                  visits too evenly
    """

    full: int
    fast: int
    share: float
    noise: float
    options: SearchOptions
    sharpening: float


class SearchedPosition(NamedTuple):
    """The result of a full search.

    after  -- the number of steps before the position
    value  -- the chance that BLACK wins
    proven -- the exact value; None if unknown
    visits -- the visits of each visited step
    best   -- the step to play
    """

    after: int
    value: float
    proven: float | None
    visits: list[tuple[int, int]]
    best: int


class SelfplayGame(NamedTuple):
    """A game; steps are numbers of the kernel.

    number     -- the number of the game in its generation
    result     -- 1 for a win of BLACK, 0 for a win of WHITE, 0.5 for a draw
    sharpening -- see SelfplaySearch
    looks      -- the full searches
    """

    game: str
    size: int
    number: int
    steps: list[int]
    result: float
    sharpening: float
    looks: list[SearchedPosition]

    def line(self) -> str:
        """The record as a line of JSON, without a line feed."""
        return json.dumps(self._asdict(), separators=(",", ":"))


def read_record(line: bytes) -> SelfplayGame | None:
    """Read the record of a line; returns None for anything else."""
    try:
        fields = json.loads(line)
        looks = [SearchedPosition(*look) for look in fields.pop("looks")]
        return SelfplayGame(**fields, looks=looks)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def draw_size(mix: BoardMix, seed: str) -> int:
    """Draw the board size of a game from its seed."""
    sizes, shares = zip(*mix)
    return int(random.Random(f"size of {seed}").choices(sizes, shares)[0])


def play_game(
    kernel: ModuleType,
    start: tuple[str, int],
    number: int,
    seed: str,
    effort: SelfplaySearch,
    net: "_kernel.Net | None",
    stopped: Stopped,
) -> SelfplayGame | None:
    """Play the game with a number; returns None if it was stopped.

    start -- game and size
    seed  -- equal seeds make equal games
    """
    rng = random.Random(seed)
    play = _Play(kernel, start, rng, effort, net)
    while not play.open_at_random(rng.choice(_RANDOM_TURNS)):
        pass
    while not play.over:
        if not play.go_on(stopped):
            return None
    result = _VALUES[play.position.outcome()[0]]
    return SelfplayGame(*start, number, play.steps, result, effort.sharpening, play.looks)


class _Play:
    """A game in progress."""

    def __init__(
        self,
        kernel: ModuleType,
        start: tuple[str, int],
        rng: random.Random,
        effort: SelfplaySearch,
        net: "_kernel.Net | None",
    ) -> None:
        self._kernel = kernel
        self._game = find_game(start[0])
        self._start = write_position(self._game.start(start[1], Pie.OFF))
        self._rng = rng
        self._effort = effort
        self._net = net
        self._tree: Any = None
        self._turns = 0  # searched turns
        self.position: Any = None
        self.steps: list[int] = []
        self.looks: list[SearchedPosition] = []

    @property
    def over(self) -> bool:
        return bool(self.position.outcome()[0])

    def open_at_random(self, turns: int) -> bool:
        """Begin with random turns; returns whether the game is still open after them."""
        self.position, self.steps = self._kernel.Position(self._start), []
        for _ in range(turns):
            self._play(self._rng.choice(self.position.legal_steps()))
            while self.position.open:
                self._play(self._rng.choice(self.position.legal_steps()))
            if self.over:
                return False
        return True

    def go_on(self, stopped: Stopped) -> bool:
        """Play a step; returns False if stopped."""
        legal = self.position.legal_steps()
        if len(legal) == 1:
            self._play(legal[0])
            return True
        full = self._rng.random() < self._effort.share
        if not self._search(full, stopped):
            return False
        step = self._choose(legal, full)
        self._play(step)
        self._turns += not self.position.open
        if self._tree is not None and not self.over:
            self._tree.advance(step)
        return True

    def _play(self, step: int) -> None:
        self.position.play(step)
        self.steps.append(step)

    def _search(self, full: bool, stopped: Stopped) -> bool:
        """Search the position; a short search reuses the tree. Returns False if stopped."""
        effort, known = self._effort, 0
        if not full and self._tree is not None and self._tree.text() == self.position.text():
            known = self._tree.visits
        else:
            self._plant(effort.noise if full else 0.0)
        self._tree.start(effort.full if full else effort.fast + known // 2, None)
        while not self._tree.wait(_SECONDS_BETWEEN_LOOKS):
            if stopped():
                self._tree.stop()
        return not stopped()

    def _plant(self, noise: float) -> None:
        self._tree = new_search(
            self._kernel,
            self._game,
            self.position.text(),
            replace(self._effort.options, hash_mb=_HASH_MB),
            self._rng.getrandbits(63),
            self._net,
            noise=noise,
        )

    def _choose(self, legal: list[int], full: bool) -> int:
        """Choose the step to play, and record the result of a full search."""
        rng, tree = self._rng, self._tree
        rows = tree.rows(1)
        if not rows:  # the value was proven without a visit
            self._tree = None
            return rng.choice(legal)
        black = read_to_move(self.position.text()) is BLACK

        def rank(row: Any) -> tuple[float, int]:
            proven = row.proven
            for_mover = 0.5 if proven is None else proven if black else 1 - proven
            return for_mover, row.visits

        best = max(rows, key=rank)
        step, proven = best.step, best.proven
        if full:
            visits = [(row.step, row.visits) for row in rows]
            value = round(tree.value, 4)
            self.looks.append(SearchedPosition(len(self.steps), value, tree.proven, visits, step))
        if self._turns < _VARIED_TURNS and proven is None and rng.random() < _VARIED_SHARE:
            weights = [row.visits if row.proven is None else _PROVEN_WEIGHT for row in rows]
            return int(rng.choices([row[0] for row in rows], weights)[0])
        return int(rng.choice(legal) if rng.random() < _RANDOM_SHARE else step)
