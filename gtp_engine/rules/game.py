"""The contract that every game fulfills: Game, Position, Step, Outcome, IllegalStep.

A *step* is one decision; a *turn* is all steps until the other color is to move or the game
ends. A Position is an immutable value that contains its unfinished turn: `to_move` stays
while the same player still has decisions to make. A game's file defines what one step does;
turns, clicks, tokens and position texts are derived from that.

Names like I16 in a game's file cite the numbered sentences of protocol_specs/games/.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from gtp_engine.rules.content import Content
from gtp_engine.rules.events import BoardEvent, compared, exchanged
from gtp_engine.rules.look import Look
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.groups import components
from gtp_engine.rules.points.points import (
    ORTHOGONAL,
    Points,
    bit,
    board_points,
    lowest,
    point_set,
    union,
)
from gtp_engine.rules.points.symmetry import SAME, Image, Symmetry
from gtp_engine.rules.points.vertex import MAX_SIZE, MIN_SIZE
from gtp_engine.rules.setups import check_size, set_up
from gtp_engine.rules.step import (
    NO_MARKS,
    PASS,
    SWAP_PIECES,
    SWAP_SIDES,
    SWAPS,
    Citations,
    IllegalStep,
    Marks,
    Outcome,
    Pie,
    Saying,
    Step,
    StepKind,
)
from gtp_engine.rules.tuning import Tuning


@dataclass(frozen=True, eq=False)
class Game:
    """The static side of a game.

    name          -- one lower-case word
    title         -- its name as people write it
    default_size  -- the size a new game has when none is asked for
    smallest_size -- the size of the smallest board on which it can be played
    recommended   -- the smallest and largest size that the designer recommends, if he does
    kinds         -- its kinds of steps, without the swaps
    cell          -- a regular expression for the words of its diagrams: their letters are B, b
                     for what belongs to BLACK and W, w for WHITE
    legend        -- what those words mean
    symmetry      -- the images of a board that have the same value, and in which the start is the
                     same board: a group, the identity first
    citations     -- the sentences of its text that say what all games share
    color_names   -- what the players of BLACK and WHITE are called
    is_default    -- whether a session begins with it when none is asked for
    scored        -- whether it is won by points, whose lead is then the margin of its outcomes
    position_type -- its Position class
    summary       -- the rules in short, for a game without a text in texts/
    goal          -- how a player wins, in a line for people who do not know the game
    sample        -- a size, and turns on a board of it that show the game in little
    color_mirror  -- the image of the board that goes with an exchange of colors, so that the
                     other color has the same chances: transposed where colors own edges, SAME
                     where the rules are the same for both colors
    neighbors     -- the directions in which the neighbors of a point lie
    fields        -- what a position remembers beside its cells: names, and regular expressions
                     for the texts
    written_as    -- other characters for those of its words that begin a comment on the wire (`#`)
    handicap      -- the most extra turns that BLACK may have at the start: see setups.py
    look          -- how pictures and viewers of Go records show it
    tuning        -- numbers for its search that matches have found; None for an untuned game
    """

    name: str
    title: str
    default_size: int
    recommended: tuple[int, int] | None
    kinds: tuple[StepKind, ...]
    cell: str
    legend: Mapping[str, str]
    symmetry: Symmetry
    citations: Citations
    position_type: "type[Position]"
    smallest_size: int = MIN_SIZE
    summary: str = ""
    goal: str = ""
    sample: tuple[int, str] | None = None
    color_mirror: Image = SAME
    neighbors: tuple[int, ...] = ORTHOGONAL
    color_names: tuple[str, str] = ("Black", "White")
    is_default: bool = False
    scored: bool = False
    handicap: int = 0
    fields: Mapping[str, str] = field(default_factory=dict)
    written_as: Mapping[str, str] = field(default_factory=dict)
    look: Look = Look()
    tuning: Tuning | None = None

    def parse_color(self, text: str) -> Color:
        """The color with a name: GTP's, or else this game's own, in any case. Raises ValueError."""
        try:
            return Color.parse(text)
        except ValueError:
            names = [name.lower() for name in self.color_names]
            return Color(names.index(text.lower() if text.isascii() else text))

    @property
    def sizes(self) -> tuple[int, int]:
        """The smallest and the largest size on offer."""
        return self.smallest_size, MAX_SIZE

    @property
    def has_pie(self) -> bool:
        """Whether WHITE may swap on the first turn, if the pie rule is on."""
        return bool(self.citations.pie)

    def start(self, size: int | None = None, pie: Pie = Pie.OFF) -> "Position":
        """The first position of a game, BLACK to move; without a pie rule, `pie` is off.

        Raises UnplayablePosition for sizes not on offer.
        """
        size = self.default_size if size is None else size
        check_size(self, size)
        layers = self.position_type.first_layers(size)
        return self.position_type.assemble(
            Content(size, layers, BLACK, pie if self.has_pie else Pie.OFF)
        )

    def set_up(self, content: Content) -> "Position":
        """The position with the given content, checked to be possible in a game.

        Raises UnplayablePosition with the reason.
        """
        return set_up(self, content)


# What can be read again wherever it is written: on the wire, in records, in position texts.
_NAME = re.compile("[a-z]+")
_TEMPLATE = re.compile(r"(?:\{\}|[!-~](?<![/#:\[\]\\{}]))+")


def declare(game: Game) -> None:
    """Link a game's Position class to the game; the last line of a game's file.

    Raises ValueError for a name or a template that could be written, but not read again.
    """
    if not _NAME.fullmatch(game.name):
        raise ValueError(f"{game.name!r}: the name of a game is one word of small letters, a to z")
    for kind in game.kinds:
        for template in (kind.template, *kind.aliases):
            if not _TEMPLATE.fullmatch(template):
                raise ValueError(
                    f"{game.title}: the template {template!r} may have {{}} for vertices, and "
                    r"visible ASCII characters other than / # : [ ] \ { }"
                )
    game.position_type.game = game


@dataclass(frozen=True, slots=True)
class Position(ABC):
    """The state of a game: everything the rules remember, with the unfinished turn.

    size    -- points along an edge
    to_move -- the color that decides next; after the end, the color that did not move last
    pie     -- the swap that is still possible
    """

    game: ClassVar[Game]

    size: int
    to_move: Color
    pie: Pie

    # What a game defines -------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def assemble(cls, content: Content) -> Self:
        """The position with the given content; nothing is checked.

        May raise UnplayablePosition for a meaningless field.
        """

    @abstractmethod
    def layers(self) -> dict[str, Points]:
        """The points of each word of the diagram that occurs; points in none are empty."""

    @abstractmethod
    def candidates(self) -> Sequence[Step]:
        """All legal steps except the swap, and possibly steps that `permits` refuses."""

    @abstractmethod
    def board_objection(self, step: Step) -> Saying | None:
        """Why a step other than a swap is illegal while the game goes on; None if it is legal."""

    @abstractmethod
    def after(self, step: Step) -> Self:
        """The position after a legal step other than a swap; nothing is checked."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The end of the game; None before it."""

    # What a game may define ----------------------------------------------------------------

    @classmethod
    def first_layers(cls, size: int) -> Mapping[str, Points]:
        """The pieces at the start of a game, in the form of `layers`; by default none."""
        return {}

    @property
    def open(self) -> bool:
        """Whether the color to move is inside a turn."""
        return False

    @property
    def kinds(self) -> tuple[StepKind, ...]:
        """The game's kinds of steps; kinds that are possible now come first."""
        return self.game.kinds

    def permits(self, step: Step) -> bool:
        """Whether a candidate is legal."""
        return True

    def canonical(self, step: Step) -> Step:
        """The same decision in the spelling that `legal_steps` uses."""
        return step

    def fields(self) -> dict[str, str]:
        """State beside the cells, for the position text."""
        return {}

    def flaw(self) -> str | None:
        """Why this position cannot occur in any game, or None."""
        return None

    def mirrored(self) -> Self:
        """The image in which all pieces have the other color, and the other color is to move.

        The board changes by the game's `color_mirror`. Fields stay unchanged: a game whose fields
        name points or colors must override this.
        """
        image = self.game.color_mirror
        layers = {
            word.translate(_OTHER_COLOR): image.of_points(points, self.size)
            for word, points in self.layers().items()
        }
        return self.assemble(self.content._replace(layers=layers, to_move=self.to_move.opponent))

    def patch_lines(self) -> list[str] | None:
        """One line per patch for the players; None if the game has no patches."""
        return None

    def owned_patches(self) -> list[tuple[Points, Color | None]]:
        """Each patch with its present owner, if any."""
        return []

    def patch_rule(self, patch: Points) -> str:
        """The rule that decides the owner of a patch, or that it has none."""
        return self.game.citations.patches

    def held(self) -> tuple[Points, Points]:
        """The points that count for BLACK and for WHITE; by default those of their pieces."""
        held = [0, 0]
        for word, points in self.layers().items():
            color = self.game.look.color(word)
            if color is not None:
                held[color] |= points
        return held[BLACK], held[WHITE]

    def decisive(self) -> Points:
        """The points that decided a finished game, if it was decided by points."""
        return 0

    def board_events(self, step: Step) -> Sequence[BoardEvent]:
        """The effects of a legal step other than a swap; by default, how the boards differ."""
        return compared(self, step, self.after(step))

    def marks(self, step: Step) -> Marks:
        """Marks that can be shown for a legal step, other than a swap, before it is played."""
        return NO_MARKS

    def board_taken(self, step: Step) -> tuple[int, int]:
        """The pieces of each color that a legal step, other than a swap, removes."""
        return 0, 0

    def board_clicks(self, step: Step) -> tuple[Points, ...]:
        """Our clicks for a legal step of this game: the lowest point of each set."""
        return tuple(bit(vertex) for vertex in step.vertices)

    def swap_clicks(self, piece: Points) -> tuple[Points, ...]:
        """Our clicks for a swap, from the point of the piece that BLACK placed or moved.

        A game in which a click on it begins another step must override this.
        """
        return (piece,)

    def other_last_clicks(self, step: Step, last: Points) -> Points:
        """Further points for the last click of a legal step, beside the usual ones."""
        return 0

    # What follows for every game -----------------------------------------------------------

    @property
    def content(self) -> Content:
        """The complete content, in the form of `Game.set_up`."""
        return Content(self.size, self.layers(), self.to_move, self.pie, self.fields())

    @property
    def board(self) -> Points:
        """All points of the board."""
        return board_points(self.size)

    @property
    def pie_ahead(self) -> Pie:
        """The swap still possible after a step: none once White has moved."""
        return self.pie if self.to_move is BLACK else Pie.OFF

    def swaps(self) -> tuple[Step, ...]:
        """The pie rule: on the first turn only, White may swap instead of a regular move."""
        if self.pie is Pie.OFF or self.to_move is BLACK or self.outcome() is not None:
            return ()
        return (SWAPS[self.pie],)

    def legal_steps(self) -> tuple[Step, ...]:
        """All legal steps; none if and only if the game is over."""
        if self.outcome() is not None:
            return ()
        return tuple(step for step in self.candidates() if self.permits(step)) + self.swaps()

    def objection(self, step: Step) -> Saying | None:
        """Why a step is illegal; None if it is legal."""
        cite = self.game.citations
        outcome = self.outcome()
        if outcome is not None:
            return outcome.objection(self.decisive())
        if len(step.vertices) != step.kind.template.count("{}"):
            return Saying(f"{step.kind.name} names other vertices", cite.turns)
        for vertex in step.vertices:
            if not self.board >> vertex & 1:
                return Saying(f"{vertex} is not on the board", cite.board)
        if step in SWAPS.values():
            if step in self.swaps():
                return None
            return Saying(self._why_no_swap(step), cite.pie or cite.turns)
        if step.kind not in self.game.kinds:
            text = f"{self.game.title} has no step like {step}"
            return Saying(text, cite.turns, point_set(step.vertices))
        return self.board_objection(step)

    def play(self, step: Step) -> "Position":
        """The position after a step. Raises IllegalStep."""
        step = self.canonical(step)
        objection = self.objection(step)
        if objection is not None:
            raise IllegalStep(objection)
        return self.play_unchecked(step)

    def play_unchecked(self, step: Step) -> "Position":
        """The position after a legal step; undefined for any other step. For search."""
        if step == SWAP_PIECES:
            return replace(self.mirrored(), pie=Pie.OFF)
        if step == SWAP_SIDES:
            return replace(self, pie=Pie.OFF)
        return self.after(step)

    def clicks(self, step: Step) -> tuple[Points, ...]:
        """The clicks of a legal step, with all accepted points for each; none for a pass."""
        *before, last = self.usual_clicks(step) or (0,)
        return (*before, last | self.other_last_clicks(step, last)) if last else ()

    def usual_clicks(self, step: Step) -> tuple[Points, ...]:
        """The same, with only the points whose lowest is our choice."""
        if step == PASS:
            return ()
        if step not in SWAPS.values():
            return self.board_clicks(step)
        changed = self.changed_at_first()
        return self.swap_clicks(bit(lowest(changed))) if changed else ()

    def changed_at_first(self) -> Points:
        """The points that the first turn of a game changed, if this position is after it.

        Those of new pieces, or without any those of removed ones. A swap moves them by the game's
        `color_mirror`.
        """
        start = self.game.start(self.size).layers()
        new = union(points & ~start.get(word, 0) for word, points in self.layers().items())
        return new or union(start.values()) & ~self.occupied()

    def events(self, step: Step) -> Sequence[BoardEvent]:
        """The effects of a legal step on the pieces, in order, each with its rule."""
        if step in SWAPS.values():
            return exchanged(self, step)
        return self.board_events(step)

    def taken(self, step: Step) -> tuple[int, int]:
        """The pieces of each color that a legal step removes; a swap removes none."""
        return (0, 0) if step in SWAPS.values() else self.board_taken(step)

    def groups(self, points: Points) -> list[Points]:
        """The connected parts of a set, by their lowest vertex, with the game's neighbors."""
        return list(components(points, directions=self.game.neighbors))

    def occupied(self) -> Points:
        """All points that are not empty."""
        return union(self.layers().values())

    def _why_no_swap(self, swap: Step) -> str:
        if not self.game.has_pie:
            return f"{self.game.title} has no pie rule"
        if offered := self.swaps():
            return f"with this pie setting the swap is {offered[0]}"
        white = self.game.color_names[WHITE]
        return f"only {white} may swap, on the first turn, when the pie rule is on"


_OTHER_COLOR = str.maketrans("BWbw", "WBwb")
