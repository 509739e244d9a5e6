"""Positions from pictures, so that the reader of a test sees the board."""

from gtp_engine.rules import find_game
from gtp_engine.rules.content import Content
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import Clicks, read_turn
from gtp_engine.rules.points import diagram
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import IllegalStep, Pie, Saying


def position(
    game: str, picture: str, to_move: str = "b", pie: str = "off", **fields: str
) -> Position:
    """The position that a picture shows, whether or not a game can lead to it."""
    content = _content(picture, to_move, pie, fields)
    return find_game(game).position_type.assemble(content)


def set_up(
    game: str, picture: str, to_move: str = "b", pie: str = "off", **fields: str
) -> Position:
    """The same, checked like any set-up. Raises UnplayablePosition."""
    return find_game(game).set_up(_content(picture, to_move, pie, fields))


def _content(picture: str, to_move: str, pie: str, fields: dict[str, str]) -> Content:
    size, layers = diagram.parse(picture)
    return Content(size, layers, Color.parse(to_move), Pie(pie), fields)


def picture(position: Position) -> str:
    """The picture of a position."""
    return diagram.draw(position.size, position.layers())


def same(text: str) -> str:
    """A picture as written in a test, without its indentation."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


def after(position: Position, *words: str) -> Position:
    """The position after turns, parts of turns or clicks."""
    clicks: Clicks = ()
    for word in words:
        _, position, clicks, _ = read_turn(position, clicks, word)
    assert not clicks
    return position


def objection(position: Position, word: str) -> Saying:
    """Why a word is illegal in a position."""
    try:
        read_turn(position, (), word)
    except IllegalStep as error:
        return error.objection
    raise AssertionError(f"{word} is legal")


def steps(position: Position) -> set[str]:
    """The tokens of all legal steps."""
    return {str(step) for step in position.legal_steps()}
