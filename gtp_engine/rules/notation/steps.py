"""Words of a turn, split into items: texts of steps, not yet checked for legality."""

import re
from functools import cache, lru_cache

from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.items import BARE_VERTEX, SEPARATOR, Item, Unreadable, kinds_of
from gtp_engine.rules.points.vertex import PATTERN, Vertex

# Far longer than any possible turn on size 19.
LONGEST_WORD = 4096
_USUAL_LENGTH = 16


def parse_word(game: Game, word: str) -> tuple[Item, ...]:
    """The items of a word: texts of steps or vertices, separated by `/`. Raises Unreadable."""
    # Only ordinary words are cached, so that strange ones cannot fill the memory.
    return (_parse_usual if len(word) <= _USUAL_LENGTH else _parse)(game, word)


def _parse(game: Game, word: str) -> tuple[Item, ...]:
    if len(word) > LONGEST_WORD:
        raise Unreadable(f"longer than {LONGEST_WORD} characters")
    # Records edited by people may have blanks at the end.
    return tuple(_item(game, text) for text in word.rstrip().split(SEPARATOR))


_parse_usual = lru_cache(maxsize=4096)(_parse)


def _item(game: Game, text: str) -> Item:
    for template, form in _forms(game).items():
        if found := form.fullmatch(text):
            return Item(template, tuple(map(Vertex.parse, found.groups())))
    raise Unreadable(f"{text[:40]} is not a step of {game.title}")


@cache
def _forms(game: Game) -> dict[str, re.Pattern[str]]:
    """The patterns for the texts of each kind of step, by template; case does not matter."""
    templates = [BARE_VERTEX]
    for kind in kinds_of(game):
        templates += [kind.template, *kind.aliases]
    return {template: _form(template) for template in templates}


def _form(template: str) -> re.Pattern[str]:
    literals = (re.escape(literal) for literal in template.split(BARE_VERTEX))
    return re.compile(f"({PATTERN})".join(literals), re.IGNORECASE | re.ASCII)
