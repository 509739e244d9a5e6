"""Study in a browser: the swap map, games of the past, a position piece by piece, and marks."""

from contextlib import closing

from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import GameRecord, TurnRecord
from gtp_engine.rules.points.color import Color
from support.matches import game_of, match_of
from support.thorough import thorough

FINDINGS = "() => document.querySelectorAll('#board .notes .mark').length"


def match(path, *games):
    """A match of Robble 5x5: the turns of each game, the first color wins."""
    colors = (Color.BLACK, Color.WHITE)
    with closing(Store(path)) as store:
        store.begin(match_of("A", "B"), {})
        for number, words in enumerate(games):
            turns = [
                TurnRecord("AB"[n % 2], colors[n % 2], each, 0.5) for n, each in enumerate(words)
            ]
            store.add(GameRecord(game_of("A", "B", number, 0, "A"), tuple(turns)))


@thorough
def test_swap_map_past_games_editor_and_marks(serve, visit, tmp_path):
    match(tmp_path / "match.db", ("C3", "A1"), ("C3", "E5", "B2"), ("A1", "C3"))
    screen = visit(
        serve("--level", "1", "--games", str(tmp_path / "match.db")), accept_downloads=True
    )
    page = screen.page
    screen.begin("robble", 5, pie="sides")
    screen.open("Study")

    # The swap map, on the board and as a list; its numbers where the pointer or the focus is.
    switch = page.get_by_role("switch", name="Swap map on the board")
    switch.check()
    screen.until("document.querySelectorAll('#board .worths .mark').length === 25")
    screen.point("C3").hover()
    page.locator("#study .told-value", has_text="C3: ").wait_for()
    page.locator("#board .numbers .label").wait_for()
    page.locator("#study summary").click()
    assert page.locator("#study .openings tbody tr").count() == 6
    screen.point("B2").focus()
    page.keyboard.press("ArrowUp")
    page.locator("#study .told-value", has_text="B3: ").wait_for()

    # Games of the past: each next turn; a click plays it, and the map is over.
    rows = page.locator("#study .explored tbody tr")
    screen.until("document.querySelector('#study .explored + p').textContent === 'Of 3 games.'")
    assert rows.count() == 2
    first = rows.first
    assert first.locator("button").inner_text() == "C3"
    assert first.locator(".count").first.inner_text() == "2"
    assert first.get_by_role("img").get_attribute("aria-label") == "Black 100 %"
    before = screen.position
    first.locator("button").click()
    screen.until_moved(before)
    screen.until("document.querySelectorAll('#board .worths .mark').length === 0")
    screen.button("Play on").click()
    screen.until("document.querySelectorAll('#study .explored tbody tr').length === 1")

    # Arrows and circles, by mouse and keys; they are in the record, and go when drawn again.
    box = [screen.point(vertex).bounding_box() for vertex in ("A1", "D2")]
    places = [(each["x"] + each["width"] / 2, each["y"] + each["height"] / 2) for each in box]
    page.mouse.move(*places[0])
    page.mouse.down(button="right")
    page.mouse.move(*places[1], steps=4)
    page.mouse.up(button="right")
    page.locator("#board .notes .pointer").wait_for()
    screen.point("E1").click(modifiers=["Alt"])
    screen.button("Mark", "#study").click()
    screen.point("E5").focus()
    for key in ("Enter", "Enter", "ArrowLeft", "Enter", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    screen.until("document.querySelectorAll('#board .notes .mark').length === 4")
    page.keyboard.press("m")
    before = screen.position
    screen.open("Record")
    with page.expect_download() as saved:
        screen.button("Save SGF").click()
    text = saved.value.path().read_text()
    assert "AR[ae:dd][da:db]CR[ee][ea]" in text.replace("\n", "")
    assert screen.position == before, "a mark plays nothing"
    screen.point("E1").click(modifiers=["Alt"])
    screen.until("document.querySelectorAll('#board .notes .mark').length === 3")

    # A board of pieces: refused with a reason, then set up and played from.
    screen.open("Study")
    screen.button("Set up pieces").click()
    editor = page.locator("#editor")
    editor.get_by_role("button", name="Clear the board").click()
    editor.get_by_role("button", name="White to move").click()
    editor.get_by_role("button", name="white stone").click()
    screen.click("A1")
    reason = editor.locator(
        ".verdict.refused", has_text="Black has placed the last stone and has none"
    )
    reason.wait_for()
    assert reason.locator("button.rule").inner_text() == "R8"
    assert editor.get_by_role("button", name="Start from here").is_disabled()
    editor.get_by_role("button", name="black stone").click()
    screen.point("B3").focus()
    page.keyboard.press("Enter")
    editor.locator(".verdict", has_text="A game can lead here.").wait_for()
    assert "B3, black stone" in screen.names()
    editor.get_by_role("button", name="Start from here").click()
    before = screen.position
    page.locator("dialog.ask button.primary").click()
    screen.until_moved(before)
    assert screen.position.startswith("robble 5 ...../...../.B.../...../W.... w")
    assert not editor.is_visible()
    screen.play("D4")
