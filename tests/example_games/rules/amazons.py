"""Amazons, an example of a new game. Z1 to Z8 are the sentences of texts/amazons.md.

It differs from the games of the package in this: a turn is a move and then a shot, pieces go like
queens in chess, and the smallest board is larger.
"""

from dataclasses import dataclass
from typing import Self

from gtp_engine.rules.content import Content
from gtp_engine.rules.events import BoardEvent, becoming, moving, placing
from gtp_engine.rules.game import Game, Position, declare
from gtp_engine.rules.look import Look, Shape
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.points import (
    DIAGONAL,
    DIRECTIONS,
    Points,
    around,
    bit,
    named,
    point_set,
    put,
    shift,
    vertices,
)
from gtp_engine.rules.points.symmetry import LEFT_RIGHT, ROWS_REVERSED
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Citations, Outcome, Saying, Step, StepKind, StepTable

MOVE = StepKind("move", "{}-{}", "the amazon on {} goes to {}", wish="move an amazon")
SHOT = StepKind("shot", "{}", "an arrow on {}", wish="shoot an arrow")
SHOT_AT = StepTable(SHOT)

ARROW = "x"
_WAYS = DIRECTIONS + DIAGONAL


@dataclass(frozen=True, slots=True)
class AmazonsPosition(Position):
    """A position of Amazons.

    amazons -- a set of squares for each color
    arrows  -- the squares with an arrow
    moved   -- the square of the amazon that has moved and has to shoot; 0 between turns
    """

    amazons: tuple[Points, Points]
    arrows: Points
    moved: Points

    @classmethod
    def assemble(cls, content: Content) -> Self:
        at = content.layers.get
        moved = at("b", 0) | at("w", 0)
        amazons = at("B", 0) | at("b", 0), at("W", 0) | at("w", 0)
        return cls(content.size, content.to_move, content.pie, amazons, at(ARROW, 0), moved)

    @classmethod
    def first_layers(cls, size: int) -> dict[str, Points]:
        """Z2."""
        last, away = size - 1, (size - 1) // 3
        black = (away, 0), (last - away, 0), (0, away), (last, away)
        white = ((column, last - row) for column, row in black)
        layers = zip("BW", (black, white))
        return {word: point_set(Vertex.at(*place) for place in set(at)) for word, at in layers}

    def layers(self) -> dict[str, Points]:
        """The amazon that has moved has a small letter."""
        layers = {ARROW: self.arrows}
        for word, amazons in zip("BW", self.amazons):
            layers |= {word: amazons & ~self.moved, word.lower(): amazons & self.moved}
        return {word: points for word, points in layers.items() if points}

    @property
    def open(self) -> bool:
        return bool(self.moved)

    @property
    def kinds(self) -> tuple[StepKind, ...]:
        return (SHOT, MOVE) if self.open else (MOVE, SHOT)

    @property
    def empty(self) -> Points:
        return self.board & ~(self.amazons[BLACK] | self.amazons[WHITE] | self.arrows)

    def candidates(self) -> list[Step]:
        if self.open:
            return [SHOT_AT[vertex] for vertex in vertices(self.reached(self.moved))]  # Z5
        return [
            Step(MOVE, (start, goal))
            for start in vertices(self.amazons[self.to_move])
            for goal in vertices(self.reached(bit(start)))  # Z4
        ]

    def reached(self, start: Points) -> Points:
        """The squares in straight lines from a square, over empty squares only."""
        empty, found = self.empty, 0
        for way in _WAYS:
            at = start
            while at := shift(at, way) & empty:
                found |= at
        return found

    def board_objection(self, step: Step) -> Saying | None:
        name, first = self.game.color_names[self.to_move], step.vertices[0]
        if step.kind is not self.kinds[0]:
            rule = "Z5" if self.open else "Z4"
            return Saying(f"{name} has to {self.kinds[0].wish}", rule, self.moved)
        if step.kind is SHOT:
            if self.reached(self.moved) >> first & 1:
                return None
            return Saying(f"{named(self.moved)} cannot shoot to {first}", "Z5", bit(first))
        if not self.amazons[self.to_move] >> first & 1:
            return Saying(f"{name} has no amazon on {first}", "Z4", bit(first))
        goal = step.vertices[1]
        if self.reached(bit(first)) >> goal & 1:
            return None
        points = point_set(step.vertices)
        return Saying(f"an amazon cannot go from {first} to {goal}", "Z4", points)

    def after(self, step: Step) -> Self:
        first, *goal = map(bit, step.vertices)
        if step.kind is SHOT:
            to_move, arrows = self.to_move.opponent, self.arrows | first
            return type(self)(self.size, to_move, self.pie_ahead, self.amazons, arrows, 0)
        (moved,) = goal
        amazons = put(self.amazons, self.to_move, moved, without=first)
        return type(self)(self.size, self.to_move, self.pie, amazons, self.arrows, moved)

    def outcome(self) -> Outcome | None:
        """Z8."""
        if self.open or around(self.amazons[self.to_move], _WAYS) & self.empty:
            return None
        name = self.game.color_names[self.to_move]
        return Outcome(self.to_move.opponent, "Z8", f"{name} cannot move an amazon")

    def board_events(self, step: Step) -> list[BoardEvent]:
        """A move; or a shot, after which the amazon is at rest."""
        first, sign = step.vertices[0], self.to_move.sign
        said, points = step.kind.meaning.format(*step.vertices), point_set(step.vertices)
        if step.kind is MOVE:
            changes = becoming(first, sign.lower()), moving(*step.vertices)
            return [BoardEvent(1, Saying(said, "Z4", points), changes)]
        at_rest = (becoming(vertex, sign) for vertex in vertices(self.moved))
        said, points = f"{said}, from {named(self.moved)}", points | self.moved
        said_of = Saying(said, "Z5", points)
        return [BoardEvent(1, said_of, (placing(first, ARROW), *at_rest))]

    def flaw(self) -> str | None:
        each = self.first_layers(self.size)["B"].bit_count()
        if any(amazons.bit_count() != each for amazons in self.amazons):
            return f"each color has {each} amazons (Z2)"
        if self.moved.bit_count() > 1 or self.moved & ~self.amazons[self.to_move]:
            return "only one amazon of the color to move has moved (Z4)"
        if self.open and not self.reached(self.moved):
            return "an amazon that has moved can shoot where it came from (Z6)"
        return None


GAME = Game(
    name="amazons",
    title="Amazons",
    goal="Shut the other amazons in with arrows, until they cannot move.",
    default_size=8,
    smallest_size=3,
    recommended=(6, 10),
    kinds=(MOVE, SHOT),
    cell="[BWbwx]",
    legend={
        "B": "Black amazon",
        "W": "White amazon",
        "b": "Black amazon that has to shoot",
        "w": "White amazon that has to shoot",
        ARROW: "arrow",
    },
    symmetry=LEFT_RIGHT,
    citations=Citations(board="Z1", turns="Z3"),
    position_type=AmazonsPosition,
    color_mirror=ROWS_REVERSED,
    look=Look(shapes={"b": Shape.PAWN, ARROW: Shape.BLOCK}, in_cells=True),
)

declare(GAME)
