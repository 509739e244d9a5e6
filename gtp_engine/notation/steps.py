"""Words of a turn, read by grammars that are made from the templates of a game's steps."""

from functools import cache, lru_cache
from typing import NamedTuple

import pyparsing as pp

from gtp_engine.board import vertex as vertex_names
from gtp_engine.board.vertex import Vertex
from gtp_engine.rules.game import COMMON_KINDS, PASS, Game, StepKind

# Far above the longest turn that a game of size 19 can ask for.
LONGEST_WORD = 4096

BARE_VERTEX = "{}"
SEPARATOR = "/"


class Unreadable(ValueError):
    """A word that is no turn, or names a vertex off the board."""


class Item(NamedTuple):
    """One part of a word: the template it fits and the vertices it names."""

    template: str
    vertices: tuple[Vertex, ...]

    def __str__(self) -> str:
        return self.template.format(*self.vertices)


VERTEX = pp.Regex(vertex_names.PATTERN).set_name("vertex")
VERTEX.set_parse_action(lambda tokens: Vertex.parse(tokens[0]))


def kinds_of(game: Game) -> tuple[StepKind, ...]:
    """All kinds of steps that words of a game may name, legal or not."""
    return (*game.kinds, *COMMON_KINDS)


@cache
def turn_grammar(game: Game) -> pp.ParserElement:
    """The grammar of a word: items separated by `/`, each a step or one click."""
    templates = {BARE_VERTEX: None}
    for kind in kinds_of(game):
        templates |= dict.fromkeys((kind.template, *kind.aliases))
    item = pp.Or([_item_grammar(template) for template in templates]).set_name("step")
    return pp.DelimitedList(item, SEPARATOR).leave_whitespace().set_name("turn")


def _item_grammar(template: str) -> pp.ParserElement:
    first, *rest = template.split(BARE_VERTEX)
    parts = [pp.CaselessLiteral(first).suppress()] if first else []
    for literal in rest:
        parts.append(VERTEX)
        if literal:
            parts.append(pp.CaselessLiteral(literal).suppress())
    grammar = pp.And(parts).set_name(template)
    return grammar.set_parse_action(lambda tokens: Item(template, tuple(tokens)))


@lru_cache(maxsize=4096)
def parse_word(game: Game, word: str) -> tuple[Item, ...]:
    """The items of a word. Raises Unreadable."""
    if len(word) > LONGEST_WORD:
        raise Unreadable(f"longer than {LONGEST_WORD} characters")
    try:
        return tuple(turn_grammar(game).parse_string(word, parse_all=True))
    except pp.ParseException as error:
        raise Unreadable(f"{word}: {error}") from None


def pass_word() -> str:
    """The word for a pass, in a game or after it."""
    return str(PASS)
