"""A browser for each test file. Its driver has an event loop, which other tests must not share."""

from contextlib import ExitStack

import pytest

from support import screens

DESK = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture(scope="module")
def playwright():
    with screens.driver().sync_playwright() as player:
        yield player


@pytest.fixture(scope="module")
def chromium(playwright):
    with screens.chromium(playwright) as browser:
        yield browser


@pytest.fixture
def serve():
    """Starts a board of its own with options; gives its address."""
    with ExitStack() as running:
        yield lambda *options: running.enter_context(screens.serving(*options))


@pytest.fixture
def visit(chromium):
    """Opens an address in Chromium. At the end no page may have complained."""
    opened = []

    def open_page(address, **settings):
        context = chromium.new_context(**(DESK | settings))
        opened.append(screens.Screen(context, address))
        return opened[-1]

    yield open_page
    for screen in opened:
        screen.close()


@pytest.fixture
def screen(serve, visit):
    """A page at a board with our engine at its lowest level."""
    return visit(serve("--level", "1"))
