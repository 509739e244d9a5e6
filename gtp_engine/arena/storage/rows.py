"""Rows of the file of a match as values, with checks against damaged or altered files."""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec

from gtp_engine.arena.values import Board, GameResult, LiveGame, Opening, Trial, TurnRecord
from gtp_engine.rules import find_game
from gtp_engine.rules.step import Pie

KEY_COLUMNS = "game, size, pie, first, second, number, half"
RESULT_COLUMNS = (
    "opening, winner, result, reason, fault, swapped, started, seconds, length, adjudicated, worker"
)
TURN_COLUMNS = ", ".join(TurnRecord._fields)
LIVE_COLUMNS = f"{KEY_COLUMNS}, opening, turns"

LARGEST = 2.0**40
"""Above all times, which are in seconds, and above their sums."""

_COLORS = {"b": 0, "w": 1}
_TRUTH = {0: False, 1: True}

_Value = TypeVar("_Value")


def insertion(table: str, columns: str, otherwise: str = "abort") -> str:
    """A statement that inserts a row of values for the comma-separated columns.

    otherwise -- SQLite's action if a row with this key exists: abort, ignore or replace
    """
    marks = ", ".join("?" * (columns.count(",") + 1))
    return f"insert or {otherwise} into {table} ({columns}) values ({marks})"


class Damaged(ValueError):
    """A row that this program cannot have written; the text says what is wrong with it."""


def read_result(row: Sequence[Any]) -> GameResult:
    """A game from KEY_COLUMNS and RESULT_COLUMNS. Raises Damaged."""
    opening, winner, sign, reason, fault, swapped, *rest = row[7:]
    parts = (
        (row[:3], *row[3:7]),
        _words(opening),
        *(winner, sign, reason, fault, _TRUTH.get(swapped)),
        *rest,
    )
    result = convert(parts, GameResult)
    _check_board(result.key.board)
    if result.key.half not in (0, 1):
        raise Damaged(f"a pair has no half {result.key.half}")
    if result.key.first == result.key.second:
        raise Damaged("a game of an engine against itself")
    if result.winner not in (None, *result.key.engines):
        raise Damaged(f"the winner {result.winner[:64]!r} did not play")
    if result.length < 0 or result.seconds < 0:
        raise Damaged("an impossible time or number of turns")
    return result


def read_live(row: Sequence[Any]) -> LiveGame:
    """A game in progress from LIVE_COLUMNS. Raises Damaged."""
    opening, told = row[7:]
    turns = _decoded(told)
    if not (isinstance(turns, list) and all(isinstance(turn, list) and turn[4:] for turn in turns)):
        raise Damaged("turns that are not a list")
    found = tuple(map(read_turn, turns))
    game = convert(((row[:3], *row[3:7]), _words(opening), ()), LiveGame)
    _check_board(game.key.board)
    return game._replace(turns=found)


def read_turn(row: Sequence[Any]) -> TurnRecord:
    """A turn from TURN_COLUMNS. Raises Damaged."""
    turn = convert((row[0], _COLORS.get(row[1]), *row[2:]), TurnRecord)
    if turn.seconds < 0 or (turn.value is not None and not 0 <= turn.value <= 1):
        raise Damaged("an impossible time or chance")
    return turn


def read_opening(words: Any, value: Any) -> Opening:
    """An opening from its words and BLACK's chance after them. Raises Damaged."""
    return convert((_words(words), value), Opening)


def read_trial(number: Any, settings: Any, start: Any, games: Any) -> Trial:
    """A trial from its columns. Raises Damaged."""
    return convert((number, _decoded(settings), start, games), Trial)


def _decoded(text: Any) -> Any:
    """A value from JSON. Raises Damaged."""
    try:
        return msgspec.json.decode(text)
    except (TypeError, msgspec.DecodeError, RecursionError) as error:
        raise Damaged(str(error)) from None


def _words(text: Any) -> tuple[str, ...]:
    if not isinstance(text, str):
        raise Damaged("an opening that is not text")
    return tuple(text.split())


def convert(parts: Any, kind: type[_Value]) -> _Value:
    """The parts of a row as a value of a type. Raises Damaged."""
    try:
        value = msgspec.convert(parts, kind)
    except msgspec.ValidationError as error:
        raise Damaged(str(error)) from None
    numbers = value if isinstance(value, tuple) else (value,)
    if any(isinstance(number, float) and not abs(number) < LARGEST for number in numbers):
        raise Damaged("an impossible number")
    return value


@cache
def _check_board(board: Board) -> None:
    """Raises Damaged for an invalid board."""
    try:
        find_game(board.game).start(board.size, Pie(board.pie))
    except (KeyError, ValueError) as error:
        raise Damaged(f"not a board: {error}") from None
