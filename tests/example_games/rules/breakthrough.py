"""Breakthrough, an example of a new game. T1 to T8 are the sentences of texts/breakthrough.md.

It differs from the games of the package in this: it begins with pieces on the board, they move and
capture, the board has a direction, and there is no pie rule.
"""

from dataclasses import dataclass
from typing import Self

from gtp_engine.rules.content import Content
from gtp_engine.rules.game import Game, Position, declare
from gtp_engine.rules.look import Look, Shape
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.points import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Points,
    around,
    bit,
    edges,
    shift,
    vertices,
)
from gtp_engine.rules.points.symmetry import LEFT_RIGHT, ROWS_REVERSED
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Citations, Marks, Outcome, Saying, Step, StepKind

MOVE = StepKind("move", "{}-{}", "the piece on {} goes to {}", wish="move a piece")

_FORWARD = (NORTH, SOUTH)


@dataclass(frozen=True, slots=True)
class BreakthroughPosition(Position):
    """A position of Breakthrough: a set of pieces for each color."""

    pieces: tuple[Points, Points]

    @classmethod
    def assemble(cls, content: Content) -> Self:
        pieces = content.layers.get("B", 0), content.layers.get("W", 0)
        return cls(content.size, content.to_move, content.pie, pieces)

    @classmethod
    def first_layers(cls, size: int) -> dict[str, Points]:
        """T2."""
        bottom, top, _, _ = edges(size)
        if size < 4:
            return {"B": bottom, "W": top}
        return {"B": bottom | shift(bottom, NORTH), "W": top | shift(top, SOUTH)}

    def layers(self) -> dict[str, Points]:
        return {word: points for word, points in zip("BW", self.pieces) if points}

    def candidates(self) -> list[Step]:
        return [
            Step(MOVE, (start, goal))
            for start in vertices(self.pieces[self.to_move])
            for goal in vertices(self.goals(start))
        ]

    def goals(self, start: Vertex) -> Points:
        """The points to which a piece of the color to move can go."""
        own, other = self.pieces[self.to_move], self.pieces[self.to_move.opponent]
        ahead = shift(bit(start), _FORWARD[self.to_move])
        straight, diagonal = ahead & ~other, around(ahead, (EAST, WEST))
        return (straight | diagonal) & ~own & self.board  # T4, T5

    def board_objection(self, step: Step) -> Saying | None:
        start, goal = step.vertices
        name = self.game.color_names[self.to_move]
        if not self.pieces[self.to_move] >> start & 1:
            return Saying(f"{name} has no piece on {start}", "T4", bit(start))
        ahead = shift(bit(start), _FORWARD[self.to_move])
        if not (ahead | around(ahead, (EAST, WEST))) >> goal & 1:
            points = bit(start) | bit(goal)
            return Saying(f"{goal} is not one row ahead of {start}", "T4", points)
        if not self.goals(start) >> goal & 1:
            rule = "T5" if self.pieces[self.to_move.opponent] >> goal & 1 else "T4"
            return Saying(f"{goal} is not empty", rule, bit(goal))
        return None

    def after(self, step: Step) -> Self:
        start, goal = map(bit, step.vertices)
        moved = self.pieces[self.to_move] & ~start | goal
        left = self.pieces[self.to_move.opponent] & ~goal
        pieces = (moved, left) if self.to_move is BLACK else (left, moved)
        return type(self)(self.size, self.to_move.opponent, self.pie_ahead, pieces)

    def outcome(self) -> Outcome | None:
        """T7 and T8."""
        bottom, top, _, _ = edges(self.size)
        for color, goal in ((BLACK, top), (WHITE, bottom)):
            name = self.game.color_names[color]
            if self.pieces[color] & goal:
                return Outcome(color, "T7", f"{name} has reached the last row")
            if not self.pieces[color.opponent]:
                return Outcome(color, "T8", f"{name} has captured all pieces")
        return None

    def decisive(self) -> Points:
        bottom, top, _, _ = edges(self.size)
        return self.pieces[BLACK] & top | self.pieces[WHITE] & bottom

    def flaw(self) -> str | None:
        most = edges(self.size)[0].bit_count() * (1 if self.size < 4 else 2)
        if any(pieces.bit_count() > most for pieces in self.pieces):
            return f"a color begins with {most} pieces (T2)"
        end = self.outcome()
        if end is not None and end.winner is self.to_move:
            return f"the game was over before the last turn ({end.rule})"
        return None

    def marks(self, step: Step) -> Marks:
        return Marks(captures=bit(step.vertices[1]) & self.pieces[self.to_move.opponent])

    def board_taken(self, step: Step) -> tuple[int, int]:
        captured = self.marks(step).captures.bit_count()
        return (0, captured) if self.to_move is BLACK else (captured, 0)


GAME = Game(
    name="breakthrough",
    title="Breakthrough",
    default_size=8,
    recommended=(5, 8),
    kinds=(MOVE,),
    cell="[BW]",
    legend={"B": "Black piece", "W": "White piece"},
    symmetry=LEFT_RIGHT,
    citations=Citations(board="T1", turns="T3"),
    position_type=BreakthroughPosition,
    color_mirror=ROWS_REVERSED,
    look=Look(shapes={"B": Shape.PAWN}, in_cells=True),
)

declare(GAME)
