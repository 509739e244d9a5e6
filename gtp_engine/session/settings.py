"""Every setting, declared once: the command line, `game-set` and `game-settings` read it here."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

from gtp_engine.rules.step import Pie
from gtp_engine.search import weights
from gtp_engine.search.backend import BACKENDS, PLAYERS, backend
from gtp_engine.search.budget import Resources
from gtp_engine.search.levels import HIGHEST, LOWEST

RANDOM_SEED = "random"
TURNS, CLICKS = "turns", "clicks"
ONE_ORDER, EVERY_ORDER = "one", "every"

ADAPTIVE, FIXED = "adaptive", "fixed"
OFF, ON = "off", "on"

# A level thinks for so long at most: its visits would take minutes on the largest boards. The
# highest, which has no bound of visits, takes so long without a clock if the turn is not hard.
LONGEST_LEVEL_SECONDS = 10.0
USUAL_LEVEL_SECONDS = 5.0

# In Python the visits of a level take many times as long: nobody is to wait for them.
LONGEST_PYTHON_SECONDS = 1.2


class Kind(NamedTuple):
    """What values a setting takes: a name for the user, the pattern of its texts, its range.

    as_written -- whether capitals matter
    """

    name: str
    pattern: str
    convert: Callable[[str], Any]
    lowest: float | None = None
    highest: float | None = None
    as_written: bool = False

    def parse(self, text: str) -> Any:
        """The value of a text. Raises ValueError where it is none."""
        text = text if self.as_written else text.lower()
        if not re.fullmatch(self.pattern, text):
            raise ValueError(f"not {self.name}")
        value = self.convert(text)
        if self.lowest is not None and value < self.lowest:
            raise ValueError(f"not {self.name}")
        if self.highest is not None and value > self.highest:
            raise ValueError(f"not {self.name}")
        return value


def choice(*words: str) -> Kind:
    """One of some words."""
    return Kind("|".join(words), "|".join(words), str)


def whole(lowest: int, highest: int) -> Kind:
    """An integer in a range."""
    return Kind(f"integer {lowest}..{highest}", r"[0-9]{1,19}", int, lowest, highest)


def number(lowest: float, highest: float) -> Kind:
    """A number in a range."""
    return Kind(
        f"number {lowest:.12g}..{highest:.12g}",
        r"[0-9]{1,12}(\.[0-9]{0,12})?",
        float,
        lowest,
        highest,
    )


OWN = "auto"


def or_own(kind: Kind) -> Kind:
    """The same, or the word for the value that each game has of its own."""

    def convert(text: str) -> Any:
        return OWN if text == OWN else kind.parse(text)

    return Kind(f"{kind.name} or {OWN}", f"{kind.pattern}|{OWN}", convert)


def _setting(default: Any, kind: Kind, meaning: str) -> Any:
    return field(default=default, metadata={"kind": kind, "meaning": meaning})


@dataclass(frozen=True)
class Settings:
    """The settings of a session; `change` makes a changed copy."""

    pie: str = _setting(
        Pie.PIECES.value,
        choice(*(pie.value for pie in Pie)),
        "form of the pie rule: swap pieces, swap sides, or off",
    )
    moves: str = _setting(
        TURNS, choice(TURNS, CLICKS), "what genmove answers: whole turns, or click after click"
    )
    player: str = _setting("mcts", choice(*PLAYERS), "who chooses the turns")
    backend: str = _setting(
        BACKENDS[0],
        choice(*BACKENDS)._replace(convert=backend),
        "what searches: the compiled kernel, or Python",
    )
    threads: int = _setting(1, whole(1, 256), "threads of the kernel's search")
    hash_mb: int = _setting(
        256,
        whole(1, 65536),
        "MiB for the kernel's tree, at most what the machine has",
    )
    exploration: float | str = _setting(
        OWN,
        or_own(number(0, 100)),
        "how much the search adds for what is little visited",
    )
    rave: float | str = _setting(
        OWN,
        or_own(number(0, 10**6)),
        "visits of a step that weigh like all games with it",
    )
    playouts: int | str = _setting(
        OWN,
        or_own(whole(1, 1000)),
        "random games a visit, where nothing is learned",
    )
    weights: str = _setting(
        weights.OWN,
        Kind(f"file or {weights.OWN} or {weights.NONE}", ".{1,4096}", str, as_written=True),
        "learned evaluation: the game's own, none, or a file",
    )
    chance: float | str = _setting(
        OWN,
        or_own(number(0, 1)),
        "part of a random game in a value, beside a learned one",
    )
    patience: int | str = _setting(
        OWN,
        or_own(whole(1, 10**6)),
        "visits before a learned evaluation; its weight",
    )
    orders: str = _setting(
        ONE_ORDER,
        choice(ONE_ORDER, EVERY_ORDER),
        "inside a turn: one order of steps for each way it can end, or every",
    )
    decisive: str = _setting(
        ON,
        choice(ON, OFF),
        "whether playouts win at once where they can, in Boloa",
    )
    swap_maps: str = _setting(
        ON,
        choice(ON, OFF),
        "whether stored values of first turns decide openings and swaps",
    )
    level: int = _setting(
        6,
        whole(LOWEST, HIGHEST),
        "strength without visits and seconds set, "
        f"at most {LONGEST_LEVEL_SECONDS:g} seconds a turn",
    )
    visits: int = _setting(0, whole(0, 10**9), "search visits for a turn, 0 for no bound")
    seconds: float = _setting(0.0, number(0, 10**6), "seconds for a turn, 0 for no bound")
    timing: str = _setting(
        ADAPTIVE,
        choice(ADAPTIVE, FIXED),
        "what a turn bound by time takes: what it needs, or the same",
    )
    ponder: str = _setting(
        OFF, choice(OFF, ON), "whether to go on searching while the opponent thinks"
    )
    seed: str = _setting(
        RANDOM_SEED,
        Kind(f"integer or {RANDOM_SEED}", rf"[0-9]{{1,19}}|{RANDOM_SEED}", str),
        "seed of the player: an integer makes its choices repeatable",
    )
    resign: float = _setting(
        0.0, number(0, 0.5), "resign when the chance to win falls below this, 0 for never"
    )

    @property
    def resources(self) -> Resources:
        """What a search may take of the machine, and how it goes about it."""
        return Resources(
            threads=self.threads,
            hash_mb=self.hash_mb,
            exploration=_own_as_none(self.exploration),
            rave=_own_as_none(self.rave),
            playouts=self._playouts,
            weights=self.weights,
            chance=_own_as_none(self.chance),
            patience=_own_as_none(self.patience),
            every_order=self.orders == EVERY_ORDER,
            decisive=self.decisive == ON,
            swap_maps=self.swap_maps == ON,
        )

    @property
    def _playouts(self) -> int | None:
        """One random game a visit where visits are what bounds a search: few must see much."""
        if isinstance(self.playouts, str):
            return 1 if self.visits else None
        return self.playouts

    def change(self, key: str, text: str) -> "Settings":
        """The settings with one of them read from a text.

        Raises KeyError for an unknown setting, ValueError for a text that is no value of it.
        """
        kinds = {setting.key: setting.kind for setting in settings()}
        return replace(self, **{key: kinds[key].parse(text)})


def _own_as_none(value: Any) -> Any:
    return None if isinstance(value, str) else value


DEFAULTS = Settings()


class Setting(NamedTuple):
    """A declared setting."""

    key: str
    kind: Kind
    meaning: str
    default: Any


def settings() -> Iterator[Setting]:
    """All declared settings, in order."""
    for each in fields(Settings):
        yield Setting(each.name, each.metadata["kind"], each.metadata["meaning"], each.default)
