"""`python -m gtp_engine.cli.held_out GAME FILE`: play the held-out games of a game into a file.

The same kernel, weights and seed make the same games.
"""

import argparse
from pathlib import Path

from gtp_engine.learn.game_records import SelfplayGame
from gtp_engine.learn.held_out_games import (
    GAMES_OF_A_SIZE,
    WITH_NET,
    WITHOUT_NET,
    make_game,
    write_games,
)
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game
from gtp_engine.search.backends.kernel import kernel_for, net_of
from gtp_engine.search.processor import isa_in_use
from gtp_engine.search.weights import NONE, OWN, weights_for


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
    net = net_of(module, isa_in_use(module), weights)
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


if __name__ == "__main__":
    raise SystemExit(main())
