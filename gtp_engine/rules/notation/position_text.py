"""Positions as one line, without any loss: `GAME 3 .B./BBb/ww. b pie=off open=yes`."""

from collections.abc import Mapping

from gtp_engine.rules import find_game
from gtp_engine.rules.content import Content
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.turns import SEPARATOR
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.diagram import layers_of, rows
from gtp_engine.rules.points.points import Points
from gtp_engine.rules.points.vertex import MAX_SIZE
from gtp_engine.rules.step import Pie

PIE_FIELD = "pie"

# The parser takes seconds for long texts, so their length is checked first.
_LONGEST_ROWS = 8 * MAX_SIZE * MAX_SIZE  # characters
_MOST_WORDS = 16

_SHAPE = "GAME SIZE ROW/ROW/... COLOR [NAME=VALUE...]"


class UnreadablePosition(ValueError):
    """A text that is not a position; the message says why."""


def write_position(position: Position) -> str:
    """The line for a position."""
    fields = {PIE_FIELD: position.pie.value, **position.fields()}
    board = "/".join("".join(row) for row in rows(position.size, position.layers()))
    words = [
        position.game.name,
        str(position.size),
        _translated(board, position.game.written_as),
        position.to_move.letter,
    ]
    return " ".join(words + [f"{name}={value}" for name, value in fields.items()])


def read_to_move(text: str) -> Color:
    """The color to move in a line by `write_position` or the kernel; nothing is checked."""
    return Color.parse(text.split()[3])


def read_position(text: str) -> Position:
    """The position that a line describes.

    Without a field `pie` no swap is possible. Raises UnreadablePosition for a malformed line, and
    UnplayablePosition for a position that cannot occur in a game.
    """
    import pyparsing as pp

    from gtp_engine.rules.notation import grammar

    if len(text.split(maxsplit=_MOST_WORDS)) > _MOST_WORDS:
        raise UnreadablePosition(f"expected {_SHAPE}")
    try:
        line = grammar.parse(grammar.POSITION, text)
    except pp.ParseException:
        raise UnreadablePosition(f"expected {_SHAPE}") from None
    try:
        game, size = find_game(line.game), int(line.size)
        layers = _read_rows(game, size, line.rows)
        to_move = Color.parse(line.to_move)
        fields = _read_fields(line.fields)
    except ValueError as error:
        raise UnreadablePosition(str(error)) from None
    pie = fields.pop(PIE_FIELD, Pie.OFF.value)
    if pie not in [form.value for form in Pie]:
        forms = ", ".join(form.value for form in Pie)
        raise UnreadablePosition(f"{PIE_FIELD} must be {forms}, not {pie[:20]}")
    return game.set_up(Content(size, layers, to_move, Pie(pie), fields))


def _read_rows(game: Game, size: int, text: str) -> Mapping[str, Points]:
    import pyparsing as pp

    from gtp_engine.rules.notation import grammar

    if (count := text.count(SEPARATOR) + 1) != size:
        raise UnreadablePosition(f"{count} rows for size {size}")
    if len(text) > _LONGEST_ROWS:
        raise UnreadablePosition("the rows are too long")
    plain = _translated(text, {written: word for word, written in game.written_as.items()})
    try:
        table = [list(row) for row in grammar.parse(grammar.rows(game), plain)]
    except pp.ParseException as error:
        rest = text[error.loc :][:5]
        raise UnreadablePosition(f"not a cell of {game.title}: {rest}") from None
    return layers_of(table)


def _read_fields(texts: list[str]) -> dict[str, str]:
    fields = dict(text.split("=", 1) for text in texts)
    if len(fields) < len(texts):
        raise UnreadablePosition("a field is given twice")
    return fields


def _translated(text: str, characters: Mapping[str, str]) -> str:
    return text.translate({ord(one): other for one, other in characters.items()})
