"""The path through a game, walked: a first game from the start page, the end of it, its review."""

from playwright.sync_api import expect

from support.thorough import thorough


def step(screen, name: str):
    screen.page.evaluate("location.hash = '#start'")
    path = screen.page.get_by_role("list", name="Robble, step by step")
    return path.get_by_role("button", name=name, exact=True)


@thorough
def test_what_was_played_and_reviewed_is_ticked_without_a_journal(screen):
    expect(step(screen, "Review")).to_be_disabled()
    step(screen, "First game").click()
    screen.until("document.querySelectorAll('#board [data-vertex]').length === 25")
    screen.play("C3")
    screen.page.locator("#turn-line", has_text="turn 3").wait_for()
    screen.button("Resign", "#status").click()
    screen.page.locator("dialog.ask button.primary").click()
    screen.button("Next: Lessons", "#status").wait_for()
    expect(step(screen, "First game, done")).to_be_visible()
    expect(step(screen, "5\u2009\u00d7\u20095, level 1")).to_be_enabled()
    assert screen.flaws(contrast=False) == []
    step(screen, "Review").click()
    screen.page.locator("#note", has_text="Review finished").wait_for()
    expect(step(screen, "Review, done")).to_be_visible()
    expect(step(screen, "Lessons")).to_have_attribute("aria-current", "step")
    screen.page.evaluate("location.hash = '#board'")
