"""The page outside whole games: analysis, engine faults, two tabs, strange records."""

import random
from pathlib import Path
from urllib.parse import quote

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.step import Pie
from support.playing import random_nodes
from support.screens import POSITION, play_out
from support.starting import rogue_command

pytestmark = pytest.mark.thorough

HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
RECORD = rf"""(;FF[4]GM[1]GAME[robble]SZ[4]PIE[off]PB[{HOSTILE}]PW[{HOSTILE}]GN[{HOSTILE}]
C[{HOSTILE}];B[A1]C[{HOSTILE}];W[C3])"""


def rogue(fault: str, *options: str) -> str:
    """The option for an engine that misbehaves."""
    return f"--engine=Rogue={rogue_command(fault, *options)}"


def test_an_analysis_shows_turns_chances_and_lines(screen):
    screen.begin("pilo", 6)
    screen.open("Analysis")
    screen.page.get_by_role("switch", name="Analyze this position").check()
    row = screen.page.locator("#analysis .candidates tbody tr").first
    row.wait_for()
    assert row.locator(".chance").text_content().endswith(("%", "wins", "loses", "draws"))
    screen.until("/leads by|Even/.test(document.querySelector('#analysis .lead').textContent)")
    word = row.locator(".word")
    before = screen.position
    word.hover()
    screen.page.locator("#board .ghost").first.wait_for(state="attached")
    assert screen.position == before
    word.click()
    screen.until_moved(before)
    screen.page.get_by_role("switch", name="Analyze this position").uncheck()
    row.wait_for(state="hidden")


def test_a_refused_click_says_why_with_the_sentence_of_the_rules(screen):
    screen.begin("robble", 4)
    screen.play("A1")
    screen.play("D4")
    before = screen.position
    screen.click("D4")
    note = screen.page.locator("#note .refused")
    note.wait_for()
    rule = note.locator(".rule").last
    number = rule.text_content()
    rule.click()
    screen.until("number => document.querySelector('#rules').textContent.includes(number)", number)
    assert screen.position == before


def test_turns_are_taken_back_and_others_are_kept_as_variations(screen):
    screen.begin("robble", 4)
    screen.open("Turns")
    for vertex in ("A1", "D4"):
        screen.play(vertex)
    screen.button("Take back", "#status").click()
    screen.until("document.querySelector('[data-vertex=D4]').ariaLabel.includes('empty')")
    if screen.offered()["answers"]:
        screen.button("Play on").click()
    screen.click("C3")
    screen.until("document.querySelectorAll('#turn-list .variation').length === 1")


@pytest.mark.parametrize("fault", ["die", "illegal-turn"])
def test_an_engine_that_fails_is_told_and_the_game_is_kept(serve, visit, fault):
    screen = visit(serve(rogue(fault, "--game", "robble")))
    screen.begin("robble", 4, side="black", pie="off")
    screen.offered()
    screen.click("A1")
    error = screen.page.locator("#note .error")
    error.first.wait_for()
    assert "Rogue" in error.first.text_content()
    screen.until("document.querySelector('[data-vertex=A1]').ariaLabel.includes('stone')")
    seat = screen.page.get_by_role("combobox", name="Who plays White")
    seat.select_option(label="A person")
    screen.until("!document.querySelector('#status .actions').textContent.includes('play')")
    screen.offered()  # a click before that would be lost
    screen.play("D4")


def test_a_failure_is_taken_back_when_the_engine_runs_again(serve, visit, tmp_path):
    once = str(tmp_path / "once")
    screen = visit(serve(rogue("die-mid-word", "--once", once, "--game", "robble")))
    screen.begin("robble", 4, side="black", pie="off")
    screen.offered()
    screen.click("A1")
    screen.until("document.querySelectorAll('#board [aria-label*=stone]').length === 2")
    assert (tmp_path / "once").exists()
    assert screen.page.locator("#note .error").count() == 0


def test_two_tabs_show_one_game(serve, visit):
    address = serve("--level", "1")
    one = visit(address)
    one.begin("boloa", 4)
    other = visit(address)
    choice = random.Random(7)
    for mover in (one, other, other, one):
        offered = mover.offered()
        if offered["answers"]:
            mover.page.locator("#swap .answers button").last.click()
        before = one.position
        mover.click(choice.choice(mover.legal))
        one.until_moved(before)
        other.until("hash => location.hash === hash", one.page.evaluate("location.hash"))
    assert one.names() == other.names()


def test_a_record_with_markup_in_its_names_is_only_text(screen):
    screen.open("Turns")
    chooser = screen.page.locator("#files input[type=file]")
    record = {"name": "game.sgf", "mimeType": "application/x-go-sgf", "buffer": RECORD.encode()}
    chooser.set_input_files(record)
    screen.until("document.querySelector('#turn-list')?.textContent.includes('onerror')")
    assert screen.page.locator("img, script:not([src], #look)").count() == 0
    assert screen.page.title() not in ("1", "2")
    with screen.page.expect_download() as saved:
        screen.open("Record")
        screen.button("Save SGF").click()
    assert "onerror" in Path(saved.value.path()).read_text()


def test_a_link_shows_the_same_position(serve, visit):
    address = serve("--level", "1")
    screen = visit(address)
    screen.begin("implo", 4)
    screen.play("B2")
    link = screen.page.evaluate("location.hash")
    other = visit(serve("--level", "1") + link)
    other.until("hash => location.hash === hash", link)
    other.until("document.querySelector('[data-vertex=B2]').ariaLabel.includes('stone')")
    other.button("Let the engine play", "#status").wait_for()
    assert other.position == screen.position


def long_record(turns: int) -> str:
    """A game of Robble whose position, with all earlier ones, is too long for an address."""
    nodes = random_nodes(find_game("robble").start(8, Pie.OFF), random.Random(3), turns)
    return f"(;FF[4]GAME[robble]SZ[8]PIE[off]{''.join(nodes)})"


def test_the_address_of_a_long_game_holds_its_turns_and_is_a_link(serve, visit):
    screen = visit(f"{serve('--level', '1')}#board")
    screen.open("Record")
    record = {"name": "game.sgf", "mimeType": "text/plain", "buffer": long_record(90).encode()}
    screen.page.locator("#files input[type=file]").set_input_files(record)
    screen.until("location.hash.startsWith('#record=')")
    link = screen.page.evaluate("location.hash")
    assert len(link) < 1000
    text = screen.page.locator("#files textarea").input_value()
    assert len(text) > 1500

    other = visit(serve("--level", "1") + link)
    shown = "text => document.querySelector('#files textarea').value === text"
    other.until(shown, text)
    other.page.reload()
    other.until(shown, text)
    other.until("link => location.hash === link", link)
    assert not other.page.locator("dialog[open]").count()

    old = f"#game=robble&size=8&position={quote(text)}"
    assert len(old) > 1500
    reader = visit(serve("--level", "1") + old)
    reader.until(shown, text)
    reader.begin("boloa", 3)
    reader.page.evaluate("link => location.hash = link", link)  # as in the bar of an open page
    reader.until(shown, text)


def test_a_reload_goes_on_with_the_game_where_the_browser_has_lost_the_last_address(screen):
    """As it does if it is asked to at once after a turn."""
    screen.begin("robble", 5, pie="off")
    screen.play("A1")
    screen.until("location.hash.includes('B')")
    before = screen.page.evaluate("location.hash")
    screen.play("B1")
    after = screen.position
    screen.page.evaluate("hash => history.replaceState(null, '', hash)", before)
    screen.page.reload()
    screen.until(f"text => {POSITION} === text", after)
    assert screen.page.locator("dialog[open]").count() == 0
    # What somebody names then is a wish, though the page itself had written it.
    screen.until("hash => location.hash !== hash", before)
    screen.page.evaluate("hash => location.hash = hash", before)
    screen.page.locator("dialog.ask").get_by_role("button", name="Replace it").click()
    screen.until("document.querySelector('[data-vertex=B1]').ariaLabel.includes('empty')")


def test_a_review_marks_the_turns_and_leads_to_them(screen, visit, tmp_path):
    screen.begin("boloa", 3)
    screen.open("Turns")
    play_out(screen, random.Random(1), screen.click)
    screen.button("Review", "#status").click()
    screen.until("document.querySelector('#graph .curve').getAttribute('d').split('L').length > 2")
    # At the end of the review the graph leaves the list the least room.
    screen.button("Save review").wait_for()
    turns = screen.page.locator("#turn-list .turn")

    def lead_to(turn):
        before = screen.position
        turn.click()
        screen.until_moved(before)

    for width, height in ((800, 500), (1024, 600), (1280, 800)):
        screen.page.set_viewport_size({"width": width, "height": height})
        lead_to(turns.first)
        lead_to(turns.last)
        assert screen.page.locator("#turns").bounding_box()["height"] > 150
    lead_to(turns.first)
    screen.until("/^1 .*(%|proven)/.test(document.querySelector('#graph .caption').textContent)")
    screen.page.locator(".reviewed b").wait_for()
    with screen.page.expect_download() as saved:
        screen.button("Save review").click()
    page = tmp_path / "review.html"
    page.write_bytes(Path(saved.value.path()).read_bytes())
    review = visit(page.as_uri() + "#1")
    assert review.page.locator("#analysis .reviewed b").count() == 1
    assert review.page.locator("#turn-list .turn").count() >= turns.count()
    review.page.locator("#turn-list .turn").last.click()
    review.until("location.hash !== '#1'")
