"""The parts of a word, and the templates of their texts."""

from typing import NamedTuple

from gtp_engine.rules.game import Game
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import COMMON_KINDS, PASS, StepKind

BARE_VERTEX = "{}"
SEPARATOR = "/"
PASS_WORD = str(PASS)


class Unreadable(ValueError):
    """A word that is not a turn, or names a vertex off the board."""


class Item(NamedTuple):
    """A part of a word: its template and the vertices in it."""

    template: str
    vertices: tuple[Vertex, ...]

    def __str__(self) -> str:
        return self.template.format(*self.vertices)


def kinds_of(game: Game) -> tuple[StepKind, ...]:
    """All kinds of steps that a game's words may name, legal or not."""
    return (*game.kinds, *COMMON_KINDS)
