"""The plan and the progress of a training, in the training's folder."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from gtp_engine.base.option import choice, integers, numbers, option
from gtp_engine.base.platforms import locked_folder
from gtp_engine.learn.game_records import games_in
from gtp_engine.learn.selfplay import BoardMix, SelfplaySearch
from gtp_engine.rules import find_game
from gtp_engine.rules.points.vertex import MAX_SIZE
from gtp_engine.search.data_file import UnusableFile, read_stored, write_stored
from gtp_engine.search.options import SearchOptions, tuning_of
from gtp_engine.search.weights import NONE

_PLAN, _PROGRESS, _VERSION = "plan", "progress", 1

# The share of games on the main size, if there are others. The others share the rest equally.
_ASKED_SHARE = 0.5

# If the designer recommends no sizes, self-play uses boards up to this much smaller and larger. It
# uses none below 5x5, because such boards teach little.
_SPREAD, _SMALLEST = 2, 5

# The options that are None in a plan until it is in a folder.
_LATER = ("sizes", "teacher", "expand_after", "playouts", "least_steps", "gate", "games")

PLAYOUTS = 100
"""The usual number of random games from each position."""

LEAST_STEPS = 100
"""The usual number of optimizer steps without which a fit makes no net: the learning rate rises
during as many."""

GATE = 50
"""The usual number of pairs of games after which a gate ends at the latest."""

RESULT_PART = 0.6
"""The weight of the game's result in the value target without playouts; the value of the search, or
of the teacher, has the rest."""

PLAYER = "player"
"""The word for the teacher that played the games: the net of the generation before."""

# The first generation uses these: its search has no priors to add noise to.
_NO_NOISE, _SHARPENING = 0.0, 2.0


class Unfit(Exception):
    """The training cannot run as requested; the text gives the reason."""


@dataclass(frozen=True)
class Plan:
    """Everything that decides what a training learns.

    What a continued training does not say, and the numbers below whose default is None, are those
    of its plan.

    sizes          -- the board sizes of self-play, `size` among them; None means those of the
                      continued plan, or the usual ones of a new training
    weights        -- the mark of the initial weights, or the word for none
    teacher        -- the mark of the net that labels fast positions; or the word for none, or for
                      the player; None means that of the continued plan, or the player
    learn_from     -- files of games for the first generation, which then plays none
    """

    game: str
    size: int
    sizes: tuple[int, ...] | None = None
    weights: str = NONE
    teacher: str | None = None
    learn_from: tuple[str, ...] = ()
    seed: int = option(1, integers(0, 2**31 - 1), "seed of all random choices")
    channels: int = option(
        32,
        choice("16", "32", "64")._replace(convert=int),
        "channels of the net; initial weights keep theirs",
    )
    blocks: int = option(
        2,
        integers(1, 8),
        "residual blocks of the net; initial weights keep theirs, or get more blocks that at first "
        "change nothing",
    )
    minutes: float = option(30.0, numbers(0.01, 1e6), "minutes per generation")
    games: int | None = option(
        None,
        integers(1, 10**9),
        "maximum number of games per generation; a command that continues may change it, and a "
        "lower one ends self-play with the games that are there",
    )
    playing: float = option(
        0.7,
        numbers(0.01, 0.99),
        "share of the minutes for self-play; the steps of the fit have the rest",
    )
    epochs: float = option(
        20.0,
        numbers(0.01, 1e6),
        "maximum number of passes of a fit over the positions with a full search",
    )
    least_steps: int | None = option(
        None,
        integers(1, 10**6),
        "fewest optimizer steps of a fit; if it ends with fewer, the net of before plays on; "
        f"without it {LEAST_STEPS}",
    )
    gate: int | None = option(
        None,
        integers(0, 10**5),
        "maximum number of pairs of games in which a new net must beat the player of before; 0: "
        f"each new net plays; without it {GATE}",
    )
    window: int = option(4, integers(1, 1000), "newest generations whose games a fit uses")
    visits: int = option(
        500, integers(1, 10**6), "visits of a full search, whose result is a sample for the fit"
    )
    fast_visits: int = option(
        80,
        integers(1, 10**6),
        "visits of a fast search, whose position is a sample without a policy target if there is "
        "a teacher",
    )
    full_share: float = option(0.25, numbers(0.001, 1), "share of turns with a full search")
    noise: float = option(
        0.25, numbers(0, 1), "share of random noise in the root's priors in a full search"
    )
    exploration: float = option(
        0.7, numbers(0, 100), "weight of the exploration term in searches with a net"
    )
    chance: float = option(
        0.3, numbers(0, 1), "weight of the playout's result in a leaf's value, beside the net"
    )
    expand_after: int | None = option(
        None,
        integers(1, 10**6),
        "the net evaluates a leaf on visit N, and that counts N times; without it the game's own",
    )
    first_visits: float = option(
        6.0,
        numbers(0.01, 1000),
        "factor of the visits in the first generation, which has no net",
    )
    playouts: int | None = option(
        None,
        integers(0, 1000),
        "random games from each position, whose results are part of the targets; 0 for none; "
        f"without it {PLAYOUTS}",
    )
    batch: int = option(256, integers(2, 10**5), "samples per batch of the fit")
    rate: float = option(2e-3, numbers(1e-6, 1), "highest learning rate")

    @property
    def boards(self) -> BoardMix:
        """The board sizes of self-play, with their shares."""
        if self.sizes is None:
            return self.completed().boards
        others = [size for size in self.sizes if size != self.size]
        if not others:
            return ((self.size, 1.0),)
        share = (1 - _ASKED_SHARE) / len(others)
        return ((self.size, _ASKED_SHARE), *((size, share) for size in others))

    def effort(self, learned: bool) -> SelfplaySearch:
        """The search options of self-play, with a net or without one."""
        if learned:
            expand_after = self.completed().expand_after
            options = SearchOptions(
                exploration=self.exploration,
                playout_weight=self.chance,
                expand_after=expand_after,
                leaf_playouts=1,  # so few visits still reach many positions
                proof_weight=0.0,  # the visits teach what the values say
            )
            factor, noise, sharpening = float(expand_after or 1), self.noise, 1.0
        else:
            options = SearchOptions(leaf_playouts=1)
            factor, noise, sharpening = self.first_visits, _NO_NOISE, _SHARPENING
        full, fast = (round(factor * each) for each in (self.visits, self.fast_visits))
        return SelfplaySearch(full, fast, self.full_share, noise, options, sharpening)

    def completed(self, known: "Plan | None" = None) -> "Plan":
        """The plan with a known plan's values instead of None, or else the usual ones."""
        missing = [name for name in _LATER if getattr(self, name) is None]
        if known is not None:
            return replace(self, **{name: getattr(known, name) for name in missing})
        usual: dict[str, Any] = {
            "sizes": usual_sizes(self.game, self.size),
            "teacher": PLAYER,
            "expand_after": tuning_of(find_game(self.game)).expand_after,
            "playouts": PLAYOUTS,
            "least_steps": LEAST_STEPS,
            "gate": GATE,
            "games": None,
        }
        return replace(self, **{name: usual[name] for name in missing})

    def differences(self, other: "Plan") -> list[str]:
        """The differences to another plan, one line for each; `games` may differ."""
        mine, others = asdict(self), asdict(other)
        return [
            f"{name.replace('_', '-')}: {_shown(mine[name])} there, "
            f"{_shown(others[name])} asked for"
            for name in mine
            if mine[name] != others[name] and name != "games"
        ]


def usual_sizes(game: str, size: int) -> tuple[int, ...]:
    """The board sizes that a training for `size` uses: all that the designer recommends.

    If the designer recommends none, these are the sizes up to 2 smaller and larger. A size that is
    not recommended, or is below 5, stands alone.
    """
    known = find_game(game)
    lowest, highest = known.recommended or (max(_SMALLEST, size - _SPREAD), size + _SPREAD)
    sizes = range(lowest, min(highest, MAX_SIZE) + 1)
    return tuple(sizes) if size in sizes else (size,)


def _shown(value: object) -> str:
    return " ".join(map(str, value)) or NONE if isinstance(value, tuple) else str(value)


class TrainingProgress(NamedTuple):
    """The progress of a training.

    generation -- the current generation, from 1
    before     -- the seconds of all earlier generations
    games      -- the games of all earlier generations
    playing    -- the seconds of self-play in this generation so far
    played     -- whether the self-play of this generation is complete
    kept       -- the generations that did not become the player: the net of before them played on
    fitted     -- whether this generation's net is there, and only its gate is missing
    fitting    -- the seconds of the complete fit, and of the gate so far, in this generation
    processor  -- the processor seconds of this generation so far, on this machine
    """

    generation: int = 1
    before: float = 0.0
    games: int = 0
    playing: float = 0.0
    played: bool = False
    kept: tuple[int, ...] = ()
    fitted: bool = False
    fitting: float = 0.0
    processor: float = 0.0

    @property
    def spent(self) -> float:
        """The seconds so far, without a fit in progress."""
        return self.before + self.playing + self.fitting

    def player(self, generation: int) -> int:
        """The generation whose net plays the games of a generation; 0 for the initial net."""
        earlier = range(generation - 1, 0, -1)
        return next((each for each in earlier if each not in self.kept), 0)


class Folder:
    """The files of a training."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def name(self) -> str:
        """What to call the folder in one line."""
        return "".join(filter(str.isprintable, self._path.resolve().name))

    @property
    def fit(self) -> Path:
        """The path of the fit in progress."""
        return self._path / "fit"

    @property
    def compiled(self) -> Path:
        """The path of the folder of what JAX has compiled."""
        return self._path / "compiled"

    @property
    def playouts(self) -> Path:
        """The path of the playouts that the next fit need not play again."""
        return self._path / "playouts"

    @property
    def record(self) -> Path:
        """The path of the record: a line of JSON for each generation."""
        return self._path / "record.jsonl"

    def gate(self, generation: int) -> Path:
        """The path of the games of a generation's gate, one line of JSON for each."""
        return self._path / f"gate-{generation:03}.jsonl"

    def games(self, generation: int) -> Path:
        """The path of a generation's games, one line of JSON for each."""
        return self._path / f"games-{generation:03}.jsonl"

    def weights(self, generation: int) -> Path:
        """The path of a generation's weights."""
        return self._path / f"generation-{generation:03}.weights"

    def matches(self, opponent: str, generation: int) -> Path:
        """The path of the database for a generation's match."""
        return self._path / f"match-{generation:03}-{opponent}.db"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Lock the folder. Raises Unfit if another process holds the lock, and OSError."""
        self._path.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            try:
                stack.enter_context(locked_folder(self._path))
            except BlockingIOError:
                raise Unfit(f"another process trains in {self._path}") from None
            yield

    def begin(self, plan: Plan) -> tuple[Plan, TrainingProgress]:
        """Begin a training, or continue the one in the folder; returns its plan and its progress.

        Raises Unfit and OSError.
        """
        self.check(plan)
        path = self._path / _PLAN
        known = self.opened()[0] if path.exists() else None
        completed = plan.completed(known)
        if completed != known:
            write_stored(path, _PLAN, _VERSION, asdict(completed), b"")
        return self.opened()

    def check(self, plan: Plan) -> None:
        """Check that the training can begin or go on in the folder, which need not exist.

        Raises Unfit and OSError.
        """
        if (self._path / _PLAN).exists():
            known, _ = self.opened()
            if lines := known.differences(plan.completed(known)):
                raise Unfit("\n".join([f"another training is in {self._path}:", *lines]))
            return
        if self._path.exists() and not self._path.is_dir():
            raise Unfit(f"{self._path} is no folder")
        if self._path.exists() and any(self._path.iterdir()):
            raise Unfit(f"{self._path} is not empty, and there is no training in it")
        for name in plan.learn_from:
            if next(games_in(Path(name), plan.game), None) is None:
                raise Unfit(f"{name} holds no games of {plan.game}")

    def opened(self) -> tuple[Plan, TrainingProgress]:
        """The plan and the progress of the training in the folder. Raises Unfit."""
        path = self._path / _PLAN
        if not path.exists():
            raise Unfit(f"there is no training in {self._path}")
        plan, path = self._plan(path), self._path / _PROGRESS
        return plan, self._progress(path) if path.exists() else TrainingProgress()

    def _progress(self, path: Path) -> TrainingProgress:
        """Read the progress in the folder. Raises Unfit."""
        facts = _read(path, _PROGRESS, TrainingProgress._fields)
        return TrainingProgress(**{**facts, "kept": tuple(facts["kept"])})

    def _plan(self, path: Path) -> Plan:
        """Read the plan in the folder. Raises Unfit."""
        facts = _read(path, _PLAN, [field.name for field in fields(Plan)])
        lists = {name: tuple(facts[name]) for name in ("sizes", "learn_from")}
        return Plan(**{**facts, **lists})

    def save(self, progress: TrainingProgress) -> None:
        """Store the progress. Raises OSError."""
        path = self._path / _PROGRESS
        write_stored(path, _PROGRESS, _VERSION, progress._asdict(), b"")


def _read(path: Path, kind: str, names: Sequence[str]) -> dict[str, Any]:
    """The facts of a file, which must have these names. Raises Unfit."""
    try:
        facts = dict(read_stored(path, kind, _VERSION).facts)
    except UnusableFile as problem:
        raise Unfit(str(problem)) from None
    if facts.keys() != set(names):
        raise Unfit(f"{path} was made by another version of this program; begin another training")
    return facts
