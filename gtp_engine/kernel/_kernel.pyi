"""Rules and search of the four games, compiled; `_kernel_v3` is the same for newer processors.

Positions come and go as position texts (protocol_specs/notation.md). Steps are numbers:
kind << 18 | first vertex << 9 | second vertex, with kinds numbered as in GAME.kinds of the game,
14 for swap-pieces and 15 for swap-sides. Values are for BLACK, 0 to 1.

Whatever is wrong with an argument raises ValueError, or TypeError where no C++ integer holds it.
"""

from typing import NamedTuple

def games() -> list[str]: ...
def declared(game: str) -> tuple[int, bool, bool]:
    """What a game's header says of its board: the images with the same value as bits (1 for rows
    reversed, 2 for columns reversed and 4 for transposed before, added up, number a bit), whether
    the color mirror is transposed, and whether points have six neighbors.
    """

def memory_mb() -> int: ...
def isas() -> list[str]:
    """The instruction sets that nets can run with here, the fastest first.

    A wheel has those of v4 and v3 (x86-64) that this processor has, then `plain`; a build for one
    processor has one.
    """

def shape(game: str) -> tuple[int, int, int]:
    """The inputs of a point, those of a position, and the outputs of a point of a game's nets."""

class PolicyStep(NamedTuple):
    """A step as a net sees it: its kind, and the places of its points among all points.

    second -- -1 for a step with one point
    """

    step: int
    kind: int
    first: int
    second: int

class Features(NamedTuple):
    """What a net sees: the inputs of all points, those of the position, and the legal steps.

    points, globals -- numbers of four bytes each
    """

    points: bytes
    globals: bytes
    steps: list[PolicyStep]

class PlayoutTally(NamedTuple):
    """What some random games came to."""

    games: int
    plies: int
    black_wins: int
    draws: int
    seconds: float

class Forecast(NamedTuple):
    """What some random games came to.

    held -- for each point, by row from the top, in how many games Black holds it at the end, less
            those in which White does
    """

    black_wins: int
    draws: int
    held: list[int]

class AnalysisRow(NamedTuple):
    """What a search knows about a step at its root.

    lcb    -- the lower end of the value's 95 % interval, for the color to move
    proven -- the exact value, None where it is not known
    pv     -- the principal variation, which begins with the step
    """

    step: int
    visits: int
    value: float
    prior: float
    lcb: float
    proven: float | None
    pv: list[int]

class Census(NamedTuple):
    """How many positions of a board are won, lost and drawn for the color to move.

    longest -- the most turns that a win takes
    """

    won: int
    lost: int
    drawn: int
    longest: int

class SolverResult(NamedTuple):
    """What a solver has found.

    value     -- None while it is not known
    positions -- how many were searched
    hits      -- of the transposition table
    census    -- of all positions of the board, where a table of them is complete
    """

    value: float | None
    line: list[int]
    positions: int
    hits: int
    used_bytes: int
    seconds: float
    census: Census | None

class Position:
    """A line of play, changed by `play`."""

    def __init__(self, text: str) -> None: ...
    def legal_steps(self) -> list[int]: ...
    def play(self, step: int) -> None: ...
    def text(self) -> str: ...
    @property
    def open(self) -> bool: ...
    @property
    def key(self) -> int: ...
    def outcome(self) -> tuple[int, int]:
        """0 undecided, 1 Black, 2 White, 3 a draw; and the margin, -1 for none."""

    def features(self) -> Features: ...
    def evaluate(self, net: Net, times: int = 1) -> float:
        """The chance of Black to win, as a net sees it.

        times -- how often to work it out, to measure how long that takes
        """

    def outputs_by(self, net: Net) -> bytes:
        """The outputs of all points, in the order of `features`: numbers of four bytes each."""

    def perft(self, depth: int) -> int: ...
    def playout(self, seed: int, decisive: bool = False) -> tuple[list[int], int]:
        """A random game by the fast path: its steps, and the winner as in `outcome`.

        In a decisive one whoever can win at once does, in games where that is quick to see.
        """

    def play_games(self, seconds: float, seed: int, step_by_step: bool) -> PlayoutTally:
        """Random games for some time."""

    def forecast(self, games: int, seed: int) -> Forecast:
        """Random games, the first of them `playout(seed)`."""

class Net:
    """A learned evaluation of a game: see nn/net.hpp for its numbers, of four bytes each.

    isa -- one of `isas`; None for the fastest
    """

    def __init__(
        self, game: str, channels: int, blocks: int, numbers: bytes, isa: str | None = None
    ) -> None: ...

class SearchOptions:
    """The options of a search, see mcts/options.hpp; search/options.py has the same names."""

    seed: int
    threads: int
    hash_mb: int
    exploration: float
    rave: float
    leaf_playouts: int
    playout_weight: float
    expand_after: int
    turn_orders: str
    decisive: bool
    noise: float
    def __init__(self) -> None: ...

class Search:
    """A search tree. `stop`, `rows` and the numbers may be asked for while it runs.

    among -- the steps to search at the root; all of them where it is empty
    net   -- evaluates leaves and steps; then there is no AMAF
    """

    def __init__(
        self, text: str, options: SearchOptions, among: list[int], net: Net | None = None
    ) -> None: ...
    def start(self, visits: int | None, seconds: float | None) -> None:
        """Search in other threads until the root has so many visits, or time is up."""

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the search at most so long; whether it has ended."""

    def stop(self) -> None: ...
    def advance(self, step: int) -> None:
        """Make the position after a step, and the forced ones behind it, the root."""

    def follow(self, text: str) -> bool:
        """Make an equal position that the tree holds the root; False where it holds none."""

    def rows(self, longest_pv: int) -> list[AnalysisRow]:
        """The visited steps."""

    def text(self) -> str: ...
    @property
    def visits(self) -> int: ...
    @property
    def value(self) -> float: ...
    @property
    def proven(self) -> float | None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def used_bytes(self) -> int: ...

class Solver:
    """Finds exact values of positions of one game and size; `stop` and `solved` at any time."""

    def __init__(self, text: str, hash_mb: int, method: str) -> None:
        """The method is best, proof-numbers, depth-first or retrograde."""

    def turn_to(self, text: str) -> None:
        """Take another position; what is known is kept."""

    def start(self, positions: int | None, seconds: float | None) -> None:
        """Solve in another thread until it is done, or has searched so many, or time is up."""

    def wait(self, seconds: float) -> bool:
        """Wait for the end at most so long; whether it has come."""

    def stop(self) -> None: ...
    def solved(self) -> SolverResult: ...
