"""The kernel's own exponential and logarithm: how near they are to the exact numbers."""

import math
import random
import struct
from collections.abc import Iterator
from decimal import Context, Decimal

from gtp_engine.base.logarithm import logarithm

EXACT = Context(prec=50)


def single(x: float) -> float:
    """The nearest number of 32 bits."""
    return float(struct.unpack("<f", struct.pack("<f", x))[0])


def last_places(found: float, exact: Decimal, digits: int) -> float:
    """How far a number with so many binary digits is from the exact one, in units of the last."""
    last = Decimal(2) ** (math.frexp(float(exact))[1] - digits)
    return float(abs(Decimal(found) - exact) / last)


def some_singles() -> Iterator[float]:
    """Numbers whose exponentials are normal, many of them near to 0, as those of a net are."""
    rng = random.Random(1)
    for _ in range(3000):
        yield single(rng.uniform(-87, 88))
        yield single(rng.choice((-1, 1)) * 2 ** rng.uniform(-30, 4))


def some_doubles() -> Iterator[float]:
    rng = random.Random(1)
    yield from range(1, 2000)
    for n in range(1, 1000):
        yield 1 - n / 2**24  # what noise takes
        yield 1 + n / 2**44
        yield 2 ** rng.uniform(-1000, 1000)
        yield rng.uniform(0.5, 2)


def test_the_exponential_is_within_half_of_the_last_place(module):
    for x in some_singles():
        found = module.exponential(x)
        assert last_places(found, Decimal(x).exp(EXACT), 24) < 0.502, x


def test_the_exponential_has_its_ends(module):
    assert module.exponential(0.0) == module.exponential(-0.0) == 1
    for x in (88.7228, 3e38, math.inf):
        assert module.exponential(x) == (math.inf if x > 88.73 else single(math.exp(single(x))))
    for x in (-104.0, -3e38, -math.inf):
        assert module.exponential(x) == 0
    # Below the normal numbers.
    assert module.exponential(-100.0) == single(math.exp(-100))


def test_the_logarithm_is_within_two_of_the_last_place_and_the_same_in_python(module):
    for x in some_doubles():
        found = module.logarithm(x)
        assert found == logarithm(x), x
        if x != 1:
            assert last_places(found, Decimal(x).ln(EXACT), 53) < 2, x
    assert module.logarithm(1.0) == 0
