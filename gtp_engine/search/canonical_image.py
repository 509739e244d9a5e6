"""The image of a position for which a solver is asked, so that all images are solved alike.

Images of a position take different numbers of positions to solve, sometimes four times as many.
Where a book ends, the solver must find the rest within its limit in each of them.
"""

from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.points.symmetry import Image
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.budget import Budget
from gtp_engine.search.certificates import image_and_word
from gtp_engine.search.solution import Solution, Solver


def solved_alike(solver: Solver, position: Position, budget: Budget) -> Solution:
    """What a solver finds of a position that stands for all its images, for this one."""
    canonical = CanonicalImage.of(position)
    if canonical is None:
        return solver.solve(position, budget)
    return canonical.solved(solver.solve(canonical.position, budget))


class CanonicalImage(NamedTuple):
    """The image that stands for a position and all its images.

    original -- the position
    position -- the image, with BLACK to move
    image    -- which image it is; the colors are exchanged before, where `original` has WHITE
    """

    original: Position
    position: Position
    image: Image

    @classmethod
    def of(cls, position: Position) -> "CanonicalImage | None":
        """None for a position without a word, and inside an open turn."""
        found = None if position.open else image_and_word(position)
        if found is None:
            return None
        image, _ = found
        black = position if position.to_move is BLACK else position.mirrored()
        layers = {
            word: image.of_points(points, black.size) for word, points in black.layers().items()
        }
        return cls(position, black.assemble(black.content._replace(layers=layers)), image)

    def solved(self, found: Solution) -> Solution:
        """The solution of the original position from that of the image."""
        exchanged = self.original.to_move is not BLACK
        value = found.value
        if value is not None and exchanged:
            value = 1 - value
        position, line = self.original, list[Step]()
        for step in found.line:
            line.append(position.canonical(Step(step.kind, tuple(map(self._back, step.vertices)))))
            position = settle(position.play_unchecked(line[-1]))[1]
        return found._replace(value=value, line=tuple(line))

    def _back(self, vertex: Vertex) -> Vertex:
        """The vertex of the original position for one of the image."""
        size = self.original.size
        vertex = self.image.inverse.of_vertex(vertex, size)
        if self.original.to_move is BLACK:
            return vertex
        return self.original.game.color_mirror.of_vertex(vertex, size)
