"""Puzzles, endgames and the mistakes of a reviewed game on the page."""

import pytest

from gtp_engine.engine.tasks.proof import read
from gtp_engine.engine.tasks.puzzle import BETTER, ENDGAME, PROVEN, shipped
from gtp_engine.gtp.commands import reviewing
from gtp_engine.rules import find_game
from gtp_engine.search.backends.kernel import kernel_built
from support.mistakes import ONE_TURN_WINS
from support.screens import LEGAL
from support.thorough import thorough
from support.waiting import PATIENCE

pytestmark = pytest.mark.skipif(not kernel_built(), reason="the solver in Python is slow")

# Only B4 wins for Black.
VERDICT = "#exercise .verdict"
# Keeps the addresses that the page gives itself.
ADDRESSES = """() => {
    window.addresses = [];
    const replace = history.replaceState.bind(history);
    history.replaceState = (...given) => addresses.push(given) && replace(...given);
}"""


def of_kind(kind):
    """A puzzle with one click a turn, and a legal turn that is wrong."""
    puzzle = next(each for each in shipped(find_game("robble")) if each.kind == kind)
    position, _ = read(puzzle)
    wrong = next(str(step) for step in position.legal_steps() if str(step) not in puzzle.turns)
    return puzzle, wrong


def go(screen, fragment):
    screen.page.evaluate("fragment => (location.hash = fragment)", fragment)


def begin(screen, puzzle):
    """Open a puzzle by its address."""
    go(screen, f"#puzzles/robble.{puzzle.id}")
    screen.page.locator("#exercise .task").wait_for()
    screen.until(
        "text => document.querySelector('#board [data-vertex]') && location.hash.endsWith(text)",
        puzzle.id,
    )
    screen.until("document.querySelectorAll('#board .board-point.legal').length > 0")


def verdict(screen, kind):
    screen.page.locator(f"{VERDICT}.{kind}").wait_for()
    return screen.page.locator(VERDICT).inner_text()


def test_a_puzzle_is_tried_again_solved_and_remembered(serve, visit):
    screen = visit(serve("--level", "1"))
    puzzle, wrong = of_kind(BETTER)
    begin(screen, puzzle)
    screen.click(wrong)
    assert "Another turn is far better" in verdict(screen, "wrong")
    screen.button("Try again").click()
    screen.page.locator(VERDICT).wait_for(state="detached")
    screen.click(puzzle.turns[0])
    verdict(screen, "right")
    assert screen.button("Next", "#exercise").is_visible()
    screen.button("All puzzles").click()
    solved = screen.page.locator("#puzzles .chip.done")
    solved.wait_for()
    screen.until("location.hash === '#puzzles/robble'")
    screen.page.reload()
    solved.wait_for()
    assert solved.get_attribute("aria-label").endswith(", solved")
    assert screen.flaws() == []
    screen.button("Next puzzle").click()
    screen.page.locator("#exercise .task").wait_for()
    assert screen.flaws(contrast=False) == []


@thorough
def test_the_win_can_be_kept_and_let_go(serve, visit):
    screen = visit(serve("--level", "1"))
    puzzle, wrong = of_kind(ENDGAME)
    begin(screen, puzzle)
    screen.click(wrong)
    assert "gives the win away" in verdict(screen, "wrong")
    screen.button("Show me").click()
    verdict(screen, "over")
    proven, _ = of_kind(PROVEN)
    begin(screen, proven)
    screen.click(proven.turns[0])
    assert "Right" in verdict(screen, "open")


@thorough
def test_a_better_turn_is_found_for_each_mistake(serve, visit, monkeypatch):
    """Reviews take until the result is proven, however slow the machine is."""
    monkeypatch.setattr(reviewing, "USUAL_SECONDS", PATIENCE)
    screen = visit(serve("--level", "1"))
    screen.begin("robble", 5, "both")
    screen.set_up(ONE_TURN_WINS)
    screen.play("A5")
    before = screen.position
    screen.page.evaluate(ADDRESSES)
    screen.open("Turns")
    screen.button("Review", "#graph").click()
    screen.button("Learn from your mistakes").click()
    screen.page.locator("#exercise .task").wait_for()
    assert "Black played A5 here" in screen.page.locator("#exercise .task").inner_text()
    screen.click("A5")
    assert "This turn loses" in verdict(screen, "wrong")
    screen.button("Try again").click()
    screen.page.locator(VERDICT).wait_for(state="detached")
    screen.click("B4")
    assert "This is a good turn" in verdict(screen, "right")
    screen.button("Back to the game", "#exercise").last.click()
    # The position of the exercise is shown as no game of the page, neither before nor after it.
    screen.until("!document.body.dataset.exercise")
    screen.page.locator(LEGAL).first.wait_for()
    assert screen.position == before
    assert screen.page.evaluate("addresses") == []
