"""A page that a test tells everything; see support.told_page."""

import pytest

from support.told_page import DESK, ToldPage


@pytest.fixture(scope="module")
def tab(browsers):
    with browsers.shown() as chromium:
        context = chromium.new_context(**DESK)
        page = ToldPage(context.new_page())
    yield page
    with browsers.shown():
        context.close()


@pytest.fixture
def told(tab, chromium):
    """A page that has been greeted. At the end it must not have complained."""
    tab.begin()
    yield tab
    faults, tab.faults = tab.faults, []
    assert faults == []
