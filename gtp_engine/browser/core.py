"""The kernel as a WebAssembly module of its own, with the interface of `kernel/_kernel.pyi`.

Python itself is another module, so each call goes through JavaScript, as bytes: kernel/api/
byte_calls.cpp reads and answers them. `connect` says where it is.

There is one thread: searches and solvers run inside `wait`, for a slice of time. So whoever waits
must let the rest of the program have its turn: see `between_slices`.
"""

import marshal
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

_SLICE, _SHORT_SLICE = 0.02, 0.01  # seconds; the calls cost 1 % of a search, short ones up to 3 %
_FORMAT = 2  # the version of the format


class Calls(Protocol):
    """How to reach the kernel.

    call  -- makes a call. Raises ValueError, with the kernel's sentence
    solve -- lets a solver run, which may be called back before its end
    """

    def call(self, request: bytes) -> bytes:
        """Make a call; returns the result. Raises ValueError, with the kernel's sentence."""
        ...

    def solve(self, request: bytes) -> None:
        """Make a call that lets a solver run; the host may call it back before its end."""
        ...


def _nobody() -> None:
    """Nobody waits for a turn."""


_calls: Calls
_memory_mb: int
_listen: Callable[[], None] = _nobody
_slice = _SLICE


def connect(calls: Calls, memory_mb: int) -> None:
    """Say where the kernel is. Nothing else in here works before.

    memory_mb -- the most memory of a search tree or a table
    """
    global _calls, _memory_mb
    _calls, _memory_mb = calls, memory_mb


def between_slices(listen: Callable[[], None], short: bool = False) -> None:
    """Say what to call between two slices of a search, so that others have their turn.

    short -- whether somebody at the page waits for that
    """
    global _listen, _slice
    _listen, _slice = listen, _SHORT_SLICE if short else _SLICE


def _request(name: str, *given: Any) -> bytes:
    return marshal.dumps((name, *given), _FORMAT)


def _call(name: str, *given: Any) -> Any:
    return marshal.loads(_calls.call(_request(name, *given)))


class _Object:
    """An object of the kernel, which is deleted there when it is no longer used here."""

    _at = 0

    def __del__(self) -> None:
        if self._at:
            _call(f"{type(self).__name__}.delete", self._at)

    def _call(self, name: str, *given: Any) -> Any:
        return _call(f"{type(self).__name__}.{name}", self._at, *given)


def end_if_deaf(descriptor: int, number: int, seconds: float, status: int) -> None:
    """Watch no signals: the host ends the program."""


def games() -> list[str]:
    """The names of the games."""
    return list(_call("games"))


def add_game(entry: object) -> None:
    """Add nothing: all games are in the module."""


class Declared(NamedTuple):
    """See _kernel.pyi."""

    symmetry: int
    color_mirror: int
    six_neighbors: bool
    kinds: int
    two_point_kind: int


def declared(game: str) -> Declared:
    """What the header of a game declares."""
    return Declared(*_call("declared", game))


def option_ranges() -> list[tuple[str, float, float]]:
    """The lowest and the highest number of each search option that has a range."""
    return list(_call("option_ranges"))


def exponential(number: float) -> float:
    """e to the power of a number, in single precision."""
    return float(_call("exponential", number))


def logarithm(number: float) -> float:
    """The natural logarithm of a normal number above 0."""
    return float(_call("logarithm", number))


def memory_mb() -> int:
    """The most memory of a search tree or a table, as the host allows it."""
    return _memory_mb


def compiled_for() -> str:
    """The instruction set of rules and search."""
    return str(_call("compiled_for"))


def isas() -> list[str]:
    """The one instruction set."""
    return list(_call("isas"))


def shape(game: str) -> tuple[int, int, int]:
    """The shape of a game's nets."""
    inputs, of_position, outputs = _call("shape", game)
    return inputs, of_position, outputs


class PolicyStep(NamedTuple):
    """See _kernel.pyi."""

    step: int
    kind: int
    first: int
    second: int


class Features(NamedTuple):
    """See _kernel.pyi."""

    points: bytes
    globals: bytes
    steps: list[PolicyStep]


class PlayoutTally(NamedTuple):
    """See _kernel.pyi."""

    games: int
    plies: int
    black_wins: int
    draws: int
    seconds: float


class Forecast(NamedTuple):
    """See _kernel.pyi."""

    black_wins: int
    draws: int
    held: list[int]


class AnalysisRow(NamedTuple):
    """See _kernel.pyi."""

    step: int
    visits: int
    value: float
    prior: float
    lcb: float
    proven: float | None
    pv: list[int]
    ends: list[int]


class Census(NamedTuple):
    """See _kernel.pyi."""

    won: int
    lost: int
    drawn: int
    longest: int


class SolverResult(NamedTuple):
    """See _kernel.pyi."""

    value: float | None
    line: list[int]
    positions: int
    hits: int
    used_bytes: int
    seconds: float
    census: Census | None
    contradicted: bool


class Position(_Object):
    """See _kernel.pyi."""

    def __init__(self, text: str) -> None:
        self._at = _call("Position", text)

    def legal_steps(self) -> list[int]:
        """The steps."""
        return list(self._call("legal_steps"))

    def play(self, step: int) -> None:
        """Play a step."""
        self._call("play", step)

    def text(self) -> str:
        """The position text."""
        return str(self._call("text"))

    @property
    def open(self) -> bool:
        """Whether the swap is open."""
        return bool(self._call("open"))

    @property
    def key(self) -> int:
        """See _kernel.pyi."""
        return int(self._call("key"))

    @property
    def canonical_key(self) -> tuple[int, int]:
        """See _kernel.pyi."""
        high, low = self._call("canonical_key")
        return high, low

    def outcome(self) -> tuple[int, int]:
        """See _kernel.pyi."""
        winner, margin = self._call("outcome")
        return winner, margin

    def features(self) -> Features:
        """See _kernel.pyi."""
        points, of_position, steps = self._call("features")
        return Features(points, of_position, [PolicyStep(*step) for step in steps])

    def evaluate(self, net: "Net", times: int = 1) -> float:
        """See _kernel.pyi."""
        return float(self._call("evaluate", net._at, times))

    def outputs_by(self, net: "Net") -> bytes:
        """See _kernel.pyi."""
        return bytes(self._call("outputs_by", net._at))

    def perft(self, depth: int) -> int:
        """See _kernel.pyi."""
        return int(self._call("perft", depth))

    def playout(self, seed: int, decisive: bool = False) -> tuple[list[int], int]:
        """See _kernel.pyi."""
        steps, winner = self._call("playout", seed, decisive)
        return steps, winner

    def play_games(self, seconds: float, seed: int, step_by_step: bool) -> PlayoutTally:
        """See _kernel.pyi."""
        return PlayoutTally(*self._call("play_games", float(seconds), seed, step_by_step))

    def forecast(self, games: int, seed: int) -> Forecast:
        """See _kernel.pyi."""
        return Forecast(*self._call("forecast", games, seed))


class Net(_Object):
    """See _kernel.pyi."""

    def __init__(
        self, game: str, channels: int, blocks: int, numbers: bytes, isa: str | None = None
    ) -> None:
        self._at = _call("Net", game, channels, blocks, numbers, isa)


class SearchOptions:
    """See _kernel.pyi. The kernel has the defaults of those that are not set."""

    seed: int = 0
    threads: int = 1
    hash_mb: int = 1
    exploration: float = 0.0
    rave: float = 0.0
    leaf_playouts: int = 1
    playout_weight: float = 0.0
    expand_after: int = 1
    priors_only: float = 0.0
    proof_weight: float = 0.0
    turn_orders: str = "one"
    decisive: bool = False
    noise: float = 0.0

    def __init__(self) -> None: ...


class Search(_Object):
    """See _kernel.pyi. It runs while somebody waits for it, in the one thread."""

    def __init__(
        self, text: str, options: SearchOptions, among: list[int], net: Net | None = None
    ) -> None:
        self._net = net
        self._at = _call("Search", text, vars(options), among, net._at if net else None)

    def set_threads(self, threads: int) -> None:
        """Check the number; there is one thread."""
        self._call("set_threads", threads)

    def start(self, visits: int | None, seconds: float | None) -> None:
        """Begin what `wait` goes on with."""
        self._call("start", visits, seconds)

    def wait(self, seconds: float) -> bool:
        """Search for a while, and let others have their turn; returns whether it has ended."""
        ended = bool(self._call("wait", max(seconds, _slice)))
        if not ended:
            _listen()
        return ended

    def stop(self) -> None:
        """End the search."""
        self._call("stop")

    def advance(self, step: int) -> None:
        """See _kernel.pyi."""
        self._call("advance", step)

    def follow(self, text: str) -> bool:
        """See _kernel.pyi."""
        return bool(self._call("follow", text))

    def rows(self, longest_pv: int) -> list[AnalysisRow]:
        """See _kernel.pyi."""
        return [AnalysisRow(*row) for row in self._call("rows", longest_pv)]

    def text(self) -> str:
        """The position text of the root."""
        return str(self._call("text"))

    @property
    def visits(self) -> int:
        """The visits of the root."""
        return int(self._call("visits"))

    @property
    def value(self) -> float:
        """The value of the root."""
        return float(self._call("value"))

    @property
    def proven(self) -> float | None:
        """The exact value of the root; None if unknown."""
        proven: float | None = self._call("proven")
        return proven

    @property
    def nodes(self) -> int:
        """The nodes of the tree."""
        return int(self._call("nodes"))

    @property
    def used_bytes(self) -> int:
        """The memory of the tree."""
        return int(self._call("used_bytes"))


class Solver(_Object):
    """See _kernel.pyi. It runs while somebody waits for it, in the one thread."""

    def __init__(self, text: str, hash_mb: int, method: str) -> None:
        self._at = _call("Solver", text, hash_mb, method)

    def turn_to(self, text: str) -> None:
        """See _kernel.pyi."""
        self._call("turn_to", text)

    def start(
        self,
        positions: int | None,
        seconds: float | None,
        certify: bool = False,
        threads: int = 1,
    ) -> None:
        """Begin what `wait` goes on with."""
        self._call("start", positions, seconds, certify, threads and 1)

    def certificate(self) -> bytes | None:
        """See _kernel.pyi."""
        words: bytes | None = self._call("certificate")
        return words

    def check(self, words: bytes, black: bool) -> None:
        """Begin what `wait` goes on with."""
        self._call("check", words, black)

    def checked(self) -> tuple[bool | None, int, str]:
        """See _kernel.pyi."""
        proven, positions, unproven = self._call("checked")
        return proven, positions, unproven

    def saved_part(self, first: int) -> tuple[bytes, int]:
        """See _kernel.pyi."""
        part, following = self._call("saved_part", first)
        return part, following

    def restore_part(self, part: bytes) -> None:
        """See _kernel.pyi."""
        self._call("restore_part", part)

    def wait(self, seconds: float) -> bool:
        """Solve until the end, or until something was heard; returns whether it has ended."""
        if self._call("wait", 0.0):
            return True
        _calls.solve(_request("Solver.wait", self._at, max(seconds, _slice)))
        _listen()
        return bool(self._call("wait", 0.0))

    def stop(self) -> None:
        """End the solver."""
        self._call("stop")

    def solved(self) -> SolverResult:
        """See _kernel.pyi."""
        value, line, positions, hits, used, seconds, census, contradicted = self._call("solved")
        counted = None if census is None else Census(*census)
        return SolverResult(value, line, positions, hits, used, seconds, counted, contradicted)
