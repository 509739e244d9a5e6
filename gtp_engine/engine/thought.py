"""The result of the search with which a player of ours chose a turn."""

from typing import NamedTuple

from gtp_engine.board.color import BLACK, WHITE
from gtp_engine.numbers import plain_number_of
from gtp_engine.rules.game import Game

# Separates the parts of a thought on one line.
SEPARATOR = "; "


class Thought(NamedTuple):
    """The result of a search.

    value  -- the chance that BLACK wins, 0 to 1
    visits -- the visits behind the value
    line   -- the expected turns, as words
    why    -- what is proven, and how the turn compares to the others, in words
    """

    value: float
    visits: int
    line: str
    why: str = ""

    def words(self, game: Game) -> str:
        """The thought in words."""
        color, value = (BLACK, self.value) if self.value >= 0.5 else (WHITE, 1 - self.value)
        chance = f"{game.color_names[color]} wins {value:.1%}"
        found = ", ".join(filter(None, (chance, plain_number_of(self.visits, "visit"), self.line)))
        return SEPARATOR.join(filter(None, (found, self.why)))
