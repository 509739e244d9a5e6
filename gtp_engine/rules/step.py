"""The basic values of positions: steps, sentences with their rules, outcomes."""

from enum import Enum
from typing import NamedTuple

from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import Points
from gtp_engine.rules.points.vertex import NAMES, VERTICES, Vertex


class Pie(Enum):
    """The swap that White may still use on the first turn: none, or one of two forms."""

    PIECES = "pieces"
    SIDES = "sides"
    OFF = "off"


class StepKind(NamedTuple):
    """A kind of decision.

    template -- its token, with `{}` for each vertex; the parser and the printer derive from it
    meaning  -- its effect, with `{}` for each vertex, for the list of all steps
    clicked  -- its clicks in a GUI, in the same form; "" for the vertices of the template
    aliases  -- other templates accepted on input
    wish     -- the request to a player who may do it, such as `resolve a patch`; "" for its name
    """

    name: str
    template: str
    meaning: str
    clicked: str = ""
    aliases: tuple[str, ...] = ()
    wish: str = ""


class Step(NamedTuple):
    """A decision: its kind and the vertices that it names."""

    kind: StepKind
    vertices: tuple[Vertex, ...] = ()

    def __str__(self) -> str:
        return self.kind.template.format(*[NAMES[vertex] for vertex in self.vertices])


class StepTable(dict[Vertex, Step]):
    """The steps of a kind with one vertex, cached: `PLACE[vertex]`."""

    def __init__(self, kind: StepKind) -> None:
        super().__init__((vertex, Step(kind, (vertex,))) for vertex in VERTICES)


_SWAP_CLICKED = (
    "the piece of Black's first turn; if that click begins another step, click it again or a "
    "diagonal neighbor"
)

PASS = Step(StepKind("pass", "pass", "play nothing; legal only if no other step is"))
SWAP_PIECES = Step(
    StepKind(
        "swap-pieces",
        "swap",
        "all pieces change color; Black plays next",
        _SWAP_CLICKED,
        aliases=("swap-pieces",),
    )
)
SWAP_SIDES = Step(
    StepKind("swap-sides", "swap-sides", "the players exchange colors", _SWAP_CLICKED)
)
SWAPS = {Pie.PIECES: SWAP_PIECES, Pie.SIDES: SWAP_SIDES}
COMMON_KINDS = (PASS.kind, SWAP_PIECES.kind, SWAP_SIDES.kind)


class Saying(NamedTuple):
    """A sentence about a game, and the rule that it follows from.

    text   -- without a full stop
    rule   -- the number of the rule; "" for what a search found, or a player did
    points -- the points in the text
    """

    text: str
    rule: str = ""
    points: Points = 0

    def __str__(self) -> str:
        return f"{self.rule}: {self.text}" if self.rule else self.text


class Outcome(NamedTuple):
    """The end of a game.

    winner      -- None for a draw
    rule        -- the number of the rule that ends the game; "" if no rule does, but a player
    reason      -- one sentence without a full stop
    margin      -- the difference in score, if the rules define one
    winner_rule -- the number of the rule that says who wins; "" if `rule` says it
    """

    winner: Color | None
    rule: str
    reason: str
    margin: int | None = None
    winner_rule: str = ""

    @property
    def value(self) -> float:
        """1 for a win of BLACK, 0 for a win of WHITE, 0.5 for a draw."""
        return 0.5 if self.winner is None else float(self.winner is Color.BLACK)

    @property
    def reason_rule(self) -> str:
        """The number of the rule that `reason` follows from; "" if a player ended the game."""
        return self.winner_rule or self.rule

    def because(self, points: Points = 0) -> Saying:
        """Why the game ended so; `points` are those that decided it."""
        return Saying(self.reason, self.reason_rule, points)

    def objection(self, points: Points = 0) -> Saying:
        """The objection to any further step; `points` are those that decided the game."""
        return Saying(f"the game is over: {self.reason}", self.rule, points)

    def __str__(self) -> str:
        """The result as GTP and SGF write it: `B+7`, `W+`, or `0` for a draw."""
        if self.winner is None:
            return "0"
        return f"{self.winner.sign}+{self.margin or ''}"


class Marks(NamedTuple):
    """Marks that can be shown for a step before it is played.

    owner    -- the owner of the area in question
    removes  -- the points whose pieces are removed, except captured ones
    captures -- the points whose pieces are captured
    path     -- the points that a piece passes on its way
    """

    owner: Color | None = None
    removes: Points = 0
    captures: Points = 0
    path: Points = 0


NO_MARKS = Marks()


class IllegalStep(Exception):
    """A step that the rules forbid; `objection` says why, and which rule."""

    def __init__(self, objection: Saying) -> None:
        super().__init__(str(objection))
        self.objection = objection


class UnplayablePosition(ValueError):
    """Cells or fields that are impossible in any game; the text says why."""


class Citations(NamedTuple):
    """The numbers of a game's rules for what all games share.

    pie     -- the swap; "" in games without one: the pie rule is then off, whatever is set
    passes  -- when a player must pass; "" in games without passes
    patches -- the owner of a patch; "" in games without patches
    """

    board: str
    turns: str
    pie: str = ""
    passes: str = ""
    patches: str = ""
