"""axe-core finds nothing wrong with any state of the page, wide in light, narrow in dark colors."""

import pytest

from gtp_engine.cli.engine import main
from support.driver import Driver
from support.thorough import thorough

# Each size, with one of the themes: contrast depends on the theme, all else on the size.
SCREENS = {
    "desk": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
}
each_screen = pytest.mark.parametrize("appearance", SCREENS.values(), ids=SCREENS)


def start_page(screen):
    screen.page.evaluate("() => { location.hash = '#start'; }")
    screen.page.locator("#start .card").last.wait_for()


def new_game(screen):
    screen.page.get_by_role("button", name="New game").first.click()
    screen.page.locator("#new-game[open]").wait_for()


def start(screen):
    screen.button("Cancel", "#new-game").click()
    screen.begin("pilo", 4)


def question_of_a_swap(screen):
    screen.click("B2")
    screen.page.locator("#swap[open] .board").wait_for()


def half_selection(screen):
    """A capture is begun, and a hint is shown."""
    screen.button("Play on").click()
    screen.play("D2")
    screen.button("Hint", "#status").click()
    screen.page.locator(".hint").wait_for()
    screen.click("B2")
    assert screen.choosing


def refusal(screen):
    screen.page.keyboard.press("Escape")
    screen.click("D2")
    screen.page.locator("#note .refused").wait_for()


def question_before_the_end(screen):
    screen.button("Resign", "#status").click()
    screen.page.locator("dialog.ask").wait_for()


def end(screen):
    screen.page.locator("dialog.ask button.primary").click()
    screen.button("Review", "#status").wait_for()


def open_turn(screen):
    screen.set_up("implo 3 .B./BBb/ww. b open=yes")
    screen.page.locator("#turn-line", has_text="Resolve a patch").wait_for()


def analysis(screen):
    screen.open("Analysis")
    screen.page.get_by_role("switch", name="Analyze this position").check()
    screen.page.locator("#analysis .candidates tbody tr").first.wait_for()


def record(screen):
    screen.page.get_by_role("switch", name="Analyze this position").uncheck()
    screen.open("Record")


def swap_map(screen):
    screen.begin("robble", 5)
    screen.open("Study")
    screen.page.get_by_role("switch", name="Swap map on the board").check()
    screen.page.locator("#study summary").click()
    screen.until("document.querySelectorAll('#board .worths .mark').length === 25")


def impossible_position(screen):
    screen.button("Set up pieces").click()
    screen.page.locator("#editor").wait_for()
    screen.click("C3")
    screen.page.locator("#editor .verdict.refused").wait_for()


def marks(screen):
    screen.page.locator("#editor").get_by_role("button", name="Cancel").click()
    screen.point("A1").click(modifiers=["Alt"])
    screen.page.locator("#board .notes .circle").wait_for()


def console(screen):
    screen.open("Console")


def my_games(screen):
    screen.page.evaluate("() => { location.hash = '#games'; }")
    screen.page.locator("#games .kept-game").first.wait_for()


def settings(screen):
    screen.settings()


STATES = [
    start_page,
    new_game,
    start,
    question_of_a_swap,
    half_selection,
    refusal,
    question_before_the_end,
    end,
    open_turn,
    analysis,
    record,
    swap_map,
    impossible_position,
    marks,
    console,
    my_games,
    settings,
]


@thorough
@each_screen
def test_nothing_is_out_of_reach(serve, visit, appearance):
    screen = visit(serve(), **appearance, reduced_motion="reduce")
    found = []
    for state in STATES:
        state(screen)
        found += [f"{state.__name__}: {each}" for each in screen.flaws()]
    assert found == []
    nameless = "document.querySelector('dialog[open]').append(document.createElement('button'))"
    screen.page.evaluate(nameless)
    assert any("button-name" in each for each in screen.flaws())  # it does look


@pytest.fixture(scope="module")
def review(tmp_path_factory):
    """The page of a review with a better line."""
    record = tmp_path_factory.mktemp("review") / "game.sgf"
    drive = Driver()
    for line in ("game-pie off", "game-select implo 3", "play b b2", "play w a1"):
        drive(line)
    drive(f"printsgf {record}")
    page = record.with_suffix(".html")
    assert main(["review", str(record), "-o", str(page), "--visits", "100"]) == 0
    return page.as_uri()


@thorough
@each_screen
def test_nothing_is_out_of_reach_in_a_review(visit, review, appearance):
    screen = visit(f"{review}#1", **appearance, reduced_motion="reduce")
    found = screen.flaws()
    screen.page.keyboard.press("b")
    screen.until("document.body.classList.contains('aside')")
    for panel in ("Analysis", "Rules", "Record"):
        screen.open(panel)
        found += [f"{panel}: {each}" for each in screen.flaws()]
    screen.settings()
    assert found + screen.flaws() == []
