"""What a player of ours thought when it chose a turn."""

from typing import NamedTuple

from gtp_engine.board.color import BLACK, WHITE
from gtp_engine.rules.game import Game

# Between what is said of a turn, on one line.
SEPARATOR = "; "


class Thought(NamedTuple):
    """The result of a search.

    value  -- the chance that BLACK wins, 0 to 1
    visits -- how many it rests on
    line   -- the turns it expects, as words
    why    -- what is proven, and how the turn stands among the others, in words
    """

    value: float
    visits: int
    line: str
    why: str = ""

    def words(self, game: Game) -> str:
        """The thought as a player would say it."""
        color, value = (BLACK, self.value) if self.value >= 0.5 else (WHITE, 1 - self.value)
        chance = f"{game.color_names[color]} wins {value:.1%}"
        found = ", ".join(filter(None, (chance, f"{self.visits} visits", self.line)))
        return SEPARATOR.join(filter(None, (found, self.why)))
