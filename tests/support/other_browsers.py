"""One Firefox and one WebKit for all tests of a session. A plugin of pytest.

Not every environment that runs tests has what drives them.
"""

import os

import pytest


@pytest.fixture(scope="session")
def firefox(tmp_path_factory):
    from support.firefox import running_firefox

    with running_firefox(tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.fixture(scope="session")
def webkit(tmp_path_factory):
    # On a busy machine WebKit sometimes waits for an answer of its own processes without end.
    if "PYTEST_XDIST_WORKER" in os.environ:
        pytest.skip("only .ci/site has WebKit, and nothing beside it")
    from support.webkit import running_webkit

    with running_webkit(tmp_path_factory.mktemp("webkit")) as browser:
        yield browser


@pytest.fixture(params=["firefox", "webkit"])
def other_browser(request):
    """A running browser that Playwright does not drive."""
    return request.getfixturevalue(request.param)
