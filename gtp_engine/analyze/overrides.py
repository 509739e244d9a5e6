"""`overrideSettings`: settings of one request."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from gtp_engine.board.color import BLACK, WHITE, Color
from gtp_engine.engine.settings import DEFAULTS, Settings, setting_of
from gtp_engine.option import Option, Values, choice, numbers, options, shown
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.weights import NONE, OWN

_PERSPECTIVE, _SECONDS = "reportAnalysisWinratesAs", "maxTime"
_PERSPECTIVES: Mapping[str, Color | None] = {"BLACK": BLACK, "WHITE": WHITE, "SIDETOMOVE": None}
_USUAL = "BLACK"

# The server divides threads and memory.
_OF_THE_SERVER = {"threads", "hash_mb"}


def _declared() -> Iterator[Option]:
    words = choice(*_PERSPECTIVES)._replace(
        pattern=f"(?i:{'|'.join(_PERSPECTIVES)})", convert=str.upper
    )
    yield Option(_PERSPECTIVE, _USUAL, words, "the color whose values are told")
    yield Option(_SECONDS, None, numbers(0.001, 10**6), "the same as the field `maxTime`")
    yield setting_of("seed")._replace(
        default=DEFAULTS.analysis_seed,
        values=Values("integer", "[0-9]{1,19}", str),
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

    perspective -- the color whose values are told; None for the one to move
    seconds     -- the limit of each search
    values      -- settings of the search
    unknown     -- keys that nobody knows
    """

    perspective: Color | None
    seconds: float | None
    values: Mapping[str, Any]
    unknown: tuple[str, ...]

    def over(self, usual: Settings) -> Settings:
        """Some settings with these in their place."""
        return replace(usual, **self.values)


def read_overrides(found: Mapping[str, Any]) -> Overrides:
    """Read settings: strings, numbers or truth values. Raises ValueError for an unfit value."""
    values = {key: _read(OVERRIDES[key], found[key]) for key in found if key in OVERRIDES}
    perspective = _PERSPECTIVES[values.pop(_PERSPECTIVE, _USUAL)]
    known = OVERRIDES.keys() | WITHOUT_EFFECT_HERE
    unknown = tuple(key for key in found if key not in known)
    return Overrides(perspective, values.pop(_SECONDS, None), values, unknown)


def _read(setting: Option, value: Any) -> Any:
    text = str(shown(value)) if isinstance(value, str | int | float) else "an array, object or null"
    try:
        return setting.values.parse(text)
    except ValueError as error:
        raise ValueError(f"{setting.name}: {error}") from None
