"""Our few numerical methods find what SciPy and NumPy find."""

import math

import pytest

from gtp_engine.base.statistics.numerics import (
    beta_quantile,
    beta_share,
    inverse,
    root,
    student_quantile,
)

special = pytest.importorskip("scipy.special")
np = pytest.importorskip("numpy")

# From a single toss to a hundred thousand, and fractions of tosses.
BETAS = [
    (a, b) for a in (0.3, 1, 2.5, 17, 400, 12_345.6) for b in (0.5, 1, 3, 60, 2_000.25, 100_000)
]


@pytest.mark.parametrize(("a", "b"), BETAS)
def test_shares_of_a_beta_distribution(a, b):
    middle = a / (a + b)
    for x in (0, 1e-9, middle / 3, middle * 0.98, middle, (1 + middle) / 2, 0.5, 1 - 1e-9, 1):
        assert beta_share(a, b, x) == pytest.approx(special.betainc(a, b, x), abs=1e-9)


@pytest.mark.parametrize(("a", "b"), BETAS)
@pytest.mark.parametrize("share", [0.025, 0.5, 0.975])
def test_quantiles_of_a_beta_distribution(a, b, share):
    expected = special.betaincinv(a, b, share)
    assert beta_quantile(a, b, share) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("freedom", [1, 2, 3.5, 10, 199, 5000])
@pytest.mark.parametrize("share", [0.6, 0.975, 0.999])
def test_quantiles_of_students_distribution(freedom, share):
    expected = special.stdtrit(freedom, share)
    assert student_quantile(freedom, share) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("function", "low", "high", "expected"),
    [
        (lambda x: x * x - 2, 0, 2, math.sqrt(2)),
        (lambda x: 2 - x * x, 0, 2, math.sqrt(2)),
        (lambda x: x - 1e-12, 0, 1, 1e-12),
        (lambda x: math.exp(x) - 1e6, -50, 700, math.log(1e6)),
        (lambda x: x, 0, 1, 0),
        (lambda x: x - 1, 0, 1, 1),
        (lambda x: (x - 0.3) ** 5, 0, 1, 0.3),
    ],
)
def test_roots(function, low, high, expected):
    assert root(function, low, high) == pytest.approx(expected, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("size", [1, 2, 7, 30])
def test_inverse_matrices(size):
    matrix = np.random.default_rng(size).normal(size=(size, size))
    assert np.allclose(inverse(matrix.tolist()), np.linalg.inv(matrix), rtol=1e-9, atol=1e-9)


def test_a_matrix_without_an_inverse():
    with pytest.raises(ValueError, match="singular"):
        inverse([[1.0, 2.0], [2.0, 4.0]])
