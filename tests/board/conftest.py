"""One thread of boards for all tests of a session."""

from contextlib import ExitStack

import pytest

from gtp_engine.board.server import network
from support import screens
from support.board_inside import Boards
from support.engine_threads import engines_in_threads
from support.pages import LAN


@pytest.fixture(scope="session")
def boards():
    with Boards() as thread:
        yield thread


@pytest.fixture
def engine_inside():
    """Our engine is a thread of the test's process."""
    with engines_in_threads():
        yield


@pytest.fixture
def serve(boards, engine_inside, monkeypatch):
    """Starts a board with options of `gtp-board`, inside; gives its address.

    Its network is this machine.
    """
    monkeypatch.setattr(network, "own_address", lambda: LAN)
    with ExitStack() as running:
        yield lambda *options: running.enter_context(boards.serving(*options))


@pytest.fixture
def visit(chromium):
    """Opens an address in Chromium, where nothing moves unless `reduced_motion` says otherwise.

    With `clock`, the test can let the page's time pass: `screen.page.clock.run_for(milliseconds)`.
    At the end no page may have complained.
    """
    opened = []

    def open_page(address, clock=False, **settings):
        context = chromium.new_context(**(screens.DESK | settings))
        if clock:
            context.clock.install()
        opened.append(screens.Screen(context, address))
        return opened[-1]

    yield open_page
    for screen in opened:
        screen.close()


@pytest.fixture
def screen(serve, visit):
    """A page at a board with our engine at its lowest level."""
    return visit(serve("--level", "1"))
