"""Formats the numbers of a match for people."""

import math
from collections.abc import Sequence

from gtp_engine.arena.stats.ratings import Rating
from gtp_engine.base.numbers import number_of as number_of
from gtp_engine.base.statistics.statistics import Counts, Estimate

UNKNOWN = "-"


def signed(value: float) -> str:
    """A difference with its sign: `+40.7`, `-8.6`."""
    # A value that rounds to zero has no sign.
    return f"{value:+.1f}".replace("-0.0", "+0.0") if abs(value) < 1 else f"{value:+.1f}"


# Above this share of the bar the middle of an interval differs from the value.
_LOPSIDED = 0.1


def with_bar(estimate: Estimate | None) -> str:
    """An Elo difference: `+40.7 ±30.4`, or `+120.4 (-99.7 to +608.0)` for uneven sides.

    With an infinite end `+511.5, from +311.1`.
    """
    if estimate is None:
        return UNKNOWN
    value, low, high = estimate
    if math.isfinite(estimate.bar) and math.isfinite(value):
        if abs((low + high) / 2 - value) > _LOPSIDED * estimate.bar:
            return f"{signed(value)} ({interval(estimate)})"
        return f"{signed(value)} ±{estimate.bar:.1f}"
    if math.isinf(low) and math.isinf(high):
        return UNKNOWN
    known = f"from {signed(low)}" if math.isfinite(low) else f"up to {signed(high)}"
    return f"{signed(value)}, {known}" if math.isfinite(value) else known


def rated(rating: Rating, anchored: bool) -> str:
    """A rating: `+40.7 ±30.4`; on the scale of an anchor `2040.7 ±30.4`, or `2000 (anchor)`."""
    if rating.anchor:
        return f"{rating.elo.value:g} (anchor)"
    told = with_bar(rating.elo)
    return told.removeprefix("+") if anchored else told


def interval(estimate: Estimate) -> str:
    """Both ends of an interval: `+10.6 to +71.4`; or its finite end."""
    if math.isinf(estimate.high):
        return f"{signed(estimate.low)} or more"
    if math.isinf(estimate.low):
        return f"{signed(estimate.high)} or less"
    return f"{signed(estimate.low)} to {signed(estimate.high)}"


def percent(share: float | None, digits: int = 1) -> str:
    """A share: `55.8 %`."""
    return UNKNOWN if share is None else f"{100 * share:.{digits}f} %"


def likelihood(share: float | None) -> str:
    """A likelihood, never shown as certain: `more than 99.9 %`."""
    if share is None:
        return UNKNOWN
    if share > 0.9995:
        return "> 99.9 %"
    return "< 0.1 %" if share < 0.0005 else percent(share)


def wdl(counts: Counts) -> str:
    """Wins, draws and losses of games: `136-111-96`."""
    return "-".join(map(str, reversed(counts.numbers)))


def seconds(value: float) -> str:
    """A duration: `0.4 ms`, `310 ms`, `2.5 s`, `4 min 10 s`, `3 h 20 min`."""
    if value < 0.1:
        return f"{1000 * value:.1f} ms"
    if value < 0.9995:
        return f"{1000 * value:.0f} ms"
    if value < 100:
        return f"{value:.1f} s"
    minutes = round(value / 60)
    if value < 3600:
        return f"{int(value // 60)} min {int(value % 60)} s"
    return f"{minutes // 60} h {minutes % 60} min"


def printable(text: str) -> str:
    """An engine's text without characters that a terminal or a page could interpret."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def listed(words: Sequence[str]) -> str:
    """Words as a list in a sentence: `A, B and C`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
