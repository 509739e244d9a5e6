"""The replay page in a real browser: its display and its controls."""

import re

import pytest
from browser import Browser, chromium
from conftest import Driver

from gtp_engine.cli.engine import main

BINARY = chromium()
pytestmark = pytest.mark.skipif(
    BINARY is None, reason="needs chromium and chromedriver (Debian: chromium chromium-driver)"
)

# Five turns of Pilo: a swap, a capture that leaves a block, and a comment with markup in it.
LINES = ("play b b2", "play w swap", "play b d2", "play w b2-d2", "play b a1")
COMMENT = "A capture <b>&</b> a </script> block"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Browser(BINARY, tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    drive = Driver("pilo", 4)
    for line in LINES:
        drive(line)
    record, page = folder / "game.sgf", folder / "game.html"
    text = drive("printsgf")
    for number, turn in enumerate(("B[B2]", "B[D2]", "W[B2-D2]"), 1):
        text = text.replace(turn, f"{turn}SBKV[{20 * number}]")
    record.write_text(text.replace("W[B2-D2]", f"W[B2-D2]C[{COMMENT}]"))
    assert main(["replay", str(record), "-o", str(page)]) == 0
    return page


def shown(browser: Browser) -> str:
    """The line that names the turn; the list, the slider and the address agree with it."""
    turn, slider, current, address = browser.run(
        "return [document.getElementById('turn').textContent,"
        "Number(document.getElementById('slider').value),"
        "(document.querySelector('li[aria-current]') || {textContent: '0'}).textContent,"
        "location.hash]"
    )
    number = 0 if turn == "The start" else int(turn.split(".")[0])
    assert slider == number
    assert int(re.match("[0-9]", current)[0]) == number
    assert address == f"#{number}"
    return turn


def pieces(browser: Browser) -> list[str]:
    """The symbols on the board, from the upper left corner on."""
    return browser.run(
        "return [...document.querySelectorAll('#pieces use')].map(use => use.getAttribute('href'))"
    )


def test_keys_step_through_the_game(browser, page):
    browser.open(page)
    assert shown(browser) == "The start"
    assert pieces(browser) == []
    browser.press("ArrowRight")
    assert shown(browser) == "1. Blue B2"
    assert pieces(browser) == ["#pilo-4231"]
    browser.press("ArrowRight")
    assert shown(browser) == "2. Orange swap"
    assert pieces(browser) == ["#pilo-5731"]
    browser.press("End")
    assert shown(browser) == "5. Blue A1"
    browser.press("ArrowRight")
    assert shown(browser) == "5. Blue A1"
    browser.press("ArrowLeft")
    assert shown(browser) == "4. Orange B2-D2"
    assert pieces(browser) == ["#pilo-23", "#pilo-5732"]
    browser.press("Home")
    assert shown(browser) == "The start"
    browser.press("ArrowLeft")
    assert shown(browser) == "The start"


def test_buttons_the_list_and_the_graph_do_too(browser, page):
    browser.open(page)
    for selector, turn in (
        ("#forward", "1. Blue B2"),
        ("#last", "5. Blue A1"),
        ("#back", "4. Orange B2-D2"),
        ("#turns li:nth-child(3)", "3. Blue D2"),
        ("#first", "The start"),
    ):
        browser.click(selector)
        assert shown(browser) == turn
    assert browser.run("return document.getElementById('back').disabled")
    browser.click("#graph svg")
    assert shown(browser) in ("2. Orange swap", "3. Blue D2")


def test_the_slider_does_too(browser, page):
    browser.open(page)
    browser.run(
        "const slider = document.getElementById('slider'); slider.value = 3;"
        "slider.dispatchEvent(new Event('input'))"
    )
    assert shown(browser) == "3. Blue D2"


def test_it_plays_on_by_itself_until_it_is_stopped(browser, page):
    """Both keys in one script, because on a busy machine the game may end between two."""
    browser.open(page)
    texts = browser.run(
        "const press = () => {"
        "  document.dispatchEvent(new KeyboardEvent('keydown', {key: ' '}));"
        "  return document.getElementById('play').textContent;"
        "};"
        "return [press(), press()];"
    )
    assert texts == ["Pause", "Play"]
    assert shown(browser) == "The start"


def test_the_address_names_a_turn(browser, page):
    browser.open(page, "#4")
    assert shown(browser) == "4. Orange B2-D2"


def test_comments_are_text_and_chances_a_curve(browser, page):
    browser.open(page, "#4")
    browser.run("location.hash = '#4'")
    assert browser.run("return document.getElementById('comment').textContent") == COMMENT
    assert browser.run("return document.querySelectorAll('#comment *').length") == 0
    assert "Blue wins 60.0 %" in browser.run("return document.getElementById('next').textContent")
    assert browser.run("return document.getElementById('curve').getAttribute('d')") == (
        "M200 160L600 120L800 80"
    )


def test_nothing_is_loaded_and_nothing_breaks(browser, page):
    browser.open(page)
    assert browser.run("return performance.getEntriesByType('resource').length") == 0
    assert browser.run("return document.querySelectorAll('#board svg > g text').length") == 16


def test_the_board_fits_into_windows_of_any_shape(browser, page):
    browser.open(page)
    wider = browser.run("return document.documentElement.scrollWidth > window.innerWidth")
    assert wider is False


# White's stone on C2 leaves two patches; resolving C1 removes three stones and ends the turn.
STEPS = ("play b b2", "play w swap", "play b a1", "play w b1", "play b a2", "play w c2/c1")


def test_a_turn_of_several_steps_is_shown_step_by_step(browser, tmp_path):
    drive = Driver("implo", 3)
    for line in STEPS:
        drive(line)
    record, page = tmp_path / "game.sgf", tmp_path / "game.html"
    record.write_text(drive("printsgf"))
    assert main(["replay", str(record), "-o", str(page)]) == 0
    browser.open(page, "#5")
    before = pieces(browser)
    placed, resolved = ("step 1 of 2: C2", 5), ("To move: Black, 6 steps possible", 3)
    for key, seen in (
        ("ArrowRight", placed),
        ("ArrowRight", resolved),
        ("ArrowRight", resolved),
        ("ArrowLeft", placed),
        ("End", resolved),
        ("ArrowLeft", placed),
    ):
        browser.press(key)
        assert shown(browser) == "6. White C2/C1"
        words = browser.run("return document.getElementById('next').textContent")
        assert (words, len(pieces(browser))) == seen
    browser.press("ArrowLeft")
    assert shown(browser) == "5. Black A2"
    assert pieces(browser) == before


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory):
    """A review of two turns of which each throws a win away, as is proven."""
    folder = tmp_path_factory.mktemp("review")
    drive = Driver()
    for line in ("game-pie off", "game-select implo 3", "play b b2", "play w a1"):
        drive(line)
    record, page = folder / "game.sgf", folder / "review.html"
    drive(f"printsgf {record}")
    assert main(["review", str(record), "-o", str(page), "--visits", "2000"]) == 0
    return page


def text(browser: Browser, selector: str) -> str:
    return browser.run(f"return document.querySelector('{selector}').textContent")


def count(browser: Browser, selector: str) -> int:
    return browser.run(f"return document.querySelectorAll('{selector}').length")


def test_a_review_lists_and_marks_what_cost_most(browser, reviewed):
    browser.open(reviewed)
    assert count(browser, "#worst button") == 2
    assert count(browser, "#dots .costly") == 2
    assert count(browser, "#turns .loss") == 2
    assert "instead of" in text(browser, "#worst button")
    browser.click("#worst li:first-child button")
    assert shown(browser) == "1. Black B2"
    assert text(browser, "#better-title").startswith("Better: ")
    assert "wins, but B2 loses" in text(browser, "#why")
    assert "White wins, proven" in text(browser, "#next")


def test_the_better_line_is_shown_on_the_board(browser, reviewed):
    browser.open(reviewed, "#1")
    browser.run("location.hash = '#1'")
    played = browser.run("return document.getElementById('pieces').innerHTML")
    browser.click("#line button:first-child")
    assert text(browser, "#turn").startswith("Instead: Black ")
    assert browser.run("return document.getElementById('pieces').innerHTML") != played
    assert len(pieces(browser)) == 1
    browser.press("ArrowRight")
    assert text(browser, "#turn").startswith("Instead: White ")
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    assert shown(browser) == "1. Black B2"
    assert browser.run("return document.getElementById('pieces').innerHTML") == played
    browser.press("b")
    assert text(browser, "#turn").startswith("Instead: ")
    browser.click("#leave")
    assert shown(browser) == "1. Black B2"


def test_a_replay_shows_no_review(browser, page):
    browser.open(page)
    assert browser.run("return document.getElementById('costly').hidden")
    assert browser.run("return document.getElementById('better').hidden")
