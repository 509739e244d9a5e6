"""The plan of a training and its progress, in the folder of the training."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from gtp_engine.board.vertex import MAX_SIZE
from gtp_engine.learn.selfplay import BoardMix, SelfplaySearch
from gtp_engine.platforms import locked_folder
from gtp_engine.rules import find_game
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.stored import UnusableFile, read_stored, write_stored
from gtp_engine.search.weights import NONE

_PLAN, _PROGRESS, _VERSION = "plan", "progress", 1

# The part of the games on the asked size, where there are others; those share the rest equally.
_ASKED_SHARE = 0.5

# Where the designer recommends no sizes: up to so much smaller and larger boards are played on, but
# none below 5x5, which teach little.
_SPREAD, _SMALLEST = 2, 5

# Of plans from before `sizes`: by how much a board was smaller, and how often.
_FORMER_SIZES: tuple[int, ...] = ()
_FORMER_MIX = ((0, 0.8), (1, 0.12), (2, 0.08))

# For the first generation, whose search has no priors to add noise to.
_NO_NOISE, _SHARPENING = 0.0, 2.0


class Unfit(Exception):
    """The training cannot be done as it is asked for; the text says why."""


@dataclass(frozen=True)
class Plan:
    """Everything that decides what a training learns.

    sizes          -- of the boards that self-play uses, `size` among them; None: those of the plan
                      that is continued, or the usual ones of a new training
    weights        -- the mark of the initial weights, or the word for none
    minutes, games -- limits of a generation; None is no limit of games
    playing        -- the share of the minutes for self-play; the rest is for the fit
    epochs         -- the most epochs of a fit
    window         -- generations whose games a fit uses
    visits, fast_visits, full_share, noise, exploration, chance -- of self-play: see
                      SelfplaySearch and Tuning
    first_visits   -- the factor of visits in the first generation, which has no net
    batch, rate    -- of a fit
    """

    game: str
    size: int
    sizes: tuple[int, ...] | None = None
    weights: str = NONE
    seed: int = 1
    channels: int = 32
    blocks: int = 2
    minutes: float = 30.0
    games: int | None = None
    playing: float = 0.7
    epochs: float = 20.0
    window: int = 4
    visits: int = 500
    fast_visits: int = 80
    full_share: float = 0.25
    noise: float = 0.25
    exploration: float = 0.7
    chance: float = 0.3
    first_visits: float = 6.0
    batch: int = 256
    rate: float = 2e-3

    @property
    def boards(self) -> BoardMix:
        """The boards of self-play."""
        if self.sizes is None:
            return replace(self, sizes=usual_sizes(self.game, self.size)).boards
        if self.sizes == _FORMER_SIZES:
            least = min(self.size, _SMALLEST)
            return tuple((max(self.size - less, least), share) for less, share in _FORMER_MIX)
        others = [size for size in self.sizes if size != self.size]
        if not others:
            return ((self.size, 1.0),)
        share = (1 - _ASKED_SHARE) / len(others)
        return ((self.size, _ASKED_SHARE), *((size, share) for size in others))

    def effort(self, learned: bool) -> SelfplaySearch:
        """The searches of self-play, with a net or without one."""
        if learned:
            options = SearchOptions(
                exploration=self.exploration, playout_weight=self.chance, expand_after=1
            )
            return SelfplaySearch(
                self.visits, self.fast_visits, self.full_share, self.noise, options, 1.0
            )
        full, fast = (round(self.first_visits * each) for each in (self.visits, self.fast_visits))
        options = SearchOptions(leaf_playouts=1)
        return SelfplaySearch(full, fast, self.full_share, _NO_NOISE, options, _SHARPENING)

    def differences(self, other: "Plan") -> list[str]:
        """The differences to another plan, one line each."""
        mine, others = asdict(self), asdict(other)
        return [
            f"{name.replace('_', '-')}: {_shown(mine[name])} there, "
            f"{_shown(others[name])} asked for"
            for name in mine
            if mine[name] != others[name]
        ]


def usual_sizes(game: str, size: int) -> tuple[int, ...]:
    """The sizes that a training for one of them plays on: all that the designer recommends.

    Where he recommends none, sizes up to 2 smaller and larger; one that he does not recommend, or
    below 5, stands alone.
    """
    known = find_game(game)
    lowest, highest = known.recommended or (max(_SMALLEST, size - _SPREAD), size + _SPREAD)
    sizes = range(lowest, min(highest, MAX_SIZE) + 1)
    return tuple(sizes) if size in sizes else (size,)


def _shown(value: object) -> str:
    if value == _FORMER_SIZES:
        return "the asked one and some smaller"
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


class TrainingProgress(NamedTuple):
    """The progress of a training.

    generation -- the one in progress, from 1
    before     -- seconds of the generations before it
    games      -- of the generations before it
    playing    -- seconds of self-play in this generation so far
    played     -- whether its self-play is complete
    """

    generation: int = 1
    before: float = 0.0
    games: int = 0
    playing: float = 0.0
    played: bool = False


class Folder:
    """The files of a training."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def fit(self) -> Path:
        """The fit in progress."""
        return self._path / "fit"

    def games(self, generation: int) -> Path:
        """The games of a generation, a line of JSON each."""
        return self._path / f"games-{generation:03}.jsonl"

    def weights(self, generation: int) -> Path:
        """The weights of a generation."""
        return self._path / f"generation-{generation:03}.weights"

    def matches(self, opponent: str, generation: int) -> Path:
        """The database for a match of a generation."""
        return self._path / f"match-{generation:03}-{opponent}.db"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Lock the folder. Raises Unfit if another process has it, and OSError."""
        self._path.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            try:
                stack.enter_context(locked_folder(self._path))
            except BlockingIOError:
                raise Unfit(f"another process trains in {self._path}") from None
            yield

    def begin(self, plan: Plan) -> tuple[Plan, TrainingProgress]:
        """Begin a training, or continue the one in the folder: its plan and its progress.

        Raises Unfit, or OSError.
        """
        path = self._path / _PLAN
        if not path.exists():
            if any(self._path.iterdir()):
                raise Unfit(f"{self._path} is not empty, and there is no training in it")
            sizes = usual_sizes(plan.game, plan.size) if plan.sizes is None else plan.sizes
            plan = replace(plan, sizes=sizes)
            write_stored(path, _PLAN, _VERSION, asdict(plan), b"")
        known = self._plan(path)
        asked = plan if plan.sizes is not None else replace(plan, sizes=known.sizes)
        if lines := known.differences(asked):
            raise Unfit("\n".join([f"another training is in {self._path}:", *lines]))
        path = self._path / _PROGRESS
        found = TrainingProgress(**_read(path, _PROGRESS)) if path.exists() else TrainingProgress()
        return known, found

    def _plan(self, path: Path) -> Plan:
        """The plan in the folder. Raises Unfit."""
        # Plans of before there were weights to begin with, or sizes, say nothing of them.
        facts = {"weights": NONE, "sizes": _FORMER_SIZES, **_read(path, _PLAN)}
        if facts.keys() != {field.name for field in fields(Plan)}:
            raise Unfit(f"{path} is no plan of this version")
        return Plan(**{**facts, "sizes": tuple(facts["sizes"])})

    def save(self, progress: TrainingProgress) -> None:
        """Store the progress. Raises OSError."""
        path = self._path / _PROGRESS
        write_stored(path, _PROGRESS, _VERSION, progress._asdict(), b"")


def _read(path: Path, kind: str) -> dict[str, Any]:
    try:
        return dict(read_stored(path, kind, _VERSION).facts)
    except UnusableFile as problem:
        raise Unfit(str(problem)) from None
