"""The results of a match: its tally, facts about the match, and the verdict in words."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from gtp_engine.arena.reporting.wording import (
    interval,
    likelihood,
    listed,
    number_of,
    percent,
    printable,
    signed,
)
from gtp_engine.arena.setup.config import Match
from gtp_engine.arena.setup.schedule import count_games
from gtp_engine.arena.stats.ratings import RatingPool, rate
from gtp_engine.arena.stats.tally import Meeting, Tally
from gtp_engine.arena.values import Board, Fault, TimeUse
from gtp_engine.base.statistics.sprt import NORMALIZED, Sprt
from gtp_engine.base.statistics.statistics import Counts, elo, superiority

# Above these likelihoods an engine is called stronger, and probably stronger.
SURE = 0.975
PROBABLE = 0.9

# The largest number of openings that reports list; with more, each would have few games.
MOST_OPENINGS = 24


class Test(NamedTuple):
    """The state of a sequential test; accepted -- `H0`, `H1` or None."""

    sprt: Sprt
    counts: Counts
    llr: float
    accepted: str | None


class OpeningGames(NamedTuple):
    """The games with one beginning, from the side of the engine that began as BLACK.

    name   -- their common first turns, `others` for the remaining games
    """

    board: Board
    name: str
    counts: Counts


@dataclass(frozen=True)
class Findings:
    """All results of a match.

    identities -- the names and versions that the engines report, by name
    uses       -- what each plays with, in lines: see Identity
    times      -- the time that each engine used
    voids      -- number of void games
    """

    tally: Tally
    match: Match
    identities: Mapping[str, str] = field(default_factory=dict)
    uses: Mapping[str, str] = field(default_factory=dict)
    times: Mapping[str, TimeUse] = field(default_factory=dict)
    voids: int = 0

    @cached_property
    def engines(self) -> list[str]:
        """The engines in the order of the configuration, then those of earlier runs."""
        played = (name for pair in self.tally.meetings for name in pair)
        return list(dict.fromkeys([*(engine.name for engine in self.match.engines), *played]))

    @cached_property
    def planned(self) -> int:
        """The number of games that the match will have."""
        return count_games(self.match)

    @cached_property
    def pools(self) -> list[RatingPool]:
        """The ratings."""
        return rate(self.engines, self.tally.by_first_turn(), self.match.anchors)

    @property
    def rated_pools(self) -> list[RatingPool]:
        """The ratings that are worth a list: two engines are compared without it."""
        if len(self.engines) < 3 and not self.match.anchors:
            return []
        return [pool for pool in self.pools if len(pool.ratings) > 1]

    @property
    def test(self) -> Test | None:
        """The sequential test in its final or present state; None if the match has none."""
        test = self.tally.test
        if test is None:
            return None
        accepted = test.decision and test.decision.accepted
        return Test(test.sprt, test.counts, test.llr, accepted)

    @property
    def only_meeting(self) -> tuple[str, str, Meeting] | None:
        """The engines and games of a match of two, None without games or with more engines."""
        if len(self.engines) != 2 or len(self.tally.meetings) != 1:
            return None
        (((first, second), meeting),) = self.tally.meetings.items()
        return first, second, meeting

    @property
    def turn_times(self) -> list[tuple[str, TimeUse]]:
        """The engines that played turns, with the time that these took."""
        used = ((engine, self.times.get(engine)) for engine in self.engines)
        return [(engine, use) for engine, use in used if use and use.turns]

    @property
    def faults(self) -> list[tuple[str, Fault, int]]:
        """The number of each engine's faults of each kind, by engine, the most frequent first."""
        places = {engine: place for place, engine in enumerate(self.engines)}
        counted = [(*what, count) for what, count in self.tally.faults.items()]
        return sorted(counted, key=lambda row: (places[row[0]], -row[2], row[1].value))

    @cached_property
    def openings(self) -> list[OpeningGames]:
        """Games by opening, or by their first turns if there would be too many groups.

        Empty if all games on each board began alike.
        """
        length = max((len(words) for _, words in self.tally.openings), default=0)
        while len(groups := self._common_openings(length)) > MOST_OPENINGS and length > 1:
            length -= 1
        if len(groups) <= len(self.tally.boards):
            return []
        groups.sort(key=lambda group: -group.counts.units)
        return [*groups[:MOST_OPENINGS], *_left_over(groups[MOST_OPENINGS:])]

    def _common_openings(self, length: int) -> list[OpeningGames]:
        sums: dict[tuple[Board, tuple[str, ...]], Counts] = {}
        for (board, words), numbers in self.tally.openings.items():
            common = board, words[:length]
            sums[common] = sums.get(common, Counts()) + Counts(tuple(numbers))
        longer = {words[:length] for _, words in self.tally.openings if len(words) > length}
        return [
            OpeningGames(board, " ".join([*words, *(["..."] if words in longer else [])]), counts)
            for (board, words), counts in sums.items()
        ]

    @property
    def title(self) -> str:
        """The engines and boards of the match."""
        names = self.engines
        boards = listed([board.name for board in self.match.played_boards()])
        who = " against ".join(names) if len(names) == 2 else f"{len(names)} engines"
        return f"{who}, {boards}"

    @property
    def headline(self) -> str:
        """A sentence that says which engine is better."""
        if not self.tally.games:
            return "No game has been played yet"
        if self.only_meeting:
            return _verdict_on_two(*self.only_meeting)
        return _verdict_on_pool(self.pools[0])

    @property
    def sentences(self) -> list[str]:
        """Further remarks, the most important first."""
        told = [
            self._strength(),
            self._test(),
            self._unjoined(),
            self._anchored(),
            self._progress(),
        ]
        return [*filter(None, told), *self._used(), *self._flaws()]

    def _strength(self) -> str:
        if not self.only_meeting:
            return ""
        first, second, meeting = self.only_meeting
        best = first if meeting.counts.mean >= 0.5 else second
        counts = meeting.counts if best == first else meeting.counts.reversed()
        strength = elo(counts)
        assert strength is not None
        scored = f"{best} scores {percent(counts.mean)}"
        sure = f"{likelihood(superiority(counts))} likely to be stronger"
        if math.isinf(strength.value):
            return f"{scored}: {interval(strength)} Elo, with 95 % confidence; {sure}."
        return f"{scored}: {signed(strength.value)} Elo (95 %: {interval(strength)}); {sure}."

    def _test(self) -> str:
        if self.test is None:
            return ""
        sprt, counts, llr, accepted = self.test
        scale = "normalised Elo" if sprt.model == NORMALIZED else "Elo"
        where = f"LLR {llr:+.2f}, bounds {sprt.bounds.lower:+.2f} and {sprt.bounds.upper:+.2f}"
        apart = [f"{value:+g}" if value else "0" for value in (sprt.elo0, sprt.elo1)]
        name = self.engines[0]
        if accepted is None:
            words = f"has not decided between {apart[1]} and {apart[0]} {scale} for {name}"
            return f"The sequential test {words}: {where}."
        right, wrong = reversed(apart) if accepted == "H1" else apart
        return (
            f"The sequential test has accepted {accepted}: {name} is {right} rather than"
            f" {wrong} {scale}, after {number_of(counts.units, 'pair')}: {where}."
            " The Elo of a match that ended by a test is biased away from zero."
        )

    def _unjoined(self) -> str:
        pools = [pool for pool in self.pools if pool.ratings[0].games]
        if len(pools) < 2:
            return ""
        names = [listed([rating.engine for rating in pool.ratings]) for pool in pools]
        groups = "; ".join(names)
        return f"No games connect these groups, so their ratings cannot be compared: {groups}."

    def _anchored(self) -> str:
        given = [f"{name} at {elo:g}" for name, elo in self.match.anchors.items()]
        return f"Ratings are on the scale of {listed(given)} Elo." if given else ""

    def _progress(self) -> str:
        games, pairs = self.tally.games, self.tally.complete_pairs
        told = f"{games:,} of {number_of(max(self.planned, games), 'game')}"
        told += f", {number_of(pairs, 'complete pair')}"
        if odd := games - 2 * pairs:
            told += f"; {number_of(odd, 'game', 'games')} of incomplete pairs"
        return told + "."

    def _used(self) -> Iterator[str]:
        """What engines use, together for those that use the same."""
        together: dict[str, list[str]] = {}
        for engine in self.engines:
            if told := self.uses.get(engine):
                together.setdefault(told, []).append(engine)
        for told, engines in together.items():
            verb = "plays" if len(engines) == 1 else "play"
            yield printable(f"{listed(engines)} {verb} {'; '.join(told.splitlines())}.")

    def _flaws(self) -> Iterator[str]:
        for engine in self.engines:
            kinds = [(fault, count) for name, fault, count in self.faults if name == engine]
            if kinds:
                words = listed([f"{fault.value} {count:,}" for fault, count in kinds])
                lost = number_of(sum(count for _, count in kinds), "game")
                yield f"{engine} lost {lost} by its own faults ({words})."
        if cores := self.match.cores:
            yield f"The engines of each game had {number_of(cores, 'reserved core')}."
        if adjudicated := self.tally.adjudicated:
            words = listed([f"{why.value} {count:,}" for why, count in adjudicated.items()])
            games = number_of(adjudicated.total(), "game was", "games were")
            yield f"{games} ended by adjudication ({words})."
        if self.voids:
            yield f"{number_of(self.voids, 'void game was', 'void games were')} not counted."


def _left_over(groups: Sequence[OpeningGames]) -> list[OpeningGames]:
    """One group per board with remaining games."""
    sums: dict[Board, Counts] = {}
    for group in groups:
        sums[group.board] = sums.get(group.board, Counts()) + group.counts
    return [OpeningGames(board, "others", counts) for board, counts in sums.items()]


def _verdict_on_two(first: str, second: str, meeting: Meeting) -> str:
    sure = superiority(meeting.counts)
    assert sure is not None
    best, other = (first, second) if sure >= 0.5 else (second, first)
    sure = max(sure, 1 - sure)
    if sure >= SURE:
        return f"{best} is stronger than {other}"
    if sure >= PROBABLE:
        return f"{best} is probably stronger than {other}"
    return f"{first} and {second} cannot be told apart so far"


def _verdict_on_pool(pool: RatingPool) -> str:
    best, *others = pool.ratings
    if not others:
        return "No game has been played yet"
    ahead = best.ahead or 0.0
    lead = f"{best.engine} is first of {len(pool.ratings)}"
    if ahead >= SURE:
        return f"{lead}, stronger than {others[0].engine}"
    if ahead >= PROBABLE:
        return f"{lead}, probably stronger than {others[0].engine}"
    return f"{lead}, but not clearly stronger than {others[0].engine} so far"
