"""Playing a match: what is missing is played, and each game kept before the next begins."""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

from gtp_engine.arena.errors import ArenaError
from gtp_engine.arena.playing.game import GameTask
from gtp_engine.arena.playing.live import LiveGames
from gtp_engine.arena.playing.openings import Book
from gtp_engine.arena.playing.player import Void
from gtp_engine.arena.records import Board, Fault, GameKey, GameRecord, GameResult, Opening
from gtp_engine.arena.setup.config import Match, WrongMatch
from gtp_engine.arena.setup.schedule import count_games, games_of, seed_of
from gtp_engine.arena.stats.tally import Tally
from gtp_engine.arena.storage.store import Store, StoreFailed
from gtp_engine.log import logger

# A game that comes to nothing so often is given up; so is the match, after so many causes in a row.
MOST_VOIDS = 5
MOST_VOIDS_IN_A_ROW = 20

# The match ends when an engine cannot be started, or loses by faults, in so many games in a row.
MOST_FAILED_STARTS = 3
MOST_FAULTS = 5

_TICK = 0.5
_RENEWAL = 5.0


class MatchFailed(ArenaError):
    """Game after game comes to nothing, or an engine fails in all; the text says why."""


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


class _Wanted(NamedTuple):
    """An opening that is being found, and the games that wait for it."""

    future: Future[Opening]
    keys: list[GameKey]


Event = Played | Voided | Tick


class StopRequest:
    """Asked for from outside: no more games, or an end at once."""

    def __init__(self, *abandon: Callable[[], None]) -> None:
        """Each of `abandon` ends something that is in progress."""
        self._abandon = list(abandon)
        self._asked = threading.Event()
        self._playing = False

    def on_abandon(self, end: Callable[[], None]) -> None:
        """Have one thing more ended: it is called at once where that was asked for before."""
        self._abandon.append(end)
        if self.asked and not self._playing:
            end()

    def begin(self) -> None:
        """From now on games are played, which an interrupt lets end."""
        self._playing = True

    def interrupt(self) -> bool:
        """Once, the games in progress go on to their end; twice, or before there are any, nothing
        does. Tells whether games go on."""
        if self._playing and not self.asked:
            self.finish()
            return True
        self.abandon()
        return False

    @property
    def asked(self) -> bool:
        """Whether an end was asked for."""
        return self._asked.is_set()

    def finish(self) -> None:
        """Begin no more games."""
        self._asked.set()

    def abandon(self) -> None:
        """Begin no more games, and give up those in progress."""
        self._asked.set()
        for end in self._abandon:
            end()

    def wait(self, seconds: float) -> None:
        """Sleep, but not when asked to stop."""
        self._asked.wait(seconds)


class Runner:
    """Plays what is missing of a match.

    tally -- of all games so far, those that were in the store before, too
    total -- how many games the match has
    given_up -- how many games came to nothing too often
    """

    def __init__(
        self,
        match: Match,
        store: Store,
        book: Book,
        executor: Executor,
        play: Callable[[GameTask], GameRecord],
        concurrency: Callable[[], int],
        stop: StopRequest,
        lost: Callable[[], str | None] = lambda: None,
        tried: str = "",
        live: LiveGames | None = None,
    ) -> None:
        """
        concurrency -- how many games may be in progress at once
        lost        -- a sentence once what plays the games is gone, so that none of them will end
        tried       -- an engine that may lose all games by faults: its settings may be the cause
        live        -- the games in progress, for those who watch
        """
        self._concurrency = concurrency
        self._lost = lost
        self._match = match
        self._store = store
        self._book = book
        self._executor = executor
        self._play = play
        self._stop = stop
        self._names = {engine.name for engine in match.engines}
        self._games = games_of(match)
        self._again: deque[GameKey] = deque()
        self._elsewhere: list[GameKey] = []
        self._running: dict[Future[GameRecord], tuple[GameKey, int]] = {}
        self._played: set[GameKey] = set()
        # Finding an opening may take a judge minutes: games are kept and claims renewed meanwhile.
        self._finder = ThreadPoolExecutor(1, "openings")
        self._wanted: dict[tuple[Board, int], _Wanted] = {}
        self._tried = tried
        self._live = live or LiveGames()
        self._faults_in_a_row: Counter[str] = Counter()
        self._broken: MatchFailed | None = None
        self._voids: Counter[GameKey] = Counter()
        self.given_up = 0
        self._causes = self._causes_in_a_row = 0
        self._last_id = 0
        self._renewed = self._shown = time.monotonic()
        self.tally = Tally(match.sprt.test() if match.sprt else None)
        self.total = count_games(match)
        self._read_news()

    def run(self) -> Iterator[Event]:
        """Play until all games are there, the test is decided, or somebody stops the match.

        Raises StoreFailed, MatchFailed, and WrongMatch where there is no opening for a game.
        """
        self._stop.begin()
        try:
            yield from self._run()
        except ArenaError:
            raise
        except Exception:
            self._check_workers()
            raise
        finally:
            self._finder.shutdown(wait=False, cancel_futures=True)

    def _run(self) -> Iterator[Event]:
        over = False
        failure: ArenaError | None = None
        while True:
            self._check_workers()
            over = over or self._stop.asked or self.tally.decision is not None
            if not over:
                try:
                    self._take_openings()
                    self._begin_games()
                except WrongMatch as error:  # those in progress are not to be lost by it
                    over, failure = True, error
            if not self._running and (over or not (self._elsewhere or self._wanted)):
                break
            yield from self._collect()
            if self._broken is not None:
                over, failure = True, self._broken
            for result in self._read_news():
                yield Played(result)
            yield Tick(len(self._running), len(self._elsewhere))
        if failure is not None:
            raise failure

    def _check_workers(self) -> None:
        """Raises MatchFailed where what plays the games is gone: one event, however many games."""
        if lost := self._lost():
            raise MatchFailed(lost)

    def _begin_games(self) -> None:
        """Start as many games as may be in progress at once."""
        at_once = self._concurrency()
        waiting = sum(len(wanted.keys) for wanted in self._wanted.values())
        while len(self._running) + waiting < at_once:
            key = self._next()
            if key is None:
                return
            if not self._store.claim(key):
                self._elsewhere.append(key)
                continue
            place = key.board, key.number
            opening = self._store.opening(*place)
            if opening is not None:
                self._begin(key, opening)
                continue
            if place not in self._wanted:
                future = self._finder.submit(self._book.opening, *place)
                self._wanted[place] = _Wanted(future, [])
            self._wanted[place].keys.append(key)
            waiting += 1

    def _begin(self, key: GameKey, opening: Opening) -> None:
        task = GameTask(key, self._match, opening.words, seed_of(self._match, key))
        self._running[self._executor.submit(self._play, task)] = key, self._causes

    def _take_openings(self) -> None:
        """Begin the games whose openings were found: by the one in the store, if another process
        has kept one before."""
        for place, wanted in list(self._wanted.items()):
            if not wanted.future.done():
                continue
            del self._wanted[place]
            found = wanted.future.result()
            self._store.add_opening(*place, found)
            opening = self._store.opening(*place) or found
            for key in wanted.keys:
                self._begin(key, opening)

    def _next(self) -> GameKey | None:
        """A game that nobody is known to have played."""
        for key in self._games:
            if key not in self._played:
                return key
        if self._again:
            return self._again.popleft()
        return None

    def _collect(self) -> Iterator[Event]:
        """Wait a moment for games and openings, and keep the games that have ended."""
        openings = [wanted.future for wanted in self._wanted.values()]
        if self._running or openings:
            futures: list[Future[Any]] = [*self._running, *openings]
            wait(futures, timeout=_TICK, return_when=FIRST_COMPLETED)
        else:
            self._stop.wait(_TICK)
            self._again.extend(key for key in self._elsewhere if key not in self._played)
            self._elsewhere = []
        for future in [future for future in self._running if future.done()]:
            self._check_workers()
            key, cause = self._running.pop(future)
            try:
                record = future.result()
                self._store.identify(record.identities)
                self._store.add(record)
                self._causes_in_a_row = 0
                self._note_fault(record.result)
            except (Void, WrongMatch) as error:
                yield self._void(key, cause, str(error))
            except StoreFailed:
                raise
            except Exception as error:  # ours, or a worker's: no engine is to blame
                logger().opt(exception=error).error("{}", key)
                yield self._void(key, cause, f"internal error: {type(error).__name__}: {error}")
        if time.monotonic() > self._renewed + _RENEWAL:
            self._store.renew()
            self._renewed = time.monotonic()
        self._show_live()

    def _show_live(self) -> None:
        """Tell those who watch how the games in progress stand, not too often."""
        now = time.monotonic()
        if now > self._shown + _TICK and (games := self._live.news()) is not None:
            self._store.show_live(games)
            self._shown = now

    def _note_fault(self, result: GameResult) -> None:
        """Count in how many games in a row an engine has failed."""
        if result.fault is None:
            for name in result.key.engines:
                del self._faults_in_a_row[name]
            return
        name = result.loser or ""
        self._faults_in_a_row[name] += 1
        starting = result.fault is Fault.START
        times = self._faults_in_a_row[name]
        if self._match.recover or times < (MOST_FAILED_STARTS if starting else MOST_FAULTS):
            return
        if starting or name != self._tried:
            self._broken = MatchFailed(
                f"{name} lost {times} games in a row by faults, the last one so: {result.reason};"
                " --recover goes on"
            )

    def _void(self, key: GameKey, cause: int, reason: str) -> Voided:
        """Keep that a game came to nothing.

        cause -- how many things had gone wrong when it began: what ends several games at once, as
                 the loss of a machine does, is one thing
        """
        self._store.add_void(key, reason)
        self._voids[key] += 1
        if cause == self._causes:
            self._causes += 1
            self._causes_in_a_row += 1
        if self._causes_in_a_row >= MOST_VOIDS_IN_A_ROW and not self._stop.asked:
            raise MatchFailed(
                f"{self._causes_in_a_row} times in a row games came to nothing: {reason}"
            )
        given_up = self._voids[key] >= MOST_VOIDS or self._stop.asked
        self.given_up += given_up and not self._stop.asked
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
            news.append(result)
        return news
