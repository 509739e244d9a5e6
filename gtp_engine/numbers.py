"""Numbers as clients and files write them, and as people read them."""

import math
import re

LARGEST = 10**18 - 1
"""No number that anything here takes is as large."""

_WHOLE = re.compile(r"([+-]?)0*([0-9]+)")
_DIGITS = len(str(LARGEST))


def whole(text: str) -> int:
    """The whole number of a text in ASCII digits. Raises ValueError.

    One that is larger than LARGEST, or smaller than -LARGEST, becomes that: it is out of every
    range, and Python refuses to read long ones.
    """
    found = _WHOLE.fullmatch(text)
    if found is None:
        raise ValueError(f"not an integer: {text[:20]}")
    sign, digits = found.groups()
    value = LARGEST if len(digits) > _DIGITS else int(digits)
    return -value if sign == "-" else value


def finite(text: str) -> float:
    """A finite number in the digits that clients write. Raises ValueError."""
    number = float(text)
    if not math.isfinite(number) or not text.isascii() or "_" in text:
        raise ValueError(f"not a number: {text[:20]}")
    return number


def number_of(count: int, thing: str, things: str | None = None) -> str:
    """A count with its noun: `1 game`, `1,000 games`."""
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"
