"""The natural logarithm, which the libraries of systems round differently in the last bit."""

import math

# The natural logarithm of 2, in two parts. The first has so few bits that its products with
# exponents are exact.
_MOST = float.fromhex("0x1.62e42fefa38p-1")
_REST = float.fromhex("0x1.ef35793c7673p-45")

_SERIES = tuple(1 / n for n in range(21, 1, -2))


def logarithm(x: float) -> float:
    """The natural logarithm of a number above 0, the same on every system.

    `board/exact_functions.hpp` in the kernel is the same in C++, and says how it works.
    """
    m, exponent = math.frexp(x)
    m *= 2
    if m > 1.4:
        m /= 2
    else:
        exponent -= 1
    z = (m - 1) / (m + 1)
    square = z * z
    series = 0.0
    for part in _SERIES:
        series = (series + part) * square
    return exponent * _MOST + (2 * z + (2 * z * series + exponent * _REST))
