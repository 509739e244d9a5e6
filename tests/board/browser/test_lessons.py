"""Learning: from the start page to the first own turn, a wrong try, a right one, the next task."""

import pytest

from support.thorough import thorough


@pytest.fixture
def learner(serve, visit):
    screen = visit(serve(), reduced_motion="reduce")
    screen.page.evaluate("location.hash = '#start'")
    return screen


def told(screen, words: str):
    screen.page.locator("#exercise .verdict", has_text=words).wait_for()


def task(screen, words: str):
    screen.page.locator("#exercise .task", has_text=words).wait_for()


def test_a_newcomer_learns_by_playing(learner):
    # Two clicks from the start page to the first own turn.
    learner.button("Learn Robble").click()
    task(learner, "Put a stone on any square")
    learner.click("C3")
    told(learner, "That was a whole turn")
    assert learner.page.evaluate("location.hash") == "#learn/robble.place.1"
    assert learner.flaws() == []

    # A click that a rule forbids is what this task asks for.
    learner.page.keyboard.press("Enter")
    task(learner, "click one of the two stones")
    learner.click("C4")
    told(learner, "breaks a rule changes nothing")

    # A wrong try: what it did, and why that is not the task; then the right one.
    learner.button("Next").click()
    task(learner, "Push the white stone")
    learner.click("D3")
    told(learner, "It moves away from your stone")
    assert learner.legal == []
    learner.button("Try again").click()
    learner.page.locator("#exercise .verdict").wait_for(state="detached")
    learner.button("Hint").click()
    learner.page.locator("#exercise .clue", has_text="come from the left").wait_for()
    assert learner.flaws(contrast=False) == []
    learner.click("B3")
    told(learner, "as seen from the new stone")
    learner.page.locator("#exercise summary", has_text="The rule").click()
    learner.page.locator("#exercise dl", has_text="If the square behind it is empty").wait_for()

    # What is done is remembered, and the game at the board was not disturbed.
    learner.button("All lessons").click()
    course = learner.page.get_by_role("region", name="Robble")
    course.get_by_role("listitem").first.get_by_text(", done").wait_for(state="attached")
    assert course.locator("[aria-current=step]").inner_text().endswith("Push")
    assert learner.flaws(contrast=False) == []
    learner.page.reload()
    learner.page.locator("#learn .done").wait_for()
    learner.page.evaluate("location.hash = '#board'")
    learner.page.locator("#exercise .task").wait_for(state="detached")
    learner.until("document.querySelectorAll('#board [data-vertex]').length > 25")


def test_the_solution_is_shown_and_the_address_of_a_task_opens_it(learner):
    learner.page.evaluate("location.hash = '#learn/implo.order.1'")
    task(learner, "C3 makes two patches")
    learner.click("C3")
    learner.button("Start again").click()
    learner.button("Start again").wait_for(state="hidden")
    learner.button("Show me").click()
    told(learner, "The solution.")
    learner.button("Next").click()
    task(learner, "A2 makes two patches")
    learner.page.go_back()
    task(learner, "C3 makes two patches")


@thorough
def test_each_tab_has_its_own_lesson_also_after_a_reload(learner):
    learner.page.evaluate("location.hash = '#learn/implo.order.1'")
    task(learner, "C3 makes two patches")
    table = learner.heard["hello"]["table"]
    other = learner.context.new_page()
    other.goto(f"{learner.address}#learn/robble.place.1")
    other.locator("#exercise .task", has_text="Put a stone").wait_for()
    other.close()
    learner.click("C3")
    learner.button("Start again").wait_for()
    learner.page.reload()
    task(learner, "C3 makes two patches")
    assert learner.heard["hello"]["table"] == table
