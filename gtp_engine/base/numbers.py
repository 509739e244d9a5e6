"""Numbers as written by clients and files, and as read by people."""

import math
import re

LARGEST = 10**18 - 1
"""Larger than every number that is accepted anywhere."""

_WHOLE = re.compile(r"([+-]?)0*([0-9]+)")
_DIGITS = len(str(LARGEST))


def whole(text: str) -> int:
    """The whole number of a text in ASCII digits. Raises ValueError.

    Numbers beyond LARGEST in absolute value are replaced by it: they are out of every range, and
    Python refuses to read very long ones.
    """
    found = _WHOLE.fullmatch(text)
    if found is None:
        raise ValueError(f"not an integer: {text[:20]}")
    sign, digits = found.groups()
    value = LARGEST if len(digits) > _DIGITS else int(digits)
    return -value if sign == "-" else value


def finite(text: str) -> float:
    """A finite number in the notation of clients. Raises ValueError."""
    number = float(text)
    if not math.isfinite(number) or not text.isascii() or "_" in text:
        raise ValueError(f"not a number: {text[:20]}")
    return number


def number_of(count: int, thing: str, things: str | None = None) -> str:
    """A count with its noun: `1 game`, `1,000 games`."""
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"


def plain_number_of(count: int, thing: str) -> str:
    """A count with its noun, without commas, because programs read it: `1 visit`, `2000 visits`."""
    return f"{count} {thing}{'s' * (count != 1)}"
