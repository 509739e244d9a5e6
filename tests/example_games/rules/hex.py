"""Hex, an example of a new game. H1 to H6 are the sentences of its rules.

It differs from the games of the package in its neighbors: points have six. Only the half turn maps
the board to itself, and the colors own edges.

H1 The board is a rhombus of hexagons: a point's neighbors are those of its row and column, and the
   ones to the upper left and lower right. H2 Black owns the bottom and top edges, White left and
   right. H3 Black begins. H4 A turn is one stone on an empty point. H5 A chain of stones between
   the two edges of its color wins. H6 White may swap on the first turn.
"""

from dataclasses import dataclass
from typing import Self

from gtp_engine.rules.content import Content
from gtp_engine.rules.game import Game, Position, declare
from gtp_engine.rules.look import Look
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.points import HEXAGONAL, Points, bit, edges, vertices
from gtp_engine.rules.points.symmetry import HALF_TURN, TRANSPOSED
from gtp_engine.rules.step import Citations, Outcome, Saying, Step, StepKind, StepTable

PLACE = StepKind("place", "{}", "a stone on {}")
PLACE_AT = StepTable(PLACE)


@dataclass(frozen=True, slots=True)
class HexPosition(Position):
    """A position of Hex: a set of stones for each color."""

    stones: tuple[Points, Points]

    @classmethod
    def assemble(cls, content: Content) -> Self:
        stones = content.layers.get("B", 0), content.layers.get("W", 0)
        return cls(content.size, content.to_move, content.pie, stones)

    def layers(self) -> dict[str, Points]:
        return {word: points for word, points in zip("BW", self.stones) if points}

    @property
    def empty(self) -> Points:
        return self.board & ~(self.stones[BLACK] | self.stones[WHITE])

    def candidates(self) -> list[Step]:
        return [PLACE_AT[vertex] for vertex in vertices(self.empty)]  # H4

    def board_objection(self, step: Step) -> Saying | None:
        vertex = step.vertices[0]
        if not self.empty >> vertex & 1:
            return Saying(f"{vertex} is not empty", "H4", bit(vertex))
        return None

    def after(self, step: Step) -> Self:
        stones = list(self.stones)
        stones[self.to_move] |= bit(step.vertices[0])
        pair = stones[BLACK], stones[WHITE]
        return type(self)(self.size, self.to_move.opponent, self.pie_ahead, pair)

    def outcome(self) -> Outcome | None:
        """H5."""
        bottom, top, left, right = edges(self.size)
        for color, start, goal in ((BLACK, bottom, top), (WHITE, left, right)):
            chains = self.groups(self.stones[color])
            if any(chain & start and chain & goal for chain in chains):
                name = self.game.color_names[color]
                return Outcome(color, "H5", f"{name} connects the two edges")
        return None


GAME = Game(
    name="hex",
    title="Hex",
    default_size=5,
    recommended=None,
    kinds=(PLACE,),
    cell="[BW]",
    legend={"B": "Black stone", "W": "White stone"},
    symmetry=HALF_TURN,
    citations=Citations(board="H1", turns="H3", pie="H6"),
    summary="Connect your two edges with a chain of stones.",
    position_type=HexPosition,
    color_mirror=TRANSPOSED,
    neighbors=HEXAGONAL,
    look=Look(goals=True),
)

declare(GAME)
