"""Hints in stages, the question before a mistake, and refusals, as a person sees them."""

from gtp_engine.board.table import analyst
from support.waiting import PATIENCE

MUST_SAVE = "boloa 3 B.W/..W/B.. w"
"""White has to play sA2; after sC1 Black wins there at once."""


def people(screen) -> None:
    """Both colors are played at the page."""
    card = screen.page.locator('#players [data-color="white"] select')
    card.select_option(label="A person")


def note(screen):
    return screen.page.locator(".hint").first


def test_a_hint_says_where_then_what_then_why_and_goes_with_the_turn(screen):
    people(screen)
    screen.set_up(MUST_SAVE)
    hint = screen.button("Hint", "#status")
    hint.click()
    note(screen).get_by_text("Look at the left.").wait_for()
    screen.until("document.querySelector('.marks.pulse').childElementCount")
    assert not note(screen).get_by_text("sA2").count()
    hint.click()
    note(screen).get_by_text("Hint: sA2").wait_for()
    screen.until("document.querySelector('.ghosts').childElementCount")
    hint.click()
    note(screen).get_by_text("the only turn after which White does not lose").wait_for()
    screen.until("document.querySelector('#live').textContent.includes('the only turn')")
    screen.button("Play sA2").click()
    note(screen).wait_for(state="detached")
    screen.until("!document.querySelector('.ghosts').childElementCount")


def test_before_a_mistake_the_page_asks_and_shows_the_refutation(screen, monkeypatch):
    # The answer comes at once, but on a slow machine too late for a person.
    for name in ("DOUBT", "LONGEST_DOUBT"):
        monkeypatch.setattr(analyst, name, PATIENCE)
    people(screen)
    screen.set_up(MUST_SAVE)
    screen.settings()
    screen.page.get_by_role("combobox", name="Warn me before mistakes").select_option("all")
    screen.button("Done").click()
    sure = screen.page.locator(".sure")
    before = screen.position
    screen.click("C1")
    sure.get_by_text("sC1 gives away").wait_for()
    assert screen.position == before
    focused = "document.activeElement.textContent"
    assert screen.page.evaluate(focused) == "Take it back"
    sure.get_by_role("button", name="Show why").click()
    sure.get_by_text("Black plays sA2").wait_for()
    screen.until("document.querySelector('.ghosts').textContent.includes('2')")
    sure.get_by_role("button", name="Take it back").click()
    sure.wait_for(state="detached")
    assert screen.position == before
    screen.play("A2")


def test_a_refused_click_has_one_sentence_and_offers_the_swap(screen):
    screen.begin("implo", 5)
    screen.play("C3")
    screen.click("C3")
    refused = screen.page.locator("#note .refused")
    refused.get_by_text("C3 is not empty.").wait_for()
    assert refused.locator("p").inner_text().split("\n")[0].startswith("C3 is not empty.")
    frames = screen.page.locator("#board .marks.reason .refused")
    assert frames.count() == 1
    screen.until("document.querySelector('#live').textContent.includes('C3 is not empty.')")
    screen.page.locator("#board").dispatch_event("pointerdown")
    refused.wait_for(state="detached")
    screen.page.keyboard.press("ArrowRight")
    screen.until("!document.querySelector('#board .marks.reason .refused')")
    screen.click("C3")
    refused.wait_for()
    refused.get_by_role("button", name="Swap").click()
    screen.until("location.hash.includes('W')")
    refused.wait_for(state="detached")
    assert frames.count() == 0

    # Where the sides are swapped, the board stays, and a note says who plays which color.
    screen.begin("robble", 4, pie="sides", replaces=True)
    screen.click("B2")
    screen.button("Swap", "#swap").click()
    screen.page.locator("#note p", has_text="exchanged colors").wait_for()
    screen.agrees()
    screen.play("C3")
    screen.agrees()
