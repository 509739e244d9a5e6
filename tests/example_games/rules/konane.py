"""Konane, an example of a new game. K1 to K8 are the sentences of texts/konane.md.

It differs from the games of the package in this: the board is full at the start, the first two
turns are of another kind, a step may capture several pieces, and who cannot move loses.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from gtp_engine.rules.content import Content
from gtp_engine.rules.game import Game, Position, declare
from gtp_engine.rules.look import Look
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.points import (
    DIRECTIONS,
    Points,
    around,
    bit,
    board_points,
    edges,
    named,
    point_set,
    put,
    shift,
    vertices,
)
from gtp_engine.rules.points.symmetry import DIAGONALS
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Citations, Marks, Outcome, Saying, Step, StepKind, StepTable

REMOVAL = StepKind("removal", "{}", "the stone on {} leaves the board", wish="remove a stone")
JUMP = StepKind("jump", "{}-{}", "the stone on {} jumps to {}", wish="jump with a stone")
REMOVAL_AT = StepTable(REMOVAL)


@dataclass(frozen=True, slots=True)
class KonanePosition(Position):
    """A position of Konane: a set of stones for each color."""

    stones: tuple[Points, Points]

    @classmethod
    def assemble(cls, content: Content) -> Self:
        stones = content.layers.get("B", 0), content.layers.get("W", 0)
        return cls(content.size, content.to_move, content.pie, stones)

    @classmethod
    def first_layers(cls, size: int) -> dict[str, Points]:
        """K2."""
        dark = dark_squares(size)
        return {"B": dark, "W": board_points(size) & ~dark}

    def layers(self) -> dict[str, Points]:
        return {word: points for word, points in zip("BW", self.stones) if points}

    @property
    def empty(self) -> Points:
        return self.board & ~(self.stones[BLACK] | self.stones[WHITE])

    @property
    def opening(self) -> bool:
        """Whether the next turn removes a stone (K4, K5)."""
        return self.empty.bit_count() < 2

    def candidates(self) -> list[Step]:
        own = self.stones[self.to_move]
        if self.opening:
            return [REMOVAL_AT[vertex] for vertex in vertices(own & self.removable)]
        return [
            Step(JUMP, (start, goal))
            for start in vertices(own)
            for goal in vertices(point_set(goal for goal, _ in self.jumps(start)))
        ]

    @property
    def removable(self) -> Points:
        """The squares from which the first stones may be removed (K4, K5)."""
        if self.empty:
            return around(self.empty) & self.board
        bottom, top, left, right = edges(self.size)
        lines = {(self.size - 1) // 2, self.size // 2}
        middle = point_set(Vertex.at(column, row) for column in lines for row in lines)
        return (bottom | top) & (left | right) | middle

    def jumps(self, start: Vertex) -> Iterator[tuple[Vertex, Points]]:
        """The goals of a stone of the color to move, each with what it captures (K6, K7)."""
        other, empty = self.stones[self.to_move.opponent], self.empty
        for direction in DIRECTIONS:
            at, captured = bit(start), 0
            while over := shift(at, direction) & other:
                at = shift(over, direction) & empty
                if not at:
                    break
                captured |= over
                yield from ((goal, captured) for goal in vertices(at))

    def captured(self, step: Step) -> Points:
        """The stones that a legal step jumps over."""
        if step.kind is REMOVAL:
            return 0
        start, goal = step.vertices
        return dict(self.jumps(start))[goal]

    def board_objection(self, step: Step) -> Saying | None:
        name, start = self.game.color_names[self.to_move], step.vertices[0]
        if self.opening != (step.kind is REMOVAL):
            rule = "K4" if not self.empty else "K5" if self.opening else "K6"
            return Saying(f"{name} has to {self.candidates()[0].kind.wish}", rule)
        if not self.stones[self.to_move] >> start & 1:
            return Saying(f"{name} has no stone on {start}", "K6", bit(start))
        if step.kind is REMOVAL:
            if self.removable >> start & 1:
                return None
            if self.empty:
                return Saying(f"{start} is not beside {named(self.empty)}", "K5", bit(start))
            return Saying(f"{start} is neither a corner nor in the middle", "K4", bit(start))
        goal = step.vertices[1]
        if goal not in dict(self.jumps(start)):
            points = point_set(step.vertices)
            return Saying(f"there are no jumps from {start} to {goal}", "K6", points)
        return None

    def after(self, step: Step) -> Self:
        start, *goal = map(bit, step.vertices)
        moved = put(self.stones, self.to_move, sum(goal), without=start)
        stones = put(moved, self.to_move.opponent, 0, without=self.captured(step))
        return type(self)(self.size, self.to_move.opponent, self.pie_ahead, stones)

    def outcome(self) -> Outcome | None:
        """K8."""
        if self.opening or self.candidates():
            return None
        name = self.game.color_names[self.to_move]
        return Outcome(self.to_move.opponent, "K8", f"{name} cannot jump")

    def flaw(self) -> str | None:
        dark, (black, white) = dark_squares(self.size), self.stones
        if (black & ~dark or white & dark) and (white & ~dark or black & dark):
            return "the stones of a color stand on squares of one color (K2)"
        last = self.to_move.opponent
        if not self.stones[last]:
            return f"{self.game.color_names[last]} has jumped and has no stone (K6)"
        return None

    def marks(self, step: Step) -> Marks:
        return Marks(captures=self.captured(step))

    def board_taken(self, step: Step) -> tuple[int, int]:
        removed = self.captured(step) | (bit(step.vertices[0]) if step.kind is REMOVAL else 0)
        black, white = ((stones & removed).bit_count() for stones in self.stones)
        return black, white


def dark_squares(size: int) -> Points:
    """The squares of the color of A1."""
    lines = range(size)
    return point_set(Vertex.at(x, y) for x in lines for y in lines if (x + y) % 2 == 0)


GAME = Game(
    name="konane",
    title="Konane",
    goal="Jump over stones, until the other player cannot.",
    default_size=8,
    recommended=(6, 10),
    kinds=(REMOVAL, JUMP),
    cell="[BW]",
    legend={"B": "Black stone", "W": "White stone"},
    symmetry=DIAGONALS,
    citations=Citations(board="K1", turns="K3"),
    position_type=KonanePosition,
    look=Look(in_cells=True),
)

declare(GAME)
