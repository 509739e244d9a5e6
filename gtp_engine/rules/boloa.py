"""Boloa: connect your two edges with stones; smothered pawns turn into stones.

Numbers B1 to B17 refer to the rules in protocol_specs/games/boloa.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from gtp_engine.rules.content import Content
from gtp_engine.rules.events import BoardEvent, becoming, moving, placing, removing
from gtp_engine.rules.game import Game, Position, declare
from gtp_engine.rules.look import Look, Shape
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.groups import component, components
from gtp_engine.rules.points.points import (
    DIAGONAL,
    Points,
    around,
    bit,
    edges,
    lowest,
    named,
    neighbors,
    point_set,
    vertices,
)
from gtp_engine.rules.points.symmetry import EDGES_KEPT, TRANSPOSED
from gtp_engine.rules.points.vertex import STRIDE, VERTICES, Vertex
from gtp_engine.rules.step import (
    NO_MARKS,
    Citations,
    Marks,
    Outcome,
    Saying,
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
    """A position of Boloa: a set of pawns and a set of stones for each color."""

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

        A pawn never breaks it, because no pair was broken before: protocol_specs/games/boloa.md has
        the proof.
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
        """Pawns and stones after a step: all smothered parties, at once, become stones."""
        pawns, stones = self._acted(step)
        for party, color in self._smothered(pawns, stones):
            for one_color in Color:
                pawns[one_color] &= ~party
            stones[color] |= party
        return (pawns[BLACK], pawns[WHITE]), (stones[BLACK], stones[WHITE])

    def _acted(self, step: Step) -> tuple[list[Points], list[Points]]:
        """Pawns and stones after the action itself, before smothering."""
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
        return pawns, stones

    def marks(self, step: Step) -> Marks:
        """B12: the pawn on the goal is removed."""
        if step.kind is not DISPLACE:
            return NO_MARKS
        return Marks(removes=bit(step.vertices[1]) & self.all_pawns)

    def board_taken(self, step: Step) -> tuple[int, int]:
        """B12: the pawn on the goal. The pawn that moves there stays on the board."""
        met = self.marks(step).removes
        black, white = ((pawns & met).bit_count() for pawns in self.pawns)
        return black, white

    def _smothered(
        self, pawns: list[Points], stones: list[Points]
    ) -> Iterator[tuple[Points, Color]]:
        """The smothered parties after an action, each with the color of its stones (B13, B14)."""
        all_pawns = pawns[BLACK] | pawns[WHITE]
        empty = self.board & ~(all_pawns | stones[BLACK] | stones[WHITE])
        for party in smothered_parties(all_pawns, empty):
            black, white = ((one_color & party).bit_count() for one_color in pawns)
            if black == white:
                yield party, self.to_move.opponent  # B14
            else:
                yield party, BLACK if black > white else WHITE  # B13

    def board_events(self, step: Step) -> list[BoardEvent]:
        """The action, then all smothered parties at once."""
        pawns, stones = self._acted(step)
        events = self._action_events(step)
        phase = events[-1].phase + 1
        for party, color in self._smothered(pawns, stones):
            turned = tuple(becoming(vertex, "BW"[color]) for vertex in vertices(party))
            rule, text = self._why_turned(party, pawns, color)
            events.append(BoardEvent(phase, Saying(text, rule, party), turned))
        return events

    def _why_turned(self, party: Points, pawns: list[Points], color: Color) -> tuple[str, str]:
        """The rule that decides what a smothered party becomes, and an explanation."""
        black, white = ((one_color & party).bit_count() for one_color in pawns)
        name = self.game.color_names[color].lower()
        if black + white == 1:
            return "B13", f"the pawn on {named(party)} is smothered and becomes a {name} stone"
        become = f"{'both' if black + white == 2 else 'all'} become {name} stones"
        if not (black and white):
            return "B13", f"party {named(party)} is smothered: {become}"
        counts = f"party {named(party)}: {black} black against {white} white"
        if black == white:
            return "B14", f"{counts} in {self.game.color_names[self.to_move]}'s turn, so {become}"
        return "B13", f"{counts}, so {become}"

    def _action_events(self, step: Step) -> list[BoardEvent]:
        """The events before smothering; the stone comes when its point is free."""
        point, name = step.vertices[0], self.game.color_names[self.to_move]
        if step.kind is PAWN:
            pawn = placing(point, "bw"[self.to_move])
            return [
                BoardEvent(1, Saying(f"{name} puts a pawn on {point}", "B9", bit(point)), (pawn,))
            ]
        events = []
        if step.kind is DISPLACE:
            goal = step.vertices[1]
            text, named_points = f"the pawn on {point} moves to {goal}", point_set(step.vertices)
            events.append(BoardEvent(1, Saying(text, "B11", named_points), (moving(point, goal),)))
            if self.marks(step).removes:
                text = f"the pawn that was on {goal} leaves the board"
                events.append(BoardEvent(1, Saying(text, "B12", bit(goal)), (removing(goal),)))
        stone = placing(point, "BW"[self.to_move])
        text = f"{name} puts a stone on {point}"
        return [*events, BoardEvent(1 + bool(events), Saying(text, "B10", bit(point)), (stone,))]

    def board_objection(self, step: Step) -> Saying | None:
        """The objection of B9 to B11 or B15 to a step."""
        vertex, pawns, empty = step.vertices[0], self.all_pawns, self.empty
        point = bit(vertex)
        if step.kind is PAWN and not empty >> vertex & 1:
            return Saying(f"{vertex} is not empty", "B9", point)
        if self.all_stones >> vertex & 1:
            return Saying(f"there is a stone on {vertex}", "B10", point)
        if step.kind is STONE and pawns >> vertex & 1:
            return Saying(f"name the goal of the pawn on {vertex}: {step}-...", "B11", point)
        if step.kind is DISPLACE:
            goal = step.vertices[1]
            if not pawns >> vertex & 1:
                return Saying(f"there is no pawn on {vertex} to move", "B11", point)
            if not neighbors(vertex, self.size) >> goal & 1:
                text = f"{goal} is not adjacent to {vertex}"
                return Saying(text, "B11", point_set(step.vertices))
            if not (empty | pawns) >> goal & 1:
                return Saying(f"there is a stone on {goal}", "B11", bit(goal))
        if not self.permits(step):
            _, stones = self._contents_after(step)
            pair = first_pair(broken_pairs(stones[self.to_move]))
            return Saying(pair_in_words(pair), "B15", point_set(pair))
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
        """Two clicks: a single click on a pawn begins a displacement."""
        return piece, piece

    def other_last_clicks(self, step: Step, last: Points) -> Points:
        """The points for a second click instead of a double click: any diagonal neighbor.

        If only a pawn is legal, a double click places the pawn.
        """
        if step.kind is PAWN:
            point = step.vertices[0]
            return 0 if self.permits(STONE_AT[point]) else bit(point)
        return 0 if step.kind is DISPLACE else around(last, DIAGONAL) & self.board

    # The end -------------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        """B16: a chain of either color ends the game, whoever made it. Both cannot occur."""
        bottom, top, left, right = edges(self.size)
        if chain(self.stones[BLACK], bottom, top):
            return Outcome(BLACK, "B16", "a chain of black stones connects bottom and top")
        if chain(self.stones[WHITE], left, right):
            return Outcome(WHITE, "B16", "a chain of white stones connects left and right")
        return None

    def decisive(self) -> Points:
        """The chain with all stones connected to it."""
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
                return f"{pair_in_words(first_pair(broken))} (B15)"
        # B8 to B12: the number of pieces never decreases, so a single one is from the first turn.
        pieces = self.board & ~self.empty
        own = self.pawns[self.to_move] | self.stones[self.to_move]
        if pieces == own and pieces.bit_count() == 1:
            return f"{self.game.color_names[self.to_move.opponent]} has made the only turn (B8)"
        return None


def smothered_parties(pawns: Points, empty: Points) -> Iterator[Points]:
    """The parties, connected pawns (B5) of any color (B6), without an empty neighbor (B7)."""
    breathing = component(pawns & around(empty), pawns)
    return components(pawns & ~breathing)


def broken_pairs(stones: Points) -> tuple[Points, Points]:
    """B15: the right-hand stones of diagonal pairs without a stone of the set adjacent to both.

    First the pairs whose right-hand stone is the upper one, then those where it is the lower one.
    The two points adjacent to both are left of the right-hand stone, and below or above it.
    """
    below, left, above = stones << 1, stones << STRIDE, stones >> 1
    rising = stones & stones << (STRIDE + 1) & ~below & ~left
    falling = stones & stones << (STRIDE - 1) & ~above & ~left
    return rising, falling


def first_pair(broken: tuple[Points, Points]) -> tuple[Vertex, Vertex]:
    """The first pair in the result of `broken_pairs`."""
    rising, falling = broken
    right = lowest(rising or falling)
    return VERTICES[right - (STRIDE + 1 if rising else STRIDE - 1)], right


def pair_in_words(pair: tuple[Vertex, Vertex]) -> str:
    """A sentence on what is wrong with a broken pair."""
    left, right = pair
    return f"{left} and {right} are diagonal, with no stone adjacent to both"


def chain(stones: Points, start: Points, goal: Points) -> bool:
    """Whether orthogonally connected stones touch both edges (a corner is on two edges)."""
    seed = stones & start
    return bool(seed and stones & goal and component(seed, stones) & goal)


GAME = Game(
    name="boloa",
    title="Boloa",
    goal="Connect your two edges of the board with a chain of stones.",
    sample=(
        5,
        "pC3 pC2 pD2 sC2-C3 sD2-D3 sD5 sD3-C3 sD4 sC3-B3 pC4 sC4-B4 sC5 sA5 sB5 sB3-B4 "
        "sA3 sA4 sC1 sD1",
    ),
    default_size=9,
    recommended=None,
    kinds=(PAWN, STONE, DISPLACE),
    cell="[BWbw]",
    legend={"B": "Black stone", "W": "White stone", "b": "Black pawn", "w": "White pawn"},
    symmetry=EDGES_KEPT,
    citations=Citations(board="B2", turns="B8", pie="B17"),
    position_type=BoloaPosition,
    color_mirror=TRANSPOSED,
    look=Look(shapes={"b": Shape.PAWN}, goals=True),
    tuning=Tuning(
        rave=300.0,
        exploration_with_rave=0.1,
        expand_after=1,
        trusted_visits=0.2,
        length=GameLength(4, 0.42),
    ),
)

declare(GAME)
