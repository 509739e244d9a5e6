"""What set-up positions of several games must fulfill."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gtp_engine.board.color import BLACK, WHITE, Color

if TYPE_CHECKING:
    from gtp_engine.rules.game import Position


def alternation_flaw(newest: Color, counts: Sequence[int], name: str) -> str | None:
    """Why colors that placed one piece each in turn cannot have so many; None where they can.

    newest -- who placed the last piece
    counts -- the pieces of BLACK and WHITE
    name   -- what a piece is called

    Who placed last has as many as the opponent, or one more: after a swap of the pieces the first
    one counts for WHITE, and BLACK goes on.
    """
    more = counts[newest] - counts[newest.opponent]
    if 0 <= more <= 1 and counts[newest]:
        return None
    return f"{counts[BLACK]} and {counts[WHITE]} {name} cannot have been placed in turn"


def may_precede_swap(position: "Position") -> bool:
    """Whether a position is the empty board or stands in or after Black's first turn."""
    start = position.game.start(position.size, position.pie)
    reached: Iterable[Position] = {start}
    while reached:
        if position in reached:
            return True
        reached = {
            before.play_unchecked(step)
            for before in reached
            if before.to_move is BLACK
            for step in before.legal_steps()
        }
    return False
