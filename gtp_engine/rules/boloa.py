"""Boloa: connect your two edges with stones; smothered pawns turn into stones.

Numbers B1 to B17 are the sentences of protocol_specs/games/boloa.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from gtp_engine.board.color import BLACK, WHITE, Color
from gtp_engine.board.groups import component, components
from gtp_engine.board.points import (
    DIAGONAL,
    Points,
    around,
    bit,
    edges,
    lowest,
    named,
    neighbors,
    vertices,
)
from gtp_engine.board.symmetry import TRANSPOSED, Symmetry
from gtp_engine.board.vertex import STRIDE, VERTICES
from gtp_engine.rules.content import Content
from gtp_engine.rules.game import Game, Position, declare
from gtp_engine.rules.look import Look, Shape
from gtp_engine.rules.step import (
    Citations,
    Marks,
    Objection,
    Outcome,
    Step,
    StepKind,
    StepTable,
)
from gtp_engine.rules.tuning import GameLength, Tuning

PAWN = StepKind(
    "pawn",
    "p{}",
    "a pawn on {}",
    "{0}, then any orthogonal neighbor of it; or {0} twice where a stone is illegal",
    wish="place a pawn",
)
STONE = StepKind(
    "stone",
    "s{}",
    "a stone on the empty point {}",
    "{0} twice; or {0}, then any diagonal neighbor of it",
    wish="place a stone",
)
DISPLACE = StepKind(
    "displacing-stone",
    "s{}-{}",
    "a stone on {}, whose pawn moves to {}",
    wish="displace a pawn",
)
PAWN_AT, STONE_AT = StepTable(PAWN), StepTable(STONE)


@dataclass(frozen=True, slots=True)
class BoloaPosition(Position):
    """A position of Boloa: pawns and stones, each a set of points for each color."""

    pawns: tuple[Points, Points]
    stones: tuple[Points, Points]

    @classmethod
    def assemble(cls, content: Content) -> Self:
        """A position of stones and pawns."""
        size, layers, to_move, pie, _ = content
        pawns = layers.get("b", 0), layers.get("w", 0)
        stones = layers.get("B", 0), layers.get("W", 0)
        return cls(size, to_move, pie, pawns, stones)

    def layers(self) -> dict[str, Points]:
        """Stones as capital letters, pawns as small ones."""
        layers = zip("BWbw", self.stones + self.pawns)
        return {word: points for word, points in layers if points}

    @property
    def all_pawns(self) -> Points:
        """The pawns of both colors."""
        return self.pawns[BLACK] | self.pawns[WHITE]

    @property
    def all_stones(self) -> Points:
        """The stones of both colors."""
        return self.stones[BLACK] | self.stones[WHITE]

    @property
    def empty(self) -> Points:
        """The points without a piece."""
        return self.board & ~(self.all_pawns | self.all_stones)

    # A turn --------------------------------------------------------------------------------

    def candidates(self) -> list[Step]:
        """B9 to B11: a pawn or a stone on an empty point, or a stone that displaces a pawn."""
        pawns, empty = self.all_pawns, self.empty
        steps = []
        for vertex in vertices(empty):
            steps += [PAWN_AT[vertex], STONE_AT[vertex]]  # B9, B10
        for vertex in vertices(pawns):
            goals = neighbors(vertex, self.size) & (empty | pawns)
            steps += [Step(DISPLACE, (vertex, goal)) for goal in vertices(goals)]  # B11
        return steps

    def permits(self, step: Step) -> bool:
        """B15, tested at the end of the turn, after smothering.

        A pawn never breaks it, as neither color is broken before: protocol_specs/games/boloa.md
        has the proof.
        """
        if step.kind is PAWN:
            return True
        _, stones = self._contents_after(step)
        return not any(broken_pairs(stones[self.to_move]))

    def after(self, step: Step) -> Self:
        """The board after the step and the smothering that follows it."""
        pawns, stones = self._contents_after(step)
        return type(self)(self.size, self.to_move.opponent, self.pie_ahead, pawns, stones)

    def _contents_after(self, step: Step) -> tuple[tuple[Points, Points], tuple[Points, Points]]:
        pawns, stones = list(self.pawns), list(self.stones)
        mover, point = self.to_move, bit(step.vertices[0])
        if step.kind is PAWN:
            pawns[mover] |= point  # B9
        else:
            stones[mover] |= point  # B10
        if step.kind is DISPLACE:
            # B11: the pawn moves to the goal; B12: a pawn on the goal is removed.
            goal = bit(step.vertices[1])
            color = BLACK if pawns[BLACK] & point else WHITE
            pawns = [one_color & ~(point | goal) for one_color in pawns]
            pawns[color] |= goal
        self._smother(pawns, stones)
        return (pawns[BLACK], pawns[WHITE]), (stones[BLACK], stones[WHITE])

    def marks(self, step: Step) -> Marks:
        """B12: the pawn on the goal leaves."""
        goal = bit(step.vertices[1]) if step.kind is DISPLACE else 0
        return Marks(removes=goal & self.all_pawns)

    def board_taken(self, step: Step) -> tuple[int, int]:
        """B12: the pawn on the goal. The pawn that moves there stays on the board."""
        goal = bit(step.vertices[1]) if step.kind is DISPLACE else 0
        black, white = ((pawns & goal).bit_count() for pawns in self.pawns)
        return black, white

    def _smother(self, pawns: list[Points], stones: list[Points]) -> None:
        """B13, B14: all smothered parties, at once, become stones of their majority's color."""
        all_pawns = pawns[BLACK] | pawns[WHITE]
        empty = self.board & ~(all_pawns | stones[BLACK] | stones[WHITE])
        for party in smothered_parties(all_pawns, empty):
            black, white = ((one_color & party).bit_count() for one_color in pawns)
            color = BLACK if black > white else WHITE  # B13
            if black == white:
                color = self.to_move.opponent  # B14
            for one_color in Color:
                pawns[one_color] &= ~party
            stones[color] |= party

    def board_objection(self, step: Step) -> Objection | None:
        """What B9 to B11 or B15 say against a step."""
        vertex, pawns, empty = step.vertices[0], self.all_pawns, self.empty
        if step.kind is PAWN and not empty >> vertex & 1:
            return Objection("B9", f"{vertex} is not empty")
        if self.all_stones >> vertex & 1:
            return Objection("B10", f"there is a stone on {vertex}")
        if step.kind is STONE and pawns >> vertex & 1:
            return Objection("B11", f"say where the pawn on {vertex} goes: {step}-...")
        if step.kind is DISPLACE:
            goal = step.vertices[1]
            if not pawns >> vertex & 1:
                return Objection("B11", f"there is no pawn on {vertex} to move")
            if not neighbors(vertex, self.size) >> goal & 1:
                return Objection("B11", f"{goal} is not adjacent to {vertex}")
            if not (empty | pawns) >> goal & 1:
                return Objection("B11", f"there is a stone on {goal}")
        if not self.permits(step):
            _, stones = self._contents_after(step)
            return Objection("B15", pair_in_words(broken_pairs(stones[self.to_move])))
        return None

    def board_clicks(self, step: Step) -> tuple[Points, ...]:
        """A stone: its empty point twice. A pawn: its point, then any neighbor of it."""
        point = bit(step.vertices[0])
        if step.kind is DISPLACE:
            return point, bit(step.vertices[1])
        if step.kind is STONE:
            return point, point
        return point, neighbors(step.vertices[0], self.size)

    def swap_clicks(self, piece: Points) -> tuple[Points, ...]:
        """Twice: a single click on a pawn begins a displacement."""
        return piece, piece

    def other_last_clicks(self, step: Step, last: Points) -> Points:
        """What needs no double click: any point diagonal to the one that is clicked twice.

        Where only a pawn is legal, its point twice is the pawn.
        """
        if step.kind is PAWN:
            point = step.vertices[0]
            return 0 if self.permits(STONE_AT[point]) else bit(point)
        return 0 if step.kind is DISPLACE else around(last, DIAGONAL) & self.board

    # The end -------------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        """B16: a chain of either color ends the game, whoever made it. Both at once cannot be."""
        bottom, top, left, right = edges(self.size)
        if chain(self.stones[BLACK], bottom, top):
            return Outcome(BLACK, "B16", "a chain of black stones connects bottom and top")
        if chain(self.stones[WHITE], left, right):
            return Outcome(WHITE, "B16", "a chain of white stones connects left and right")
        return None

    def decisive(self) -> Points:
        """The chain with all stones that are connected to it."""
        bottom, top, left, right = edges(self.size)
        both = (self.stones[BLACK], bottom, top), (self.stones[WHITE], left, right)
        for stones, start, goal in both:
            for group in components(stones, touching=start):
                if group & goal:
                    return group
        return 0

    def flaw(self) -> str | None:
        """A smothered party, a broken pair, or a single piece whose color is to move again."""
        for party in smothered_parties(self.all_pawns, self.empty):
            return f"the party {named(party)} is smothered (B7)"
        for stones in self.stones:
            if any(broken := broken_pairs(stones)):
                return f"{pair_in_words(broken)} (B15)"
        # B8 to B12: no turn makes the pieces fewer, so a single one is that of the first turn.
        pieces = self.board & ~self.empty
        own = self.pawns[self.to_move] | self.stones[self.to_move]
        if pieces == own and pieces.bit_count() == 1:
            return f"{self.game.color_names[self.to_move.opponent]} has made the only turn (B8)"
        return None


def smothered_parties(pawns: Points, empty: Points) -> Iterator[Points]:
    """The parties, sets of connected pawns (B5) of any color (B6), beside no empty point (B7)."""
    breathing = component(pawns & around(empty), pawns)
    return components(pawns & ~breathing)


def broken_pairs(stones: Points) -> tuple[Points, Points]:
    """B15: the right-hand stones of diagonal pairs that no stone of the set is adjacent to both of.

    First the pairs whose right-hand stone is the upper one, then those where it is the lower.
    The two points adjacent to both are left of the right-hand stone and below or above it.
    """
    below, left, above = stones << 1, stones << STRIDE, stones >> 1
    rising = stones & stones << (STRIDE + 1) & ~below & ~left
    falling = stones & stones << (STRIDE - 1) & ~above & ~left
    return rising, falling


def pair_in_words(broken: tuple[Points, Points]) -> str:
    """The first of some broken pairs."""
    rising, falling = broken
    right = lowest(rising or falling)
    left = VERTICES[right - (STRIDE + 1 if rising else STRIDE - 1)]
    return f"{left} and {right} are diagonal, with no stone adjacent to both"


def chain(stones: Points, start: Points, goal: Points) -> bool:
    """Whether orthogonally connected stones touch both edges (a corner is on two edges)."""
    seed = stones & start
    return bool(seed and stones & goal and component(seed, stones) & goal)


GAME = Game(
    name="boloa",
    title="Boloa",
    default_size=9,
    recommended=None,
    kinds=(PAWN, STONE, DISPLACE),
    cell="[BWbw]",
    legend={"B": "Black stone", "W": "White stone", "b": "Black pawn", "w": "White pawn"},
    symmetry=Symmetry.EDGES_KEPT,
    citations=Citations(board="B2", turns="B8", pie="B17"),
    summary="""\
Black connects bottom and top, White left and right, with orthogonally adjacent stones.
A turn is one of: a pawn on an empty point; a stone on an empty point; a stone on a pawn of
either color, which moves to an adjacent point that is empty or holds another pawn, and that
other pawn is removed. Then every party of connected pawns without an adjacent empty point turns
into stones of the color that has more pawns in it, on a tie into stones of the opponent.
At the end of your turn, any two diagonally adjacent stones of yours must have another stone of
yours adjacent to both. A chain wins for its color after any turn.""",
    position_type=BoloaPosition,
    color_mirror=TRANSPOSED,
    look=Look(shapes={"b": Shape.PAWN}, goals=True),
    tuning=Tuning(rave=300.0, exploration_with_rave=0.1, length=GameLength(4, 0.42)),
)

declare(GAME)
