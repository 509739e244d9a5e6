"""The first turns of a game, one for each set of symmetric images."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.items import SEPARATOR
from gtp_engine.rules.step import Pie, Step
from gtp_engine.rules.turns import Turn, chosen_steps, legal_turns

_MOST_TURNS = 10**6


class FirstTurn(NamedTuple):
    """A first turn.

    word  -- the turn as a word
    steps -- without the forced ones
    alike -- its images, itself first, as turns after which no swap is possible
    """

    word: str
    steps: tuple[Step, ...]
    alike: tuple[Turn, ...]

    @property
    def position(self) -> Position:
        """The position after it, without a swap ahead."""
        return self.alike[0].position

    @property
    def images(self) -> int:
        """The number of its images, itself included."""
        return len(self.alike)


@cache
def first_turns(game: Game, size: int) -> tuple[FirstTurn, ...]:
    """The first turns of a board, one for each set of symmetric images."""
    start = game.start(size, Pie.OFF)
    found: dict[tuple[Step, ...], list[Turn]] = {}
    for turn in legal_turns(start, _MOST_TURNS):
        steps = tuple(chosen_steps(start, turn.steps))
        known = next((image for image in images(steps, game, size) if image in found), steps)
        found.setdefault(known, []).append(turn)
    return tuple(
        FirstTurn(SEPARATOR.join(map(str, steps)), steps, tuple(alike))
        for steps, alike in found.items()
    )


def images(steps: tuple[Step, ...], game: Game, size: int) -> Iterator[tuple[Step, ...]]:
    """The images of some steps under the symmetry of the game, themselves first."""
    for image in game.symmetry:
        yield tuple(
            Step(step.kind, tuple(image.of_vertex(vertex, size) for vertex in step.vertices))
            for step in steps
        )
