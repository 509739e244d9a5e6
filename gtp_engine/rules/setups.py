"""Conditions for set-up positions, shared by several games."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gtp_engine.board.color import BLACK, WHITE, Color

if TYPE_CHECKING:
    from gtp_engine.rules.game import Position


def alternation_flaw(newest: Color, counts: Sequence[int], name: str) -> str | None:
    """Why players who place one piece per turn cannot have these counts; None if they can.

    newest -- the color that placed the last piece
    counts -- the pieces of BLACK and WHITE
    name   -- the name of the pieces

    The color that placed last has as many pieces as its opponent, or one more: after a swap of
    pieces the first one counts for WHITE, and BLACK continues.
    """
    more = counts[newest] - counts[newest.opponent]
    if 0 <= more <= 1 and counts[newest]:
        return None
    return f"{counts[BLACK]} and {counts[WHITE]} {name} cannot have been placed in turn"


def may_precede_swap(position: "Position") -> bool:
    """Whether a position is the empty board, or occurs during or after Black's first turn."""
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
