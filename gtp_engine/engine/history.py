"""The history of a game: plays, the states after them, and the turns that they form."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from gtp_engine.base.numbers import plain_number_of
from gtp_engine.rules.clock import Clock
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.turns import Clicks, clicked_swap, steps_clicked, write_turn
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.points import Points, point_set
from gtp_engine.rules.records.record import RESIGN, TIMEOUT, RecordNode
from gtp_engine.rules.step import Outcome, Step

# Separates the parts of a thought on one line.
SEPARATOR = "; "

WHY_LOST = {RESIGN: "resigned", TIMEOUT: "lost on time"}
"""What a color did that lost by a losing word."""


class ThoughtText(NamedTuple):
    """What a search found, in words.

    line -- the expected turns
    why  -- what is proven, and how the turn compares to the others
    """

    line: str
    why: str = ""


@dataclass(frozen=True)
class Thought:
    """The result of a search.

    value  -- the chance that BLACK wins, 0 to 1
    visits -- the visits behind the value
    tell   -- makes the words when they are first asked for: a turn's answer does not wait for them
    """

    value: float
    visits: int
    tell: Callable[[], ThoughtText]

    @cached_property
    def text(self) -> ThoughtText:
        """What the search found, in words."""
        return self.tell()

    def words(self, game: Game) -> str:
        """The thought in words."""
        color, value = (BLACK, self.value) if self.value >= 0.5 else (WHITE, 1 - self.value)
        chance = f"{game.color_names[color]} wins {value:.1%}"
        visits, text = plain_number_of(self.visits, "visit"), self.text
        found = ", ".join(filter(None, (chance, visits, text.line)))
        return SEPARATOR.join(filter(None, (found, text.why)))


class Play(NamedTuple):
    """An entry of the history: an accepted `play` or `genmove`.

    word    -- in our notation: a turn, a part of one, clicks, or after the end a pass
    steps   -- the steps played, including forced ones
    time    -- seconds since 1970; None for a turn of a record that does not say when
    by      -- the player that chose it, "" for a word from the client
    thought -- the result of the search for it, None without a search
    seconds -- the time of the player's choice, None for a word from the client
    source  -- its node in the record that the game was loaded from
    clock   -- of its color before the player's choice, None for a word from the client
    """

    color: Color
    word: str
    steps: tuple[Step, ...]
    time: float | None
    by: str
    thought: Thought | None = None
    seconds: float | None = None
    source: RecordNode | None = None
    clock: Clock | None = None


@dataclass(frozen=True, eq=False)
class Frame:
    """The state of the game after some plays, linked to the state before.

    clicks   -- the clicks of a half-clicked selection
    plan     -- the clicks by which `genmove` will continue the open turn
    lost_by  -- the losing word of the color to move, "" without one
    number   -- plays since the start
    idle     -- passes after the end of the game
    """

    position: Position
    clicks: Clicks = ()
    plan: tuple[str, ...] = ()
    lost_by: str = ""
    previous: "Frame | None" = None
    play: Play | None = None
    number: int = 0
    idle: int = 0

    @cached_property
    def outcome(self) -> Outcome | None:
        """The end of the game, by the rules or by a losing word; None before the end."""
        if not self.lost_by:
            return self.position.outcome()
        game, loser = self.position.game, self.position.to_move
        reason = f"{game.color_names[loser]} {WHY_LOST[self.lost_by]}"
        return Outcome(loser.opponent, "", reason)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The legal steps; after a half-clicked selection only those that begin with it."""
        return () if self.outcome is not None else steps_clicked(self.position, self.clicks)

    @property
    def open(self) -> bool:
        """Whether the color to move is inside a turn, or inside a half-clicked selection."""
        return bool(self.position.open or self.clicks) and self.outcome is None

    @property
    def waited(self) -> bool:
        """Whether its play is the pass of the color that waits: an entry without effect."""
        before, play = self.previous, self.play
        if before is None or play is None or not before.open:
            return False
        return play.color is not before.position.to_move


class Following(NamedTuple):
    """The state after a word, the word in our notation, and the steps that it plays."""

    frame: Frame
    word: str
    steps: tuple[Step, ...]

    def clicked_swap(self, said: str) -> Step | None:
        """See `turns.clicked_swap`."""
        return clicked_swap(self.steps, said)


class Decision(NamedTuple):
    """A player's choice. Nothing changes until a session commits it.

    word    -- the answer
    thought -- the result of the search, None without one
    seconds -- the time of the choice, which the clock pays for; None if there was no search
    """

    color: Color
    word: str
    following: Following
    thought: Thought | None = None
    seconds: float | None = None


def named_points(steps: Iterable[Step], clicks: Clicks) -> Points:
    """The points that some steps name, and those of a half-done selection."""
    return point_set([*(vertex for step in steps for vertex in step.vertices), *clicks])


class PlayedTurn(NamedTuple):
    """A turn of the game so far, as it was played; the last may be unfinished, or be a losing word.

    It tells the same as a Turn of the rules, and how it came about.

    start  -- the position before it
    frames -- the state after each of its plays
    """

    start: Position
    frames: tuple[Frame, ...]

    @property
    def plays(self) -> list[Play]:
        """Its plays, in order."""
        return [frame.play for frame in self.frames if frame.play is not None]

    @property
    def color(self) -> Color:
        """The color that played it."""
        return self.plays[0].color

    @property
    def steps(self) -> tuple[Step, ...]:
        """Its steps, in order."""
        return tuple(step for play in self.plays for step in play.steps)

    @property
    def position(self) -> Position:
        """The position after it."""
        return self.frames[-1].position

    @property
    def clicks(self) -> Clicks:
        """The clicks of a half-clicked selection at its end."""
        return self.frames[-1].clicks

    @property
    def points(self) -> Points:
        """The points that it names or selects."""
        return named_points(self.steps, self.clicks)

    @property
    def word(self) -> str:
        """The word for the whole turn, even if it was made of several plays."""
        return write_turn(self.start, self.steps, self.clicks) or self.plays[-1].word
