"""Set-up positions: what a content must fulfill to be possible in a game."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from gtp_engine.rules.content import Content
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.points import Points, board_points, point_set
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import PASS, Pie, UnplayablePosition

if TYPE_CHECKING:
    from gtp_engine.rules.game import Game, Position

_LEAST_SIZE = 5  # of a board with a handicap


def set_up(game: "Game", content: Content) -> "Position":
    """See Game.set_up."""
    check_size(game, content.size)
    _check_pieces(game, content.size, content.layers)
    _check_fields(game, content.fields)
    position = game.position_type.assemble(content)
    flaw = _pie_flaw(position) or _first_turn_flaw(position) or position.flaw()
    if flaw is not None:
        raise UnplayablePosition(flaw)
    return position


def check_size(game: "Game", size: int) -> None:
    """Raises UnplayablePosition for sizes not on offer."""
    smallest, largest = game.sizes
    if not smallest <= size <= largest:
        raise UnplayablePosition(f"{game.title} is played on sizes {smallest} to {largest}")


def handicapped(game: "Game", size: int, extra: int) -> "Position":
    """The start of a game in which BLACK has had some extra turns, with WHITE to move.

    BLACK has one plain piece more than extra turns, on fixed points: near the corners and in the
    middle. There is no swap. Raises UnplayablePosition with the reason.
    """
    check_size(game, size)
    if not game.handicap:
        raise UnplayablePosition(f"{game.title} has no handicap")
    if size < _LEAST_SIZE or not 1 <= extra <= game.handicap:
        raise UnplayablePosition(
            f"{game.title} has a handicap of 1 to {game.handicap} turns, from size {_LEAST_SIZE} on"
        )
    near = 1 + (size >= 7) + (size >= 13)
    far, middle = size - 1 - near, size // 2
    corners = (far, far), (near, near), (far, near), (near, far)
    places = (*corners, (middle, middle))[: extra + 1]
    layers = {game.look.plain[BLACK]: point_set(Vertex.at(*place) for place in places)}
    return set_up(game, Content(size, layers, WHITE, Pie.OFF))


def extra_turns(start: "Position") -> int:
    """The extra turns of BLACK with which a game begins at a position; 0 without a handicap."""
    game, size = start.game, start.size
    if size < _LEAST_SIZE:
        return 0
    numbers = range(1, game.handicap + 1)
    return next((extra for extra in numbers if handicapped(game, size, extra) == start), 0)


def alternation_flaw(newest: Color, counts: Sequence[int], name: str, handicap: int) -> str | None:
    """Why players who place one piece per turn cannot have these counts; None if they can.

    newest   -- the color that placed the last piece
    counts   -- the pieces of BLACK and WHITE
    name     -- the name of the pieces
    handicap -- the most extra turns of BLACK

    The color that placed last has as many pieces as its opponent, or one more: after a swap of
    pieces the first one counts for WHITE, and BLACK continues.
    """
    lead = counts[BLACK] - counts[WHITE]
    least, most = (0, 1) if newest is BLACK else (-1, 0)
    if least <= lead <= most + handicap and counts[newest]:
        return None
    return f"{counts[BLACK]} and {counts[WHITE]} {name} cannot have been placed in turn"


def _check_pieces(game: "Game", size: int, layers: Mapping[str, Points]) -> None:
    free = board_points(size)
    for word, points in layers.items():
        if not re.fullmatch(game.cell, word):
            raise UnplayablePosition(f"{game.title} has no piece {word}")
        if not points or points & ~free:
            raise UnplayablePosition(
                f"{word} has no point, a point off the board, or an occupied point"
            )
        free &= ~points


def _check_fields(game: "Game", fields: Mapping[str, str]) -> None:
    for name, text in fields.items():
        if name not in game.fields:
            raise UnplayablePosition(f"{game.title} has no field {name[:20]}")
        if not re.fullmatch(game.fields[name], text):
            raise UnplayablePosition(f"{name} cannot be {text[:20]}")


def _pie_flaw(position: "Position") -> str | None:
    """Why no swap can be ahead of a position."""
    game = position.game
    if position.pie is Pie.OFF:
        return None
    if not game.has_pie:
        return f"{game.title} has no pie rule"
    if _may_precede_swap(position):
        return None
    return f"a swap is still possible only before {game.color_names[WHITE]}'s first turn"


def _may_precede_swap(position: "Position") -> bool:
    """Whether a position is the start, or occurs during or after BLACK's first turn."""
    reached: Iterable[Position] = {position.game.start(position.size, position.pie)}
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


def _first_turn_flaw(position: "Position") -> str | None:
    """Why WHITE cannot be to move on an empty board: BLACK could not have passed at the start."""
    game = position.game
    if position.occupied() or position.to_move is BLACK:
        return None
    if PASS in game.start(position.size).legal_steps():
        return None
    return f"the first turn is {game.color_names[BLACK]}'s ({game.citations.turns})"
