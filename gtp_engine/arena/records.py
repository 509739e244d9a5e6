"""What a match is made of, as values: boards, games to play, games played."""

from enum import Enum
from typing import NamedTuple

from gtp_engine.board.color import Color


class Fault(Enum):
    """What an engine can do wrong; each loses the game."""

    ILLEGAL = "illegal turn"
    REFUSED = "refused"
    TIME = "time"
    CRASH = "crash"
    STALL = "stall"
    PROTOCOL = "bad protocol"
    MEMORY = "memory"
    START = "cannot start"


class Adjudication(Enum):
    """Why the arena ended a game that the rules had not ended."""

    RESIGN = "resign"
    MAX_TURNS = "max turns"
    JUDGE = "judge"


class Board(NamedTuple):
    """What is played: a game by its name, a size, and a form of the pie rule."""

    game: str
    size: int
    pie: str

    @property
    def name(self) -> str:
        """The name of the game and the size, with a blank between."""
        return f"{self.game} {self.size}"


class Opening(NamedTuple):
    """The given turns of a pair of games.

    words -- the turns
    value -- BLACK's chance after them, 0 to 1, where a judge said it
    """

    words: tuple[str, ...]
    value: float | None = None


class GameKey(NamedTuple):
    """Which game of a match. No two games of a match have the same key.

    first, second -- the names of two engines, in the order of the configuration
    number        -- of the pair of games, which is the number of its opening
    half          -- 0 where `first` begins as BLACK, 1 where `second` does
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


class TurnRecord(NamedTuple):
    """A turn that an engine made, or a part of one.

    engine  -- who made it
    color   -- for which color
    word    -- as we write it, whatever the engine wrote
    seconds -- from the question to the answer, as measured
    value   -- BLACK's chance as the engine told it, 0 to 1, where it did
    visits  -- how many the engine told of, where it did
    comment -- what else it said

    In games with a clock, where the system tells, also seconds of:

    processor -- what all its processes used
    waited    -- how long its busiest thread was ready to run, and no processor was free
    late      -- how late the arena's own threads were at worst
    forgiven  -- by how much it was late at others' cost
    untimed   -- what other commands took since its last turn, beyond their allowance
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


class Trial(NamedTuple):
    """Settings of an engine, tried in games of their own.

    number   -- of the trial, from 1
    settings -- the values, by key
    start    -- the number of the first pair of games
    games    -- against each opponent on each board
    """

    number: int
    settings: dict[str, str | int | float]
    start: int
    games: int


class TimeUse(NamedTuple):
    """How many turns an engine made, and the seconds for all of them and for the longest.

    processor -- seconds of processor time for all of them, None where none was measured
    late      -- seconds by which the arena's own threads were late, at worst; None likewise
    """

    turns: int
    total: float
    longest: float
    processor: float | None = None
    late: float | None = None


class Identity(NamedTuple):
    """What an engine is.

    told    -- the name and the version that it gives
    program -- a word for the program that its command starts, "" where that was not looked at
    """

    told: str
    program: str = ""

    def __str__(self) -> str:
        return f"{self.told}, program {self.program}" if self.program else self.told


class Evidence(NamedTuple):
    """The last lines that went to an engine (`>`), came from it (`<`), and its log (`!`)."""

    engine: str
    lines: tuple[str, ...]


class GameResult(NamedTuple):
    """How a game went, in short.

    opening -- the words of the turns that were given
    winner  -- the name of the engine that won, None for a draw
    result  -- `B+7`, `W+`, `0`, `B+R` after White gave up, `B+F` and `B+T` after a fault of White
    reason  -- one sentence without a final stop
    fault   -- what the loser did wrong, if the game ended that way
    swapped -- whether the pie rule's swap was used
    started -- seconds since 1970
    seconds -- how long it took
    length  -- how many turns the engines made
    adjudicated -- why the arena ended it before the rules did, None where it did not
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

    @property
    def loser(self) -> str | None:
        """The name of the engine that lost, None for a draw."""
        if self.winner is None:
            return None
        first, second = self.key.engines
        return second if self.winner == first else first


class GameRecord(NamedTuple):
    """A game that was played to its end; with both conversations where that was a fault.

    identities -- what the engines were, by name, where nobody has compared that yet
    """

    result: GameResult
    turns: tuple[TurnRecord, ...]
    evidence: tuple[Evidence, ...] = ()
    identities: tuple[tuple[str, Identity], ...] = ()


class LiveGame(NamedTuple):
    """A game in progress.

    opening -- the words of the turns that were given
    turns   -- what the engines have made so far; without what only a clock needs
    """

    key: GameKey
    opening: tuple[str, ...]
    turns: tuple[TurnRecord, ...]


def as_table(result: GameResult) -> dict[str, str | int | float | bool | None]:
    """A game in short, for JSON and CSV."""
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
    }
