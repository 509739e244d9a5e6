"""The first turns of each pair of games: from a file, or random ones that are balanced."""

import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Protocol

from gtp_engine.arena.playing.player import Forfeit, RunningEngine
from gtp_engine.arena.records import Board, Fault, Opening
from gtp_engine.arena.setup.config import Engine, Openings, WrongMatch
from gtp_engine.board.color import BLACK
from gtp_engine.clock import UNLIMITED
from gtp_engine.files import read_file
from gtp_engine.notation.items import Unreadable
from gtp_engine.notation.position_text import write_position
from gtp_engine.notation.turns import read_turn, write_turn
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import SWAPS, IllegalStep, Pie, Step

LARGEST_FILE = 2**24  # bytes

# So many random openings belong to each number; the first that is balanced is taken.
CHOICE = 32

# Before the first game it is seen whether so many can be drawn.
_MOST_DRAWN = 2000

# In vain for so long: the board has no more openings of this length.
_TRIES = 10_000

_JUDGE_SECONDS = 600.0
_MOST_FAILURES = 3
_WINRATE = re.compile(r" winrate (?P<share>[01](?:\.\d+)?)(?: |$)")


class Book(Protocol):
    """Where openings come from: each number of a pair on a board has its own."""

    def opening(self, board: Board, number: int) -> Opening:
        """The opening of a number. Raises WrongMatch where there is none."""
        ...

    def check(self, board: Board, numbers: range) -> str:
        """See before the first game whether there are openings for pairs of these numbers.

        Returns a sentence for the user, empty where there is nothing to say. Raises WrongMatch.
        """
        ...

    def close(self) -> None:
        """Let go of what finding openings needs; to be called from any thread."""
        ...

    def abandon(self) -> None:
        """Have whoever waits for an opening get WrongMatch; to be called from a signal, too."""
        ...


def book(openings: Openings, seed: int) -> Book:
    """The openings of a match. Raises WrongMatch, or OSError."""
    match openings.source:
        case "file":
            return FileBook(Path(openings.file))
        case "random":
            return RandomBook(openings, seed)
        case _:
            return EmptyBook()


class EmptyBook:
    """No opening: the pie rule is what makes the games even."""

    def opening(self, board: Board, number: int) -> Opening:
        """The opening without a turn."""
        return Opening(())

    def check(self, board: Board, numbers: range) -> str:
        """Nothing can be wrong."""
        return ""

    def close(self) -> None:
        """Nothing is held."""

    def abandon(self) -> None:
        """Nobody ever waits."""


class FileBook:
    """One opening a line: turns with blanks between; `#` begins a comment.

    Where there are more pairs of games than openings, they come again in their order.

    A line that starts with a game and a size and a colon is for that board only:
    `NAME 8: C4 D5`.
    """

    _PREFIX = re.compile(r"(?P<game>[a-z]+) (?P<size>\d+):")

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines: list[tuple[int, str]] = []
        try:
            content = read_file(path, LARGEST_FILE, streams=True).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise WrongMatch(f"{path}: {error}") from None
        for number, line in enumerate(content.splitlines(), 1):
            if text := line.partition("#")[0].strip():
                self._lines.append((number, text))
        self._found: dict[Board, list[Opening]] = {}

    def opening(self, board: Board, number: int) -> Opening:
        """The openings of the board in their order, again and again. Raises WrongMatch."""
        if board not in self._found:
            self._found[board] = list(self._of(board))
        found = self._found[board]
        if not found:
            raise WrongMatch(f"openings: {self._path} has none for {board.name}")
        return found[number % len(found)]

    def check(self, board: Board, numbers: range) -> str:
        """Read all lines for the board; tells when they will come again."""
        self.opening(board, 0)
        count = len(self._found[board])
        if count >= len(numbers):
            return ""
        pairs = f"after {count} pairs of games on {board.name}"
        return f"openings: {pairs} those of {self._path} come again, in order"

    def close(self) -> None:
        """Nothing is held: the file was read at once."""

    def abandon(self) -> None:
        """Nobody ever waits."""

    def _of(self, board: Board) -> Iterator[Opening]:
        met: dict[str, int] = {}
        for number, line in self._lines:
            prefix = self._PREFIX.match(line)
            if prefix and (prefix["game"], int(prefix["size"])) != (board.game, board.size):
                continue
            words = tuple(line[prefix.end() if prefix else 0 :].split())
            try:
                position = _after(board, words)
            except (Unreadable, IllegalStep, ValueError) as error:
                raise WrongMatch(f"{self._path}, line {number}: {error}") from None
            if (twin := met.setdefault(write_position(position), number)) != number:
                raise WrongMatch(f"{self._path}, line {number}: the same as line {twin}")
            yield Opening(words)


class RandomBook:
    """Random turns, the same for the same seed, and no position twice.

    Openings are drawn in one order, and each number owns the next few of them: so matches with
    other numbers have other openings. Without a judge the first is taken; with one the first
    that it finds balanced, or else the most balanced.
    """

    def __init__(self, openings: Openings, seed: int) -> None:
        self._openings = openings
        self._seed = seed
        self._drawn: dict[Board, Iterator[tuple[str, ...]]] = {}
        self._next: dict[Board, int] = {}
        self._judge: RunningEngine | None = None
        self._closed = False
        self._lock = Lock()

    def opening(self, board: Board, number: int) -> Opening:
        """The opening of a pair of games, drawn and judged now. Raises WrongMatch."""
        with self._lock:
            return self._opening(board, number)

    def check(self, board: Board, numbers: range) -> str:
        """Have the judge value one opening, and see that enough of them are there.

        Of a long match only so many are drawn; the board may have too few for its last games.
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
        """How many openings belong to each number."""
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
            self._drop_judge()

    def abandon(self) -> None:
        """Kill the judge: whoever waits for it gets WrongMatch."""
        self._closed = True
        judge = self._judge
        if judge is not None:
            judge.kill()

    def _drop_judge(self) -> None:
        if self._judge is not None:
            self._judge.close()
            self._judge = None

    def _candidates(self, board: Board, number: int) -> list[tuple[str, ...]]:
        """The openings that a number owns. Raises WrongMatch where no more are left."""
        if board not in self._drawn or number < self._next[board]:
            self._drawn[board], self._next[board] = self._draw(board), 0
        candidates: list[tuple[str, ...]] = []
        while self._next[board] <= number:
            candidates = list(islice(self._drawn[board], self._owned))
            if not candidates:
                enough = f"enough of {self._openings.turns} turns for {self._next[board]} pairs"
                raise WrongMatch(f"openings: {board.name} has {enough} only")
            self._next[board] += 1
        return candidates

    def _draw(self, board: Board) -> Iterator[tuple[str, ...]]:
        """Openings that do not end the game, at most one for each position."""
        source = random.Random(f"{self._seed} {board.game} {board.size}")
        met: set[str] = set()
        tries = 0
        while tries < _TRIES:
            words, position = _random_turns(board, self._openings.turns, source)
            text = write_position(position)
            if text in met or position.outcome() is not None:
                tries += 1
                continue
            tries = 0
            met.add(text)
            yield words

    def _judged(self, board: Board, words: tuple[str, ...]) -> float:
        """BLACK's chance after an opening, by a judge that may crash now and then.

        Raises WrongMatch.
        """
        failures = 0
        while True:
            try:
                return self._ask_judge(board, words)
            except Forfeit as error:
                self._drop_judge()
                failures += 1
                hopeless = self._closed or error.fault is Fault.REFUSED
                if hopeless or failures == _MOST_FAILURES:
                    raise WrongMatch(f"openings: the judge failed: {error}") from None

    def _ask_judge(self, board: Board, words: tuple[str, ...]) -> float:
        """The same by one question. Raises Forfeit, and WrongMatch for no winrate."""
        if self._judge is None:
            self._judge = RunningEngine(Engine("judge", self._openings.judge))
            if self._closed:
                self._judge.kill()
            self._judge.greet()
        judge = self._judge
        judge.new_game(board, UNLIMITED, self._seed)
        position = _start(board)
        for word in words:
            judge.play(position.to_move, word)
            position = read_turn(position, (), word).position
        line = f"kata-search_analyze {position.to_move.letter} maxmoves 1"
        found = _WINRATE.search(judge.tell(line, _JUDGE_SECONDS))
        if found is None:
            raise WrongMatch("openings: the judge tells no winrate on kata-search_analyze")
        share = float(found["share"])
        return share if position.to_move is BLACK else 1 - share


def _start(board: Board) -> Position:
    return find_game(board.game).start(board.size, Pie(board.pie))


def _after(board: Board, words: tuple[str, ...]) -> Position:
    """The position after the turns of an opening. Raises Unreadable, IllegalStep, ValueError."""
    position = _start(board)
    for word in words:
        reading = read_turn(position, (), word)
        position = reading.position
        if reading.clicks or position.open:
            raise ValueError(f"{word} is no whole turn")
        if position.outcome() is not None:
            raise ValueError(f"{word} ends the game")
    return position


def _random_turns(
    board: Board, turns: int, source: random.Random
) -> tuple[tuple[str, ...], Position]:
    """So many random turns, without swaps, and the position after them."""
    words: list[str] = []
    position = _start(board)
    while len(words) < turns and position.outcome() is None:
        before, steps = position, list[Step]()
        while True:
            choice = [step for step in position.legal_steps() if step not in SWAPS.values()]
            steps.append(source.choice(choice))
            position = position.play_unchecked(steps[-1])
            if not position.open or position.outcome() is not None:
                break
        words.append(write_turn(before, steps))
    return tuple(words), position
