"""A connection freezes without closing: the page says so, and no click is lost."""

import re

import pytest

from board.browser.test_friends import POINT, new_game
from support.freezing import FreezingProxy

SEEN = 5000  # milliseconds within which the page says that nobody answers

# What the browser says when the page gives up a connection that nobody answers.
GIVEN_UP = (
    r"warning: WebSocket connection to 'ws://{}/\S+/socket' failed: "
    r"WebSocket is closed before the connection is established\."
)


@pytest.fixture
def proxy(serve):
    """The page must close before it: without it, the page has lost its board."""
    with FreezingProxy(serve("--game", "robble", "--size", "5")).running() as proxy:
        yield proxy


def test_a_click_on_a_frozen_connection_is_sent_when_it_thaws(proxy, visit):
    screen = visit(proxy.address, clock=True)
    new_game(screen, Game="robble", Size="5", Clock="180+2", **{"You play": "both"})
    screen.page.locator(".player.timed").first.wait_for()
    proxy.freeze()
    screen.page.locator(POINT % "A1").click()
    screen.page.clock.run_for(SEEN)
    screen.page.locator("#veil", has_text="Reconnecting. A1 has got no answer").wait_for()
    assert screen.page.locator(".time.uncertain", has_text="\u22483:00").count() == 2
    assert screen.flaws(contrast=False) == []
    proxy.thaw()
    screen.until("at => document.querySelector(at).ariaLabel.includes('stone')", POINT % "A1")
    screen.page.locator("#veil").wait_for(state="hidden")
    assert screen.page.locator(".time.uncertain").count() == 0
    given_up = re.compile(GIVEN_UP.format(proxy.address.split("/")[2]))
    screen.faults = [each for each in screen.faults if not given_up.fullmatch(each)]
