"""The games of a match, counted: everything that reports show, without the turns."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from gtp_engine.arena.records import Adjudication, Board, Fault, GameKey, GameResult
from gtp_engine.arena.stats.ratings import Meetings
from gtp_engine.arena.stats.sprt import Sprt
from gtp_engine.arena.stats.statistics import Counts

# How many games reports list, and how many faults with evidence.
LISTED_GAMES = 1000
LISTED_FAULTS = 200

# How many moments of a match are kept to draw its course.
_MOST_MOMENTS = 512

_LOST, _DRAWN, _WON = range(3)


class Numbered(NamedTuple):
    """A game with its number in the store, 0 where it has none."""

    number: int
    result: GameResult


class Moment(NamedTuple):
    """The counts of pairs after so many games of two engines."""

    games: int
    pairs: tuple[int, ...]


class SprtDecision(NamedTuple):
    """What a sequential test came to when it ended; later games do not change it."""

    accepted: str
    counts: Counts
    llr: float


class Course:
    """How the counts of pairs grew: at most `_MOST_MOMENTS`, evenly spaced, and the last."""

    def __init__(self) -> None:
        self._moments: list[Moment] = []
        self._every = 1
        self._seen = 0
        self._last: Moment | None = None

    def add(self, moment: Moment) -> None:
        """Go on; of too many moments every second one is forgotten."""
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
    """The games of two engines, as the one named first in the configuration sees them.

    halves     -- its losses, draws and wins where it began as BLACK, and where as WHITE
    pairs      -- how many pairs of games brought it 0, 1/2, 1, 3/2 and 2 points
    unfinished -- pairs of which one game is missing, and the half points from the other
    """

    halves: tuple[list[int], list[int]] = field(default_factory=lambda: ([0] * 3, [0] * 3))
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    unfinished: dict[GameKey, int] = field(default_factory=dict)

    def add(self, key: GameKey, score: int) -> bool:
        """Count a game that brought so many half points; True where it completes a pair."""
        self.halves[key.half][score] += 1
        pair = key._replace(half=0)
        if pair not in self.unfinished:
            self.unfinished[pair] = score
            return False
        self.pairs[score + self.unfinished.pop(pair)] += 1
        return True

    @property
    def games(self) -> Counts:
        """All games."""
        return Counts(tuple(map(sum, zip(*self.halves))))

    @property
    def paired(self) -> Counts:
        """The complete pairs."""
        return Counts(tuple(self.pairs))

    @property
    def counts(self) -> Counts:
        """What strength is computed from: the complete pairs, games where there are none."""
        return self.paired if any(self.pairs) else self.games


@dataclass
class BoardTally:
    """The games on one board, by the engines that began as BLACK and WHITE.

    first      -- losses, draws and wins of BLACK's
    unswapped  -- how many games could have been swapped in, and were not
    swapped    -- losses, draws and wins of the engines that swapped
    lengths    -- how many games had so many turns of the engines, those cut off by faults left out
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
        if result.swapped:
            self.swapped[_score(result, white)] += 1
        elif result.key.board.pie != "off" and len(result.opening) < 2:
            self.unswapped += 1
        if result.fault is None:
            self.lengths[result.length] += 1
        self.seconds += result.seconds

    @property
    def swap_rate(self) -> float | None:
        """The share of games swapped in, of those that allowed it; None where none did."""
        swapped = sum(self.swapped)
        return swapped / (swapped + self.unswapped) if swapped + self.unswapped else None


class Tally:
    """Counts of games, one by one; memory grows with openings and boards alone.

    decision -- what the sequential test came to, None while it has not ended
    games    -- how many
    meetings -- by the names of two engines, in the order of the configuration
    boards   -- by board
    on_board -- the meetings on each board alone
    openings -- losses, draws and wins of the engine that began as BLACK, by board and opening
    faults   -- by engine and kind
    adjudicated -- by why the arena ended games
    recent   -- the last games
    faulty   -- the first games that ended with a fault
    started  -- when the first game began, seconds since 1970; None without games
    ended    -- when the last one ended
    seconds  -- the length of all games together
    """

    def __init__(self, test: Sprt | None = None) -> None:
        """`test` is the sequential test of a match between two engines."""
        self._test = test
        self.decision: SprtDecision | None = None
        self.games = 0
        self.meetings: dict[tuple[str, str], Meeting] = {}
        self.courses: dict[tuple[str, str], Course] = {}
        self.boards: dict[Board, BoardTally] = {}
        self.on_board: dict[tuple[Board, str, str], Meeting] = {}
        self.openings: dict[tuple[Board, tuple[str, ...]], list[int]] = {}
        self.faults: Counter[tuple[str, Fault]] = Counter()
        self.adjudicated: Counter[Adjudication] = Counter()
        self.recent: deque[Numbered] = deque(maxlen=LISTED_GAMES)
        self.faulty: list[Numbered] = []
        self.started: float | None = None
        self.ended: float | None = None
        self.seconds = 0.0

    def add(self, result: GameResult, number: int = 0) -> None:
        """Count a game; its number in the store leads from reports to its evidence."""
        key = result.key
        self.games += 1
        self._count_meeting(key, _score(result, key.first))
        self.boards.setdefault(key.board, BoardTally()).add(result)
        opening = self.openings.setdefault((key.board, result.opening), [0] * 3)
        opening[_score(result, key.engines[0])] += 1
        if result.adjudicated:
            self.adjudicated[result.adjudicated] += 1
        self.recent.append(Numbered(number, result))
        if result.fault and result.loser:
            self.faults[result.loser, result.fault] += 1
            if len(self.faulty) < LISTED_FAULTS:
                self.faulty.append(Numbered(number, result))
        ended = result.started + result.seconds
        self.started = min(result.started, self.started or result.started)
        self.ended = max(ended, self.ended or ended)
        self.seconds += result.seconds

    def _count_meeting(self, key: GameKey, score: int) -> None:
        names = key.first, key.second
        meeting = self.meetings.setdefault(names, Meeting())
        self.on_board.setdefault((key.board, *names), Meeting()).add(key, score)
        if meeting.add(key, score):
            moment = Moment(meeting.games.units, tuple(meeting.pairs))
            self.courses.setdefault(names, Course()).add(moment)
            self._examine(meeting.paired)

    def _examine(self, counts: Counts) -> None:
        """See whether the sequential test ends with the pair that was just completed."""
        if self._test is None or self.decision is not None:
            return
        llr = self._test.llr(counts)
        if accepted := self._test.hypothesis(llr):
            self.decision = SprtDecision(accepted, counts, llr)

    @property
    def complete_pairs(self) -> int:
        """Pairs of games on one opening of which both were played."""
        return sum(meeting.paired.units for meeting in self.meetings.values())

    def pairs(self, first: str, second: str) -> Counts:
        """The complete pairs of two engines, as the first of them sees them."""
        if (second, first) in self.meetings:
            return self.meetings[second, first].paired.reversed()
        return self.meetings.get((first, second), Meeting()).paired

    def games_between(self, first: str, second: str) -> Counts:
        """The games of two engines, as the first of them sees them."""
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
        """The games that an engine began as BLACK, and those as WHITE."""
        sides = list(self._sides(engine))
        return sum(sides[::2], Counts()), sum(sides[1::2], Counts())

    def _sides(self, engine: str) -> Iterable[Counts]:
        """For each meeting of an engine the games as BLACK, then those as WHITE."""
        for (first, second), meeting in self.meetings.items():
            halves = [Counts(tuple(half)) for half in meeting.halves]
            if engine == first:
                yield from halves
            elif engine == second:
                yield from (half.reversed() for half in reversed(halves))


def _score(result: GameResult, engine: str) -> int:
    """What a game brought to an engine of it, in half points."""
    if result.winner is None:
        return _DRAWN
    return _WON if result.winner == engine else _LOST
