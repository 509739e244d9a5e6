"""These tests need the kernel. Without it, the rest of the suite still runs."""

import pytest

from gtp_engine.search.backends.kernel import kernel, kernel_built


@pytest.fixture(autouse=True)
def _built():
    if not kernel_built():
        pytest.skip("no kernel was built")


@pytest.fixture
def module():
    return kernel()


@pytest.fixture
def game(kernel_game):
    """Each game that the kernel has."""
    return kernel_game
