"""The values that make up a match: boards, games to play, finished games."""

from enum import Enum
from typing import NamedTuple

from gtp_engine.rules.points.color import Color

MOST_VOIDS = 5
"""A game is given up after this many void attempts."""


class Fault(Enum):
    """A fault of an engine; each loses the game."""

    ILLEGAL = "illegal turn"
    REFUSED = "refused"
    TIME = "time"
    CRASH = "crash"
    STALL = "stall"
    PROTOCOL = "bad protocol"
    MEMORY = "memory"
    START = "cannot start"


class Adjudication(Enum):
    """The reasons for which the arena ends a game before the rules do."""

    RESIGN = "resign"
    MAX_TURNS = "max turns"
    JUDGE = "judge"


class Board(NamedTuple):
    """A game by name, a size, and a form of the pie rule."""

    game: str
    size: int
    pie: str

    @property
    def name(self) -> str:
        """The game's name and the size, separated by a blank."""
        return f"{self.game} {self.size}"


class Opening(NamedTuple):
    """The opening of a pair of games.

    words -- its turns
    value -- BLACK's chance after them, 0 to 1, if a judge evaluated it
    """

    words: tuple[str, ...]
    value: float | None = None


class GameKey(NamedTuple):
    """Identifies a game of a match. No two games of a match have the same key.

    first, second -- the names of two engines, in the order of the configuration
    number        -- the number of the pair of games, and of its opening
    half          -- 0 if `first` begins as BLACK, 1 if `second` does
    """

    board: Board
    first: str
    second: str
    number: int
    half: int

    @property
    def engines(self) -> tuple[str, str]:
        """The names of the engines that begin as BLACK and as WHITE."""
        return (self.second, self.first) if self.half else (self.first, self.second)

    def __str__(self) -> str:
        black, white = self.engines
        return f"{self.board.name}, pair {self.number}: {black} against {white}"


class VoidGame(NamedTuple):
    """An attempt at a game that came to nothing, by nobody's fault.

    game, size, first, second, number, half -- as in the key of the game
    reason -- why, in words
    time   -- when, seconds since 1970
    """

    game: str
    size: int
    first: str
    second: str
    number: int
    half: int
    reason: str
    time: float


class TurnRecord(NamedTuple):
    """A turn of an engine, or a part of one.

    engine  -- the engine that played it
    color   -- the color it was played for
    word    -- the turn in our notation, whatever the engine wrote
    seconds -- measured time from the request to the response, without pauses of the arena
    value   -- BLACK's chance as reported by the engine, 0 to 1, if it did
    visits  -- visits as reported by the engine, if it did
    comment -- other words of the engine
    paused  -- seconds of pauses of the arena meanwhile, which are not charged, if there were any

    In games with a clock, on systems that measure them, also seconds of:

    processor -- processor time of all its processes
    waited    -- time in which its busiest thread was ready but no processor was free
    late      -- longest delay of the arena's own threads
    forgiven  -- overdrawn time that does not count
    untimed   -- time of other commands since its last turn, beyond what they may take
    """

    engine: str
    color: Color
    word: str
    seconds: float
    value: float | None = None
    visits: int | None = None
    comment: str = ""
    processor: float | None = None
    waited: float | None = None
    late: float | None = None
    forgiven: float | None = None
    untimed: float | None = None
    paused: float | None = None


class Trial(NamedTuple):
    """Settings of an engine, tried in a match of their own.

    number   -- number of the trial, from 1
    settings -- the values by key
    start    -- number of the first pair of games
    games    -- games against each opponent on each board
    """

    number: int
    settings: dict[str, str | int | float]
    start: int
    games: int


class TimeUse(NamedTuple):
    """The number of an engine's turns, their total seconds and the longest one.

    processor -- total seconds of processor time, None if not measured
    late      -- longest delay of the arena's own threads in seconds, None if not measured
    """

    turns: int
    total: float
    longest: float
    processor: float | None = None
    late: float | None = None


class Identity(NamedTuple):
    """The identity of an engine.

    told    -- its name and version, as it reports them
    program -- a fingerprint of its program, "" if none was taken
    uses    -- what it plays each game with, in lines such as `pilo in the kernel, without a net`;
               "" if it does not tell. No two lines are equal
    """

    told: str
    program: str = ""
    uses: str = ""

    def same(self, other: "Identity") -> bool:
        """Whether both are one engine, whatever it uses."""
        return (self.told, self.program) == (other.told, other.program)

    def using(self, uses: str) -> "Identity":
        """The same engine that also uses what these lines say."""
        return self._replace(uses="\n".join(sorted({*self.uses.splitlines(), *uses.splitlines()})))

    def __str__(self) -> str:
        return f"{self.told}, program {self.program}" if self.program else self.told


class Evidence(NamedTuple):
    """The last lines sent to an engine (`>`), received from it (`<`), and logged by it (`!`)."""

    engine: str
    lines: tuple[str, ...]


class GameResult(NamedTuple):
    """The result of a game.

    opening -- the turns of the opening
    winner  -- the name of the engine that won, None for a draw
    result  -- `B+7`, `W+`, `0`, `B+R` after White resigned, `B+F` and `B+T` after a fault of White
    reason  -- one sentence without a full stop
    fault   -- the loser's fault, if the game ended with one
    swapped -- whether an engine used the pie rule's swap
    started -- start time in seconds since 1970
    seconds -- duration
    length  -- number of turns the engines played
    adjudicated -- why the arena ended the game before the rules did, None if it did not
    worker  -- the machine that played it, with the name of its Dask worker if that has one
    """

    key: GameKey
    opening: tuple[str, ...]
    winner: str | None
    result: str
    reason: str
    fault: Fault | None
    swapped: bool
    started: float
    seconds: float
    length: int
    adjudicated: Adjudication | None = None
    worker: str | None = None

    @property
    def loser(self) -> str | None:
        """The name of the engine that lost, None for a draw."""
        if self.winner is None:
            return None
        first, second = self.key.engines
        return second if self.winner == first else first


class GameRecord(NamedTuple):
    """A finished game; after a fault, with both conversations.

    identities -- of the engines, by name, as the machine that played knows them; the store compares
                  them
    """

    result: GameResult
    turns: tuple[TurnRecord, ...]
    evidence: tuple[Evidence, ...] = ()
    identities: tuple[tuple[str, Identity], ...] = ()


class LiveGame(NamedTuple):
    """A game in progress.

    opening -- the turns of the opening
    turns   -- the turns of the engines so far, without the values that only a clock needs
    """

    key: GameKey
    opening: tuple[str, ...]
    turns: tuple[TurnRecord, ...]


def as_table(result: GameResult) -> dict[str, str | int | float | bool | None]:
    """A result as a table, for JSON and CSV."""
    key = result.key
    black, white = key.engines
    return {
        "game": key.board.game,
        "size": key.board.size,
        "pie": key.board.pie,
        "pair": key.number,
        "half": key.half,
        "black": black,
        "white": white,
        "opening": " ".join(result.opening),
        "winner": result.winner,
        "result": result.result,
        "reason": result.reason,
        "fault": result.fault and result.fault.value,
        "swapped": result.swapped,
        "started": round(result.started, 3),
        "seconds": round(result.seconds, 3),
        "length": result.length,
        "adjudicated": result.adjudicated and result.adjudicated.value,
        "worker": result.worker,
    }
