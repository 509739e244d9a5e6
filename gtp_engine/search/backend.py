"""Which player answers to a name: the one place that knows what searches with what."""

import random
from collections.abc import Callable

from gtp_engine.search.mcts import MctsPlayer
from gtp_engine.search.player import Player, RandomPlayer

PLAYERS: dict[str, Callable[[random.Random], Player]] = {"mcts": MctsPlayer, "random": RandomPlayer}


def make_player(name: str, seed: str | None) -> Player:
    """The player of a name. With a seed its choices can be repeated.

    Raises KeyError for an unknown name.
    """
    return PLAYERS[name](random.Random(seed))
