"""The first turns of a game, each standing for its images under the symmetry of the board."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from gtp_engine.board.vertex import Vertex
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.step import Pie, Step
from gtp_engine.rules.turns import chosen_steps, legal_turns

_MOST_TURNS = 10**6


class Opening(NamedTuple):
    """A first turn.

    steps    -- without the forced ones
    position -- after it, without a swap ahead
    images   -- how many first turns are as good as it, itself included
    """

    steps: tuple[Step, ...]
    position: Position
    images: int


def openings(game: Game, size: int) -> list[Opening]:
    """All first turns, one for each set of images."""
    start = game.start(size, Pie.OFF)
    found: dict[tuple[Step, ...], Opening] = {}
    for turn in legal_turns(start, _MOST_TURNS):
        steps = tuple(chosen_steps(start, turn.steps))
        known = next((image for image in images(steps, game, size) if image in found), None)
        if known is None:
            found[steps] = Opening(steps, turn.position, 1)
        else:
            found[known] = found[known]._replace(images=found[known].images + 1)
    return list(found.values())


def images(steps: tuple[Step, ...], game: Game, size: int) -> Iterator[tuple[Step, ...]]:
    """The images of some steps, themselves first.

    There are eight of a square, but four where the colors own edges.
    """
    exchanged = (False,) if game.look.goals else (False, True)
    for turns in product(exchanged, (False, True), (False, True)):
        yield tuple(
            Step(step.kind, tuple(_image(vertex, size, *turns) for vertex in step.vertices))
            for step in steps
        )


def _image(vertex: Vertex, size: int, exchanged: bool, from_right: bool, from_top: bool) -> Vertex:
    column, row = (vertex.row, vertex.column) if exchanged else (vertex.column, vertex.row)
    last = size - 1
    return Vertex.at(last - column if from_right else column, last - row if from_top else row)
