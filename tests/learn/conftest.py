"""These tests need the kernel and the extra `train`; the rest of the suite runs without."""

import pytest

from gtp_engine.search.backends.kernel import kernel_built, kernel_for, kernel_games


@pytest.fixture(autouse=True, scope="session")
def _installed():
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    if not kernel_built():
        pytest.skip("no kernel was built")


@pytest.fixture(scope="session")
def module():
    """The core, with all games."""
    (core,) = {kernel_for(name) for name in kernel_games()}
    return core


@pytest.fixture
def game(kernel_game):
    """Each game that the kernel has: others cannot be trained."""
    return kernel_game
