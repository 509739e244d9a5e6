"""Games of a match as records and replays: what other programs, and people, can look at."""

from gtp_engine.arena.errors import ArenaError
from gtp_engine.arena.records import GameResult, PlayedTurn
from gtp_engine.render.replay import page
from gtp_engine.rules import find_game
from gtp_engine.rules.step import IllegalStep
from gtp_engine.session.moments import replay_of
from gtp_engine.session.record import Remarks, replay, sgf_text
from gtp_engine.session.session import RESIGN, Session
from gtp_engine.session.settings import DEFAULTS
from gtp_engine.session.thought import SEPARATOR, Thought


class UnplayableGame(ArenaError):
    """A game whose turns break the rules, as when its file was altered; the text says which."""


def sgf_of(result: GameResult, turns: tuple[PlayedTurn, ...]) -> str:
    """The record of a game, as `loadsgf` reads it; of a fault `RE` and `GC` tell.

    Raises UnplayableGame.
    """
    try:
        return _sgf_of(result, turns)
    except (IllegalStep, ValueError) as error:
        raise UnplayableGame(f"{result.key}: cannot be replayed: {error}") from None


def _sgf_of(result: GameResult, turns: tuple[PlayedTurn, ...]) -> str:
    key = result.key
    settings = DEFAULTS.change("pie", key.board.pie)
    session = Session(find_game(key.board.game), key.board.size, settings)
    for word in result.opening:
        session.play(session.position.to_move, word, at=result.started)
    moment = result.started
    for turn in turns:
        moment += turn.seconds
        session.play(turn.color, turn.word, turn.engine, moment, _thought(turn))
    if result.result.endswith("+R"):
        session.play(session.position.to_move, RESIGN, result.loser or "", moment)
    black, white = key.engines
    names = {"PB": black, "PW": white, "EV": f"pair {key.number}"}
    return sgf_text(session, more=names | {"RE": result.result, "GC": result.reason})


def replay_page(result: GameResult, turns: tuple[PlayedTurn, ...]) -> str:
    """A page that steps through a game."""
    board = result.key.board
    session, remarks = Session(find_game(board.game)), Remarks()
    replay(session, sgf_of(result, turns).encode(), remarks=remarks)
    told = replay_of(session, remarks)
    if result.fault is not None:
        told = told._replace(ending=f"{result.result}: {result.reason}")
    return page(told)


def file_name(number: int, result: GameResult, ending: str) -> str:
    """A name for the file of a game: its number in the store, and who played, without blanks."""
    words = (result.key.board.game, *result.key.engines)
    safe = ("".join(sign if sign.isalnum() else "_" for sign in word[:20]) for word in words)
    return f"{number:05}-{'-'.join(safe)}.{ending}"


def _thought(turn: PlayedTurn) -> Thought | None:
    """What an engine told of its turn, where it told chances and visits."""
    if turn.value is None or not turn.visits:
        return None
    _, _, told = turn.comment.partition(" visits, ")
    line, _, why = told.partition(SEPARATOR)
    return Thought(turn.value, turn.visits, line, why)
