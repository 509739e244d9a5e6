"""The numerical methods that statistics need: roots, the beta distribution, inverse matrices.

They are few and short, so that playing a match needs no library of many megabytes. The tests
compare them with SciPy and NumPy.
"""

import math
from collections.abc import Callable, Sequence

_MOST_TERMS = 10_000
_PRECISION = 2**-52
_TINY = 1e-300

Matrix = list[list[float]]


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes its sign, only once, between two places (Ridders, 1979)."""
    at_low, at_high = function(low), function(high)
    last = math.nan
    while at_low and at_high:
        middle = (low + high) / 2
        at_middle = function(middle)
        scale = math.sqrt(at_middle**2 - at_low * at_high)
        if not low < middle < high or not scale:
            return middle
        place = middle + (middle - low) * math.copysign(at_middle / scale, at_low * at_middle)
        if abs(place - last) <= _PRECISION * abs(place):
            return place
        last = place
        for x, value in ((middle, at_middle), (place, function(place))):
            if low < x and (value < 0) == (at_low < 0):
                low, at_low = x, value
            elif x < high and (value < 0) != (at_low < 0):
                high, at_high = x, value
    return high if at_low else low


def beta_share(a: float, b: float, x: float) -> float:
    """The share of a beta distribution below x: the regularized incomplete beta function."""
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side
        return 1 - beta_share(b, a, 1 - x)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(scale + a * math.log(x) + b * math.log1p(-x)) / a
    return front / _beta_fraction(a, b, x)


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction 1 + d1 / (1 + d2 / (1 + ...)), by the method of Lentz (1976)."""
    found = upper = 1.0
    lower = 0.0
    for n in range(1, _MOST_TERMS):
        half, odd = divmod(n, 2)
        if odd:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        lower = 1 / (1 + term * lower or _TINY)
        upper = 1 + term / upper or _TINY
        found *= upper * lower
        if abs(upper * lower - 1) < _PRECISION:
            break
    return found


def beta_quantile(a: float, b: float, share: float) -> float:
    """The x below which this share of a beta distribution lies."""
    return root(lambda x: beta_share(a, b, x) - share, 0.0, 1.0)


def student_quantile(freedom: float, share: float) -> float:
    """The t below which this share, above 1/2, of Student's distribution lies."""
    x = beta_quantile(freedom / 2, 0.5, 2 * (1 - share))
    return math.sqrt(freedom * (1 - x) / x)


def inverse(matrix: Sequence[Sequence[float]]) -> Matrix:
    """The inverse of a matrix, by Gauss and Jordan with pivots.

    Raises ValueError for a singular matrix.
    """
    size = len(matrix)
    rows = [[*row, *(float(n == m) for m in range(size))] for n, row in enumerate(matrix)]
    for n in range(size):
        best = max(range(n, size), key=lambda m: abs(rows[m][n]))
        if not rows[best][n]:
            raise ValueError("the matrix is singular")
        rows[n], rows[best] = rows[best], rows[n]
        pivot = rows[n][n]
        rows[n] = [value / pivot for value in rows[n]]
        for m in range(size):
            if m != n and (factor := rows[m][n]):
                rows[m] = [value - factor * own for value, own in zip(rows[m], rows[n])]
    return [row[size:] for row in rows]
