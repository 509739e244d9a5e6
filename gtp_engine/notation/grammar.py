"""The grammars of position texts, made from the games' own declarations.

Imported only when a first position is read: the parser library takes longer to load than the rest
of the engine.
"""

import re
from functools import cache
from threading import Lock

import pyparsing as pp

from gtp_engine.board.diagram import EMPTY
from gtp_engine.notation.items import SEPARATOR
from gtp_engine.rules.game import Game

WORD = pp.Word(pp.printables)
FIELD = pp.Combine(pp.Word(pp.alphas) + "=" + WORD).set_name("field")
POSITION = (
    pp.Word(pp.alphas)("game").set_name("game")
    + pp.Word(pp.nums, max=2)("size").set_name("size")
    + WORD("rows").set_name("rows")
    + pp.Word(pp.alphas)("to_move").set_name("color")
    + pp.ZeroOrMore(FIELD)("fields")
)


# Its parsers change while they are used for the first time: one thread after the other.
_LOCK = Lock()


def parse(parser: pp.ParserElement, text: str) -> pp.ParseResults:
    """What a parser makes of the whole of a text. Raises ParseException. Safe in threads."""
    with _LOCK:
        return parser.parse_string(text, parse_all=True)


@cache
def rows(game: Game) -> pp.ParserElement:
    """The rows of a board in a position text: words without blanks, rows separated by `/`."""
    cell = pp.Regex(f"{game.cell}|{re.escape(EMPTY)}").set_name("cell")
    return pp.DelimitedList(pp.Group(cell[1, ...]), SEPARATOR).leave_whitespace()
