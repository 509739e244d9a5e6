"""Words of a turn, cut into items: the texts of steps, not yet legal or illegal."""

from functools import lru_cache

from gtp_engine.notation.items import Item, Unreadable
from gtp_engine.rules.game import Game

# Far above the longest turn that a game of size 19 can ask for.
LONGEST_WORD = 4096
_USUAL_LENGTH = 16


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
        return tuple(grammar.parse(grammar.turn(game), word))
    except pp.ParseException as error:
        raise Unreadable(f"{word}: {error}") from None


_parse_usual = lru_cache(maxsize=4096)(_parse)
