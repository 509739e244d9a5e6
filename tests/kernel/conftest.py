"""These tests need the kernel; where none was built, the rest of the suite still holds."""

import pytest

from gtp_engine.rules import find_game, games
from gtp_engine.search.backends.kernel import kernel, kernel_built


@pytest.fixture(autouse=True)
def _built():
    if not kernel_built():
        pytest.skip("no kernel was built")


@pytest.fixture
def module():
    return kernel()


@pytest.fixture(params=[game.name for game in games()])
def game(request):
    """Each game that the kernel has."""
    if kernel_built() and request.param not in kernel().games():
        pytest.skip(f"the kernel has no {request.param}")
    return find_game(request.param)
