"""A game's numbers for the search: data in the game's file, read by the search.

Matches found them; protocol_specs/lab/ has the experiments.
"""

from typing import NamedTuple


class GameLength(NamedTuple):
    """The number of turns a color still has to play; 90 % of games have no more.

    least     -- on a full board
    per_point -- added for each empty point
    """

    least: float
    per_point: float


class EarlyTurns(NamedTuple):
    """The beginning of a game, whose turns matter less.

    until -- the share of empty points at its end
    share -- the time of one of its turns, relative to a later turn
    """

    until: float
    share: float


class Tuning(NamedTuple):
    """The numbers of a game. The meaning of the search options: search/options.py.

    exploration -- of UCT without GRAVE and without a learned evaluation
    rave -- the default of the option
    leaf_playouts -- the default of the option
    exploration_with_rave -- the exploration with GRAVE
    exploration_with_net  -- the exploration with a learned evaluation
    playout_weight -- the default of the option
    expand_after -- the default of the option
    priors_only  -- the default of the option
    proof_weight -- the default of the option
    trusted_visits -- the default of the option with a learned evaluation; without one it is 1
    length -- of games, for a clock
    early  -- which turns get less time from a clock
    solved -- positions that a solver may search before a late turn on a small board, if the search
              has other limits: mostly a third of a second in the kernel
    """

    exploration: float = 0.4
    rave: float = 0.0
    leaf_playouts: int = 1
    exploration_with_rave: float = 0.1
    exploration_with_net: float = 1.0
    playout_weight: float = 0.0
    expand_after: int = 4
    priors_only: float = 0.0
    proof_weight: float = 0.0
    trusted_visits: float = 1.0
    length: GameLength = GameLength(10, 0.6)
    early: EarlyTurns = EarlyTurns(until=1.0, share=1.0)
    solved: int = 300_000


UNTUNED = Tuning()
"""The numbers of a game without tuning: suitable for most games."""
