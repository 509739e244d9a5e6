"""Every setting, declared once for the command line, `game-set` and `game-settings`."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from gtp_engine.base.option import (
    Option,
    Values,
    choice,
    integers,
    numbers,
    option,
    option_of,
    options,
    shown,
    switch,
)
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.choose import BACKENDS, checked_backend
from gtp_engine.search.levels import DEFAULT_LEVEL, LADDER, LEVELS
from gtp_engine.search.named_players import PLAYERS
from gtp_engine.search.options import SearchOptions

_RANDOM_SEED = "random"
_SEED_OF_ANALYSIS = "0"

SEEDS = Values(f"integer 0..{10**19 - 1}", "[0-9]{1,19}", str)
"""The integers that a seed can be; it is kept as it was written."""

_OF_THE_SEARCH = tuple(each.name for each in options(SearchOptions))

TURNS, CLICKS = "turns", "clicks"

ADAPTIVE, FIXED = "adaptive", "fixed"

# The longest time per turn at any level. The highest level has no limit of visits; without a clock
# it takes the usual time per turn.
LONGEST_LEVEL_SECONDS = 10.0
USUAL_LEVEL_SECONDS = 5.0


@dataclass(frozen=True)
class Settings(SearchOptions):
    """The settings of a session, with the options of its search; `change` makes a changed copy."""

    pie: str = option(
        Pie.PIECES.value,
        choice(*(pie.value for pie in Pie)),
        "form of the pie rule: swap pieces, swap sides, or off",
    )
    moves: str = option(
        TURNS, choice(TURNS, CLICKS), "what genmove returns: a whole turn, or one click"
    )
    player: str = option("mcts", choice(*PLAYERS), "how turns are chosen: by search or at random")
    backend: str = option(
        BACKENDS[0],
        choice(*BACKENDS)._replace(convert=checked_backend),
        "search in the compiled kernel, in Python, or (auto) in the kernel where available",
    )
    level: int = option(
        DEFAULT_LEVEL,
        LEVELS,
        f"strength if neither visits nor seconds is set, at most {LONGEST_LEVEL_SECONDS:g} seconds "
        f"per turn; a number or a name: {', '.join(level.word for level in LADDER)}",
    )
    visits: int = option(0, integers(0, 10**9), "search visits per turn; 0: no limit")
    seconds: float = option(
        0.0, numbers(0, 10**6), "seconds a turn, the mean if timing is adaptive; 0: no limit"
    )
    timing: str = option(
        ADAPTIVE,
        choice(ADAPTIVE, FIXED),
        "time per turn when time limits the search: adapted to the position, or always the same",
    )
    ponder: bool = switch(False, "search during the opponent's turn")
    seed: str = option(
        _RANDOM_SEED,
        SEEDS._replace(
            name=f"{SEEDS.name} or {_RANDOM_SEED}", pattern=f"{SEEDS.pattern}|{_RANDOM_SEED}"
        ),
        "seed of the player's random choices; an integer makes them repeatable",
    )
    resign: float = option(
        0.0, numbers(0, 0.5), "resign when the estimated chance to win is below this; 0: never"
    )

    @property
    def search_options(self) -> SearchOptions:
        """The options of the search alone.

        Without a set `leaf_playouts`, a search limited by visits makes one playout per leaf: so few
        visits still reach many positions.
        """
        chosen = {name: getattr(self, name) for name in _OF_THE_SEARCH}
        if self.visits and self.leaf_playouts is None:
            chosen["leaf_playouts"] = 1
        return SearchOptions(**chosen)

    @property
    def repeatable(self) -> bool:
        """Whether a seed or a number of visits was set, so that results can be repeated."""
        return self.seed != _RANDOM_SEED or self.visits > 0

    @property
    def chance_seed(self) -> str | None:
        """The seed of the turns that are played; None if none was set."""
        return None if self.seed == _RANDOM_SEED else self.seed

    @property
    def analysis_seed(self) -> str:
        """The seed of analysis. It is fixed unless set, so a repeated analysis gives the same."""
        return _SEED_OF_ANALYSIS if self.seed == _RANDOM_SEED else self.seed

    def change(self, key: str, text: str) -> "Settings":
        """The settings with one of them read from a text.

        Raises KeyError for an unknown setting, and ValueError for a text that is not a value of it.
        """
        setting = setting_of(key)
        return replace(self, **{setting.name: setting.values.parse(text)})

    def shown(self, name: str) -> Any:
        """The value of a setting as the wire shows it."""
        return shown(getattr(self, name))


DEFAULTS = Settings()


@cache
def settings(*names: str) -> tuple[Option, ...]:
    """The settings of these names, or all: those of the session, then the options of the search."""
    inherited = options(SearchOptions)
    every = tuple(each for each in options(Settings) if each not in inherited) + inherited
    return tuple(each for each in every if each.name in names) if names else every


def setting_of(key: str) -> Option:
    """A setting by its name. Raises KeyError."""
    return option_of(settings(), key)
