"""What a player of ours thought when it chose a turn."""

from typing import NamedTuple

from gtp_engine.board.color import BLACK, WHITE
from gtp_engine.notation.turns import write_line
from gtp_engine.rules.game import Game, Position
from gtp_engine.search.player import Choice

# A value has so many decimals, so that a record restores it exactly.
_DECIMALS = 4


class Thought(NamedTuple):
    """The result of a search.

    value  -- the chance that BLACK wins, 0 to 1
    visits -- how many it rests on
    line   -- the turns it expects, as words
    """

    value: float
    visits: int
    line: str

    def words(self, game: Game) -> str:
        """The thought as a player would say it."""
        color, value = (BLACK, self.value) if self.value >= 0.5 else (WHITE, 1 - self.value)
        chance = f"{game.color_names[color]} wins {value:.1%}"
        return ", ".join(filter(None, (chance, f"{self.visits} visits", self.line)))


def thought_behind(position: Position, choice: Choice) -> Thought | None:
    """What led to a choice; None where nothing was searched."""
    if not choice.visits:
        return None
    line = " ".join(write_line(position, choice.line))
    return Thought(round(choice.value, _DECIMALS), choice.visits, line)
