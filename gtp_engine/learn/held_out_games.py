"""The held-out games. Learned evaluations are compared on them, and no training reads them.

The package ships one file for each game, in `held_out/` beside this module. Its payload
(search/stored.py) is compressed text with one game on each line, in the format of self-play
(selfplay.py). `make_game` plays these games. It searches many more visits than self-play, on boards
of several sizes, with separate seeds. A game begins with random turns. It then chooses some turns
in proportion to visits. Every later turn is the best one that the search knows, so the result is a
good measure of a position.
"""

import gzip
import random
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from gtp_engine.board.color import BLACK
from gtp_engine.learn.selfplay import SearchedPosition, SelfplayGame, read_record
from gtp_engine.notation.position_text import read_to_move, write_position
from gtp_engine.rules import find_game
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.kernel import new_search
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.stored import Facts, read_stored, write_stored

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

KIND, VERSION = "held-out games", 1

_RANDOM_TURNS = (0, 1, 2, 2, 3, 4)
_VARIED_TURNS = 6  # the searched turns chosen in proportion to visits
_FULL_SHARE = 0.2
_VALUES = {1: 1.0, 2: 0.0, 3: 0.5}

# Steps with a smaller share of the visits were hardly searched. The target leaves them out.
_LEAST_SHARE = 0.001

# A search without priors spreads its visits. The target is proportional to this power of the
# visits.
_SHARPENING_WITHOUT_NET = 2.0


class HeldOutEffort(NamedTuple):
    """The visits of the recorded turns, and those of the other turns."""

    full: int
    fast: int


GAMES_OF_A_SIZE = 80
"""The number of shipped games for each size."""

WITH_NET, WITHOUT_NET = HeldOutEffort(8_000, 1_500), HeldOutEffort(20_000, 2_500)


def held_out_path(game: str) -> Path:
    """The path of a game's held-out games. The file may be missing."""
    return Path(__file__).parent / "held_out" / f"{game}.games"


@cache
def held_out_games(game: str) -> tuple[SelfplayGame, ...]:
    """The held-out games of a game; empty if no file ships. Raises UnusableFile."""
    path = held_out_path(game)
    return read_games(path) if path.exists() else ()


def read_games(path: Path) -> tuple[SelfplayGame, ...]:
    """The games of a file. Raises UnusableFile."""
    _, payload = read_stored(path, KIND, VERSION)
    found = (read_record(line) for line in gzip.decompress(payload).splitlines())
    return tuple(record for record in found if record is not None)


def write_games(path: Path, games: list[SelfplayGame], facts: Facts) -> None:
    """Write a file of games. Raises OSError.

    facts -- header fields besides the numbers of games and positions
    """
    counted = {"games": len(games), "positions": sum(len(each.looks) for each in games)}
    lines = "".join(each.line() + "\n" for each in games)
    payload = gzip.compress(lines.encode(), mtime=0)
    write_stored(path, KIND, VERSION, {**facts, **counted}, payload)


def make_game(
    kernel: ModuleType,
    start: tuple[str, int],
    number: int,
    seed: int,
    effort: HeldOutEffort,
    net: "_kernel.Net | None",
) -> SelfplayGame:
    """Play the held-out game of a number. The start, the seed and the number determine the game."""
    # A self-play seed is three numbers, so no held-out game shares a seed with a training game.
    rng = random.Random(f"held out {seed} {start[0]} {start[1]} {number}")
    play = _HeldOutPlay(kernel, start, rng, effort, net)
    while not play.over:
        play.go_on()
    sharpening = 1.0 if net is not None else _SHARPENING_WITHOUT_NET
    result = _VALUES[play.position.outcome()[0]]
    return SelfplayGame(*start, number, play.steps, result, sharpening, play.looks)


class _HeldOutPlay:
    """A game in progress."""

    def __init__(
        self,
        kernel: ModuleType,
        start: tuple[str, int],
        rng: random.Random,
        effort: HeldOutEffort,
        net: "_kernel.Net | None",
    ) -> None:
        self._kernel = kernel
        self._game = find_game(start[0])
        self._rng = rng
        self._effort = effort
        self._net = net
        self._tree: Any = None
        self._turns = 0
        self.looks: list[SearchedPosition] = []
        self.steps: list[int] = []
        self.position: Any = None
        text = write_position(self._game.start(start[1], Pie.OFF))
        while self.position is None or self.over:
            self._open(text, rng.choice(_RANDOM_TURNS))

    @property
    def over(self) -> bool:
        return bool(self.position.outcome()[0])

    def _open(self, text: str, turns: int) -> None:
        """Begin a game with random turns."""
        self.position, self.steps = self._kernel.Position(text), []
        while not self.over and (turns or self.position.open):
            self._play(self._rng.choice(self.position.legal_steps()))
            turns -= not self.position.open

    def go_on(self) -> None:
        """Play a step."""
        legal = self.position.legal_steps()
        step = legal[0] if len(legal) == 1 else self._searched(legal)
        self._play(step)
        if self._tree is not None and not self.over:
            self._tree.advance(step)
            # The tree also plays forced steps, and some trees do not hold the position.
            if self._tree.text() != self.position.text():
                self._tree = None

    def _play(self, step: int) -> None:
        self.position.play(step)
        self.steps.append(step)

    def _searched(self, legal: list[int]) -> int:
        """Choose the step to play. A full search is recorded unless it proved the value."""
        full = self._rng.random() < _FULL_SHARE
        if self._tree is None:
            text, seed = self.position.text(), self._rng.getrandbits(63)
            options = SearchOptions(hash_mb=256, leaf_playouts=1)
            self._tree = new_search(self._kernel, self._game, text, options, seed, self._net)
        tree = self._tree
        known = tree.visits
        wanted = self._effort.full if full else self._effort.fast + known // 2
        tree.start(max(wanted, known), None)
        while not tree.wait(1.0):
            pass
        rows = tree.rows(1)
        if not rows:  # the value was proven without a visit
            return int(self._rng.choice(legal))
        step = self._best(rows)
        if full and tree.proven is None:
            self._keep(rows, step)
        varied = self._turns < _VARIED_TURNS and tree.proven is None
        self._turns += 1
        if varied:
            return int(self._rng.choices([row.step for row in rows], [r.visits for r in rows])[0])
        return step

    def _best(self, rows: list[Any]) -> int:
        black = read_to_move(self.position.text()) is BLACK

        def rank(row: Any) -> tuple[float, int]:
            if row.proven is None:
                return 0.5, row.visits
            return (row.proven if black else 1 - row.proven), row.visits

        return int(max(rows, key=rank).step)

    def _keep(self, rows: list[Any], best: int) -> None:
        least = _LEAST_SHARE * sum(row.visits for row in rows)
        visits = [(row.step, row.visits) for row in rows if row.visits >= least]
        value = round(self._tree.value, 4)
        look = SearchedPosition(len(self.steps), value, None, visits, best)
        self.looks.append(look)
