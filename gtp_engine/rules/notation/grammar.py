"""The grammars of position texts, derived from the games' own declarations.

Imported only when the first position is read, because the parser library takes longer to load than
the rest of the engine.
"""

import re
from functools import cache
from threading import Lock

import pyparsing as pp

from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.turns import SEPARATOR
from gtp_engine.rules.points.diagram import EMPTY

WORD = pp.Word(pp.printables)
FIELD = pp.Combine(pp.Word(pp.alphas) + "=" + WORD).set_name("field")
POSITION = (
    pp.Word(pp.alphas)("game").set_name("game")
    + pp.Word(pp.nums, max=2)("size").set_name("size")
    + WORD("rows").set_name("rows")
    + pp.Word(pp.alphas)("to_move").set_name("color")
    + pp.ZeroOrMore(FIELD)("fields")
)


# Its parsers change during their first use, so only one thread may use them at a time.
_LOCK = Lock()


def parse(parser: pp.ParserElement, text: str) -> pp.ParseResults:
    """The parse of a whole text. Raises ParseException. Safe in threads."""
    with _LOCK:
        return parser.parse_string(text, parse_all=True)


@cache
def rows(game: Game) -> pp.ParserElement:
    """The rows of a board in a position text: words without blanks, rows separated by `/`."""
    cell = pp.Regex(f"{game.cell}|{re.escape(EMPTY)}").set_name("cell")
    return pp.DelimitedList(pp.Group(cell[1, ...]), SEPARATOR).leave_whitespace()
