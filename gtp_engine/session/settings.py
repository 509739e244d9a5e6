"""Every setting, declared once: the command line, `game-set` and `game-settings` read it here."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from gtp_engine.log import logger
from gtp_engine.rules.step import Pie
from gtp_engine.search.backends.choose import BACKENDS, checked_backend
from gtp_engine.search.levels import LADDER, LEVELS
from gtp_engine.search.options import (
    Declaration,
    SearchOptions,
    declarations,
    declared,
)
from gtp_engine.search.players import PLAYERS
from gtp_engine.search.value_types import ValueType, choice, number, shown, switch, whole

_RANDOM_SEED = "random"
_SEED_OF_ANALYSIS = "0"

TURNS, CLICKS = "turns", "clicks"

ADAPTIVE, FIXED = "adaptive", "fixed"

# The longest time per turn at any level, and the usual one of the highest level, which has no bound
# of visits, without a clock.
LONGEST_LEVEL_SECONDS = 10.0
USUAL_LEVEL_SECONDS = 5.0


@dataclass(frozen=True)
class Settings(SearchOptions):
    """The settings of a session, with the options of its search; `change` makes a changed copy."""

    pie: str = declared(
        Pie.PIECES.value,
        choice(*(pie.value for pie in Pie)),
        "form of the pie rule: swap pieces, swap sides, or off",
    )
    moves: str = declared(
        TURNS, choice(TURNS, CLICKS), "what genmove answers: whole turns, or click after click"
    )
    player: str = declared("mcts", choice(*PLAYERS), "who chooses the turns")
    backend: str = declared(
        BACKENDS[0],
        choice(*BACKENDS)._replace(convert=checked_backend),
        "what searches: the compiled kernel, or Python",
    )
    level: int = declared(
        6,
        LEVELS,
        f"strength without visits and seconds set, at most {LONGEST_LEVEL_SECONDS:g} seconds a "
        f"turn; by number or name: {', '.join(level.word for level in LADDER)}",
    )
    visits: int = declared(0, whole(0, 10**9), "search visits for a turn, 0 for no bound")
    seconds: float = declared(0.0, number(0, 10**6), "seconds for a turn, 0 for no bound")
    timing: str = declared(
        ADAPTIVE,
        choice(ADAPTIVE, FIXED),
        "what a turn bound by time takes: what it needs, or the same",
    )
    ponder: bool = declared(
        False, switch(False), "whether to go on searching while the opponent thinks"
    )
    seed: str = declared(
        _RANDOM_SEED,
        ValueType(f"integer or {_RANDOM_SEED}", rf"[0-9]{{1,19}}|{_RANDOM_SEED}", str),
        "seed of the player: an integer makes its choices repeatable",
    )
    resign: float = declared(
        0.0, number(0, 0.5), "resign when the chance to win falls below this, 0 for never"
    )

    @property
    def search_options(self) -> SearchOptions:
        """The options of the search alone.

        Where visits bound a search, a leaf has one playout unless more were asked for: few visits
        must see many positions.
        """
        chosen = {each.name: getattr(self, each.name) for each in declarations(SearchOptions)}
        if self.visits and self.leaf_playouts is None:
            chosen["leaf_playouts"] = 1
        return SearchOptions(**chosen)

    @property
    def chance_seed(self) -> str | None:
        """The seed of the turns that are played; None where none was set."""
        return None if self.seed == _RANDOM_SEED else self.seed

    @property
    def analysis_seed(self) -> str:
        """The seed of what is looked at without being played: asked again it is the same."""
        return _SEED_OF_ANALYSIS if self.seed == _RANDOM_SEED else self.seed

    def change(self, key: str, text: str) -> "Settings":
        """The settings with one of them read from a text.

        Raises KeyError for an unknown setting, ValueError for a text that is no value of it.
        """
        setting = setting_of(key)
        return replace(self, **{setting.name: setting.values.parse(text)})

    def shown(self, name: str) -> Any:
        """The value of a setting as the wire shows it."""
        return shown(getattr(self, name))


DEFAULTS = Settings()


@cache
def settings() -> tuple[Declaration, ...]:
    """All settings: those of the session, then the options of the search."""
    inherited = {each.name for each in declarations(SearchOptions)}
    everything = tuple(declarations(Settings))
    own = tuple(each for each in everything if each.name not in inherited)
    return own + tuple(each for each in everything if each.name in inherited)


def setting_of(key: str) -> Declaration:
    """A setting by its name, or by the one it had in the version before; then the log says so.

    Raises KeyError for any other name.
    """
    for each in settings():
        if key == each.name:
            return each
        if key == each.former:
            logger().warning("{} is called {} now; the old name will go", key, each.name)
            return each
    raise KeyError(key)
