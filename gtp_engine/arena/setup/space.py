"""The possible values of a tuned setting: `1..50`, `0.1..4:log`, `a|b|c`."""

import math
import re
from decimal import Decimal
from typing import NamedTuple

_NUMBER = r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE = re.compile(rf"(?P<low>{_NUMBER})\.\.(?P<high>{_NUMBER})(?P<log>:log)?")
_WHOLE = re.compile(r"[+-]?\d+")

# Samplers use floating-point numbers, which cannot represent all integers beyond these.
_LARGEST = 2**53

# Games cannot show a difference in further digits.
_DIGITS = 4


class Integers(NamedTuple):
    """The integers from `low` to `high`; with `log` they are sampled on a logarithmic scale."""

    low: int
    high: int
    log: bool

    @property
    def ends(self) -> tuple[int, ...]:
        """Values at the limits: an engine that accepts these accepts all."""
        return self.low, self.high


class Numbers(NamedTuple):
    """The numbers from `low` to `high`; with `log` they are sampled on a logarithmic scale."""

    low: float
    high: float
    log: bool

    @property
    def ends(self) -> tuple[float, ...]:
        """Values at the limits: an engine that accepts these accepts all."""
        return self.low, self.high

    def rounded(self, value: float) -> float:
        """A nearby value with few digits."""
        return min(self.high, max(self.low, float(f"{value:.{_DIGITS}g}")))


class Words(NamedTuple):
    """A choice of words."""

    words: tuple[str, ...]

    @property
    def ends(self) -> tuple[str, ...]:
        """Every word: an engine that accepts these accepts all."""
        return self.words


Values = Integers | Numbers | Words


def parse_values(text: str) -> Values:
    """The values that a text describes. Raises ValueError with a sentence for the user."""
    if "|" in text:
        return _words(text)
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
    return Integers(int(low), int(high), log) if whole else Numbers(low, high, log)


def written(value: str | int | float) -> str:
    """A value as engines read it, without an exponent."""
    return f"{Decimal(repr(value)):f}" if isinstance(value, float) else str(value)


def _words(text: str) -> Words:
    words = tuple(word.strip() for word in text.split("|"))
    if not all(words) or len(set(words)) < len(words):
        raise ValueError(f"a word is empty or occurs twice: {text}")
    return Words(words)
