"""Positions as one line, both ways exact: `implo 6 RANKS b pie=pieces open=yes`.

RANKS are the words of the board, top row first, rows separated by `/`.
"""

import re
from collections.abc import Mapping
from functools import cache

import pyparsing as pp

from gtp_engine.board.color import Color
from gtp_engine.board.diagram import EMPTY, layers_of, rows
from gtp_engine.board.points import Points
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game, Pie, Position

PIE_FIELD = "pie"

WORD = pp.Word(pp.printables)
FIELD = pp.Combine(pp.Word(pp.alphas) + "=" + WORD).set_name("field")
LINE = (
    pp.Word(pp.alphas)("game").set_name("game")
    + pp.Word(pp.nums, max=2)("size").set_name("size")
    + WORD("ranks").set_name("ranks")
    + pp.Word(pp.alphas)("to_move").set_name("color")
    + pp.ZeroOrMore(FIELD)("fields")
)


class UnreadablePosition(ValueError):
    """A text that is no position; the message says where it went wrong."""


def write_position(position: Position) -> str:
    """The line for a position."""
    fields = {PIE_FIELD: position.pie.value, **position.fields()}
    return " ".join(
        [
            position.game.name,
            str(position.size),
            "/".join("".join(words) for words in rows(position.size, position.layers())),
            position.to_move.letter,
            *(f"{name}={value}" for name, value in fields.items()),
        ]
    )


def read_position(text: str) -> Position:
    """The position that a line describes.

    Raises UnreadablePosition for a text that is no such line, UnplayablePosition for a
    position that could not stand in any game. Without a field `pie` there is no swap ahead.
    """
    try:
        line = LINE.parse_string(text, parse_all=True)
        game = find_game(line.game)
        layers = _read_ranks(game, int(line.size), line.ranks)
        to_move = Color.parse(line.to_move)
        fields = _read_fields(line.fields)
        pie = Pie(fields.pop(PIE_FIELD, Pie.OFF.value))
    except pp.ParseException as error:
        raise UnreadablePosition(str(error)) from None
    except KeyError as error:
        raise UnreadablePosition(f"there is no game {error}") from None
    except ValueError as error:
        raise UnreadablePosition(str(error)) from None
    return game.set_up(int(line.size), layers, to_move, pie, fields)


def _read_ranks(game: Game, size: int, ranks: str) -> Mapping[str, Points]:
    table = [list(words) for words in _ranks_grammar(game).parse_string(ranks, parse_all=True)]
    if len(table) != size:
        raise UnreadablePosition(f"{len(table)} rows for size {size}")
    return layers_of(table)


@cache
def _ranks_grammar(game: Game) -> pp.ParserElement:
    cell = pp.Regex(f"{game.cell}|{re.escape(EMPTY)}").set_name("cell")
    return pp.DelimitedList(pp.Group(cell[1, ...]), "/").leave_whitespace()


def _read_fields(texts: list[str]) -> dict[str, str]:
    fields = dict(text.split("=", 1) for text in texts)
    if len(fields) < len(texts):
        raise UnreadablePosition("a field is given twice")
    return fields
