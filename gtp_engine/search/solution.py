"""What a solver finds out, whoever it is: the kernel or Python."""

from typing import NamedTuple, Protocol

from gtp_engine.board.color import BLACK, WHITE
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.step import Step
from gtp_engine.search.budget import Budget

# Ways to solve that the kernel knows; the best one for a position is chosen by itself.
BEST, PROOF_NUMBERS, DEPTH_FIRST = "best", "proof-numbers", "depth-first"
RETROGRADE = "retrograde"
METHODS = (BEST, PROOF_NUMBERS, DEPTH_FIRST, RETROGRADE)

DRAWN = 0.5


class Census(NamedTuple):
    """How many positions of a whole board are won, lost and drawn for the color to move.

    longest -- the most turns to the end of one that is won or lost
    """

    won: int
    lost: int
    drawn: int
    longest: int


class Solution(NamedTuple):
    """The exact value of a position, or that it was not found.

    value      -- for BLACK: 1 won, 0.5 drawn, 0 lost; None where it is not solved
    line       -- a line of best play, or its beginning, forced steps left out
    positions  -- how many were searched
    hits       -- how often a position was known already
    used_bytes -- the memory for that
    census     -- of the whole board, where that was found out with it
    """

    value: float | None
    line: tuple[Step, ...]
    positions: int
    hits: int
    used_bytes: int
    seconds: float
    census: Census | None = None

    def result(self, game: Game) -> str:
        """The value in words."""
        if self.value is None:
            return "not solved"
        if self.value == DRAWN:
            return "draw"
        return f"{game.color_names[BLACK if self.value > DRAWN else WHITE].lower()} wins"


class Solver(Protocol):
    """Finds exact values of positions of one game and size.

    complete -- whether it knows those of all positions
    """

    complete: bool

    def solve(self, position: Position, budget: Budget) -> Solution:
        """The value of a position; `visits` of the budget count positions.

        What is known stays for the next position of the same game and size.
        """
        ...
