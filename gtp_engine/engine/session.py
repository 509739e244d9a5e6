"""One engine's game in progress.

All of a session's state is one immutable value, `Session.state`. A command that fails restores the
old value and so leaves no trace. A session also keeps computed results (`kept`), which affect only
the speed and strength of its answers.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeVar, cast

from gtp_engine import ENGINE_NAME
from gtp_engine.engine.history import Decision, Following, Frame, Play, PlayedTurn, Thought
from gtp_engine.engine.refusals import CannotUndo, IllegalTurn, refusing
from gtp_engine.engine.settings import CLICKS, DEFAULTS, Settings
from gtp_engine.engine.turn_budget import OwnPast, turn_budget
from gtp_engine.rules.clock import UNLIMITED, Clock, TimeControl
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.turns import PASS_WORD, SEPARATOR, read_turn
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.records.record import LOSING, Record, RecordNode
from gtp_engine.rules.step import IllegalStep, Outcome, Pie, Saying, Step
from gtp_engine.search.backends.choose import check_weights
from gtp_engine.search.budget import Budget
from gtp_engine.search.tree import value_for

# Match runners end a game with two passes; further ones are not stored.
MOST_PASSES_AFTER_END = 100

T = TypeVar("T")


class MovesAre(Enum):
    """What may still change the setting `moves`, from everything to only the user.

    OPEN        -- a GUI's queries, a Go client's commands, the user
    PLAYED      -- a turn was answered in it: a Go client's commands, the user
    SET_BY_USER -- the user
    """

    OPEN = "open"
    PLAYED = "played"
    SET_BY_USER = "set by user"


@dataclass(frozen=True)
class State:
    """Everything a session remembers.

    changes   -- number of changes of the game since the session began, to tell states apart
    moves_are -- what may still change the setting `moves`: see MovesAre
    record    -- the record that the game was loaded from
    """

    frame: Frame
    settings: Settings
    komi: float
    control: TimeControl
    clocks: tuple[Clock, Clock]
    start: Position
    changes: int = 0
    moves_are: MovesAre = MovesAre.OPEN
    record: Record | None = None


class Session:
    """A game in progress, and its settings.

    state     -- everything that commands read and change
    interrupt -- when set, a running search ends with the best turn so far
    pending   -- when set, an analysis ends, because more input waits or the input has ended
    asked     -- when the running command's time began, by the clock; None if unknown
    clock     -- seconds since any time: `time.monotonic`

    These outlive failed commands:

    record_report -- how the last record was read or written, as JSON
    gogui         -- whether the client is GoGui: it has sent a command of GoGui
    knows_clicks  -- whether the client has sent a command that is about clicks
    """

    def __init__(self, game: Game, size: int | None = None, settings: Settings = DEFAULTS) -> None:
        """Raises ValueError if the game has no such size."""
        start = game.start(size, Pie(settings.pie))
        self.state = State(Frame(start), settings, 0.0, UNLIMITED, UNLIMITED.clocks(), start)
        self.interrupt, self.pending = threading.Event(), threading.Event()
        self.pending.set()
        self.asked: float | None = None
        self.clock: Callable[[], float] = time.monotonic
        self.record_report: dict[str, Any] | None = None
        self.gogui = self.knows_clicks = False
        self._kept: dict[str, tuple[object, object]] = {}

    # Reading the state ---------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        """The last entry of the history."""
        return self.state.frame

    @property
    def position(self) -> Position:
        """The position now."""
        return self.frame.position

    @property
    def game(self) -> Game:
        """The game of the position."""
        return self.position.game

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.state.settings

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game, by the rules or by a losing word; None before the end."""
        return self.frame.outcome

    @property
    def result(self) -> str | None:
        """The outcome as GTP and SGF write it, or None."""
        if self.frame.lost_by:
            return f"{self.position.to_move.opponent.sign}+{LOSING[self.frame.lost_by]}"
        return None if self.outcome is None else str(self.outcome)

    def frames(self) -> list[Frame]:
        """All states from the start to now; the first has no play."""
        frames = []
        frame: Frame | None = self.frame
        while frame is not None:
            frames.append(frame)
            frame = frame.previous
        return frames[::-1]

    def history(self) -> list[Play]:
        """All plays from the start."""
        return [frame.play for frame in self.frames() if frame.play is not None]

    def turns(self) -> list[PlayedTurn]:
        """The plays, grouped into turns; the passes of a color that waits belong to none."""
        first, *frames = (frame for frame in self.frames() if not frame.waited)
        turns: list[PlayedTurn] = []
        start = first.position
        turn: tuple[Frame, ...] = ()
        for frame in frames:
            if turn and frame.lost_by:
                turns.append(PlayedTurn(start, turn))
                start, turn = turn[-1].position, ()
            turn = (*turn, frame)
            if not frame.open:
                turns.append(PlayedTurn(start, turn))
                start, turn = frame.position, ()
        return [*turns, PlayedTurn(start, turn)] if turn else turns

    @property
    def turn_open(self) -> bool:
        """Whether the color to move is inside a turn, or inside a half-clicked selection."""
        return self.frame.open

    def waits(self, color: Color) -> bool:
        """Whether a color may pass, without effect, while the other's turn is open."""
        if self.settings.moves != CLICKS or color is self.position.to_move or not self.turn_open:
            return False
        return self.frame.play is None or self.frame.play.color is not color

    def legal_steps(self) -> tuple[Step, ...]:
        """The legal steps; after a half-clicked selection only those that begin with it."""
        return self.frame.steps

    # Changing the game ---------------------------------------------------------------------

    def new_game(self, game: Game | None = None, size: int | None = None) -> None:
        """Start a new game, by default with the same game and size. Raises ValueError for the size.

        Settings, komi and the time control stay; the clocks restart.
        """
        if game is None:
            game, size = self.game, self.position.size if size is None else size
        self.set_position(game.start(size, Pie(self.settings.pie)))

    def set_position(self, position: Position) -> None:
        """Start from a position, without history."""
        clocks = self.state.control.clocks()
        self.state = replace(self.state, start=position, clocks=clocks, record=None)
        self._go_to(Frame(position))

    def change_setting(self, key: str, text: str) -> None:
        """Change a setting. Raises KeyError or ValueError like Settings.change, and UnusableFile.

        A game in progress keeps its pie rule; a game without a turn takes the new one, and keeps
        its record and the clocks.
        """
        settings = self.settings.change(key, text)
        if key in ("weights", "backend"):
            check_weights(self.game, settings.weights, settings.backend)
        self.state = replace(self.state, settings=settings)
        if key == "moves":
            self.state = replace(self.state, moves_are=MovesAre.SET_BY_USER)
        if key == "pie" and self.frame.number == 0:
            self._take_pie(Pie(settings.pie))

    def _take_pie(self, pie: Pie) -> None:
        """Give the usual start of a game another form of the pie rule."""
        position, size = self.position, self.position.size
        start = self.game.start(size, pie)
        if start != position == self.game.start(size, position.pie):
            self.state = replace(self.state, start=start)
            self._go_to(Frame(start))

    def meet_gui(self) -> None:
        """Register a GUI with clicks: answer in clicks while `moves` is open to change."""
        if self.state.moves_are is MovesAre.OPEN:
            self._answer_in_clicks()

    def meet_go_client(self) -> None:
        """Register a client that knows only vertices: answer in clicks, unless set otherwise."""
        self.knows_clicks = True
        if self.state.moves_are is not MovesAre.SET_BY_USER:
            self._answer_in_clicks()

    def _answer_in_clicks(self) -> None:
        settings = replace(self.settings, moves=CLICKS)
        self.state = replace(self.state, settings=settings, moves_are=MovesAre.PLAYED)

    def set_komi(self, komi: float) -> None:
        """Remember a komi, which no rule uses."""
        self.state = replace(self.state, komi=komi)

    def play(self, color: Color, word: str) -> None:
        """Play a turn, a part of a turn, one click, or a losing word; all of the word or nothing.

        After the end a pass is accepted; it changes only the history. The word is a client's:
        raises UnreadableTurn or IllegalTurn.
        """
        with refusing():
            following = self._follow_client(color, word)
        self._push(following, Play(color, following.word, following.steps, time.time(), ""))

    def repeat(
        self,
        color: Color,
        word: str,
        at: float | None = None,
        by: str = "",
        thought: Thought | None = None,
        source: RecordNode | None = None,
    ) -> None:
        """Play a turn of a record, as `play` does; see Play for what the record tells."""
        following = self.follow(color, word)
        played = Play(color, following.word, following.steps, at, by, thought, source=source)
        self._push(following, played)

    def commit(self, decision: Decision) -> str:
        """Play the choice of a player of ours, and return its word.

        From now on the queries of a GUI do not change the setting `moves`.
        """
        color, word, following, thought, seconds = decision
        by = f"{ENGINE_NAME} {self.settings.player}"
        clock = None if seconds is None else self.state.clocks[color]
        if following.frame.idle <= MOST_PASSES_AFTER_END:
            steps = following.steps
            play = Play(
                color, following.word, steps, time.time(), by, thought, seconds, clock=clock
            )
            self._push(following, play)
        if clock is not None and seconds is not None:
            self._set_clock(color, clock.after_turn(seconds))
        if self.state.moves_are is MovesAre.OPEN:
            self.state = replace(self.state, moves_are=MovesAre.PLAYED)
        return word

    def _push(self, following: Following, play: Play) -> None:
        before = self.frame
        number = before.number + 1
        self._go_to(replace(following.frame, previous=before, play=play, number=number))

    def explain(self, color: Color, word: str) -> Saying | None:
        """Why a client's word is illegal now; None if it is legal. Raises UnreadableTurn."""
        try:
            with refusing():
                self._follow_client(color, word)
        except IllegalTurn as error:
            return error.objection
        return None

    def _follow_client(self, color: Color, word: str) -> Following:
        """Like `follow`, but a client that knows no clicks cannot swap by one, only in words.

        It has more likely taken the point of Black's piece for an empty one.
        """
        try:
            following = self.follow(color, word)
        except IllegalStep:
            first, more, _ = word.partition(SEPARATOR)
            if more:
                self._follow_client(color, first)  # tells of a swap before of what comes after it
            raise
        swap = following.clicked_swap(word)
        in_clicks = self.settings.moves == CLICKS or self.knows_clicks or self.frame.clicks
        if swap is not None and not in_clicks:
            text = f"to swap, say {swap}; a click swaps only if `moves` is `clicks`"
            raise IllegalStep(Saying(text, self.game.citations.pie))
        return following

    def follow(self, color: Color, word: str) -> Following:
        """The state after a word; nothing is played.

        Raises Unreadable, in preference to IllegalStep.
        """
        frame, outcome, lowered = self.frame, self.outcome, word.lower()
        if outcome is not None and lowered == PASS_WORD and frame.idle < MOST_PASSES_AFTER_END:
            return Following(replace(frame, idle=frame.idle + 1), PASS_WORD, ())
        if lowered == PASS_WORD and self.waits(color):
            return Following(frame, PASS_WORD, ())
        untimely = self.untimely(color)
        if lowered in LOSING:
            if untimely is not None:
                raise IllegalStep(untimely)
            return Following(replace(frame, clicks=(), lost_by=lowered), lowered, ())
        try:
            reading = read_turn(frame.position, frame.clicks, word)
        except IllegalStep as refusal:
            raise IllegalStep(untimely or refusal.objection) from None
        if untimely is not None:
            raise IllegalStep(untimely)
        return Following(Frame(reading.position, reading.clicks), reading.word, reading.steps)

    def untimely(self, color: Color) -> Saying | None:
        """Why a color may not play at all now, or None."""
        outcome = self.outcome
        if outcome is not None:
            by_rules = not self.frame.lost_by
            return outcome.objection(self.position.decisive() if by_rules else 0)
        if color is not self.position.to_move:
            name = self.game.color_names[self.position.to_move]
            return Saying(f"{name} is to move", self.game.citations.turns)
        return None

    def undo(self, count: int = 1) -> None:
        """Take back plays, and the time that they cost; all of them or none. Raises CannotUndo."""
        frame = self.frame
        if count > frame.number:
            raise CannotUndo
        for _ in range(count):
            assert frame.previous is not None
            if frame.play is not None:
                self._give_back(frame.play)
            frame = frame.previous
        self._go_to(frame)

    def _give_back(self, play: Play) -> None:
        """Set the clock as before a choice; not if another time control has begun since."""
        clock = play.clock
        if clock is not None and clock.control == self.state.clocks[play.color].control:
            self._set_clock(play.color, clock)

    def _go_to(self, frame: Frame) -> None:
        if frame.position.pie is not Pie.OFF and frame.outcome is not None:  # no swap after the end
            frame = replace(frame, position=replace(frame.position, pie=Pie.OFF))
        self.state = replace(self.state, frame=frame, changes=self.state.changes + 1)

    # Time ----------------------------------------------------------------------------------

    def set_time_control(self, control: TimeControl) -> None:
        """Set the time for both colors, and start their clocks."""
        self.state = replace(self.state, control=control, clocks=control.clocks())

    def set_time_left(self, color: Color, left: float, count: int) -> None:
        """Set the clock of a color as the controller reports it."""
        self._set_clock(color, self.state.clocks[color].told(left, count))

    def _set_clock(self, color: Color, clock: Clock) -> None:
        black, white = self.state.clocks
        clocks = (clock, white) if color is Color.BLACK else (black, clock)
        self.state = replace(self.state, clocks=clocks)

    def budget(self) -> Budget:
        """The budget of the next turn, from the settings and the clock."""
        color = self.position.to_move
        past = OwnPast(self._chance_before(color), self._seconds_saved(color))
        clock = self.state.clocks[color]
        return turn_budget(self.settings, self.position, clock, past, self.interrupt)

    def _chance_before(self, color: Color) -> float | None:
        """A color's chance to win in its last search; None if it has not searched."""
        frame: Frame | None = self.frame
        while frame is not None:
            play = frame.play
            if play is not None and play.color is color and play.thought is not None:
                return value_for(color, play.thought.value)
            frame = frame.previous
        return None

    def _seconds_saved(self, color: Color) -> float:
        """What the turns that a player of ours chose for a color left of the setting `seconds`."""
        saved = 0.0
        for turn in self.turns()[: -1 if self.turn_open else None]:
            chosen = [play.seconds for play in turn.plays if play.seconds is not None]
            if chosen and turn.color is color:
                saved = max(0.0, saved + self.settings.seconds - sum(chosen))
        return saved

    # Computed results ----------------------------------------------------------------------

    def kept(self, kind: str, needs: object, make: Callable[[], T]) -> T:
        """The last result of `make` of a kind if it was for the same needs; otherwise a new one."""
        if kind not in self._kept or self._kept[kind][0] != needs:
            self._kept.pop(kind, None)  # free its memory before the next one
            self._kept[kind] = needs, make()
        return cast(T, self._kept[kind][1])

    def forget(self) -> None:
        """Drop computed results: the next search begins with an empty tree."""
        self._kept.clear()
