"""The openings of the pairs of games: from a file, or random and balanced."""

import random
import re
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from threading import Lock

from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.running_engine import Forfeit, RunningEngine, Void
from gtp_engine.arena.setup.config import Engine, Openings, WrongMatch
from gtp_engine.arena.setup.tables import read_text
from gtp_engine.arena.values import Board, Fault, Opening
from gtp_engine.base.numbers import number_of, whole
from gtp_engine.rules import find_game
from gtp_engine.rules.clock import UNLIMITED
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.turns import Unreadable, clicked_swap, read_turn, write_turn
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.setups import check_size
from gtp_engine.rules.step import IllegalStep, Pie
from gtp_engine.rules.turns import random_turn

LARGEST_FILE = 2**24  # bytes

# Random openings per number; the first balanced one is used.
CHOICE = 32

# Number of openings that are drawn before the first game, to check that there are enough.
_MOST_DRAWN = 2000

# After this many failed draws the board has no more openings of this length.
_TRIES = 10_000

_JUDGE_SECONDS = 600.0
_MOST_FAILURES = 3
_WINRATE = re.compile(r" winrate (?P<share>[01](?:\.\d+)?)(?: |$)")


class Book:
    """The openings of a match: each number of a pair on a board has its own.

    Here all openings are empty: only the pie rule balances the games.
    """

    def opening(self, board: Board, number: int) -> Opening:
        """The opening of a number. Raises WrongMatch if there is none."""
        return Opening(())

    def check(self, board: Board, numbers: range) -> str:
        """Check before the first game that the pairs of these numbers have openings.

        Returns a remark for the user, or an empty text. Raises WrongMatch.
        """
        return ""

    def close(self) -> None:  # noqa: B027
        """Release all resources; may be called from any thread."""

    def abandon(self) -> None:  # noqa: B027
        """Make every call that waits for an opening raise WrongMatch; also safe in a signal."""


def book(openings: Openings, seed: int) -> Book:
    """The openings of a match. Raises WrongMatch, or OSError."""
    match openings.source:
        case "file":
            return FileBook(Path(openings.file))
        case "random":
            return RandomBook(openings, seed)
        case _:
            return Book()


class FileBook(Book):
    """A file with one opening per line: turns separated by blanks; `#` begins a comment.

    If there are more pairs of games than openings, the openings repeat in order.

    A line that begins with a game, a size and a colon is only for that board:
    `NAME 8: C4 D5`.
    """

    _PREFIX = re.compile(r"(?P<game>[a-z]+) (?P<size>[0-9]+):")

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: list[tuple[int, str]] = []
        for number, line in enumerate(read_text(path, LARGEST_FILE).splitlines(), 1):
            if text := line.partition("#")[0].strip():
                self._lines.append((number, text))
        self._found: dict[Board, list[Opening]] = {}

    def opening(self, board: Board, number: int) -> Opening:
        """The openings of the board in order, repeated as needed. Raises WrongMatch."""
        if board not in self._found:
            self._found[board] = list(self._of(board))
        found = self._found[board]
        if not found:
            raise WrongMatch(f"openings: {self._path} has no opening for {board.name}")
        return found[number % len(found)]

    def check(self, board: Board, numbers: range) -> str:
        """Read all lines for the board; the remark says when openings will repeat."""
        self.opening(board, 0)
        count = len(self._found[board])
        if count >= len(numbers):
            return ""
        after = f"after {number_of(count, 'pair')} of games on {board.name}"
        return f"openings: {after} the openings of {self._path} repeat in order"

    def _of(self, board: Board) -> Iterator[Opening]:
        met: dict[str, int] = {}
        for number, line in self._lines:
            prefix = self._PREFIX.match(line)
            words = tuple(line[prefix.end() if prefix else 0 :].split())
            try:
                if prefix and _board_of(prefix) != (board.game, board.size):
                    continue
                position = _after(board, words)
            except (Unreadable, IllegalStep, ValueError) as error:
                raise WrongMatch(f"{self._path}, line {number}: {error}") from None
            if (twin := met.setdefault(write_position(position), number)) != number:
                raise WrongMatch(f"{self._path}, line {number}: the same as line {twin}")
            yield Opening(words)


class RandomBook(Book):
    """Random openings; they depend only on the seed, and no position occurs twice.

    Openings are drawn in one order, and each number owns the next few. So matches with other
    numbers have other openings. Without a judge the first of them is used. With a judge the first
    balanced one is used, or else the most balanced one.
    """

    def __init__(self, openings: Openings, seed: int) -> None:
        self._openings = openings
        self._seed = seed
        self._drawn: dict[Board, Iterator[tuple[str, ...]]] = {}
        self._next: dict[Board, int] = {}
        self._judge = Engine("judge", openings.judge)
        self._pool = EnginePool()
        self._lock = Lock()

    def opening(self, board: Board, number: int) -> Opening:
        """The opening of a pair of games, drawn and judged now. Raises WrongMatch."""
        with self._lock:
            return self._opening(board, number)

    def check(self, board: Board, numbers: range) -> str:
        """Let the judge evaluate one opening, and check that there are enough openings.

        For a long match only a part is drawn; the board may have too few for the last games.
        """
        with self._lock:
            last = min(numbers[-1], numbers[0] + _MOST_DRAWN // self._owned)
            self._candidates(board, last)
            if self._openings.judge:
                words = self._candidates(board, numbers[0])[0]
                self._judged(board, words)
        return ""

    @property
    def _owned(self) -> int:
        """The number of openings that each number owns."""
        return CHOICE if self._openings.judge else 1

    def _opening(self, board: Board, number: int) -> Opening:
        candidates = self._candidates(board, number)
        if not self._openings.judge:
            return Opening(candidates[0])
        best = Opening((), None)
        for words in candidates:
            value = self._judged(board, words)
            if best.value is None or abs(value - 0.5) < abs(best.value - 0.5):
                best = Opening(words, value)
            if abs(value - 0.5) <= self._openings.balance:
                break
        return best

    def close(self) -> None:
        """End the judge."""
        self.abandon()
        with self._lock:
            self._pool.close()

    def abandon(self) -> None:
        """Kill the judge; calls that wait for it raise WrongMatch."""
        self._pool.abandon()

    def _candidates(self, board: Board, number: int) -> list[tuple[str, ...]]:
        """The openings that a number owns. Raises WrongMatch if there are no more."""
        if board not in self._drawn or number < self._next[board]:
            self._drawn[board], self._next[board] = self._draw(board), 0
        candidates: list[tuple[str, ...]] = []
        while self._next[board] <= number:
            candidates = list(islice(self._drawn[board], self._owned))
            if not candidates:
                openings = f"openings of {number_of(self._openings.turns, 'turn')}"
                enough = f"for only {number_of(self._next[board], 'pair')}"
                raise WrongMatch(f"openings: {board.name} has {openings} {enough}")
            self._next[board] += 1
        return candidates

    def _draw(self, board: Board) -> Iterator[tuple[str, ...]]:
        """Openings that do not end the game, at most one per position."""
        source = random.Random(f"{self._seed} {board.game} {board.size}")
        met: set[bytes] = set()  # digests, because a match may have a great many openings
        tries = 0
        while tries < _TRIES:
            words, position = _random_turns(board, self._openings.turns, source)
            digest = blake2b(write_position(position).encode(), digest_size=8).digest()
            if digest in met or position.outcome() is not None:
                tries += 1
                continue
            tries = 0
            met.add(digest)
            yield words

    def _judged(self, board: Board, words: tuple[str, ...]) -> float:
        """BLACK's chance after an opening. A judge that crashes is started again.

        Raises WrongMatch.
        """
        failures = 0
        while True:
            try:
                with self._pool.lent(self._judge) as judge:
                    return self._ask(judge, board, words)
            except (Forfeit, Void) as error:
                failures += 1
                crashed = isinstance(error, Forfeit) and error.fault is not Fault.REFUSED
                if not crashed or self._pool.closed or failures == _MOST_FAILURES:
                    raise WrongMatch(f"openings: the judge failed: {error}") from None

    def _ask(self, judge: RunningEngine, board: Board, words: tuple[str, ...]) -> float:
        """The same with one request. Raises Forfeit, and WrongMatch if there is no winrate."""
        judge.new_game(board, UNLIMITED, self._seed)
        position = _start(board)
        for word in words:
            judge.play(position.to_move, word)
            position = read_turn(position, (), word).position
        line = f"kata-search_analyze {position.to_move.letter} maxmoves 1"
        found = _WINRATE.search(judge.tell(line, _JUDGE_SECONDS))
        if found is None:
            raise WrongMatch("openings: the judge's kata-search_analyze reports no winrate")
        share = float(found["share"])
        return share if position.to_move is BLACK else 1 - share


def _start(board: Board) -> Position:
    return find_game(board.game).start(board.size, Pie(board.pie))


def _board_of(prefix: re.Match[str]) -> tuple[str, int]:
    """The game and the size before an opening. Raises ValueError for a board that there is not."""
    game, size = find_game(prefix["game"]), whole(prefix["size"])
    check_size(game, size)
    return game.name, size


def _after(board: Board, words: tuple[str, ...]) -> Position:
    """The position after the turns of an opening. Raises Unreadable, IllegalStep, ValueError."""
    position = _start(board)
    for word in words:
        reading = read_turn(position, (), word)
        if (swap := clicked_swap(reading.steps, word)) is not None:
            raise ValueError(f"{word} would swap by a click; say {swap}")
        position = reading.position
        if reading.clicks or position.open:
            raise ValueError(f"{word} is not a whole turn")
        if position.outcome() is not None:
            raise ValueError(f"{word} ends the game")
    return position


def _random_turns(
    board: Board, turns: int, source: random.Random
) -> tuple[tuple[str, ...], Position]:
    """Random turns without swaps, and the position after them."""
    words: list[str] = []
    position = _start(board)
    while len(words) < turns and position.outcome() is None:
        before, steps, position = random_turn(position, source.choice, swaps=False)
        words.append(write_turn(before, steps))
    return tuple(words), position
