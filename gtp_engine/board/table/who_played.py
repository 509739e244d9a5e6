"""Who has played a game: what its tree remembers, whoever has the seats later."""

from collections.abc import Mapping

from gtp_engine.board.table.seat import Seat, opponent
from gtp_engine.board.table.shown_game import exchanged
from gtp_engine.board.table.variations import GameNode, GameTree


def sign(
    tree: GameTree, seats: Mapping[str, Seat], shown: GameNode, played: str | None = None
) -> None:
    """Remember in a tree who plays it. All colors are as at the start.

    shown  -- the node where people are
    played -- the color that has just played there
    """
    if not tree.players:
        tree.players = seats
        return
    over = tree.is_over(shown)
    tree.players = {
        color: _player(tree, color, seat, over, played == color) for color, seat in seats.items()
    }


def _player(tree: GameTree, color: str, seat: Seat, over: bool, played: bool) -> Seat:
    """The player of a color.

    A guest who came to a game in progress counts from its first turn on, and then also after it has
    gone, when a person here plays on.
    """
    before = tree.players[color]
    if seat.guest:
        begun = len(tree) > 1
        return seat if played or not (over or (begun and not before.guest)) else before
    stays = before.guest and seat.is_human and _has_turn(tree, color)
    return before if over or stays else seat


def _has_turn(tree: GameTree, color: str) -> bool:
    """Whether a color has a turn in the main line."""
    return any(mover(node) == color for node in tree.main_line())


def mover(node: GameNode) -> str:
    """The color, as at the start, of the player whose turn led to a node."""
    turned = node.parent is not None and exchanged(node.parent)
    return opponent(node.color) if turned else node.color
