"""Pilo: place disks, capture stacks of equal height, leave blocks; score the patches.

Numbers P1 to P25 refer to the rules in protocol_specs/games/pilo.md. BLACK is Blue, WHITE is
Orange.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Self

from gtp_engine.rules.content import Content
from gtp_engine.rules.events import BoardEvent, becoming, moving, placing, removing
from gtp_engine.rules.game import Game, Position, declare
from gtp_engine.rules.look import Ink, Look, Shape
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.groups import components, leader, sizes
from gtp_engine.rules.points.points import (
    DIRECTIONS,
    Points,
    bit,
    board_points,
    named,
    point_set,
    shift,
    vertices,
)
from gtp_engine.rules.points.symmetry import SQUARE
from gtp_engine.rules.points.vertex import VERTICES, Vertex
from gtp_engine.rules.setups import alternation_flaw
from gtp_engine.rules.step import (
    NO_MARKS,
    PASS,
    Citations,
    Marks,
    Outcome,
    Saying,
    Step,
    StepKind,
    StepTable,
)
from gtp_engine.rules.tuning import GameLength, Tuning

PLACE = StepKind("place", "{}", "a disk on {}", wish="place a disk")
CAPTURE = StepKind(
    "capture", "{}-{}", "the stack on {} captures the one on {}", wish="capture a stack"
)
PLACE_AT = StepTable(PLACE)

BLOCK = "#"

Stacks = tuple[Points, ...]
"""The squares of a color's stacks, by height minus one."""


@dataclass(frozen=True, slots=True)
class PiloPosition(Position):
    """A position of Pilo.

    stacks -- for each color its squares by height: stacks[BLACK][0] are the single disks
    blocks -- the squares of the neutral blocks
    passes -- consecutive passes at the end of the game so far, 0 to 2
    """

    stacks: tuple[Stacks, Stacks]
    blocks: Points
    passes: int

    @classmethod
    def assemble(cls, content: Content) -> Self:
        """A position of stacks and blocks, with the consecutive passes."""
        size, layers, to_move, pie, fields = content
        passes = fields.get("passes", "0")
        stacks: tuple[Stacks, Stacks] = (), ()
        for word, points in layers.items():
            if word != BLOCK:
                stacks = with_stack(stacks, "BW".index(word[0]), int(word[1:]), points)
        return cls(size, to_move, pie, stacks, layers.get(BLOCK, 0), int(passes))

    def layers(self) -> dict[str, Points]:
        """A letter and a height for each stack, and the blocks."""
        layers = {BLOCK: self.blocks}
        for color in Color:
            for height, points in enumerate(self.stacks[color], 1):
                layers[f"{color.sign}{height}"] = points
        return {word: points for word, points in layers.items() if points}

    def fields(self) -> dict[str, str]:
        """The consecutive passes, if there are any."""
        return {"passes": str(self.passes)} if self.passes else {}

    def squares_of(self, color: Color) -> Points:
        """All squares with a stack of a color."""
        squares = 0
        for points in self.stacks[color]:
            squares |= points
        return squares

    @property
    def empty(self) -> Points:
        """The squares without a stack or a block."""
        return self.board & ~(self.blocks | self.squares_of(BLACK) | self.squares_of(WHITE))

    # A turn --------------------------------------------------------------------------------

    def candidates(self) -> list[Step]:
        """P11 to P15: board plays; P16 and P17: a pass if and only if there are none."""
        return self._board_plays(self.to_move) or [PASS]

    def _board_plays(self, color: Color) -> list[Step]:
        steps = [PLACE_AT[vertex] for vertex in vertices(self.empty)]  # P11
        steps += [Step(CAPTURE, jump) for jump in self._captures(color)]
        return steps

    def _captures(self, color: Color) -> Iterator[tuple[Vertex, Vertex]]:
        """P12 to P15: from a stack to the first enemy stack in a line, if it has equal height.

        Own stacks and empty squares in between do not matter (P15); blocks and enemy stacks stop
        the move (P13).
        """
        enemies = self.squares_of(color.opponent)
        obstacles = enemies | self.blocks
        lines = lines_from(self.size)
        for own, equally_high in zip(self.stacks[color], self.stacks[color.opponent]):
            if not equally_high:
                continue
            for start in vertices(own):
                for line, ascending in lines[start]:
                    met = line & obstacles
                    first = met & -met if ascending else 1 << met.bit_length() >> 1
                    if first & equally_high:
                        yield start, VERTICES[first.bit_length() - 1]

    def after(self, step: Step) -> Self:
        """The board after a disk, a capture or a pass."""
        mover = self.to_move
        stacks, blocks, passes = self.stacks, self.blocks, 0
        if step.kind is PLACE:
            stacks = with_stack(stacks, mover, 1, bit(step.vertices[0]))  # P11
        elif step.kind is CAPTURE:
            start, goal = (bit(vertex) for vertex in step.vertices)
            height = height_at(stacks[mover], start)
            stacks = without_stack(stacks, mover, height, start)
            stacks = without_stack(stacks, mover.opponent, height, goal)  # P14: enemy removed,
            stacks = with_stack(stacks, mover, height + 1, goal)  # a disk added,
            blocks |= start  # a block left behind
        else:
            passes = self.passes + 1  # P16
        return type(self)(self.size, mover.opponent, self.pie_ahead, stacks, blocks, passes)

    def marks(self, step: Step) -> Marks:
        """The stack that is captured (P14), and the squares on the way there (P12)."""
        if step.kind is not CAPTURE:
            return NO_MARKS
        start, goal = step.vertices
        return Marks(captures=bit(goal), path=self._between(start, goal))

    def _between(self, start: Vertex, goal: Vertex) -> Points:
        """The squares between two squares in a line."""
        lines = lines_from(self.size)
        return sum(
            forth & back
            for forth, _ in lines[start]
            for back, _ in lines[goal]
            if forth >> goal & 1 and back >> start & 1
        )

    def board_taken(self, step: Step) -> tuple[int, int]:
        """P14: all disks of the enemy stack."""
        if step.kind is not CAPTURE:
            return 0, 0
        goal = bit(step.vertices[1])
        black, white = (height_at(stacks, goal) for stacks in self.stacks)
        return black, white

    def board_events(self, step: Step) -> list[BoardEvent]:
        """A disk; or, one after the other: move and removal, the added disk, the block."""
        name, other = self._names()
        if step == PASS:
            return [
                BoardEvent(1, Saying(f"{name} has neither a disk to place nor a capture", "P16"))
            ]
        sign, start = self.to_move.sign, step.vertices[0]
        square = bit(start)
        if step.kind is PLACE:
            disk = placing(start, f"{sign}1")
            return [BoardEvent(1, Saying(f"{name} puts a disk on {start}", "P11", square), (disk,))]
        goal = step.vertices[1]
        height = height_at(self.stacks[self.to_move], square)
        went = f"{name}'s stack on {start} goes to {goal}, where {other}'s is as high, {height}"
        grown = f"{name}'s stack on {goal} gets one disk more: {height + 1}"
        left = f"a block is put on {start}, where the stack came from"
        return [
            BoardEvent(1, Saying(went, "P12", point_set(step.vertices)), (moving(start, goal),)),
            BoardEvent(
                1,
                Saying(f"{other}'s stack on {goal} is removed", "P14", bit(goal)),
                (removing(goal),),
            ),
            BoardEvent(
                2, Saying(grown, "P14", bit(goal)), (becoming(goal, f"{sign}{height + 1}"),)
            ),
            BoardEvent(3, Saying(left, "P14", square), (placing(start, BLOCK),)),
        ]

    def board_objection(self, step: Step) -> Saying | None:
        """The objection of P11 to P17 to a step."""
        if step == PASS:
            if self._board_plays(self.to_move):
                return Saying("a pass is allowed only when there is no board play", "P17")
            return None
        if step.kind is PLACE:
            vertex = step.vertices[0]
            if self.empty >> vertex & 1:
                return None
            return Saying(f"{vertex} is not empty", "P11", bit(vertex))
        start, goal = step.vertices
        if (start, goal) in self._captures(self.to_move):
            return None
        return self._capture_objection(start, goal)

    def _capture_objection(self, start: Vertex, goal: Vertex) -> Saying:
        """The objection to an illegal capture."""
        own, enemy = self.stacks[self.to_move], self.stacks[self.to_move.opponent]
        height, other = height_at(own, bit(start)), height_at(enemy, bit(goal))
        name, enemy_name = self._names()
        both = point_set((start, goal))
        if not height:
            return Saying(f"{name} has no stack on {start}", "P12", bit(start))
        if start.column != goal.column and start.row != goal.row:
            return Saying(f"{goal} is not in a straight line with {start}", "P12", both)
        if not other:
            return Saying(f"{enemy_name} has no stack on {goal}", "P12", bit(goal))
        if height != other:
            return Saying(f"{start} has height {height}, {goal} has height {other}", "P12", both)
        obstacles = self._between(start, goal) & ~self.empty & ~self.squares_of(self.to_move)
        first = min(vertices(obstacles), key=lambda vertex: abs(vertex - start))
        what = "a block" if self.blocks & bit(first) else f"{enemy_name}'s stack"
        return Saying(f"{what} on {first} is in the way", "P13", bit(first))

    def _names(self) -> tuple[str, str]:
        """The names of the color to move and of the other color."""
        names = self.game.color_names
        return names[self.to_move], names[self.to_move.opponent]

    # The end -------------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        """P18: the game ends with the second pass in a row."""
        if self.passes < 2:  # P18
            return None
        blue, orange = (squares.bit_count() for squares in self.held())  # P23
        winner, rule = BLACK if blue > orange else WHITE, "P22"
        margin: int | None = abs(blue - orange)
        reason = f"{blue} to {orange} squares"
        if blue == orange:  # both have passed after the last board play
            winner, rule, margin = self.to_move, "P24", None
            loser = self.game.color_names[winner.opponent]
            reason += f"; {loser} made the last board play and loses the tie"
        return Outcome(winner, "P18", reason, margin, rule)

    def patches(self) -> list[Points]:
        """P7: connected squares without a block, whatever is on them (P8)."""
        return list(components(self.board & ~self.blocks))

    def owner(self, patch: Points) -> Color | None:
        """P19: equal groups cancel in pairs; P20: the biggest remaining group owns; P21: nobody."""
        groups = (sizes(components(self.squares_of(color) & patch)) for color in Color)
        return leader(*groups)

    def patch_rule(self, patch: Points) -> str:
        """P20 if one of its groups is left over, P21 if none is."""
        return "P21" if self.owner(patch) is None else "P20"

    def patch_lines(self) -> list[str]:
        """Each patch with its size and owner."""
        return [self._patch_line(patch) for patch in self.patches()]

    def owned_patches(self) -> list[tuple[Points, Color | None]]:
        """Each patch with its owner, None for nobody."""
        return [(patch, self.owner(patch)) for patch in self.patches()]

    def held(self) -> tuple[Points, Points]:
        """The squares of the patches that each color owns."""
        owned = [0, 0]
        for patch, owner in self.owned_patches():
            if owner is not None:
                owned[owner] |= patch
        return owned[BLACK], owned[WHITE]

    def decisive(self) -> Points:
        """The patches of the winner; none after a tie, which the last board play decides (P24)."""
        blue, orange = self.held()
        lead = blue.bit_count() - orange.bit_count()
        return blue if lead > 0 else orange if lead < 0 else 0

    def _patch_line(self, patch: Points) -> str:
        owner = self.owner(patch)
        name = "nobody" if owner is None else self.game.color_names[owner]
        return f"{named(patch)}: size {patch.bit_count()}, owner {name}"

    def flaw(self) -> str | None:
        """An illegal pass, or stacks and blocks that no sequence of plays can leave."""
        # P11 adds a disk and fills a square. P14 turns two stacks of a height into one that is
        # higher by one, and adds a block: a stack of height h stands for 2**(h - 1) placements.
        placed = sum(
            points.bit_count() << (height - 1)
            for stacks in self.stacks
            for height, points in enumerate(stacks, 1)
        )
        filled = (self.board & ~self.empty).bit_count()
        if placed != filled:
            return f"stacks of such heights need {placed} filled squares, not {filled} (P11, P14)"
        passed = {0: [], 1: [self.to_move.opponent], 2: list(Color)}[self.passes]
        if any(self._board_plays(color) for color in passed):
            return "a player with a board play cannot have passed (P17)"
        # P14: the last board play left a stack of its player.
        last = self.to_move if self.passes == 1 else self.to_move.opponent
        counts = [self.squares_of(color).bit_count() for color in Color]
        if filled and not counts[last]:
            return f"{self.game.color_names[last]} made the last board play and has no stack (P14)"
        if filled and not self.blocks:  # P10, P11
            return alternation_flaw(last, counts, "disks", self.game.handicap)
        return None


def height_at(stacks: Stacks, square: Points) -> int:
    """The height of the stack on a square, 0 if there is none."""
    return next((height for height, points in enumerate(stacks, 1) if points & square), 0)


def with_stack(
    stacks: tuple[Stacks, Stacks], color: int, height: int, squares: Points
) -> tuple[Stacks, Stacks]:
    """The stacks of both colors, with stacks of a height added."""
    own = stacks[color] + (0,) * (height - len(stacks[color]))
    own = own[: height - 1] + (own[height - 1] | squares,) + own[height:]
    return (own, stacks[WHITE]) if color == BLACK else (stacks[BLACK], own)


def without_stack(
    stacks: tuple[Stacks, Stacks], color: int, height: int, squares: Points
) -> tuple[Stacks, Stacks]:
    """The stacks of both colors, with stacks of a height removed."""
    own = stacks[color]
    own = own[: height - 1] + (own[height - 1] & ~squares,) + own[height:]
    while own and not own[-1]:
        own = own[:-1]
    return (own, stacks[WHITE]) if color == BLACK else (stacks[BLACK], own)


@cache
def lines_from(size: int) -> dict[Vertex, tuple[tuple[Points, bool], ...]]:
    """For each square the squares in a straight line from it, in four directions.

    The flag tells whether the nearest of them has the lowest number or the highest.
    """
    board = board_points(size)
    lines = {}
    for vertex in vertices(board):
        four = []
        for direction in DIRECTIONS:
            line, square = 0, bit(vertex)
            while square := shift(square, direction) & board:
                line |= square
            four.append((line, direction > 0))
        lines[vertex] = tuple(four)
    return lines


GAME = Game(
    name="pilo",
    title="Pilo",
    goal="Capture equal stacks and wall off areas with the blocks you leave, to hold more squares.",
    sample=(
        5,
        "D4 B4 D4-B4 A2 D2 C4 B2 A2-B2 B4-B2 C2 D2-C2 B3 D3 B3-D3 C3 D1 B1 C4-C3",
    ),
    default_size=8,
    recommended=(6, 10),
    kinds=(PLACE, CAPTURE, PASS.kind),
    cell="[BW][1-9]|#",
    legend={"B2": "Blue stack of height 2", "W1": "Orange stack of height 1", "#": "block"},
    symmetry=SQUARE,
    citations=Citations(board="P2", turns="P10", pie="P25", passes="P16", patches="P20"),
    position_type=PiloPosition,
    fields={"passes": "1|2"},
    written_as={BLOCK: "x"},
    color_names=("Blue", "Orange"),
    scored=True,
    handicap=4,
    tuning=Tuning(
        leaf_playouts=8,
        expand_after=10,
        priors_only=0.4,
        length=GameLength(6, 0.7),
        solved=1_000_000,
    ),
    look=Look(
        inks=(Ink.BLUE, Ink.ORANGE),
        shapes={"B": Shape.STACK},
        in_cells=True,
        plain=("B1", "W1"),
    ),
)

declare(GAME)
