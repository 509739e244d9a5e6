"""The numbers of a game for its search."""

from functools import cache

from gtp_engine.base.log import logger
from gtp_engine.rules.game import Game
from gtp_engine.rules.tuning import UNTUNED, Tuning


@cache
def tuning_of(game: Game) -> Tuning:
    """The numbers of a game. An untuned game gets those that fit most games; the log says so."""
    if game.tuning is not None:
        return game.tuning
    logger().info("{} is untuned: its search uses the numbers that fit most games", game.title)
    return UNTUNED
