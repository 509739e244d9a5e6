"""The result of a solver, in the kernel or in Python."""

from collections.abc import Iterator
from threading import Event
from typing import NamedTuple, Protocol, runtime_checkable

from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.step import Step
from gtp_engine.search.budget import Budget

# The kernel's methods of solving; `best` selects one for the position.
BEST, PROOF_NUMBERS, DEPTH_FIRST = "best", "proof-numbers", "depth-first"
RETROGRADE = "retrograde"
METHODS = (BEST, PROOF_NUMBERS, DEPTH_FIRST, RETROGRADE)

DRAWN = 0.5


class Census(NamedTuple):
    """The numbers of positions of a board that are won, lost and drawn for the color to move.

    longest -- largest number of turns to the end of a won or lost position
    """

    won: int
    lost: int
    drawn: int
    longest: int


class Solution(NamedTuple):
    """The exact value of a position, or that it was not found.

    value      -- for BLACK: 1 won, 0.5 drawn, 0 lost; None if not solved
    line       -- best play or its beginning, without forced steps
    positions  -- number of searched positions
    hits       -- number of positions found in the transposition table
    used_bytes -- memory used
    census     -- of the whole board, if it was computed
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

    complete -- whether it knows the values of all positions
    """

    complete: bool

    def solve(self, position: Position, budget: Budget) -> Solution:
        """The value of a position; `visits` of the budget count positions.

        Raises ContradictoryTable. Results are kept for the next position of the same game and size.
        """
        ...


class ContradictoryTable(Exception):
    """A solver's table contradicts itself: its file was altered, or memory is damaged.

    The text is one line for people. What the solver has found is worth nothing.
    """


class CheckedWords(NamedTuple):
    """What the check of a certificate has found.

    proven    -- whether it proves the winner; None if interrupted
    positions -- how many of its positions were checked: those that its games reach
    unproven  -- the text of a position without a proof, "" if there is none
    """

    proven: bool | None
    positions: int
    unproven: str


@runtime_checkable
class Prover(Solver, Protocol):
    """A solver by proof numbers, whose table can be kept in a file."""

    def saved_parts(self) -> Iterator[bytes]:
        """The entries of the table that are worth keeping."""
        ...

    def restore(self, entries: bytes) -> None:
        """Add saved entries. Raises ValueError for those that no table of this size has."""
        ...

    def certify(self, position: Position, budget: Budget) -> bytes | None:
        """The sorted words of a certificate, 8 bytes each, lowest first; None if not solved.

        Raises ValueError for a game, a size or a pie rule without certificates, and
        ContradictoryTable.
        """
        ...

    def check(
        self, position: Position, winner: Color, words: bytes, interrupt: Event
    ) -> CheckedWords:
        """Whether a certificate of these words proves that a color wins a position.

        Raises ValueError as `certify` does.
        """
        ...


ENTRY = 24
"""The bytes of a saved entry."""
