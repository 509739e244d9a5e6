"""Implo: place a stone, then resolve patches until none is left.

Numbers I1 to I23 refer to the rules in protocol_specs/games/implo.md. "Adjacent" always means
orthogonally adjacent (I4).
"""

from dataclasses import dataclass, field
from typing import Self

from gtp_engine.rules.content import Content
from gtp_engine.rules.events import BoardEvent, placing, removing
from gtp_engine.rules.game import Game, Position, declare
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.groups import (
    component,
    components,
    deciding,
    leader,
    sizes,
    small_parts,
    won_by,
)
from gtp_engine.rules.points.points import (
    Pair,
    Points,
    around,
    bit,
    lowest,
    named,
    put,
    union,
    vertices,
)
from gtp_engine.rules.points.symmetry import SQUARE
from gtp_engine.rules.setups import alternation_flaw
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

PLACE = StepKind("place", "{}", "a stone on {}", wish="place a stone")
RESOLVE = StepKind(
    "resolve",
    "{}",
    "resolve the patch that holds {}",
    "any vertex of the patch",
    wish="resolve a patch",
)
REMOVE = StepKind(
    "resolve-removing",
    "{}x{}",
    "resolve the patch that holds {}; of tied groups, remove the one that holds {}",
    "any vertex of the patch, any of the group",
    wish="resolve a patch",
)
PLACE_AT, RESOLVE_AT = StepTable(PLACE), StepTable(RESOLVE)

LARGEST_PATCH = 4


@dataclass(frozen=True, slots=True)
class ImploPosition(Position):
    """A position of Implo.

    stones, markers -- a set of points for each color
    placed          -- whether the color to move has placed its stone and has patches to resolve
    patches         -- every patch on the board, if placed (derived)
    """

    stones: Pair
    markers: Pair
    placed: bool
    patches: tuple[Points, ...] = field(compare=False)

    @classmethod
    def assemble(cls, content: Content) -> Self:
        """A position of stones and markers; `open` says that a stone was placed."""
        size, layers, to_move, pie, fields = content
        stones = layers.get("B", 0), layers.get("W", 0)
        markers = layers.get("b", 0), layers.get("w", 0)
        position = cls(size, to_move, pie, stones, markers, "open" in fields, ())
        patches = patches_in(position.empty, position.empty) if position.placed else ()
        return cls(size, to_move, pie, stones, markers, position.placed, patches)

    def layers(self) -> dict[str, Points]:
        """Stones as capital letters, markers as small ones."""
        layers = zip("BWbw", self.stones + self.markers)
        return {word: points for word, points in layers if points}

    def fields(self) -> dict[str, str]:
        """`open=yes` while patches remain to be resolved."""
        return {"open": "yes"} if self.placed else {}

    @property
    def open(self) -> bool:
        """Whether a stone was placed and patches remain to be resolved."""
        return self.placed

    @property
    def empty(self) -> Points:
        """The points without a piece."""
        black, white = self.stones
        black_markers, white_markers = self.markers
        return self.board & ~(black | white | black_markers | white_markers)

    # A turn --------------------------------------------------------------------------------

    @property
    def kinds(self) -> tuple[StepKind, ...]:
        """Placing first, or resolving inside a turn."""
        if self.placed:
            return RESOLVE, REMOVE, PLACE
        return PLACE, RESOLVE, REMOVE

    def candidates(self) -> list[Step]:
        """I16 to I18: place a stone, then resolve each remaining patch."""
        if not self.placed:
            # I16: a stone on an empty point.
            return [PLACE_AT[vertex] for vertex in vertices(self.empty)]
        # I17: any single patch; I12: the player resolving it chooses among tied groups.
        steps = []
        for patch in self.patches:
            groups = self.removable(patch)
            if len(groups) > 1:
                steps += [Step(REMOVE, (lowest(patch), lowest(group))) for group in groups]
            else:
                steps.append(RESOLVE_AT[lowest(patch)])
        return steps

    def after(self, step: Step) -> Self:
        """The board after the stone is placed, or after the patch is resolved."""
        if not self.placed:
            return self._place(bit(step.vertices[0]))
        return self._resolve(*self._resolution(step))

    def _resolution(self, step: Step) -> tuple[Points, Points]:
        """The patch that a step resolves, and the group that it removes, 0 for none (I13)."""
        patch = self.patch_at(bit(step.vertices[0]))
        groups = self.removable(patch)
        if step.kind is REMOVE:
            groups = [group for group in groups if group >> step.vertices[1] & 1]
        return patch, groups[0] if groups else 0

    def _place(self, point: Points) -> Self:
        """I16. New patches can only be adjacent to the new stone."""
        empty = self.empty & ~point
        stones = put(self.stones, self.to_move, point)
        return self._go_on(stones, self.markers, patches_in(empty, around(point)))

    def _resolve(self, patch: Points, group: Points) -> Self:
        """I11: a marker of the owner on each point; the group, if any (I13), is removed."""
        owner = self.owner(patch)
        markers = put(self.markers, owner, patch)
        stones = put(self.stones, owner, 0, without=group)
        # I18: removing a group can make a patch, merge patches, or open one.
        emptied = around(group) | group
        patches = tuple(other for other in self.patches if other != patch and not other & emptied)
        new = patches_in(self.empty & ~patch | group, group)
        return self._go_on(stones, markers, patches + new)

    def _go_on(self, stones: Pair, markers: Pair, patches: tuple[Points, ...]) -> Self:
        """I18: the turn lasts until no patches remain; then the other color plays (I15)."""
        to_move = self.to_move if patches else self.to_move.opponent
        ordered = tuple(sorted(patches, key=lowest)) if len(patches) > 1 else patches
        return type(self)(
            self.size, to_move, self.pie_ahead, stones, markers, bool(patches), ordered
        )

    def marks(self, step: Step) -> Marks:
        """The owner of a patch, and the group that is removed (I11)."""
        if not self.placed:
            return NO_MARKS
        patch, group = self._resolution(step)
        return Marks(owner=self.owner(patch), removes=group)

    def board_taken(self, step: Step) -> tuple[int, int]:
        """The group removed by resolving a patch: one of its owner's."""
        if not self.placed:
            return 0, 0
        _, group = self._resolution(step)
        return (group & self.stones[BLACK]).bit_count(), (group & self.stones[WHITE]).bit_count()

    def board_events(self, step: Step) -> list[BoardEvent]:
        """The stone; or the owner's markers, and then the removed group."""
        mover = self.game.color_names[self.to_move]
        if step.kind is PLACE:
            vertex = step.vertices[0]
            stone, text = placing(vertex, "BW"[self.to_move]), f"{mover} puts a stone on {vertex}"
            return [BoardEvent(1, Saying(text, "I16", bit(vertex)), (stone,))]
        patch, group = self._resolution(step)
        color = self.owner(patch)
        owner = self.game.color_names[color]
        rule, why = self._why_owned(patch)
        filled = f"{owner.lower()} markers fill {named(patch)}"
        markers = tuple(placing(vertex, "bw"[color]) for vertex in vertices(patch))
        events = [
            BoardEvent(1, Saying(why, rule, patch)),
            BoardEvent(1, Saying(filled, "I11", patch), markers),
        ]
        if not group:
            return [
                *events,
                BoardEvent(1, Saying("no stones are beside it to remove", "I13", patch)),
            ]
        rule, text = "I11", f"{owner}'s biggest group beside it is removed: {named(group)}"
        if step.kind is REMOVE:
            rule = "I12"
            text = f"of {owner}'s equally big groups beside it {mover} removes {named(group)}"
        removed = tuple(removing(vertex) for vertex in vertices(group))
        return [*events, BoardEvent(2, Saying(text, rule, group), removed)]

    # Patches -------------------------------------------------------------------------------

    def patch_at(self, point: Points) -> Points:
        """The patch that contains a point, or the empty set."""
        return next((patch for patch in self.patches if patch & point), 0)

    def owner(self, patch: Points) -> Color:
        """I9: the player with the biggest adjacent group; I10: else the placer's opponent.

        Patches exist only in the turn of the player who placed the last stone, so that player is
        the color to move; the owner does not depend on who resolves the patch (I14).
        """
        black, white = self._biggest_beside(patch)
        if black == white:
            return self.to_move.opponent
        return BLACK if black > white else WHITE

    def _biggest_beside(self, patch: Points) -> tuple[int, int]:
        """The size of each color's biggest stone group adjacent to a patch, 0 for none."""
        black, white = (max(sizes(self.groups_beside(patch, color)), default=0) for color in Color)
        return black, white

    def _why_owned(self, patch: Points) -> tuple[str, str]:
        """The rule that decides the owner of a patch, and an explanation."""
        owner, counts = self.owner(patch), self._biggest_beside(patch)
        name, other = (self.game.color_names[color] for color in (owner, owner.opponent))
        owns, most = f"{name} owns patch {named(patch)}", counts[owner]
        if most > counts[owner.opponent]:
            against = f"{most} against {counts[owner.opponent]}"
            return "I9", f"{owns}: the biggest group beside it is {name}'s, {against}"
        why = f"the biggest groups beside it are equal, {most} against {most}"
        why = why if most else "no stones are beside it"
        return "I10", f"{owns}: {why}, and {other} placed the last stone"

    def groups_beside(self, patch: Points, color: Color) -> list[Points]:
        """The groups of stones of a color adjacent to a patch (I5)."""
        return list(components(self.stones[color], touching=around(patch)))

    def removable(self, patch: Points) -> list[Points]:
        """The owner's biggest groups adjacent to a patch: one is removed (I11), by choice (I12)."""
        groups = self.groups_beside(patch, self.owner(patch))
        biggest = max(sizes(groups), default=0)
        return [group for group in groups if group.bit_count() == biggest]

    def canonical(self, step: Step) -> Step:
        """The step with our choice of vertices; an untied group may also be named on input."""
        if not self.placed or step.kind not in (RESOLVE, REMOVE):
            return step
        patch = self.patch_at(bit(step.vertices[0]))
        if not patch:
            return step
        if step.kind is RESOLVE:
            return RESOLVE_AT[lowest(patch)]
        groups = self.removable(patch)
        named_group = [group for group in groups if group >> step.vertices[1] & 1]
        if not named_group:
            return step
        if len(groups) == 1:
            return RESOLVE_AT[lowest(patch)]
        return Step(REMOVE, (lowest(patch), lowest(named_group[0])))

    def board_objection(self, step: Step) -> Saying | None:
        """The objection of I12 or I16 to I18 to a step."""
        if not self.placed:
            if step.kind is not PLACE:
                return Saying("a turn begins with placing a stone", "I16")
            vertex = step.vertices[0]
            if not self.empty >> vertex & 1:
                return Saying(f"{vertex} is not empty", "I16", bit(vertex))
            return None
        if step.kind is PLACE:
            return Saying("patches remain to be resolved", "I18", union(self.patches))
        patch = self.patch_at(bit(step.vertices[0]))
        if not patch:
            text = f"{step.vertices[0]} is not in a patch to resolve"
            return Saying(text, "I17", bit(step.vertices[0]))
        groups = self.removable(patch)
        if step.kind is RESOLVE and len(groups) > 1:
            choice = " or ".join(f"{step}x{lowest(group)}" for group in groups)
            tied = f"groups are tied for biggest: choose {choice}"
            return Saying(tied, "I12", union(groups))
        if step.kind is REMOVE and not any(group >> step.vertices[1] & 1 for group in groups):
            owner, vertex = self.game.color_names[self.owner(patch)], step.vertices[1]
            text = f"{vertex} is not in a biggest {owner} group beside it"
            return Saying(text, "I11", bit(vertex))
        return None

    def board_clicks(self, step: Step) -> tuple[Points, ...]:
        """The point of a placement; a patch, and with tied groups the group to remove."""
        point = bit(step.vertices[0])
        if step.kind is PLACE:
            return (point,)
        patch = self.patch_at(point)
        if step.kind is RESOLVE:
            return (patch,)
        group = bit(step.vertices[1])
        return patch, component(group, self.stones[self.owner(patch)])

    def patch_lines(self) -> list[str]:
        """Each patch with its owner and the groups that it can remove."""
        return [self._patch_line(patch) for patch in self.patches]

    def owned_patches(self) -> list[tuple[Points, Color | None]]:
        """Each patch with its owner (I9, I10)."""
        return [(patch, self.owner(patch)) for patch in self.patches]

    def patch_rule(self, patch: Points) -> str:
        """I9 if one adjacent group is the biggest, I10 if there is none or a tie."""
        rule, _ = self._why_owned(patch)
        return rule

    def _patch_line(self, patch: Points) -> str:
        groups = " or ".join(named(group) for group in self.removable(patch))
        owner = self.game.color_names[self.owner(patch)]
        return f"{named(patch)}: owner {owner}, removes {groups or 'nothing'}"

    # The end -------------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        """I19: the game ends when the board is full."""
        if self.placed or self.empty:
            return None
        black_groups, white_groups = (sizes(components(each)) for each in self.markers)
        groups = black_groups, white_groups
        winner = leader(*groups)
        black, white = (stones.bit_count() for stones in self.stones)
        if winner is not None:
            rule, reason = "I20", won_by("markers", groups)
        elif black != white:
            winner = BLACK if black > white else WHITE
            rule, reason = "I21", f"marker groups are tied; {black} to {white} stones"
        else:
            winner = self.to_move
            rule, reason = "I22", "markers and stones are tied; the last mover loses"
        return Outcome(winner, "I19", reason, winner_rule=rule)

    def decisive(self) -> Points:
        """The biggest groups of markers that decide (I20)."""
        return deciding([list(components(self.markers[color])) for color in Color])

    def flaw(self) -> str | None:
        """An open turn without a patch, a patch outside of a turn, or impossible counts."""
        patches = patches_in(self.empty, self.empty)
        if self.placed and self.empty == self.board:
            return "an open turn has begun with a stone (I16)"
        if self.placed and not patches:
            return "an open turn needs a patch to resolve (I18)"
        if patches and not self.placed and self.empty != self.board:
            return f"the patch {named(patches[0])} is unresolved outside of a turn (I18)"
        return self._count_flaw()

    def _count_flaw(self) -> str | None:
        """I11: a color whose own stone was removed has markers, and these stay."""
        newest = self.to_move if self.placed else self.to_move.opponent
        if self.empty == self.board:
            return None
        if not self.stones[newest] | self.markers[newest]:
            name = self.game.color_names[newest]
            return f"{name} has placed the last stone and has no piece (I11)"
        if not any(self.markers):  # I15, I16: only stones have been placed
            counts = [stones.bit_count() for stones in self.stones]
            return alternation_flaw(newest, counts, "stones", self.game.handicap)
        return None


def patches_in(empty: Points, beside: Points) -> tuple[Points, ...]:
    """The patches that meet a set: territories (I7) of at most four points (I8)."""
    return tuple(small_parts(empty, beside, LARGEST_PATCH))


GAME = Game(
    name="implo",
    title="Implo",
    goal="Close off small areas: they fill with markers, and the biggest groups of these win.",
    sample=(
        5,
        "C3 B3 B4 D4 E4 C4 E5 C2 D2 E3 A1 C4 B1 A2/A1xA2 A2 D5/E4xD5 A4/A5/A3xB3/C3xC2",
    ),
    default_size=8,
    recommended=(6, 10),
    kinds=(PLACE, RESOLVE, REMOVE),
    cell="[BWbw]",
    legend={"B": "Black stone", "W": "White stone", "b": "Black marker", "w": "White marker"},
    symmetry=SQUARE,
    citations=Citations(board="I2", turns="I15", pie="I23", patches="I9"),
    position_type=ImploPosition,
    is_default=True,
    handicap=4,
    fields={"open": "yes"},
    tuning=Tuning(
        exploration_with_net=0.45, expand_after=1, proof_weight=0.2, length=GameLength(3, 0.45)
    ),
)

declare(GAME)
