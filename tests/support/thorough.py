"""What only the full suite runs: `bin/test --all`, or a test whose file is named."""

from collections.abc import Iterable
from typing import Any

import pytest

thorough = pytest.mark.thorough


def first_of(values: Iterable[Any], count: int = 1) -> list[Any]:
    """The parameters of a test or a fixture: the first ones always, the others if all is run."""
    chosen = list(values)
    return [*chosen[:count], *map(only_if_all, chosen[count:])]


def only_if_all(value: Any) -> Any:
    """A parameter that only the full suite runs."""
    single = not isinstance(value, tuple) or hasattr(value, "_fields")
    return pytest.param(*((value,) if single else value), marks=thorough)
