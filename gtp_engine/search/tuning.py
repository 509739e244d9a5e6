"""Numbers of the search that differ from game to game: found by matches, see
protocol_specs/strength.md.
"""

from typing import NamedTuple

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


class Length(NamedTuple):
    """About how many turns of a color are still to come in the longer ones of ten games.

    least     -- with a full board
    per_point -- more for each empty point
    """

    least: float
    per_point: float


class Opening(NamedTuple):
    """The part of a game that hardly matters yet.

    until -- the part of the points that is empty at its end
    share -- of a later turn's time that goes to one of its turns
    """

    until: float
    share: float


class Tuning(NamedTuple):
    """The numbers of a game.

    exploration -- of plain UCT
    rave        -- see Rule
    playouts    -- see Rule
    with_rave   -- the exploration that goes with any rave
    learned     -- the exploration that goes with a learned evaluation
    chance      -- see Rule
    patience    -- with a learned evaluation, see Rule
    length      -- of games, for a clock
    opening     -- which turns get less time from a clock
    """

    exploration: float = 0.4
    rave: float = 0.0
    playouts: int = 1
    with_rave: float = 0.1
    learned: float = 1.0
    chance: float = 0.0
    patience: int = 4
    length: Length = Length(10, 0.6)
    opening: Opening = Opening(until=1.0, share=1.0)


UNTUNED = Tuning()

TUNED = {
    "implo": Tuning(length=Length(3, 0.45)),
    "boloa": Tuning(rave=300.0, with_rave=0.1, length=Length(4, 0.42)),
    "robble": Tuning(playouts=8, length=Length(4, 0.8), opening=Opening(until=0.62, share=0.1)),
    "pilo": Tuning(length=Length(6, 0.7)),
}


def tuning_of(game: str) -> Tuning:
    """The numbers of a game; those that fit most games for one that nobody has tuned."""
    return TUNED.get(game, UNTUNED)


def rule_for(game: str, resources: Resources) -> Rule:
    """How to search a game without a learned evaluation: as asked for, else by its own numbers."""
    own = tuning_of(game)
    rave = own.rave if resources.rave is None else resources.rave
    playouts = own.playouts if resources.playouts is None else resources.playouts
    exploration = _exploration(resources, own.with_rave if rave else own.exploration)
    return Rule(exploration, rave, playouts=playouts)


def plain_rule_for(game: str, resources: Resources) -> Rule:
    """The same for a search that knows no rave."""
    return rule_for(game, resources._replace(rave=0.0))


def learned_rule_for(game: str, resources: Resources) -> Rule:
    """The same with a learned evaluation."""
    own = tuning_of(game)
    chance = own.chance if resources.chance is None else resources.chance
    patience = own.patience if resources.patience is None else resources.patience
    return Rule(_exploration(resources, own.learned), chance=chance, patience=patience)


def _exploration(resources: Resources, own: float) -> float:
    return own if resources.exploration is None else resources.exploration
