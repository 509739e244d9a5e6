"""Playing a match: what is missing is played, and each game kept before the next begins."""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import NamedTuple

from gtp_engine.arena.config import Match, WrongMatch
from gtp_engine.arena.errors import ArenaError
from gtp_engine.arena.game import Task
from gtp_engine.arena.openings import Book
from gtp_engine.arena.player import Void
from gtp_engine.arena.records import Board, GameKey, GameRecord, GameResult
from gtp_engine.arena.schedule import games_of, seed_of
from gtp_engine.arena.store import Store, StoreFailed
from gtp_engine.arena.tally import Tally
from gtp_engine.log import logger

# A game that comes to nothing so often is given up; so is the match, after so many in a row.
MOST_VOIDS = 5
MOST_VOIDS_IN_A_ROW = 20

_TICK = 0.5
_RENEWAL = 5.0


class MatchFailed(ArenaError):
    """Game after game comes to nothing, by nobody's fault; the text says why."""


class Played(NamedTuple):
    """A game was kept, by this process or another."""

    result: GameResult


class Voided(NamedTuple):
    """A game came to nothing; it is played again, unless it is given up."""

    key: GameKey
    reason: str
    given_up: bool


class Tick(NamedTuple):
    """Some time has passed.

    running   -- how many games are in progress here
    elsewhere -- how many of those left are played by other processes
    """

    running: int
    elsewhere: int


Event = Played | Voided | Tick


class Stop:
    """Asked for from outside: no more games, or an end at once."""

    def __init__(self, abandon: Callable[[], None]) -> None:
        """`abandon` ends the games in progress."""
        self._abandon = abandon
        self._asked = threading.Event()
        self.abandoned = False

    @property
    def asked(self) -> bool:
        return self._asked.is_set()

    def finish(self) -> None:
        """Begin no more games."""
        self._asked.set()

    def abandon(self) -> None:
        """Begin no more games, and give up those in progress."""
        self._asked.set()
        self.abandoned = True
        self._abandon()

    def wait(self, seconds: float) -> None:
        """Sleep, but not when asked to stop."""
        self._asked.wait(seconds)


class Runner:
    """Plays what is missing of a match.

    tally    -- of all games so far, those that were in the store before, too
    total    -- how many games the match has
    accepted -- the hypothesis that the sequential test accepted first, if it has ended: what the
                games that were still in progress then bring does not change it
    """

    def __init__(
        self,
        match: Match,
        store: Store,
        book: Book,
        executor: Executor,
        play: Callable[[Task], GameRecord],
        concurrency: int,
        stop: Stop,
    ) -> None:
        self._concurrency = concurrency
        self._match = match
        self._store = store
        self._book = book
        self._executor = executor
        self._play = play
        self._stop = stop
        self._test = match.sprt.test() if match.sprt else None
        self._names = {engine.name for engine in match.engines}
        self._games = games_of(match)
        self._again: deque[GameKey] = deque()
        self._elsewhere: list[GameKey] = []
        self._running: dict[Future[GameRecord], GameKey] = {}
        self._played: set[GameKey] = set()
        self._voids: Counter[GameKey] = Counter()
        self._in_a_row = 0
        self._last_id = 0
        self._renewed = time.monotonic()
        self.accepted: str | None = None
        self.tally = Tally()
        self.total = len(list(games_of(match)))
        self._read_news()

    def run(self) -> Iterator[Event]:
        """Play until all games are there, the test is decided, or somebody stops the match.

        Raises StoreFailed, MatchFailed, and WrongMatch where there is no opening for a game.
        """
        over, failure = False, None
        while True:
            over = over or self._stop.asked or self.accepted is not None
            if not over:
                try:
                    self._begin_games()
                except WrongMatch as error:  # those in progress are not to be lost by it
                    over, failure = True, error
            if not self._running and (over or not self._elsewhere):
                break
            yield from self._collect()
            for result in self._read_news():
                yield Played(result)
            yield Tick(len(self._running), len(self._elsewhere))
        if failure is not None:
            raise failure

    def _begin_games(self) -> None:
        """Start as many games as may be in progress at once."""
        while len(self._running) < self._concurrency:
            key = self._next()
            if key is None:
                return
            if not self._store.claim(key):
                self._elsewhere.append(key)
                continue
            task = Task(key, self._match, self._opening(key), seed_of(self._match, key))
            self._running[self._executor.submit(self._play, task)] = key

    def _next(self) -> GameKey | None:
        """A game that nobody is known to have played."""
        for key in self._games:
            if key not in self._played:
                return key
        if self._again:
            return self._again.popleft()
        return None

    def _opening(self, key: GameKey) -> tuple[str, ...]:
        """The opening of a game: the one in the store, so that all processes use the same."""
        board: Board = key.board
        opening = self._store.opening(board, key.number)
        if opening is None:
            self._store.add_opening(board, key.number, self._book.opening(board, key.number))
            opening = self._store.opening(board, key.number)
        return opening.words if opening else ()

    def _collect(self) -> Iterator[Event]:
        """Wait a moment for games, and keep those that have ended."""
        if self._running:
            done, _ = wait(self._running, timeout=_TICK, return_when=FIRST_COMPLETED)
        else:
            done = set()
            self._stop.wait(_TICK)
            self._again.extend(key for key in self._elsewhere if key not in self._played)
            self._elsewhere = []
        for future in done:
            key = self._running.pop(future)
            try:
                self._store.add(future.result())
                self._in_a_row = 0
            except Void as error:
                yield self._void(key, str(error))
            except StoreFailed:
                raise
            except Exception as error:  # ours, or a worker's: no engine is to blame
                logger().opt(exception=error).error("{}", key)
                yield self._void(key, f"internal error: {type(error).__name__}: {error}")
        if time.monotonic() > self._renewed + _RENEWAL:
            self._store.renew()
            self._renewed = time.monotonic()

    def _void(self, key: GameKey, reason: str) -> Voided:
        self._store.add_void(key, reason)
        self._voids[key] += 1
        self._in_a_row += 1
        if self._in_a_row >= MOST_VOIDS_IN_A_ROW and not self._stop.asked:
            raise MatchFailed(f"{self._in_a_row} games in a row came to nothing: {reason}")
        given_up = self._voids[key] >= MOST_VOIDS or self._stop.asked
        if not given_up:
            self._again.append(key)
        return Voided(key, reason, given_up)

    def _read_news(self) -> list[GameResult]:
        """The games that were kept since the last look."""
        news = []
        for number, result in self._store.games(self._last_id):
            self._last_id = number
            if not self._names.issuperset((result.key.first, result.key.second)):
                continue  # of another trial of a tuning
            self._played.add(result.key)
            self.tally.add(result, number)
            self._examine()
            news.append(result)
        return news

    def _examine(self) -> None:
        """See whether the sequential test is decided."""
        if self._test is not None and self.accepted is None:
            first, second = (engine.name for engine in self._match.engines)
            self.accepted = self._test.accepted(self.tally.pairs(first, second))
