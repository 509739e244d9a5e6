"""One Firefox and one WebKit for all tests of a session. A plugin of pytest."""

import pytest

from support.firefox import running_firefox
from support.webkit import running_webkit


@pytest.fixture(scope="session")
def firefox(tmp_path_factory):
    with running_firefox(tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.fixture(scope="session")
def webkit(tmp_path_factory):
    with running_webkit(tmp_path_factory.mktemp("webkit")) as browser:
        yield browser


@pytest.fixture(params=["firefox", "webkit"])
def other_browser(request):
    """A running browser that Playwright does not drive."""
    return request.getfixturevalue(request.param)
