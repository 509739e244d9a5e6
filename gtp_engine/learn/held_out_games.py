"""The held-out games. Learned evaluations are compared on them, and no training reads them.

A checkout has one file for each game, in `held_out/` beside this module; a wheel leaves them out.
Its payload (search/stored.py) is compressed text with one game on each line, in the format of
self-play (selfplay.py). `make_game` plays these games. It searches many more visits than self-play,
on boards of several sizes, with separate seeds. A game begins with random turns. It then chooses
some turns in proportion to visits. Every later turn is the best one that the search knows, so the
result is a good measure of a position.
"""

import gzip
import random
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.learn.game_in_progress import GameInProgress
from gtp_engine.learn.game_records import SelfplayGame, read_record
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.stored import Facts, read_stored, write_stored

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

KIND, VERSION = "held-out games", 1

_RANDOM_TURNS = (0, 1, 2, 2, 3, 4)
_VARIED_TURNS = 6  # the searched turns chosen in proportion to visits
_FULL_SHARE = 0.2

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
    options = SearchOptions(hash_mb=256, leaf_playouts=1)
    play = GameInProgress(kernel, start, rng, options, net)
    play.open_at_random(_RANDOM_TURNS)
    turns = 0  # searched turns
    while not play.over:
        legal = play.position.legal_steps()
        if len(legal) == 1:
            step = legal[0]
        else:
            step = _searched_step(play, effort, legal, turns < _VARIED_TURNS)
            turns += 1
        play.play(step)
        if play.tree is not None and not play.over:
            play.tree.advance(step)
            # The tree also plays forced steps, and some trees do not hold the position.
            if not play.tree_fits:
                play.tree = None
    sharpening = 1.0 if net is not None else _SHARPENING_WITHOUT_NET
    return SelfplayGame(*start, number, play.steps, play.result, sharpening, play.looks)


def _searched_step(
    play: GameInProgress, effort: HeldOutEffort, legal: list[int], varied: bool
) -> int:
    """Choose the step to play. A full search is recorded unless it proved the value.

    varied -- choose in proportion to visits
    """
    full = play.rng.random() < _FULL_SHARE
    tree = play.plant() if play.tree is None else play.tree
    known = tree.visits
    wanted = effort.full if full else effort.fast + known // 2
    play.search(tree, max(wanted, known), lambda: False)
    rows = tree.rows(1)
    if not rows:  # the value was proven without a visit
        return play.rng.choice(legal)
    best = play.best_of(rows).step
    if full and tree.proven is None:
        least = _LEAST_SHARE * sum(row.visits for row in rows)
        play.record(tree, [row for row in rows if row.visits >= least], best)
    if varied and tree.proven is None:
        return play.rng.choices([row.step for row in rows], [row.visits for row in rows])[0]
    return best
