"""Games of a match as SGF records and on a page."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from gtp_engine.arena import ArenaError
from gtp_engine.arena.reporting.wording import printable
from gtp_engine.arena.values import Board, GameResult, TurnRecord
from gtp_engine.engine.history import SEPARATOR, Thought, ThoughtText
from gtp_engine.engine.record_loading import CannotLoad, replay
from gtp_engine.engine.record_writing import Told, record_of, told_record
from gtp_engine.engine.replay_page import GamesPage, Listed
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import DEFAULTS
from gtp_engine.rules import find_game
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.records.record import RESIGN, Ending, plain_text
from gtp_engine.rules.step import IllegalStep

# Where the expected turns or the reasons begin: see Thought.words.
_VISITS = re.compile(r" visits?(?=, |; )")


class UnplayableGame(ArenaError):
    """A game whose turns break the rules, such as one in an altered file; the text says which."""


def sgf_of(result: GameResult, turns: tuple[TurnRecord, ...]) -> str:
    """The record of a game for `loadsgf`; after a fault, `RE` and `GC` say what happened.

    Turns are written as stored, because replaying them all would take many times as long. Only
    turns stored in several parts are replayed, to find the text of the whole turn. Raises
    UnplayableGame if such a turn, or the opening, breaks the rules.
    """
    try:
        given = _opening(result.key.board, result.opening)
        if given is None or _in_parts(turns):
            record = record_of(_replayed(result, turns))
        else:
            told = [Told(*turn, result.started) for turn in given] + _told(result, turns)
            record = told_record(_beginning(result.key.board), told)
    except (IllegalStep, ValueError) as error:
        raise UnplayableGame(f"{result.key}: cannot be replayed: {error}") from None
    black, white = result.key.engines
    names = {"PB": black, "PW": white, "EV": f"pair {result.key.number}"}
    for name, text in (names | {"RE": result.result, "GC": result.reason}).items():
        record.root.put(name, text)
    return plain_text(record)


def _in_parts(turns: Sequence[TurnRecord]) -> bool:
    """Whether a turn is stored in several parts: consecutive entries of one engine and color."""
    return any(turn[:2] == after[:2] for turn, after in pairwise(turns))


def _told(result: GameResult, turns: Iterable[TurnRecord]) -> list[Told]:
    """The turns of the engines, and at the end a resignation."""
    told, moment = [], result.started
    for turn in turns:
        moment += turn.seconds
        told.append(Told(turn.color, turn.word, moment, turn.engine, _thought(turn)))
    sign, _, how = result.result.partition("+")
    if how == "R":
        loser = Color.parse(sign).opponent
        told.append(Told(loser, RESIGN, moment, result.loser or ""))
    return told


def _beginning(board: Board) -> Session:
    settings = DEFAULTS.change("pie", board.pie)
    return Session(find_game(board.game), board.size, settings)


@lru_cache(4096)
def _opening(board: Board, words: tuple[str, ...]) -> tuple[tuple[Color, str], ...] | None:
    """The turns of the opening, None if the last one is incomplete."""
    session = _beginning(board)
    for word in words:
        session.play(session.position.to_move, word)
    return None if session.turn_open else tuple((turn.color, turn.word) for turn in session.turns())


def _replayed(result: GameResult, turns: Iterable[TurnRecord]) -> Session:
    """Replay the game."""
    session = _beginning(result.key.board)
    for word in result.opening:
        session.repeat(session.position.to_move, word, at=result.started)
    for told in _told(result, turns):
        session.repeat(*told)
    return session


def add_to_page(
    page: GamesPage, number: int, result: GameResult, turns: tuple[TurnRecord, ...]
) -> bool:
    """Add a game to a page, under its number in the store; returns whether it has room.

    Raises UnplayableGame.
    """
    key = result.key
    session = Session(find_game(key.board.game))
    record = sgf_of(result, turns).encode()
    try:
        replay(session, record)
    except CannotLoad as error:
        raise UnplayableGame(f"{key}: cannot be replayed: {error}") from None
    ending = None if result.fault is None else Ending(result.result, result.reason)
    black, white = key.engines
    text = f"{number}. {key.board.name}: {printable(black)} \N{EN DASH} {printable(white)}"
    return page.add(session, ending, Listed(number, text, result.result))


def file_name(number: int, result: GameResult, ending: str) -> str:
    """A file name for a game: its number in the store and the players, without blanks."""
    words = (result.key.board.game, *result.key.engines)
    safe = ("".join(sign if sign.isalnum() else "_" for sign in word[:20]) for word in words)
    return f"{number:05}-{'-'.join(safe)}.{ending}"


def _thought(turn: TurnRecord) -> Thought | None:
    """What an engine reported about its turn, if it reported chances and visits."""
    if turn.value is None or not turn.visits:
        return None
    _, *told = _VISITS.split(turn.comment, maxsplit=1)
    line, _, why = "".join(told).partition(SEPARATOR)
    return Thought(turn.value, turn.visits, lambda: ThoughtText(line.removeprefix(", "), why))
