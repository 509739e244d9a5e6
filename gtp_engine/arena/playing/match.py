"""Plays a match: plays the missing games, and stores each one as soon as it ends."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from typing import Any, NamedTuple

from gtp_engine.arena import ArenaError
from gtp_engine.arena.playing.openings import Book
from gtp_engine.arena.playing.referee import GameTask, LiveGames
from gtp_engine.arena.playing.running_engine import Void
from gtp_engine.arena.playing.stopping import StopRequest
from gtp_engine.arena.setup.config import Match, WrongMatch
from gtp_engine.arena.setup.schedule import GameSet, count_games, games_of, seed_of
from gtp_engine.arena.stats.tally import Tally
from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import (
    MOST_VOIDS,
    Board,
    Fault,
    GameKey,
    GameRecord,
    GameResult,
    Opening,
)
from gtp_engine.base.log import logger
from gtp_engine.base.retrying import Outlasted, Patience

# The match is given up after so many causes of void games in a row; see Runner._void.
MOST_VOIDS_IN_A_ROW = 20

# The match ends when an engine cannot start, or loses by faults, in this many consecutive games.
MOST_FAILED_STARTS = 3
MOST_FAULTS = 5

_TICK = 0.5
_RENEWAL = 5.0


class MatchFailed(ArenaError):
    """The match cannot go on, because games are void or an engine keeps failing."""


class Played(NamedTuple):
    """A game was stored, by this process or another one."""

    result: GameResult


class Voided(NamedTuple):
    """A game was void; it is played again unless it is given up."""

    key: GameKey
    reason: str
    given_up: bool


class PausedTurns(NamedTuple):
    """The arena was paused in turns of a stored game, for these seconds; nobody was charged."""

    key: GameKey
    seconds: float


class Tick(NamedTuple):
    """Some time has passed.

    running   -- games in progress in this process
    elsewhere -- missing games that other processes are playing
    """

    running: int
    elsewhere: int


class _Wanted(NamedTuple):
    """An opening that is being searched for, and the games that wait for it."""

    future: Future[Opening]
    keys: list[GameKey]


Event = Played | Voided | PausedTurns | Tick


class Workers(NamedTuple):
    """Those who play the games.

    executor    -- takes the tasks; it cancels those whose workers are gone
    play        -- plays the game of a task
    concurrency -- the most games in progress
    abandon     -- ends all games in progress
    lost        -- a sentence while the workers are gone, so that no game will end; looking for them
                   again is its work
    patience    -- waits for lost workers
    live        -- the games in progress, for viewers; None if they are not known
    """

    executor: Executor
    play: Callable[[GameTask], GameRecord]
    concurrency: Callable[[], int]
    abandon: Callable[[], None]
    lost: Callable[[], str | None] = lambda: None
    patience: Patience = Patience(0)
    live: LiveGames | None = None


class Runner:
    """Plays the missing games of a match.

    tally -- the tally of all games in the file, also of those with another `start` or `format`
    total -- number of games in the match
    given_up -- number of games that were void too often
    """

    def __init__(
        self,
        match: Match,
        store: Store,
        book: Book,
        workers: Workers,
        stop: StopRequest,
        tried: str = "",
        original: str = "",
    ) -> None:
        """
        tried    -- an engine that may lose all games by faults, because its settings are tried
        original -- the same engine without these settings: both have one identity
        """
        self._match = match
        self._store = store
        self._book = book
        self._workers = workers
        self._stop = stop
        self._names = {engine.name for engine in match.engines}
        self._games = games_of(match)
        self._again: deque[GameKey] = deque()
        self._elsewhere: list[GameKey] = []
        self._running: dict[Future[GameRecord], tuple[GameKey, int]] = {}
        self._played = GameSet(match)
        # A judge may take minutes to find an opening; meanwhile games are stored, claims renewed.
        self._finder = ThreadPoolExecutor(1, "openings")
        self._wanted: dict[tuple[Board, int], _Wanted] = {}
        self._tried, self._original = tried, original
        self._faults_in_a_row: Counter[str] = Counter()
        self._broken: MatchFailed | None = None
        self._voids: Counter[GameKey] = Counter()
        self.given_up = 0
        self._causes = self._causes_in_a_row = 0
        self._last = 0  # the number of the game that was read last
        self._renewed = self._shown = time.monotonic()
        self.tally = Tally(match.pair_test(), brief=True)
        self.total = count_games(match)
        self._read_new_games()

    @property
    def played(self) -> int:
        """How many games of the match are stored: at most `total`."""
        return len(self._played)

    def run(self) -> Iterator[Event]:
        """Play until all games are finished, the test is decided, or a stop is requested.

        Raises StoreFailed, MatchFailed, Outlasted, and WrongMatch without an opening.
        """
        self._stop.begin()
        try:
            yield from self._run()
        finally:
            self._finder.shutdown(wait=False, cancel_futures=True)

    def _run(self) -> Iterator[Event]:
        over, more = False, True
        failure: Exception | None = None
        while True:
            self._outlast_loss()
            over = over or self._stop.asked or self.tally.decision is not None
            if not over:
                try:
                    self._take_openings()
                    more = self._begin_games()
                except WrongMatch as error:  # the games in progress must not be lost
                    over, failure = True, error
            if not self._running and (over or not (more or self._elsewhere or self._wanted)):
                break
            self._wait()
            yield from self._store_finished()
            self._renew_claims()
            self._show_live()
            if self._broken is not None:
                over, failure = True, self._broken
            for result in self._read_new_games():
                yield Played(result)
            yield Tick(len(self._running), len(self._elsewhere))
        if failure is not None:
            raise failure

    def _outlast_loss(self) -> None:
        """If the workers are gone, take their games back, and wait for workers or a stop request.

        Raises Outlasted.
        """
        patience = self._workers.patience
        while lost := self._workers.lost():
            self._again.extend(key for key, _ in self._running.values())
            self._running.clear()
            if self._stop.asked:
                return
            patience.wait(lost)
            self._store.renew()
        patience.over("connected again")

    def _begin_games(self) -> bool:
        """Start games up to the maximum number in progress; False if there are no more."""
        at_once = self._workers.concurrency()
        waiting = sum(len(wanted.keys) for wanted in self._wanted.values())
        while len(self._running) + waiting < at_once:
            key = self._next()
            if key is None:
                return False
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
        return True

    def _begin(self, key: GameKey, opening: Opening) -> None:
        task = GameTask(key, self._match, opening.words, seed_of(self._match, key))
        self._running[self._workers.executor.submit(self._workers.play, task)] = key, self._causes

    def _take_openings(self) -> None:
        """Begin the games whose openings were found. If another process has stored an opening of
        this number before, that one is used."""
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
        """The next game that is neither stored nor in progress."""
        for key in self._games:
            if key not in self._played:
                return key
        if self._again:
            return self._again.popleft()
        return None

    def _wait(self) -> None:
        """Wait briefly for games and openings; without any, ask again for the games of others."""
        openings = [wanted.future for wanted in self._wanted.values()]
        if self._running or openings:
            futures: list[Future[Any]] = [*self._running, *openings]
            wait(futures, timeout=_TICK, return_when=FIRST_COMPLETED)
        else:
            self._stop.wait(_TICK)
            self._again.extend(key for key in self._elsewhere if key not in self._played)
            self._elsewhere = []

    def _store_finished(self) -> Iterator[Event]:
        """Store the games that have finished; void ones are played again."""
        for future in [future for future in self._running if future.done()]:
            if self._workers.lost():  # it did not end by itself
                return
            key, cause = self._running.pop(future)
            try:
                record = future.result()
                self._store.identify(
                    (self._original if self._original and name == self._tried else name, identity)
                    for name, identity in record.identities
                )
                self._store.add(record)
                self._causes_in_a_row = 0
                self._note_fault(record.result)
            except CancelledError:  # its worker is gone
                self._again.append(key)
            except (Void, WrongMatch) as error:
                yield self._void(key, cause, str(error))
            except (ArenaError, Outlasted):
                raise
            except Exception as error:  # our own or a worker's error, not an engine's
                logger().opt(exception=error).error("{}", key)
                yield self._void(key, cause, f"internal error: {type(error).__name__}: {error}")
            else:
                if paused := sum(turn.paused or 0.0 for turn in record.turns):
                    yield PausedTurns(key, paused)

    def _renew_claims(self) -> None:
        """Renew the claims of the games in progress from time to time."""
        if time.monotonic() > self._renewed + _RENEWAL:
            self._store.renew()
            self._renewed = time.monotonic()

    def _show_live(self) -> None:
        """Store the games in progress for viewers, at most twice a second."""
        live, now = self._workers.live, time.monotonic()
        if live and now > self._shown + _TICK and (games := live.news()) is not None:
            self._store.show_live(games)
            self._shown = now

    def _note_fault(self, result: GameResult) -> None:
        """Count an engine's consecutive games with a fault."""
        name = result.loser if result.fault else None
        for other in result.key.engines:
            if other != name:
                del self._faults_in_a_row[other]
        if name is None:
            return
        self._faults_in_a_row[name] += 1
        starting = result.fault is Fault.START
        times = self._faults_in_a_row[name]
        if self._match.recover or times < (MOST_FAILED_STARTS if starting else MOST_FAULTS):
            return
        if starting or name != self._tried:
            self._broken = MatchFailed(
                f"{name} lost {times} games in a row by faults, the last one because: "
                f"{result.reason}; --recover continues anyway"
            )

    def _void(self, key: GameKey, cause: int, reason: str) -> Voided:
        """Record a void game.

        cause -- number of failures known when the game began; games that one event ends together,
                 such as the loss of a machine, count as one failure
        """
        if not self._stop.abandoned:  # else it is somebody's will, and no attempt
            self._store.add_void(key, reason)
        self._voids[key] += 1
        if cause == self._causes:
            self._causes += 1
            self._causes_in_a_row += 1
        if self._causes_in_a_row >= MOST_VOIDS_IN_A_ROW and not self._stop.asked:
            raise MatchFailed(f"{self._causes_in_a_row} void games in a row: {reason}")
        given_up = self._voids[key] >= MOST_VOIDS or self._stop.asked
        self.given_up += given_up and not self._stop.asked
        if not given_up:
            self._again.append(key)
        return Voided(key, reason, given_up)

    def _read_new_games(self) -> list[GameResult]:
        """The games stored since the last call."""
        found = self._store.patiently(lambda: list(self._store.games(self._last)))
        if self.tally.test is not None:
            self.tally.test.see_voids(self._store.patiently(self._store.voids))
        news = []
        for number, result in found:
            self._last = number
            if not self._names.issuperset((result.key.first, result.key.second)):
                continue  # it belongs to another trial of the tuning
            self._played.add(result.key)
            self.tally.add(result, number)
            news.append(result)
        return news
