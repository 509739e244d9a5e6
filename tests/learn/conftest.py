"""These tests need the kernel and the extra `train`; the rest of the suite runs without."""

import pytest

from gtp_engine.search.backends.kernel import kernel, kernel_built


@pytest.fixture(autouse=True, scope="session")
def _installed():
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    if not kernel_built():
        pytest.skip("no kernel was built")


@pytest.fixture(scope="session")
def module():
    return kernel()


@pytest.fixture
def game(kernel_game):
    """Each game that the kernel has: others cannot be trained."""
    return kernel_game
