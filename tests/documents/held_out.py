"""`python tests documents.held_out GAME FILE`: plays the held-out games of a game into a file.

It searches many more visits than self-play, on boards of several sizes, with separate seeds. A game
begins with random turns. Then some turns are chosen in proportion to visits. Every later turn is
the best one that the search knows, so the result is a good measure of a position. The same kernel,
weights and seed make the same games.
"""

import argparse
import gzip
import random
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.learn.game_in_progress import GameInProgress
from gtp_engine.learn.game_records import SelfplayGame
from gtp_engine.learn.held_out_games import KIND, VERSION
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game
from gtp_engine.search.backends.kernel import kernel_for, net_for
from gtp_engine.search.data_file import Facts, write_stored
from gtp_engine.search.options import SearchOptions, isa_in_use
from gtp_engine.search.weights import NONE, OWN, weights_for

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

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


def main() -> int:
    """Play the games and write the file; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument(
        "--games",
        type=int,
        default=GAMES_OF_A_SIZE,
        help=f"of each size (default {GAMES_OF_A_SIZE})",
    )
    parser.add_argument("--seed", type=int, default=1, help="default 1")
    options = parser.parse_args()
    game = find_game(options.game)
    module = kernel_for(game.name)
    if module is None:
        parser.error("the kernel is needed")
    weights = weights_for(game.name, OWN)
    net = net_for(module, isa_in_use(module), game.name, OWN)
    effort = WITHOUT_NET if net is None else WITH_NET
    mark = NONE if weights is None else weights.mark
    facts = {"game": game.name, "seed": options.seed, "weights": mark, **effort._asdict()}
    found: list[SelfplayGame] = []
    for number in range(options.games):
        for size in held_out_sizes(game):
            start = game.name, size
            found.append(make_game(module, start, number, options.seed, effort, net))
        # An interrupted run keeps the games so far, equally many for each size.
        write_games(options.file, found, facts)
        print(f"{game.name}: {number + 1} of {options.games}", flush=True)
    return 0


def held_out_sizes(game: Game) -> tuple[int, ...]:
    """The smallest recommended size, the default one, and the largest."""
    smallest, largest = game.recommended or (game.default_size - 2, game.default_size + 2)
    return smallest, game.default_size, largest


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


if __name__ == "__main__":
    raise SystemExit(main())
