"""The grammars of notation.md, made from the games' own declarations.

Imported only when a first turn or position is read: the parser library takes longer to load
than the rest of the engine.
"""

import re
from functools import cache
from threading import Lock

import pyparsing as pp

from gtp_engine.board import vertex as vertex_names
from gtp_engine.board.diagram import EMPTY
from gtp_engine.board.vertex import Vertex
from gtp_engine.notation.items import BARE_VERTEX, SEPARATOR, Item, kinds_of
from gtp_engine.rules.game import Game

VERTEX = pp.Regex(vertex_names.PATTERN).set_name("vertex")
VERTEX.set_parse_action(lambda tokens: Vertex.parse(tokens[0]))

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
def turn(game: Game) -> pp.ParserElement:
    """A word: items separated by `/`, each a step or one click."""
    templates = dict.fromkeys([BARE_VERTEX])
    for kind in kinds_of(game):
        templates |= dict.fromkeys((kind.template, *kind.aliases))
    item = pp.Or([_item(template) for template in templates]).set_name("step")
    return pp.DelimitedList(item, SEPARATOR).leave_whitespace().set_name("turn")


def _item(template: str) -> pp.ParserElement:
    first, *rest = template.split(BARE_VERTEX)
    parts = [pp.CaselessLiteral(first).suppress()] if first else []
    for literal in rest:
        parts.append(VERTEX)
        if literal:
            parts.append(pp.CaselessLiteral(literal).suppress())
    item = pp.And(parts).set_name(template)
    return item.set_parse_action(lambda tokens: Item(template, tuple(tokens)))


@cache
def rows(game: Game) -> pp.ParserElement:
    """The rows of a board in a position text: words without blanks, rows separated by `/`."""
    cell = pp.Regex(f"{game.cell}|{re.escape(EMPTY)}").set_name("cell")
    return pp.DelimitedList(pp.Group(cell[1, ...]), SEPARATOR).leave_whitespace()
