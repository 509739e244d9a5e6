"""The configuration of a match: its values, and the checks that it can be played."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal, NamedTuple, get_args

from gtp_engine.arena import ArenaError
from gtp_engine.arena.setup.setting_values import parse_values
from gtp_engine.arena.setup.timekeeper import Leniency
from gtp_engine.arena.stats.pair_test import PairTest
from gtp_engine.arena.values import Board
from gtp_engine.base.option import (
    any_text,
    choice,
    integers,
    meant,
    numbers,
    option,
    switch,
)
from gtp_engine.base.statistics.sprt import MODELS, NORMALIZED, Sprt
from gtp_engine.gtp.client.timing import NO_CLOCK, time_control
from gtp_engine.rules import UnknownGame, default_game, find_game
from gtp_engine.rules.clock import TimeControl
from gtp_engine.rules.step import Pie, UnplayablePosition

Format = Literal["round-robin", "gauntlet"]
PieForm = Literal["pieces", "sides", "off"]
Source = Literal["none", "file", "random"]


def _memory() -> Any:
    return option(
        None, integers(1, 2**24), "memory limit per engine in MiB, for its processes together"
    )


SEED = "{seed}"
"""In an engine's settings and commands this stands for a number that differs between games."""


# The ratings in Elo that may be given.
_RATINGS = numbers(-(10**5), 10**5)


class WrongMatch(ArenaError, ValueError):
    """An invalid configuration; the text says why."""


class Terms(NamedTuple):
    """The values of the configuration that matter to a process: see Match.

    memory     -- MiB for its processes together, where its own settings say nothing
    starting   -- seconds for its first answer
    answering  -- seconds for answers that need no thought
    log        -- the folder for all that goes to it and comes from it, empty for none
    processors -- the only ones that it runs on; empty for any
    """

    memory: int | None = None
    starting: float = 300.0
    answering: float = 30.0
    log: str = ""
    processors: tuple[int, ...] = ()


DEFAULT_TERMS = Terms()


@dataclass(frozen=True)
class Part:
    """A table of a configuration."""


@dataclass(frozen=True)
class Engine(Part):
    """An engine of the match.

    command     -- its command line
    name        -- its name in reports
    settings    -- settings for `game-set`, sent before each game
    setup       -- more lines to send before each game, after the settings
    environment -- variables added to those of this process
    time        -- its own time control, for matches with time odds
    restart     -- start a new process for each game
    """

    name: str
    command: str
    settings: dict[str, str | int | float] = field(default_factory=dict)
    setup: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    time: str | None = None
    memory: int | None = _memory()
    restart: bool = False


@dataclass(frozen=True)
class Openings(Part):
    """The source of the first turns of each pair of games.

    source  -- none: the start, balanced by the pie rule alone; file: a file with one opening
               per line; random: random turns, kept only if the judge finds them balanced
    file    -- the path of the file
    """

    source: Source = "none"
    file: str = ""
    turns: int = option(2, integers(0, 40), "turns in a random opening")
    balance: float = option(0.1, numbers(0, 0.5), "largest distance of an opening's value from 0.5")
    judge: str = option(
        "", any_text(), "command of the engine that evaluates openings; without it all are accepted"
    )


# The name under which the engine that proves results appears among the engines.
ADJUDICATOR = "judge of results"


@dataclass(frozen=True)
class Adjudicating(Part):
    """When the arena itself ends a game."""

    resign: float = option(
        0.0,
        numbers(0, 0.5),
        "adjudicate a loss at this reported chance to win or less; 0: never",
    )
    resign_turns: int = option(
        3, integers(1, 1000), "consecutive turns of the engine with such a chance"
    )
    resign_both: bool = switch(False, "only if the opponent reports the same")
    max_turns: int = option(
        0, integers(0, 10**6), "adjudicate a draw after this many turns; 0: never"
    )
    judge: str = option(
        "",
        any_text(),
        "command of an engine that adjudicates proven results by game-solve",
        flag="prover",
    )
    judge_seconds: float = option(1.0, numbers(0, 3600), "seconds per proof", flag="prover-seconds")


@dataclass(frozen=True)
class SequentialTest(Part):
    """A sequential test: the match ends when the test accepts one of two hypotheses.

    elo0, elo1 -- the hypotheses, as Elo of the first engine against the second
    """

    elo0: float
    elo1: float
    alpha: float = option(0.05, numbers(0, 1), "chance that the test accepts ELO1 wrongly")
    beta: float = option(0.05, numbers(0, 1), "chance that the test accepts ELO0 wrongly")
    model: str = option(NORMALIZED, choice(*MODELS), "kind of Elo in the test")

    def test(self) -> Sprt:
        """The test. Raises ValueError for numbers that do not define one."""
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta, self.model)


@dataclass(frozen=True)
class TuneConfig(Part):
    """A search for better settings of the first engine; each trial is a match of its own.

    settings -- the possible values of each setting: `1..50`, `0.1..4:log` or `a|b|c`
    """

    settings: dict[str, str]
    trials: int = option(100, integers(1, 10**5), "number of trials", free=True)


@dataclass(frozen=True)
class Match(Part):
    """A match.

    boards   -- games with sizes: `NAME 8`; without a size, the game's default size
    anchors  -- given ratings in Elo, by the names of engines; they may change while it goes on
    sprt     -- end the match when a sequential test is decided
    tune     -- search for better settings of the first engine; `games` then counts those of one
                trial, against the other engines, or against the first with unchanged settings if
                there is no other
    """

    engines: tuple[Engine, ...]
    boards: tuple[str, ...] = (default_game().name,)
    pie: PieForm = option("pieces", choice(*get_args(PieForm)), "form of the pie rule")
    format: Format = option(
        "round-robin",
        choice(*get_args(Format)),
        "who meets whom; in a gauntlet the first engine meets all others",
        free=True,
    )
    games: int = option(
        100,
        integers(2, 10**7),
        "games per pair of engines and board, an even number",
        free=True,
    )
    start: int = option(
        0,
        integers(0, 10**9),
        "number of the first pair; batches with one seed and disjoint numbers share no opening",
        free=True,
    )
    seed: int = option(1, integers(), "seed of random openings and of {seed}")
    openings: Openings = Openings()
    adjudication: Adjudicating = Adjudicating()
    time: str = option(NO_CLOCK, any_text(), "time control: 60, 60+0.5, 60+30/5, 1/1 or none")
    margin: float = option(
        0.05, numbers(0, 3600), "seconds that a clock may be overdrawn; they are charged later"
    )
    lenience: float = option(
        0.5, numbers(0, 3600), "most further seconds excused per turn, if others caused them"
    )
    allowance: float = option(0.1, numbers(0, 3600), "free seconds per command, except genmove")
    patience: float = option(
        600.0,
        numbers(0.01, 10**6),
        "seconds until an engine without a clock counts as stalled",
    )
    starting: float = option(
        DEFAULT_TERMS.starting,
        numbers(0.01, 10**6),
        "seconds for an engine's first response, which includes loading",
        free=True,
    )
    answering: float = option(
        DEFAULT_TERMS.answering,
        numbers(0.01, 10**6),
        "seconds for a response that needs no thinking",
        free=True,
    )
    outage: float = option(
        86400.0,
        numbers(0, 10**7),
        "seconds to wait for a locked file, a full disk or a lost scheduler; then the match ends",
        free=True,
    )
    recover: bool = switch(
        False, "continue when an engine loses several games in a row by faults", free=True
    )
    log: str = option(
        "",
        any_text(),
        "folder for logs of all GTP and stderr, one file per engine process",
        free=True,
    )
    memory: int | None = _memory()
    comments: bool = switch(True, "ask engines after each turn what they thought")
    anchors: dict[str, float] = field(default_factory=dict)
    sprt: SequentialTest | None = None
    tune: TuneConfig | None = None
    concurrency: int = option(
        0,
        integers(0, 4096),
        "games in parallel; 0: one, or all that a cluster can play",
        free=True,
    )
    cores: int = option(0, integers(0, 4096), "cores reserved per game; 0: engines run on any core")

    def pair_test(self) -> PairTest | None:
        """The sequential test at its beginning, None if the match has none."""
        if self.sprt is None:
            return None
        first, second = (engine.name for engine in self.engines)
        boards = list(self.played_boards())
        return PairTest(self.sprt.test(), (first, second), boards, self.start)

    def check(self) -> None:
        """Raises WrongMatch if it cannot be played."""
        _check_engines(self)
        if self.games % 2:
            raise WrongMatch("games: the number must be even, so that colors are balanced")
        boards = list(self.played_boards())
        if not boards:
            raise WrongMatch("boards: at least one is needed")
        for board in boards:
            if boards.count(board) > 1:
                raise WrongMatch(f"boards: {board.name} is listed twice")
        for text in (self.time, *(engine.time for engine in self.engines)):
            try:
                time_control(NO_CLOCK if text is None else text)
            except ValueError as error:
                raise WrongMatch(f"time: {error}") from None
        openings = self.openings
        if (openings.source == "file") != bool(openings.file):
            raise WrongMatch("openings: `file` is needed with the source `file`, and only there")
        if self.adjudication.resign and not self.comments:
            raise WrongMatch("adjudication: resign needs comments, which contain the chances")
        _check_anchors(self)
        if self.tune is not None:
            _check_tuning(self, self.tune)
        if self.sprt is not None:
            _check_test(self, self.sprt)

    def played_boards(self) -> Iterator[Board]:
        """The boards, in order. Raises WrongMatch."""
        for text in self.boards:
            name, *sizes = text.split() or [""]
            try:
                game = find_game(name)
                (size,) = map(int, sizes) if sizes else (None,)
                start = game.start(size, Pie(self.pie))
            except (UnknownGame, UnplayablePosition) as error:
                raise WrongMatch(f"boards: {error}") from None
            except ValueError:
                raise WrongMatch(f"boards: expected a game and a size, got: {text}") from None
            yield Board(game.name, start.size, start.pie.value)

    def pairings(self) -> Iterator[tuple[Engine, Engine]]:
        """The pairs of engines that meet."""
        for first, second in combinations(self.engines, 2):
            if self.format == "round-robin" or first is self.engines[0]:
                yield first, second

    def control(self, engine: Engine) -> TimeControl:
        """The time control of an engine."""
        return time_control(self.time if engine.time is None else engine.time)

    def anchored(self, anchors: Mapping[str, float]) -> "Match":
        """The match with more given ratings. Raises WrongMatch."""
        match = replace(self, anchors={**self.anchors, **anchors})
        _check_anchors(match)
        return match

    @property
    def terms(self) -> Terms:
        """Resource limits of engines, beside their clocks."""
        return Terms(self.memory, self.starting, self.answering, self.log)

    @property
    def leniency(self) -> Leniency:
        """Time that engines may take without losing."""
        return Leniency(self.margin, self.lenience, self.allowance)

    @property
    def pairs(self) -> range:
        """The numbers of the pairs of games, for each pair of engines and each board."""
        return range(self.start, self.start + self.games // 2)


TABLES: dict[str | None, type[Part]] = {
    None: Match,
    "openings": Openings,
    "adjudication": Adjudicating,
    "sprt": SequentialTest,
    "tune": TuneConfig,
}
"""The tables of a configuration by name; the root is the first."""


def _check_engines(match: Match) -> None:
    names = [engine.name for engine in match.engines]
    if match.tune and not names:
        raise WrongMatch("engines: a tuning needs one")
    if not match.tune and len(names) < 2:
        raise WrongMatch("engines: a match needs at least two")
    for name in names:
        if not name.strip() or len(name) > 64 or not name.isprintable():
            raise WrongMatch(f"engines: not a valid name: {name!r}")
        if name == ADJUDICATOR:
            raise WrongMatch(f"engines: the name {name} is reserved for the adjudicator")
        if names.count(name) > 1:
            raise WrongMatch(f"engines: two engines are named {name}")
    for engine in match.engines:
        if not engine.command.strip():
            raise WrongMatch(f"engines: {engine.name} has no command")
        for text in (*engine.settings, *map(str, engine.settings.values()), *engine.setup):
            if not text or "\n" in text or "\r" in text:
                raise WrongMatch(
                    f"engines: {engine.name}: expected one line of text, got: {text!r}"
                )


def _check_anchors(match: Match) -> None:
    names = [engine.name for engine in match.engines]
    for name, elo in match.anchors.items():
        if name not in names:
            raise WrongMatch(f"anchors: no engine is named {name}{meant(name, names)}")
        try:
            _RATINGS.check(elo)
        except ValueError as error:
            raise WrongMatch(f"anchors: {name}: {error}") from None


def _check_tuning(match: Match, tuning: TuneConfig) -> None:
    if match.sprt is not None:
        raise WrongMatch("sprt: cannot be used with tune; test the result in a match")
    if match.anchors:
        raise WrongMatch("anchors: a tuning has no ratings")
    if not tuning.settings:
        raise WrongMatch("tune: no setting is given: --tune KEY=LOW..HIGH")
    for key, text in tuning.settings.items():
        if len(key.split()) != 1 or key != key.strip() or not key.isprintable():
            raise WrongMatch(f"tune: not a valid name of a setting: {key!r}")
        try:
            parse_values(text)
        except ValueError as error:
            raise WrongMatch(f"tune: {key}: {error}") from None
    for engine in match.engines[1:]:
        if engine.name.startswith(f"{match.engines[0].name}#"):
            raise WrongMatch(f"engines: {engine.name} is reserved for a trial")


def _check_test(match: Match, sprt: SequentialTest) -> None:
    if len(match.engines) != 2:
        raise WrongMatch("sprt: a sequential test needs exactly two engines")
    try:
        sprt.test()
    except ValueError as error:
        raise WrongMatch(f"sprt: {error}") from None
