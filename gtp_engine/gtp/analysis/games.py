"""The game of a request, played to the positions that it asks about."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from gtp_engine.engine.history import PlayedTurn
from gtp_engine.engine.record_loading import CannotLoad, replay
from gtp_engine.engine.session import Session, State
from gtp_engine.engine.settings import Settings
from gtp_engine.gtp.analysis.refusal import RefusedLine
from gtp_engine.gtp.analysis.request import ALL, AnalysisRequest
from gtp_engine.rules import default_game, find_game
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.notation.turns import (
    Clicks,
    Unreadable,
    first_steps,
    parse_word,
    steps_clicked,
)
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import IllegalStep, Outcome, Step


class AskedPosition(NamedTuple):
    """A position of a game.

    number  -- whole turns before it; an open turn counts as one
    clicks  -- those of a half-clicked selection
    outcome -- the end of the game, also by resignation
    turn    -- the turn before it, if it is to be judged; None at the start
    """

    number: int
    position: Position
    clicks: Clicks
    outcome: Outcome | None
    turn: PlayedTurn | None

    @property
    def open(self) -> bool:
        """Whether the color to move is inside a turn, or inside a half-clicked selection."""
        return bool(self.position.open or self.clicks) and self.outcome is None

    def steps(self, request: AnalysisRequest) -> tuple[Step, ...]:
        """The legal first steps that a request wants searched."""
        steps = steps_clicked(self.position, self.clicks)
        allowed, mover = bool(request.allowed), self.position.to_move
        restrictions = [each for each in request.allowed or request.avoided if each.color is mover]
        if not restrictions:
            return steps
        words = [word for each in restrictions for word in each.words]
        named = {step for word in words for step in first_steps(self.position, self.clicks, word)}
        return tuple(step for step in steps if (step in named) == allowed)


class AskedGame(NamedTuple):
    """What a request asks about.

    priorities -- the numbers of the positions to answer, each with its priority
    positions  -- these, and those before them if the turns between are to be judged
    """

    priorities: Mapping[int, int]
    positions: Mapping[int, AskedPosition]

    def priority(self, number: int) -> int:
        """The priority of a search: its own, or that of the answer that needs it."""
        return self.priorities[number if number in self.priorities else number + 1]


class UsualGame(NamedTuple):
    """The game of requests that do not say theirs; a record and a position text always do."""

    game: str | None = None
    size: int | None = None
    pie: str | None = None

    def completed(self, request: AnalysisRequest) -> AnalysisRequest:
        """The request with what it leaves out. Raises RefusedLine if it names no game."""
        if request.position is not None or request.sgf is not None:
            return request
        if request.game is None and self.game is None:
            raise RefusedLine("bad-field", "a request needs game, initialPosition or sgf", "game")
        return replace(
            request,
            game=request.game or self.game,
            size=request.any_size or self.size,
            pie=request.pie or self.pie,
        )


class GameReader:
    """Plays the games of requests, for one thread.

    Clients send a request for each position of a game, with all turns before it. So the last game
    is kept, and the next request plays only its own turns.
    """

    def __init__(self, usual: UsualGame) -> None:
        self._usual = usual
        self._key: Any = None
        # The session of the last request, its turns, and its states before and after them.
        self._session: Session | None = None
        self._moves: list[tuple[Color, str]] = []
        self._states: list[State] = []

    def read(self, given: AnalysisRequest) -> AskedGame:
        """Play the game of a request. Raises RefusedLine."""
        request = self._usual.completed(given)
        session = self._at_common_turn(request)
        for at, (color, word) in enumerate(request.moves[len(self._moves) :], len(self._moves) + 1):
            try:
                session.play(color, word)
            except IllegalStep as error:
                objection = error.objection
                raise _illegal(at, color, word, objection.text, objection.rule) from None
            except Unreadable as error:
                raise _illegal(at, color, word, str(error)) from None
            self._moves.append((color, word))
            self._states.append(session.state)
        return _asked_game(request, session)

    def _at_common_turn(self, request: AnalysisRequest) -> Session:
        """The game of a request after the turns that it has in common with the last one."""
        player = None if request.moves else request.player
        start = request.position, request.sgf, player
        key = request.game, request.any_size, request.pie, *start
        if self._session is None or key != self._key:
            self._session = None
            session = _begun(request, player)
            self._key, self._session = key, session
            self._moves, self._states = [], [session.state]
        common = _common(self._moves, request.moves)
        del self._moves[common:], self._states[common + 1 :]
        self._session.state = self._states[common]
        return self._session


def _common(some: Sequence[object], others: Sequence[object]) -> int:
    """How many items two sequences have in common from their beginning."""
    pairs = enumerate(zip(some, others))
    return next((at for at, (one, other) in pairs if one != other), min(len(some), len(others)))


def _asked_game(request: AnalysisRequest, session: Session) -> AskedGame:
    """What a request asks about its game, which is played to the end. Raises RefusedLine."""
    _check_restrictions(request, session.game)
    turns = session.turns()
    priorities = _priorities(request, len(turns))
    numbers = set(priorities)
    if request.played:
        numbers |= {number - 1 for number in priorities if number}
    start = session.state.start
    positions = {0: AskedPosition(0, start, (), start.outcome(), None)} if 0 in numbers else {}
    positions |= {n: _after(n, turns[n - 1], request.played) for n in numbers if n}
    return AskedGame(priorities, positions)


def _illegal(at: int, color: Color, word: str, reason: str, rule: str = "") -> RefusedLine:
    text = f"Illegal move {at}, {color} {word[:100]}: {reason}"  # KaTrain looks for these words
    return RefusedLine("illegal-turn", text, "moves", at, rule)


def _check_restrictions(request: AnalysisRequest, game: Game) -> None:
    for field, given in (("avoidMoves", request.avoided), ("allowMoves", request.allowed)):
        for word in (word for each in given for word in each.words):
            try:
                parse_word(game, word)
            except Unreadable as error:
                raise RefusedLine("bad-field", f"{field}: {error}", field) from None


def _begun(request: AnalysisRequest, player: Color | None) -> Session:
    """A session with the game as far as the record or the position text tells it.

    player -- the color that should be to move, if that matters

    Raises RefusedLine.
    """
    try:
        game = default_game() if request.game is None else find_game(request.game)
    except ValueError as error:
        raise RefusedLine("bad-field", str(error), "game") from None
    size = request.any_size
    settings = Settings() if request.pie is None else Settings(pie=request.pie)
    try:
        session = Session(game, size, settings)
    except ValueError as error:
        raise RefusedLine("bad-field", f"size: {error}", "size") from None
    if request.position is not None:
        _set_up(session, request.position)
    elif request.sgf is not None:
        try:
            replay(session, request.sgf)
        except CannotLoad as error:
            raise RefusedLine("bad-sgf", str(error), "sgf") from None
    if request.game is not None and session.game is not game:
        raise RefusedLine("bad-field", f"the game is {session.game.name}", "game")
    if size not in (None, session.position.size):
        raise RefusedLine("bad-field", f"the board has size {session.position.size}", "size")
    if request.position is not None or request.sgf is not None:
        form = session.state.start.pie.value
        if request.pie not in (None, form):
            raise RefusedLine("bad-field", f"the form of the pie rule is {form}", "pie")
    if player not in (None, session.position.to_move):
        _give_move(session, player)
    return session


def _give_move(session: Session, player: Color) -> None:
    """Let the other color move at the start of a game without turns. Raises RefusedLine."""
    text = f"initialPlayer: {player} is not to move"
    if session.frame.number:
        raise RefusedLine("bad-field", text, "initialPlayer")
    content = session.position.content._replace(to_move=player)
    try:
        session.set_position(session.game.set_up(content))
    except ValueError as error:
        raise RefusedLine("bad-field", f"{text}: {error}", "initialPlayer") from None


def _set_up(session: Session, text: str) -> None:
    try:
        session.set_position(read_position(text))
    except ValueError as error:
        raise RefusedLine("bad-field", f"initialPosition: {error}", "initialPosition") from None


def _priorities(request: AnalysisRequest, last: int) -> dict[int, int]:
    """The numbers of the positions to answer, with their priorities."""
    if request.turns == ALL:
        numbers: tuple[int, ...] = tuple(range(last + 1))
    else:
        assert not isinstance(request.turns, str)
        numbers = (last,) if request.turns is None else request.turns
    if max(numbers) > last:
        text = f"analyzeTurns: the last position has number {last}"
        raise RefusedLine("bad-field", text, "analyzeTurns")
    given = request.priorities or (request.priority,) * len(numbers)
    return dict(zip(numbers, given))


def _after(number: int, turn: PlayedTurn, judged: bool) -> AskedPosition:
    """The position after a turn. It keeps nothing else of the game in memory."""
    last = turn.frames[-1]
    frames = tuple(replace(frame, previous=None) for frame in turn.frames)
    kept = PlayedTurn(turn.start, frames) if judged else None
    return AskedPosition(number, last.position, last.clicks, last.outcome, kept)
