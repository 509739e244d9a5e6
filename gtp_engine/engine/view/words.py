"""What a view says in sentences, for a page, a terminal and a screen reader alike."""

from collections.abc import Iterable

from gtp_engine.engine.history import WHY_LOST, PlayedTurn
from gtp_engine.engine.view.facts import Json, sentence
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import PASS, SWAPS, Outcome

_DEEDS = {str(PASS): "passes", **{str(swap): "swaps" for swap in SWAPS.values()}, **WHY_LOST}


def turn_words(turn: PlayedTurn) -> str:
    """What a color has played: `Black plays C3`, `White swaps`."""
    name = turn.start.game.color_names[turn.color]
    word = turn.word
    return f"{name} {_DEEDS.get(word, f'plays {word}')}"


def next_words(position: Position, wishes: str) -> str:
    """Who is to move, and what the turn wants; "" after the end."""
    name = position.game.color_names[position.to_move]
    return f"{name} is to move. {wishes}" if wishes else ""


def end_words(game: Game, outcome: Outcome) -> str:
    """Who has won, and by how much: `Black wins by 7`."""
    if outcome.winner is None:
        return "Draw"
    margin = f" by {outcome.margin}" if outcome.margin else ""
    return f"{game.color_names[outcome.winner]} wins{margin}"


def area_words(game: Game, kind: str, owner: Color | None) -> str:
    """What an area is: `a patch of Black`."""
    return (
        f"a {kind} without an owner" if owner is None else f"a {kind} of {game.color_names[owner]}"
    )


def pieces_words(pieces: Iterable[Json]) -> list[str]:
    """The pieces of a view by kind: `3 times black stone: A1, B2, C3`."""
    found: dict[str, list[str]] = {}
    for piece in pieces:
        found.setdefault(piece["text"], []).append(piece["at"])
    return [
        sentence(f"{f'{len(points)} times ' if len(points) > 1 else ''}{text}: {', '.join(points)}")
        for text, points in sorted(found.items())
    ]
