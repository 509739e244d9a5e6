"""These tests need the kernel. Without it, the rest of the suite still runs."""

import pytest

from gtp_engine.search.backends.kernel import kernel_built, kernel_for, kernel_games


def pytest_collection_modifyitems(items):
    """A parameter `threads` above 1 marks its test with `threads`."""
    for item in items:
        if hasattr(item, "callspec") and item.callspec.params.get("threads", 1) > 1:
            item.add_marker(pytest.mark.threads)


@pytest.fixture(autouse=True)
def _built():
    if not kernel_built():
        pytest.skip("no kernel was built")


@pytest.fixture
def module(request):
    """The core with the game of the test, or with all games.

    A wheel has two cores: one for all processors, which the example games use, and a faster one.
    """
    if "kernel_game" in request.fixturenames:
        return kernel_for(request.getfixturevalue("kernel_game").name)
    (core,) = {kernel_for(name) for name in kernel_games()}
    return core


@pytest.fixture
def game(kernel_game):
    """Each game that the kernel has."""
    return kernel_game
