"""What a match is: read from TOML or flags, checked, and compared with what a store holds."""

import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from gtp_engine.arena.errors import ArenaError
from gtp_engine.arena.records import Board
from gtp_engine.arena.setup.options import Option, out_of_bounds
from gtp_engine.arena.setup.space import parse_values
from gtp_engine.arena.setup.terms import DEFAULT as DEFAULT_TERMS
from gtp_engine.arena.setup.terms import Terms
from gtp_engine.arena.setup.timekeeper import Leniency
from gtp_engine.arena.setup.timing import NO_CLOCK, time_control
from gtp_engine.arena.stats.sprt import NORMALIZED, Sprt
from gtp_engine.clock import TimeControl
from gtp_engine.files import read_file
from gtp_engine.rules import UnknownGame, default_game, find_game
from gtp_engine.rules.step import Pie, UnplayablePosition

Format = Literal["round-robin", "gauntlet"]
Source = Literal["none", "file", "random"]

# MiB that engines may take.
Memory = Annotated[int | None, Option("MiB that each engine may take", 1, 2**24)]

SEED = "{seed}"
"""Stands in an engine's settings and commands for a number that differs from game to game."""

LARGEST_FILE = 2**20  # bytes of a TOML file

# A sequential test that nobody bounds ends long before.
MOST_TEST_GAMES = 100_000


class WrongMatch(ArenaError, ValueError):
    """A configuration that cannot be played; the text says what is wrong with it."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of the configuration."""


class Engine(Part, frozen=True):
    """An engine of the match.

    command     -- its command line
    name        -- how reports call it
    settings    -- for `game-set`, sent before each game
    setup       -- lines sent before each game, behind everything else
    environment -- variables added to ours
    time        -- its own time control, for matches with odds
    memory      -- MiB that its processes may take
    restart     -- whether it is started anew for each game
    """

    name: str
    command: str
    settings: dict[str, str | int | float] = {}
    setup: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    time: str | None = None
    memory: Memory = None
    restart: bool = False


class Openings(Part, frozen=True):
    """Where the first turns of each pair of games come from.

    source  -- none: the empty board, where the pie rule is what balances; file: one opening a
               line; random: random turns, kept when an engine finds them balanced
    file    -- its path
    turns   -- how many of them are random
    balance -- how far from one half the judge's value for Black may be
    judge   -- the command line of the engine that judges; without one nothing is judged
    """

    source: Source = "none"
    file: str = ""
    turns: Annotated[int, Option("turns of a random opening", 0, 40)] = 2
    balance: Annotated[float, Option("distance of its value from 1/2", 0, 0.5)] = 0.1
    judge: Annotated[str, Option("command line of the engine that values openings")] = ""


# The name of the judge of results among the engines.
ADJUDICATOR = "judge of results"


class Adjudicating(Part, frozen=True):
    """When the arena ends a game that the rules have not ended; 0 and "" for never.

    judge -- the command line of an engine whose `game-solve` tells proven results
    """

    resign: Annotated[
        float, Option("an engine that gives itself at most this chance, 0 to 0.5, loses", 0, 0.5)
    ] = 0.0
    resign_turns: Annotated[
        int, Option("after so many turns of its own in a row with such a chance", 1, 1000)
    ] = 3
    resign_both: Annotated[bool, Option("only where its opponent tells the same of it")] = False
    max_turns: Annotated[int, Option("a game of so many turns is a draw", 0, 10**6)] = 0
    judge: Annotated[
        str, Option("command line of an engine that proves results by game-solve", flag="prover")
    ] = ""
    judge_seconds: Annotated[
        float, Option("seconds for each of its proofs", 0, 3600, flag="prover-seconds")
    ] = 1.0


class SequentialTest(Part, frozen=True):
    """A sequential test: the match ends as soon as one of two strengths is ruled out.

    elo0, elo1  -- the two, as Elo of the first engine against the second
    alpha, beta -- the chances to accept elo1 or elo0 wrongly
    model       -- what those Elo are: normalized, or logistic
    """

    elo0: float
    elo1: float
    alpha: Annotated[float, Option("chance of the test to accept ELO1 wrongly")] = 0.05
    beta: Annotated[float, Option("chance of the test to accept ELO0 wrongly")] = 0.05
    model: Annotated[str, Option("what its Elo are: normalized or logistic")] = NORMALIZED

    def test(self) -> Sprt:
        """The test. Raises ValueError where these numbers make none."""
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta, self.model)


class TuneConfig(Part, frozen=True):
    """A search for better settings of the first engine: each trial is a match of its own.

    settings -- what may be chosen for each: `1..50`, `0.1..4:log` or `a|b|c`
    trials   -- how many
    """

    settings: dict[str, str]
    trials: Annotated[int, Option("how many there are", 1, 10**5, flag="", free=True)] = 100


class Match(Part, frozen=True):
    """A match.

    boards   -- games with their sizes: `NAME 8`; without a size, the game's default
    format   -- who meets whom: everybody, or the first engine everybody else
    games    -- for each two engines on each board; an even number
    start    -- the number of the first opening: matches with one seed whose numbers do not
                overlap have no opening in common
    time     -- `60`, `60+0.5` a turn, `60+30/5` (30 seconds for each 5 turns), `1/1`, or none
    margin   -- seconds by which a clock may be overdrawn; they are owed
    lenience -- seconds more at most, in one turn, where others kept the engine from running
    allowance -- seconds that each command of a game but `genmove` may take free of charge
    patience -- seconds after which an engine without time control counts as stalled
    starting -- seconds for the first answer of an engine, which may have much to load
    answering -- seconds for answers to commands that need no thought
    recover  -- do not stop because an engine loses a few games in a row by faults
    log      -- a folder for all that goes to engines and comes from them
    sprt     -- end the match as soon as a sequential test is decided
    tune     -- find better settings of the first engine; `games` are those of one trial then,
                against the other engines, or against the first as it is where it is alone
    comments -- whether engines are asked what they thought, after each turn
    concurrency -- games at a time; 0 for one, and on a cluster for all that it can play
    cores    -- how many no other game has, for the engines of each game; 0 for any that are free
    """

    engines: tuple[Engine, ...]
    boards: tuple[str, ...] = (default_game().name,)
    pie: Annotated[
        Literal["pieces", "sides", "off"], Option("form of the pie rule: pieces, sides or off")
    ] = "pieces"
    format: Annotated[
        Format, Option("round-robin, or gauntlet: the first engine meets all others", free=True)
    ] = "round-robin"
    games: Annotated[
        int, Option("games for each two engines on each board", 2, 10**7, free=True)
    ] = 100
    start: Annotated[
        int, Option("number of the first pair of games, for disjoint batches", 0, 10**9, free=True)
    ] = 0
    seed: Annotated[int, Option("what random openings and {seed} come from")] = 1
    openings: Openings = Openings()
    adjudication: Adjudicating = Adjudicating()
    time: Annotated[str, Option("60, 60+0.5, 60+30/5, 1/1 (one second a turn), or none")] = NO_CLOCK
    margin: Annotated[float, Option("seconds that a clock may be overdrawn", 0, 3600)] = 0.05
    lenience: Annotated[
        float, Option("and seconds more in one turn, if others caused them", 0, 3600)
    ] = 0.5
    allowance: Annotated[
        float, Option("seconds free of charge for each command but genmove", 0, 3600)
    ] = 0.1
    patience: Annotated[
        float, Option("seconds until an engine without a clock counts as stalled", 0.01, 10**6)
    ] = 600.0
    starting: Annotated[
        float, Option("seconds for the first answer of an engine", 0.01, 10**6, free=True)
    ] = DEFAULT_TERMS.starting
    answering: Annotated[
        float, Option("seconds for an answer that needs no thought", 0.01, 10**6, free=True)
    ] = DEFAULT_TERMS.answering
    recover: Annotated[
        bool, Option("go on with an engine that fails in game after game", free=True)
    ] = False
    log: Annotated[
        str, Option("folder for all GTP and stderr, a file for each engine process", free=True)
    ] = ""
    memory: Memory = None
    comments: Annotated[bool, Option("ask engines what they thought, after each turn")] = True
    sprt: SequentialTest | None = None
    tune: TuneConfig | None = None
    concurrency: Annotated[
        int,
        Option("games at a time; 0 for one, on a cluster for all it can play", 0, 4096, free=True),
    ] = 0

    cores: Annotated[
        int, Option("cores of its own for each game; 0: engines run on any", 0, 4096)
    ] = 0

    def check(self) -> None:
        """Raises WrongMatch where it cannot be played."""
        _check_engines(self)
        _check_numbers(self)
        boards = list(self.played_boards())
        if not boards:
            raise WrongMatch("boards: none is given")
        for board in boards:
            if boards.count(board) > 1:
                raise WrongMatch(f"boards: {board.name} is there twice")
        for text in (self.time, *(engine.time for engine in self.engines)):
            try:
                time_control(text or NO_CLOCK)
            except ValueError as error:
                raise WrongMatch(f"time: {error}") from None
        openings = self.openings
        if (openings.source == "file") != bool(openings.file):
            raise WrongMatch("openings: a file belongs to the source `file`")
        if self.adjudication.resign and not self.comments:
            raise WrongMatch("adjudication: resign needs comments, which tell chances")
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
                raise WrongMatch(f"boards: not a game and a size: {text}") from None
            yield Board(game.name, start.size, self.pie)

    def pairings(self) -> Iterator[tuple[Engine, Engine]]:
        """Which engines meet."""
        for first, second in combinations(self.engines, 2):
            if self.format == "round-robin" or first is self.engines[0]:
                yield first, second

    def control(self, engine: Engine) -> TimeControl:
        """The time control of an engine."""
        return time_control(engine.time or self.time)

    @property
    def terms(self) -> Terms:
        """What engines may take, beside their clocks."""
        return Terms(self.memory, self.starting, self.answering, self.log)

    @property
    def leniency(self) -> Leniency:
        """What engines may take without loss."""
        return Leniency(self.margin, self.lenience, self.allowance)

    @property
    def pairs(self) -> range:
        """The numbers of the pairs of games, for each two engines on each board."""
        return range(self.start, self.start + self.games // 2)


TABLES: dict[str | None, type[Part]] = {
    None: Match,
    "openings": Openings,
    "adjudication": Adjudicating,
    "sprt": SequentialTest,
    "tune": TuneConfig,
}
"""The tables of a configuration by their names, that of the root first."""


def read_match(path: Path) -> dict[str, Any]:
    """The tables of a TOML file, for `make_match`. Raises WrongMatch, or OSError."""
    try:
        return tomllib.loads(read_file(path, LARGEST_FILE, streams=True).decode("utf-8-sig"))
    except ValueError as error:  # no TOML, no text, or a number of thousands of digits
        raise WrongMatch(f"{path}: {error}") from None
    except RecursionError:
        raise WrongMatch(f"{path}: too many brackets within each other") from None


def make_match(tables: dict[str, Any]) -> Match:
    """The match that tables describe. Raises WrongMatch."""
    if "sprt" in tables:
        tables = {"games": MOST_TEST_GAMES} | tables
    try:
        match = msgspec.convert(tables, Match)
    except msgspec.ValidationError as error:
        raise WrongMatch(str(error).replace("Object", "The match")) from None
    match.check()
    return match


def write_match(match: Match) -> str:
    """The match as a text, for the store."""
    return msgspec.json.encode(match, order="sorted").decode()


def restore_match(text: str) -> Match:
    """The match of a text that `write_match` made. Raises WrongMatch."""
    try:
        match = msgspec.json.decode(text, type=Match)
        match.check()
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise WrongMatch(str(error)) from None
    except RecursionError:
        raise WrongMatch("too many brackets within each other") from None
    return match


def _check_engines(match: Match) -> None:
    names = [engine.name for engine in match.engines]
    if len(names) < (1 if match.tune else 2):
        raise WrongMatch("engines: a match needs at least two")
    for name in names:
        if not name.strip() or len(name) > 64 or not name.isprintable():
            raise WrongMatch(f"engines: not a name: {name!r}")
        if name == ADJUDICATOR:
            raise WrongMatch(f"engines: {name} is the name of the one that adjudicates")
        if names.count(name) > 1:
            raise WrongMatch(f"engines: two are named {name}")
    for engine in match.engines:
        if not engine.command.strip():
            raise WrongMatch(f"engines: {engine.name} has no command")
        for text in (*engine.settings, *map(str, engine.settings.values()), *engine.setup):
            if not text or "\n" in text or "\r" in text:
                raise WrongMatch(f"engines: {engine.name}: not one line of text: {text!r}")


def _check_numbers(match: Match) -> None:
    parts: list[tuple[str, Part]] = [(f"{engine.name}: ", engine) for engine in match.engines]
    for name in TABLES:
        part = match if name is None else getattr(match, name)
        if part is not None:
            parts.append((f"{name}." if name else "", part))
    for name, part in parts:
        for sentence in out_of_bounds(part):
            raise WrongMatch(f"{name}{sentence}")
    if match.games % 2:
        raise WrongMatch("games: an odd number leaves a pair of colors unfinished")


def _check_tuning(match: Match, tuning: TuneConfig) -> None:
    if match.sprt is not None:
        raise WrongMatch("sprt: it does not go with tune; test in a match what was found")
    if not tuning.settings:
        raise WrongMatch("tune: no setting is given: --tune KEY=LOW..HIGH")
    for key, text in tuning.settings.items():
        if len(key.split()) != 1 or key != key.strip() or not key.isprintable():
            raise WrongMatch(f"tune: not the key of a setting: {key!r}")
        try:
            parse_values(text)
        except ValueError as error:
            raise WrongMatch(f"tune: {key}: {error}") from None
    for engine in match.engines[1:]:
        if engine.name.startswith(f"{match.engines[0].name}#"):
            raise WrongMatch(f"engines: {engine.name} could be the name of a trial")


def _check_test(match: Match, sprt: SequentialTest) -> None:
    if len(match.engines) != 2:
        raise WrongMatch("sprt: a sequential test needs exactly two engines")
    try:
        sprt.test()
    except ValueError as error:
        raise WrongMatch(f"sprt: {error}") from None
