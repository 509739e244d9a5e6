"""Positions made piece by piece: what can be put on a point, and whether a board can occur."""

import re
from collections.abc import Mapping
from functools import cache

from gtp_engine.engine.session import Session
from gtp_engine.engine.view.facts import Json, sentence, thing
from gtp_engine.rules.content import Content
from gtp_engine.rules.events import words_by_point
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import Points, bit
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import UnplayablePosition

_HIGHEST = 9


@cache
def palette(game: Game) -> list[Json]:
    """The pieces of a game, one for each shape and color. Must not be modified.

    words -- its words in a position text, by height from 1; a piece without heights has one
    """
    found = []
    known = (*game.look.plain, *game.legend)
    for base in dict.fromkeys(re.sub("[0-9]", "", word) for word in known):
        heights = [f"{base}{height}" for height in range(1, _HIGHEST + 1)]
        words = [word for word in (base, *heights) if re.fullmatch(game.cell, word)]
        what = thing(game, words[0])
        traits = {name: what.traits[name] for name in ("shape", "kind", "color")}
        written = [_written(game, word) for word in words]
        found.append({**traits, "text": what.text, "words": written})
    return found


def cells(session: Session) -> dict[str, str]:
    """The words of the occupied points, by vertex."""
    position = session.position
    words = words_by_point(position).items()
    return {str(at): _written(position.game, word) for at, word in words}


def edited(session: Session, to_move: Color, board: Mapping[Vertex, str]) -> Json:
    """The position of the session's game and size with these words on its points.

    `position` is its text, or else `flaw` says in a sentence why it cannot occur. For the cells and
    the color of the session it is the session's position, with all that this one remembers.
    """
    position, game = session.position, session.game
    read = {written: word for word, written in game.written_as.items()}
    layers: dict[str, Points] = {}
    for at, written in board.items():
        word = read.get(written, written)
        layers[word] = layers.get(word, 0) | bit(at)
    if (layers, to_move) == (position.layers(), position.to_move):
        return {"position": write_position(position), "flaw": None}
    try:
        made = game.set_up(Content(position.size, layers, to_move))
    except UnplayablePosition as error:
        return {"position": None, "flaw": f"{sentence(str(error))}."}
    return {"position": write_position(made), "flaw": None}


def _written(game: Game, word: str) -> str:
    return word.translate({ord(one): other for one, other in game.written_as.items()})
