"""How a search picks children and evaluates leaves: the options asked for, else the game's own."""

from functools import cache
from typing import NamedTuple

from gtp_engine.log import logger
from gtp_engine.rules.game import Game
from gtp_engine.rules.tuning import UNTUNED, Tuning
from gtp_engine.search.budget import Resources


class Rule(NamedTuple):
    """How a node picks a child, and what a visit finds out.

    exploration -- how much is added to the value of what is little visited: by UCB1, or by its
                   prior where there is a learned evaluation
    rave        -- how many visits of a step weigh as much as what all games through a node say
                   that have it anywhere (GRAVE); 0 to do without that
    chance      -- the part that a random game has in the value of a position, beside a learned
                   evaluation
    patience    -- how many visits a node must have before it gets children. With a learned
                   evaluation random games tell of the first of them, and the evaluation, asked
                   once with the last, counts for as many
    playouts    -- how many random games are played from where a visit ends, each of which counts
                   as a visit; one with rave, or with a learned evaluation
    """

    exploration: float
    rave: float = 0.0
    chance: float = 0.0
    patience: int = 1
    playouts: int = 1


@cache
def tuning_of(game: Game) -> Tuning:
    """The numbers of a game; for an untuned one those that fit most games, and the log says so."""
    if game.tuning is not None:
        return game.tuning
    logger().info("{} is untuned: its search uses the numbers that fit most games", game.title)
    return UNTUNED


def rule_for(game: Game, resources: Resources) -> Rule:
    """How to search a game without a learned evaluation: as asked for, else by its own numbers."""
    own = tuning_of(game)
    rave = own.rave if resources.rave is None else resources.rave
    playouts = own.playouts if resources.playouts is None else resources.playouts
    exploration = _exploration(resources, own.with_rave if rave else own.exploration)
    return Rule(exploration, rave, playouts=playouts)


def plain_rule_for(game: Game, resources: Resources) -> Rule:
    """The same for a search that knows no rave."""
    return rule_for(game, resources._replace(rave=0.0))


def learned_rule_for(game: Game, resources: Resources) -> Rule:
    """The same with a learned evaluation."""
    own = tuning_of(game)
    chance = own.chance if resources.chance is None else resources.chance
    patience = own.patience if resources.patience is None else resources.patience
    return Rule(_exploration(resources, own.learned), chance=chance, patience=patience)


def _exploration(resources: Resources, own: float) -> float:
    return own if resources.exploration is None else resources.exploration
