"""Words of a turn, cut into items: the texts of steps, not yet legal or illegal."""

from functools import lru_cache
from typing import NamedTuple

from gtp_engine.board.vertex import Vertex
from gtp_engine.rules.game import Game
from gtp_engine.rules.step import COMMON_KINDS, PASS, StepKind

# Far above the longest turn that a game of size 19 can ask for.
LONGEST_WORD = 4096
_USUAL_LENGTH = 16

BARE_VERTEX = "{}"
SEPARATOR = "/"
PASS_WORD = str(PASS)


class Unreadable(ValueError):
    """A word that is no turn, or names a vertex off the board."""


class Item(NamedTuple):
    """One part of a word: the template it fits and the vertices it names."""

    template: str
    vertices: tuple[Vertex, ...]

    def __str__(self) -> str:
        return self.template.format(*self.vertices)


def kinds_of(game: Game) -> tuple[StepKind, ...]:
    """All kinds of steps that words of a game may name, legal or not."""
    return (*game.kinds, *COMMON_KINDS)


def parse_word(game: Game, word: str) -> tuple[Item, ...]:
    """The items of a word. Raises Unreadable."""
    # Only usual words are kept, so that strange ones cannot fill the memory.
    return (_parse_usual if len(word) <= _USUAL_LENGTH else _parse)(game, word)


def _parse(game: Game, word: str) -> tuple[Item, ...]:
    import pyparsing as pp

    from gtp_engine.notation import grammar

    if len(word) > LONGEST_WORD:
        raise Unreadable(f"longer than {LONGEST_WORD} characters")
    try:
        return tuple(grammar.turn(game).parse_string(word, parse_all=True))
    except pp.ParseException as error:
        raise Unreadable(f"{word}: {error}") from None


_parse_usual = lru_cache(maxsize=4096)(_parse)
