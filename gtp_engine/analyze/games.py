"""The game of a request, played to the positions that it asks about."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from gtp_engine.analyze.refusal import RefusedLine
from gtp_engine.analyze.request import ALL, AnalysisRequest
from gtp_engine.board.color import Color
from gtp_engine.engine.history import PlayedTurn
from gtp_engine.engine.record_loading import CannotLoad, replay
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import Settings
from gtp_engine.notation.clicks import Clicks, steps_clicked
from gtp_engine.notation.items import Unreadable
from gtp_engine.notation.position_text import read_position
from gtp_engine.notation.steps import parse_word
from gtp_engine.notation.turns import first_steps
from gtp_engine.rules import default_game, find_game
from gtp_engine.rules.game import Game, Position
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


def read_game(request: AnalysisRequest) -> AskedGame:
    """Play the game of a request. Raises RefusedLine."""
    session = _begun(request)
    for at, (color, word) in enumerate(request.moves, 1):
        try:
            session.play(color, word)
        except IllegalStep as error:
            raise _illegal(at, color, word, error.objection.reason, error.objection.rule) from None
        except Unreadable as error:
            raise _illegal(at, color, word, str(error)) from None
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
    text = f"turn {at}, {color} {word[:100]}: {reason}"
    return RefusedLine("illegal-turn", text, "moves", at, rule)


def _check_restrictions(request: AnalysisRequest, game: Game) -> None:
    for field, given in (("avoidMoves", request.avoided), ("allowMoves", request.allowed)):
        for word in (word for each in given for word in each.words):
            try:
                parse_word(game, word)
            except Unreadable as error:
                raise RefusedLine("bad-field", f"{field}: {error}", field) from None


def _begun(request: AnalysisRequest) -> Session:
    """A session with the game as far as the record or the position text tells it."""
    try:
        game = default_game() if request.game is None else find_game(request.game)
    except ValueError as error:
        raise RefusedLine("bad-field", str(error), "game") from None
    size = request.size or request.width or request.height
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
    return session


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
