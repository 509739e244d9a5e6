"""One Chromium for all tests of a session. A plugin of pytest."""

import pytest

from support import screens


@pytest.fixture(scope="session")
def browsers():
    with screens.Browsers() as running:
        yield running


@pytest.fixture
def chromium(browsers):
    """The running Chromium; each test makes a context of its own in it."""
    with browsers.shown() as browser:
        yield browser
