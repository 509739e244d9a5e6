"""Rules and search, compiled; `_kernel_v3` is the same for newer processors.

This is the core. Each game is a module of its own, which is added to it: see add_game.

Positions are passed as position texts (protocol_specs/clients/notation.md). Steps are numbers:
kind << 18 | first vertex << 9 | second vertex. Kinds are numbered as in GAME.kinds of the game,
with 14 for swap-pieces and 15 for swap-sides. Values are for BLACK, 0 to 1.

An invalid argument raises ValueError, or TypeError if it fits no C++ integer.
"""

from typing import NamedTuple

def end_if_deaf(descriptor: int, number: int, seconds: float, status: int) -> None:
    """Watch, in a thread without the interpreter, a descriptor that gets the numbers of signals.

    Some seconds after the given number the process ends with the status, if it is still there. The
    number 0 suspends this, 255 goes on and gives the seconds again. Nothing where the system has no
    pipes or no threads.
    """

def games() -> list[str]:
    """The names of the games that were added."""

def add_game(entry: object) -> None:
    """Add a game, by the attribute `entry` of its module. A second call has no effect.

    Raises ImportError if the module was compiled from other sources than this core.
    """

class Declared(NamedTuple):
    """What the header of a game declares.

    symmetry       -- the images that keep the value, each a bit. The number of an image is a sum: 1
                      for rows reversed, 2 for columns reversed, and 4 for transposed before
    color_mirror   -- the number of an image
    two_point_kind -- the number of the kind of steps with two points, -1 for none
    """

    symmetry: int
    color_mirror: int
    six_neighbors: bool
    kinds: int
    two_point_kind: int

def declared(game: str) -> Declared: ...
def option_ranges() -> list[tuple[str, float, float]]:
    """The lowest and the highest number of each search option that has a range."""

def exponential(number: float) -> float:
    """e to the power of a number, in single precision: what the values and priors of nets use."""

def logarithm(number: float) -> float:
    """The natural logarithm of a normal number above 0."""

def memory_mb() -> int: ...
def compiled_for() -> str:
    """The instruction set of rules and search: plain, v3 or native."""

def isas() -> list[str]:
    """The instruction sets that can compute nets on this machine, the fastest first.

    A wheel has those of v4 and v3 (x86-64) that this processor supports, then `plain`. A build for
    one processor has one.
    """

def shape(game: str) -> tuple[int, int, int]:
    """The shape of a game's nets: inputs of a point, inputs of a position, outputs of a point."""

class PolicyStep(NamedTuple):
    """A step as a net sees it: its kind, and the indices of its points among all points.

    second -- -1 for a step with one point
    """

    step: int
    kind: int
    first: int
    second: int

class Features(NamedTuple):
    """The inputs of a net: those of all points, those of the position, and the legal steps.

    points, globals -- numbers of four bytes each
    """

    points: bytes
    globals: bytes
    steps: list[PolicyStep]

class PlayoutTally(NamedTuple):
    """The counts of some random games."""

    games: int
    plies: int
    black_wins: int
    draws: int
    seconds: float

class Forecast(NamedTuple):
    """The ends of some random games.

    held -- for each point, by row from the top: the number of games in which Black holds it at the
            end, minus the number in which White does
    """

    black_wins: int
    draws: int
    held: list[int]

class AnalysisRow(NamedTuple):
    """The results of a search for a step at its root.

    lcb    -- the lower end of the value's 95 % interval, for the color to move
    proven -- the exact value; None if unknown
    pv     -- the principal variation, which begins with the step
    ends   -- after how many of its steps, and the forced ones that follow, each turn is over
    """

    step: int
    visits: int
    value: float
    prior: float
    lcb: float
    proven: float | None
    pv: list[int]
    ends: list[int]

class Census(NamedTuple):
    """The numbers of a board's positions that are won, lost and drawn for the color to move.

    longest -- the most turns of a win
    """

    won: int
    lost: int
    drawn: int
    longest: int

class SolverResult(NamedTuple):
    """The result of a solver.

    value     -- the exact value; None if unknown
    positions -- the number of searched positions
    hits      -- the hits in the transposition table
    census    -- the census of all positions of the board, if a table of them is complete
    contradicted -- whether the table contradicts itself; then there is no value
    """

    value: float | None
    line: list[int]
    positions: int
    hits: int
    used_bytes: int
    seconds: float
    census: Census | None
    contradicted: bool

class Position:
    """A line of play. `play` changes it."""

    def __init__(self, text: str) -> None: ...
    def legal_steps(self) -> list[int]: ...
    def play(self, step: int) -> None: ...
    def text(self) -> str: ...
    @property
    def open(self) -> bool: ...
    @property
    def key(self) -> int: ...
    @property
    def canonical_key(self) -> tuple[int, int]:
        """What only positions of equal value for the color to move share."""

    def outcome(self) -> tuple[int, int]:
        """0 for undecided, 1 for Black, 2 for White, 3 for a draw; then the margin, -1 for none."""

    def features(self) -> Features: ...
    def evaluate(self, net: Net, times: int = 1) -> float:
        """The chance of Black to win, as a net of this game sees it.

        times -- how often to compute it, for measurements of time
        """

    def outputs_by(self, net: Net) -> bytes:
        """The outputs of all points, in the order of `features`: numbers of four bytes each."""

    def perft(self, depth: int) -> int: ...
    def playout(self, seed: int, decisive: bool = False) -> tuple[list[int], int]:
        """Play a random game by the fast path; returns its steps, and the winner as in `outcome`.

        In a decisive playout a player who can win at once does so, in games where that is quick to
        see.
        """

    def play_games(self, seconds: float, seed: int, step_by_step: bool) -> PlayoutTally:
        """Play random games for some time."""

    def forecast(self, games: int, seed: int) -> Forecast:
        """Play random games, the first of them `playout(seed)`."""

class Net:
    """A learned evaluation of a game. nn/net.hpp describes its numbers, of four bytes each.

    isa -- one of `isas`; None for the fastest
    """

    def __init__(
        self, game: str, channels: int, blocks: int, numbers: bytes, isa: str | None = None
    ) -> None: ...

class SearchOptions:
    """The options of a search; see mcts/options.hpp. search/options.py has the same names."""

    seed: int
    threads: int
    hash_mb: int
    exploration: float
    rave: float
    leaf_playouts: int
    playout_weight: float
    expand_after: int
    priors_only: float
    proof_weight: float
    turn_orders: str
    decisive: bool
    noise: float
    def __init__(self) -> None: ...

class Search:
    """A search tree. `stop`, `rows` and the numbers are safe to use while the search runs.

    among -- the steps to search at the root, none of them a swap; empty for all of them
    net   -- evaluates leaves and steps, and replaces AMAF
    """

    def __init__(
        self, text: str, options: SearchOptions, among: list[int], net: Net | None = None
    ) -> None: ...
    def set_threads(self, threads: int) -> None:
        """Set the number of threads, 1 to 256, of the next search."""

    def start(self, visits: int | None, seconds: float | None) -> None:
        """Search in other threads until the root has this many visits, or time is up."""

    def wait(self, seconds: float) -> bool:
        """Wait at most this many seconds; returns whether the search has ended."""

    def stop(self) -> None: ...
    def advance(self, step: int) -> None:
        """Make the position after a step, and after any forced steps, the root."""

    def follow(self, text: str) -> bool:
        """Make an equal position in the tree the root; returns False if there is none."""

    def rows(self, longest_pv: int) -> list[AnalysisRow]:
        """The rows of the visited steps."""

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
    """Finds exact values for one game and size. `stop` and `solved` work at any time."""

    def __init__(self, text: str, hash_mb: int, method: str) -> None:
        """Prepare a method: best, proof-numbers, depth-first or retrograde."""

    def turn_to(self, text: str) -> None:
        """Change the position; the solver keeps its knowledge."""

    def start(
        self,
        positions: int | None,
        seconds: float | None,
        certify: bool = False,
        threads: int = 1,
    ) -> None:
        """Solve in other threads until done, or until the limit of positions or time.

        With `certify` it also collects a certificate. Raises ValueError if there are none for
        this game, size or pie rule. Only proof-number search in games without history uses several
        threads; the first of them counts the positions of the limit.
        """

    def certificate(self) -> bytes | None:
        """The sorted words of the certificate, 8 bytes each; None without one."""

    def check(self, words: bytes, black: bool) -> None:
        """Check in another thread whether a certificate proves that black, or else white, wins.

        Its words have 8 bytes each. Raises ValueError if there are none for this game, size or pie
        rule.
        """

    def checked(self) -> tuple[bool | None, int, str]:
        """Whether it does, None before the end; positions checked; a position without a proof."""

    def saved_part(self, first: int) -> tuple[bytes, int]:
        """A part of the table, from a bucket on, and the next bucket; 0 after the last part.

        It ends the solver. Only proof-number search saves anything.
        """

    def restore_part(self, part: bytes) -> None:
        """Add a saved part. Raises ValueError if it is of another size or method."""

    def wait(self, seconds: float) -> bool:
        """Wait at most this many seconds; returns whether the solver has ended."""

    def stop(self) -> None: ...
    def solved(self) -> SolverResult: ...
