"""The possible values of a tuned setting: `1..50`, `0.1..4:log`, `a|b|c`."""

import math
import re
from decimal import Decimal
from typing import NamedTuple

from gtp_engine.base.option import Values, choice, integers, numbers

_NUMBER = r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE = re.compile(rf"(?P<low>{_NUMBER})\.\.(?P<high>{_NUMBER})(?P<log>:log)?")
_WHOLE = re.compile(r"[+-]?\d+")

# Samplers use floating-point numbers, which cannot represent all integers beyond these.
_LARGEST = 2**53

# Games cannot show a difference in further digits.
_DIGITS = 4


class Space(NamedTuple):
    """The values that a tuning tries: integers or numbers in a range, or words.

    log -- whether numbers are sampled on a logarithmic scale
    """

    values: Values
    log: bool = False

    @property
    def ends(self) -> tuple[str | int | float, ...]:
        """The limits, or every word: an engine that accepts these accepts all."""
        lowest, highest = self.values.lowest, self.values.highest
        return self.values.words if lowest is None or highest is None else (lowest, highest)

    def rounded(self, value: float) -> float:
        """A nearby number with few digits."""
        near = float(f"{value:.{_DIGITS}g}")
        lowest, highest = self.values.lowest, self.values.highest
        return near if lowest is None or highest is None else min(highest, max(lowest, near))


def parse_values(text: str) -> Space:
    """The values that a text describes. Raises ValueError with a sentence for the user."""
    if "|" in text:
        return Space(choice(*_words(text)))
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"not LOW..HIGH, LOW..HIGH:log or A|B|C: {text}")
    bounds, log = (found["low"], found["high"]), bool(found["log"])
    whole = all(map(_WHOLE.fullmatch, bounds))
    low, high = map(int if whole else float, bounds)
    if not -_LARGEST <= low < high <= _LARGEST:
        reason = "is empty" if math.isfinite(low) and low >= high else "is too large"
        raise ValueError(f"the range {text} {reason}")
    if log and low <= 0:
        raise ValueError(f"a logarithmic range must be above 0: {text}")
    return Space(integers(int(low), int(high)) if whole else numbers(low, high), log)


def written(value: str | int | float) -> str:
    """A value as engines read it, without an exponent."""
    return f"{Decimal(repr(value)):f}" if isinstance(value, float) else str(value)


def _words(text: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split("|"))
    if not all(words) or len(set(words)) < len(words):
        raise ValueError(f"a word is empty or occurs twice: {text}")
    return words
