"""Counts of the games of a match: everything that reports show, except the turns."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from gtp_engine.arena.stats.pair_test import PairTest, SprtDecision
from gtp_engine.arena.stats.ratings import Meetings
from gtp_engine.arena.values import Adjudication, Board, Fault, GameKey, GameResult
from gtp_engine.base.statistics.statistics import Counts

# The number of games that reports list, and of faults with evidence.
LISTED_GAMES = 1000
LISTED_FAULTS = 200

# The number of moments stored to draw the course of a match.
_MOST_MOMENTS = 512

_LOST, _DRAWN, _WON = range(3)


class Numbered(NamedTuple):
    """A game with its number in the store, 0 if it has none."""

    number: int
    result: GameResult


class Moment(NamedTuple):
    """The counts of pairs after a number of games between two engines."""

    games: int
    pairs: tuple[int, ...]


class Course:
    """The growth of the counts of pairs: up to `_MOST_MOMENTS` even steps, and the last one."""

    def __init__(self) -> None:
        self._moments: list[Moment] = []
        self._every = 1
        self._seen = 0
        self._last: Moment | None = None

    def add(self, moment: Moment) -> None:
        """Add a moment; if there are too many, every second one is dropped."""
        self._last = moment
        self._seen += 1
        if self._seen % self._every:
            return
        self._moments.append(moment)
        if len(self._moments) > _MOST_MOMENTS:
            self._every *= 2
            self._moments = self._moments[1::2]

    @property
    def moments(self) -> list[Moment]:
        """The moments, in order."""
        if self._last is None or self._moments[-1:] == [self._last]:
            return list(self._moments)
        return [*self._moments, self._last]


@dataclass
class Meeting:
    """The games of two engines, from the side of the one named first in the configuration.

    halves     -- its losses, draws and wins as BLACK at the beginning, and as WHITE
    pairs      -- numbers of pairs with 0, 1/2, 1, 3/2 and 2 points for it
    unfinished -- pairs with one missing game, and the half points of the other game
    """

    halves: tuple[list[int], list[int]] = field(default_factory=lambda: ([0] * 3, [0] * 3))
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    unfinished: dict[GameKey, int] = field(default_factory=dict)

    def add(self, key: GameKey, score: int) -> int | None:
        """Count a game by its half points. Returns those of its pair if it completes one."""
        self.halves[key.half][score] += 1
        pair = key._replace(half=0)
        if pair not in self.unfinished:
            self.unfinished[pair] = score
            return None
        both = score + self.unfinished.pop(pair)
        self.pairs[both] += 1
        return both

    @property
    def games(self) -> Counts:
        """The counts of all games."""
        return Counts(tuple(map(sum, zip(*self.halves))))

    @property
    def paired(self) -> Counts:
        """The counts of the complete pairs."""
        return Counts(tuple(self.pairs))

    @property
    def counts(self) -> Counts:
        """The counts for estimates of strength: complete pairs, or games if there are none."""
        return self.paired if any(self.pairs) else self.games


@dataclass
class WorkerTally:
    """The games of a worker: all, those lost on time, and those lost by other faults."""

    games: int = 0
    on_time: int = 0
    others: int = 0

    def add(self, fault: Fault | None) -> None:
        """Count a game."""
        self.games += 1
        self.on_time += fault is Fault.TIME
        self.others += fault not in (None, Fault.TIME)


@dataclass
class BoardTally:
    """The games on one board, by the engines that began as BLACK and WHITE.

    first      -- losses, draws and wins of BLACK's engine
    unswapped  -- games that allowed a swap but had none
    swapped    -- losses, draws and wins of the engines that swapped
    lengths    -- numbers of games by number of turns, without games ended by faults
    """

    first: list[int] = field(default_factory=lambda: [0] * 3)
    unswapped: int = 0
    swapped: list[int] = field(default_factory=lambda: [0] * 3)
    lengths: Counter[int] = field(default_factory=Counter)
    seconds: float = 0.0

    def add(self, result: GameResult) -> None:
        """Count a game."""
        black, white = result.key.engines
        self.first[_score(result, black)] += 1
        # Only the second turn may swap.
        if result.key.board.pie != "off" and len(result.opening) < 2:
            if result.swapped:
                self.swapped[_score(result, white)] += 1
            else:
                self.unswapped += 1
        if result.fault is None:
            self.lengths[result.length] += 1
        self.seconds += result.seconds

    @property
    def swap_rate(self) -> float | None:
        """The share of games with a swap among those that allowed one; None if none did."""
        swapped = sum(self.swapped)
        return swapped / (swapped + self.unswapped) if swapped + self.unswapped else None


class Tally:
    """Counts of the games of a match. The memory of a brief tally does not grow with the games.

    test     -- the sequential test of a match between two engines, if it has one
    games    -- number of games
    meetings -- by the names of two engines, in the order of the configuration
    boards   -- by board
    on_board -- the meetings on each board
    faults   -- by engine and kind
    workers  -- by the name of the worker
    adjudicated -- by the reason of the adjudication
    started  -- start of the first game, seconds since 1970; None without games
    ended    -- end of the last game
    seconds  -- total duration of all games

    tested   -- the growth of the counts of pairs that the test has seen

    Empty in a brief tally:

    openings -- losses, draws and wins of the engine that began as BLACK, by board and opening
    recent   -- the last games
    faulty   -- the first games that ended with a fault
    """

    def __init__(self, test: PairTest | None = None, brief: bool = False) -> None:
        self.test = test
        self._brief = brief
        self.games = 0
        self.meetings: dict[tuple[str, str], Meeting] = {}
        self.courses: dict[tuple[str, str], Course] = {}
        self.tested = Course()
        self.boards: dict[Board, BoardTally] = {}
        self.on_board: dict[tuple[Board, str, str], Meeting] = {}
        self.openings: dict[tuple[Board, tuple[str, ...]], list[int]] = {}
        self.faults: Counter[tuple[str, Fault]] = Counter()
        self.workers: dict[str, WorkerTally] = {}
        self.adjudicated: Counter[Adjudication] = Counter()
        self.recent: deque[Numbered] = deque(maxlen=LISTED_GAMES)
        self.faulty: list[Numbered] = []
        self.started: float | None = None
        self.ended: float | None = None
        self.seconds = 0.0

    def add(self, result: GameResult, number: int = 0) -> None:
        """Count a game; with its number in the store, reports can link to its evidence."""
        key = result.key
        self.games += 1
        self._count_meeting(key, _score(result, key.first))
        self.boards.setdefault(key.board, BoardTally()).add(result)
        if result.worker is not None:
            self.workers.setdefault(result.worker, WorkerTally()).add(result.fault)
        if result.adjudicated:
            self.adjudicated[result.adjudicated] += 1
        if result.fault and result.loser:
            self.faults[result.loser, result.fault] += 1
        if not self._brief:
            self._list(Numbered(number, result))
        ended = result.started + result.seconds
        self.started = min(result.started, self.started or result.started)
        self.ended = max(ended, self.ended or ended)
        self.seconds += result.seconds

    def _list(self, game: Numbered) -> None:
        result = game.result
        key = result.key
        opening = self.openings.setdefault((key.board, result.opening), [0] * 3)
        opening[_score(result, key.engines[0])] += 1
        self.recent.append(game)
        if result.fault and result.loser and len(self.faulty) < LISTED_FAULTS:
            self.faulty.append(game)

    def _count_meeting(self, key: GameKey, score: int) -> None:
        names = key.first, key.second
        meeting = self.meetings.setdefault(names, Meeting())
        self.on_board.setdefault((key.board, *names), Meeting()).add(key, score)
        if (both := meeting.add(key, score)) is None:
            return
        moment = Moment(meeting.games.units, tuple(meeting.pairs))
        self.courses.setdefault(names, Course()).add(moment)
        if self.test is not None and self.test.add(key, both):
            counts = self.test.counts
            self.tested.add(Moment(2 * counts.units, counts.numbers))

    @property
    def decision(self) -> SprtDecision | None:
        """How the sequential test ended, None until then."""
        return self.test.decision if self.test else None

    @property
    def complete_pairs(self) -> int:
        """The number of pairs with both games played."""
        return sum(meeting.paired.units for meeting in self.meetings.values())

    def pairs(self, first: str, second: str) -> Counts:
        """The complete pairs of two engines, from the side of the first."""
        if (second, first) in self.meetings:
            return self.meetings[second, first].paired.reversed()
        return self.meetings.get((first, second), Meeting()).paired

    def games_between(self, first: str, second: str) -> Counts:
        """The games of two engines, from the side of the first."""
        if (second, first) in self.meetings:
            return self.meetings[second, first].games.reversed()
        return self.meetings.get((first, second), Meeting()).games

    def by_first_turn(self) -> Meetings:
        """The games for `ratings.rate`."""
        found = {}
        for (first, second), meeting in self.meetings.items():
            found[first, second] = Counts(tuple(meeting.halves[0]))
            found[second, first] = Counts(tuple(meeting.halves[1])).reversed()
        return found

    def games_of(self, engine: str) -> Counts:
        """All games of an engine."""
        return sum(self._sides(engine), Counts())

    def halves_of(self, engine: str) -> tuple[Counts, Counts]:
        """The games that an engine began as BLACK, and as WHITE."""
        sides = list(self._sides(engine))
        return sum(sides[::2], Counts()), sum(sides[1::2], Counts())

    def _sides(self, engine: str) -> Iterable[Counts]:
        """For each meeting of an engine, its games as BLACK, then those as WHITE."""
        for (first, second), meeting in self.meetings.items():
            halves = [Counts(tuple(half)) for half in meeting.halves]
            if engine == first:
                yield from halves
            elif engine == second:
                yield from (half.reversed() for half in reversed(halves))


def _score(result: GameResult, engine: str) -> int:
    """The half points of one of the engines in a game."""
    if result.winner is None:
        return _DRAWN
    return _WON if result.winner == engine else _LOST
