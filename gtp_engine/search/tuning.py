"""Numbers of the search that differ from game to game: found by matches, see
protocol_specs/strength.md.
"""

from typing import NamedTuple

from gtp_engine.search.budget import Resources


class Rule(NamedTuple):
    """How a node picks a child.

    exploration -- how much UCB1 adds to the value of what is little visited
    rave        -- how many visits of a step weigh as much as what all games through a node say
                   that have it anywhere (GRAVE); 0 to do without that
    """

    exploration: float
    rave: float = 0.0


class Tuning(NamedTuple):
    """The numbers of a game.

    exploration -- of plain UCT
    rave        -- see Rule
    with_rave   -- the exploration that goes with any rave
    """

    exploration: float = 0.4
    rave: float = 0.0
    with_rave: float = 0.1


UNTUNED = Tuning()

TUNED = {
    "implo": Tuning(),
    "boloa": Tuning(rave=300.0, with_rave=0.1),
    "robble": Tuning(),
    "pilo": Tuning(),
}


def rule_for(game: str, resources: Resources) -> Rule:
    """How nodes pick children in a game: what was asked for, else the game's own numbers."""
    own = TUNED.get(game, UNTUNED)
    rave = own.rave if resources.rave is None else resources.rave
    exploration = resources.exploration
    if exploration is None:
        exploration = own.with_rave if rave else own.exploration
    return Rule(exploration, rave)


def plain_rule_for(game: str, resources: Resources) -> Rule:
    """The same for a search that knows no rave."""
    return rule_for(game, resources._replace(rave=0.0))
