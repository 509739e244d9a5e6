"""The history of a game: plays, the states after them, and the turns that they make."""

from typing import NamedTuple

from gtp_engine.board.color import Color
from gtp_engine.notation.clicks import Clicks
from gtp_engine.notation.turns import write_turn
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.session.thought import Thought


class Play(NamedTuple):
    """One entry of the history: what one accepted `play` or `genmove` did.

    word    -- as we write it: a turn, a part of one, clicks, or after the end a pass
    steps   -- the steps played, forced ones included
    time    -- seconds since 1970
    by      -- who chose it, "" for what came from the client
    thought -- what the search for it found, None for what came without one
    """

    color: Color
    word: str
    steps: tuple[Step, ...]
    time: float
    by: str
    thought: Thought | None = None


class Frame(NamedTuple):
    """The state of the game after some plays, with the way there.

    clicks   -- a selection that is half clicked
    plan     -- the clicks by which `genmove` wants to go on with the open turn
    resigned -- who gave up
    number   -- of plays since the start
    idle     -- passes since the game is over
    """

    position: Position
    clicks: Clicks = ()
    plan: tuple[str, ...] = ()
    resigned: Color | None = None
    previous: "Frame | None" = None
    play: Play | None = None
    number: int = 0
    idle: int = 0


class Following(NamedTuple):
    """What a word leads to, the word as we write it, and the steps that it plays."""

    frame: Frame
    word: str
    steps: tuple[Step, ...]


class Decision(NamedTuple):
    """What a color has chosen to play. Nothing changes until a session commits it.

    word    -- what to answer
    thought -- what the search found, None without one
    seconds -- how long choosing took, which the clock pays for; None where it took no search
    """

    color: Color
    word: str
    following: Following
    thought: Thought | None = None
    seconds: float | None = None


class PlayedTurn(NamedTuple):
    """A turn of the game so far; the last may be unfinished, and one in which somebody resigned.

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
        """Who made it."""
        return self.plays[0].color

    @property
    def steps(self) -> tuple[Step, ...]:
        """Its steps, in order."""
        return tuple(step for play in self.plays for step in play.steps)

    @property
    def clicks(self) -> Clicks:
        """A selection that is half clicked at its end."""
        return self.frames[-1].clicks

    @property
    def word(self) -> str:
        """The word for the whole turn, however many plays it was made of."""
        return write_turn(self.start, self.steps, self.clicks) or self.plays[-1].word
