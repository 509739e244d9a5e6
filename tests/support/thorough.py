"""What only the full suite runs: `bin/test --all`, or a test whose file is named."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings

thorough = pytest.mark.thorough


_left_out = False


def leave_out() -> None:
    """From now on `first_of` gives the first parameters only: the others would be collected and
    left out, in each worker."""
    global _left_out
    _left_out = True


def first_of(values: Iterable[Any], count: int = 1) -> list[Any]:
    """The parameters of a test or a fixture: the first ones always, the others if all is run."""
    chosen = list(values)
    others = [] if _left_out else chosen[count:]
    return [*chosen[:count], *map(only_if_all, others)]


def only_if_all(value: Any) -> Any:
    """A parameter that only the full suite runs."""
    single = not isinstance(value, tuple) or hasattr(value, "_fields")
    return pytest.param(*((value,) if single else value), marks=thorough)


def given_few_or_many(few: int, many: int, *strategies: Any) -> Callable[[Callable], Callable]:
    """Hypothesis' `given` with few examples always, and with many in the full suite."""

    def decorate(test: Callable) -> Callable:
        runs = {
            number: settings(max_examples=number)(given(*strategies)(test))
            for number in (few, many)
        }

        def run(examples: int, **others: Any) -> None:
            runs[examples](**others)

        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(run, name, getattr(test, name))
        given_by_pytest = inspect.signature(runs[few]).parameters.values()
        examples = inspect.Parameter("examples", inspect.Parameter.KEYWORD_ONLY)
        run.__signature__ = inspect.Signature([*given_by_pytest, examples])
        return pytest.mark.parametrize("examples", first_of([few, many]))(run)

    return decorate
