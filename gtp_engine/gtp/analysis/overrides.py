"""`overrideSettings`: settings of one request."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from gtp_engine.base.option import Option, choice, integers, numbers, options, shown
from gtp_engine.engine.settings import DEFAULTS, SEEDS, Settings, setting_of
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.weights import NONE, OWN

_PERSPECTIVE = "reportAnalysisWinratesAs"
_VISITS, _SECONDS = "maxVisits", "maxTime"
PERSPECTIVES: Mapping[str, Color | None] = {"BLACK": BLACK, "WHITE": WHITE, "SIDETOMOVE": None}
"""The color whose values are told, by the words of clients; None for the one to move."""

USUAL_PERSPECTIVE = "BLACK"

PERSPECTIVE_WORDS = choice(*PERSPECTIVES)._replace(
    pattern=f"(?i:{'|'.join(PERSPECTIVES)})", convert=str.upper
)

# The server divides threads and memory.
_OF_THE_SERVER = {"threads", "hash_mb"}


def _declared() -> Iterator[Option]:
    told = "the color whose values are told; default: that of the command line"
    yield Option(_PERSPECTIVE, None, PERSPECTIVE_WORDS, told)
    yield Option(_VISITS, None, integers(1, 10**9), "the same as the field `maxVisits`")
    yield Option(_SECONDS, None, numbers(0.001, 10**6), "the same as the field `maxTime`")
    yield setting_of("seed")._replace(
        default=DEFAULTS.analysis_seed,
        values=SEEDS,
        meaning="seed of the search and of random games",
    )
    for each in options(SearchOptions):
        if each.name == "weights":  # a service opens no file that a request names
            yield each._replace(values=choice(OWN, NONE), meaning="learned evaluation, or none")
        elif each.name not in _OF_THE_SERVER:
            yield each


OVERRIDES = {each.name: each for each in _declared()}
"""What `overrideSettings` may hold, by name."""

WITHOUT_EFFECT_HERE = {"wideRootNoise", "humanSLProfile"}
"""Settings of KataGo that clients send, and that mean nothing here."""


class Overrides(NamedTuple):
    """The settings of a request.

    perspective -- whose values are told: a key of PERSPECTIVES; None if the client does not say
    visits      -- the limit of each search
    seconds     -- the same in seconds
    values      -- settings of the search
    unknown     -- keys that nobody knows
    """

    perspective: str | None
    visits: int | None
    seconds: float | None
    values: Mapping[str, Any]
    unknown: tuple[str, ...]

    def over(self, usual: Settings) -> Settings:
        """Some settings with these in their place."""
        return replace(usual, **self.values)


def read_overrides(found: Mapping[str, Any]) -> Overrides:
    """Read settings: strings, numbers or truth values. Raises ValueError for an unfit value."""
    values = {key: _read(OVERRIDES[key], found[key]) for key in found if key in OVERRIDES}
    perspective, visits = values.pop(_PERSPECTIVE, None), values.pop(_VISITS, None)
    known = OVERRIDES.keys() | WITHOUT_EFFECT_HERE
    unknown = tuple(key for key in found if key not in known)
    return Overrides(perspective, visits, values.pop(_SECONDS, None), values, unknown)


def _read(setting: Option, value: Any) -> Any:
    text = str(shown(value)) if isinstance(value, str | int | float) else "an array, object or null"
    try:
        return setting.values.parse(text)
    except ValueError as error:
        raise ValueError(f"{setting.name}: {error}") from None
