"""Replays and reviews: the page with a game inside, opened from the disk."""

from pathlib import Path

import pytest

from gtp_engine.cli.engine import main
from gtp_engine.engine.record_loading import replay as load
from gtp_engine.engine.replay_page import GamesPage, Listed
from gtp_engine.engine.session import Session
from gtp_engine.rules import games
from support.driver import Driver
from support.screens import ANIMATED

# Five turns of Pilo: a swap, a capture that leaves a block, and a comment with markup in it.
LINES = ("play b b2", "play w swap", "play b d2", "play w b2-d2", "play b a1")
COMMENT = "A capture <b>&</b> a </script> block"

# White's stone on C2 leaves two patches; resolving C1 removes three stones and ends the turn.
STEPS = ("play b b2", "play w swap", "play b a1", "play w b1", "play b a2", "play w c2/c1")

PIECES = """() => [...document.querySelectorAll("#board [data-vertex]")]
    .filter((one) => !/empty/.test(one.ariaLabel)).map((one) => one.ariaLabel)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def replay(folder):
    drive = Driver("pilo", 4)
    for line in LINES:
        drive(line)
    record, page = folder / "pilo.sgf", folder / "pilo.html"
    text = drive("printsgf").replace("(;", "(;PB[Ann]", 1)
    for number, turn in enumerate(("B[B2]", "B[D2]", "W[B2-D2]"), 1):
        text = text.replace(turn, f"{turn}SBKV[{20 * number}]")
    record.write_text(text.replace("W[B2-D2]", f"W[B2-D2]C[{COMMENT}]BY[{COMMENT}]"))
    assert main(["replay", str(record), "-o", str(page)]) == 0
    return page


@pytest.fixture(scope="module")
def steps(folder):
    drive = Driver("implo", 3)
    for line in STEPS:
        drive(line)
    record, page = folder / "implo.sgf", folder / "implo.html"
    record.write_text(drive("printsgf"))
    assert main(["replay", str(record), "-o", str(page)]) == 0
    return page


@pytest.fixture(scope="module")
def review(folder):
    """Two turns of which each throws a win away, as is proven."""
    drive = Driver()
    for line in ("game-pie off", "game-select implo 3", "play b b2", "play w a1"):
        drive(line)
    record, page = folder / "review.sgf", folder / "review.html"
    drive(f"printsgf {record}")
    assert main(["review", str(record), "-o", str(page), "--visits", "2000"]) == 0
    return page


@pytest.fixture(scope="module")
def many(folder):
    """Two boards, the second one with values."""
    page, path = GamesPage("A against B"), folder / "games.html"
    for number, text in (
        (12, "(;GAME[robble]SZ[3]PIE[off]PB[A]PW[B];B[A1];W[B2])"),
        (5, "(;GAME[implo]SZ[4]PIE[off]PB[B]PW[A];B[B1]SBKV[70]VISITS[9]LINE[B1];W[A4];B[D1])"),
    ):
        session = Session(games()[0])
        load(session, text.encode())
        assert page.add(session, listed=Listed(number, f"{number}. {session.game.name}", "B+1"))
    path.write_text(page.html())
    return path


@pytest.fixture
def view(visit):
    """Opens a page from the disk, by default without animations."""

    def open_page(path: Path, fragment: str = "", **settings):
        return visit(path.as_uri() + fragment, **{"reduced_motion": "reduce"} | settings)

    return open_page


SHOWN = """async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    const one = (selector) => document.querySelector(selector);
    const all = (selector) => [...document.querySelectorAll(selector)];
    const slider = one("#graph input");
    return {
        number: Number(slider.value),
        total: Number(slider.max),
        current: one("#turn-list [aria-current]")?.textContent ?? "0",
        address: location.hash,
        caption: one("#graph .caption").textContent,
        line: one("#turn-line").textContent,
        disabled: all("#status .controls button").filter((one) => one.disabled)
            .map((one) => one.ariaLabel),
        drawn: all("#board .pieces > .piece").length,
        named: all("#board [data-vertex]").filter((one) => !/empty/.test(one.ariaLabel)).length,
        last: all("#board [data-vertex]").filter((one) => /last turn/.test(one.ariaLabel)).length,
        marked: all("#board .marks.last .mark").length,
    };
}"""


def shown(screen) -> str:
    """The turn of the graph; all that tells which turn is shown agrees with it."""
    found = screen.page.evaluate(SHOWN)
    number = found["number"]
    assert found["address"] == f"#{number}"
    assert found["current"].startswith(str(number))
    assert f"turn {number + 1}" in found["line"]
    assert found["drawn"] == found["named"]
    start, end = number == 0, number == found["total"]
    names = [["To the start", "One step back"], ["One step forward", "To the end"]]
    wanted = {*(names[0] if start else []), *(names[1] if end else [])}
    moves = {*names[0], *names[1]}
    assert moves.intersection(found["disabled"]) == wanted
    assert ("Show the last turn again" in found["disabled"]) == start
    assert (found["marked"] > 0) == (found["last"] > 0)
    return found["caption"]


def press(screen, *keys: str) -> None:
    for key in keys:
        screen.page.keyboard.press(key)


def test_keys_step_through_the_game(view, replay):
    screen = view(replay)
    assert (shown(screen), screen.page.evaluate(PIECES)) == ("Start", [])
    press(screen, "ArrowRight")
    assert shown(screen) == "1 Blue B2, Orange 80 %"
    (stack,) = screen.page.evaluate(PIECES)
    assert stack.startswith("B2, blue stack")
    press(screen, "ArrowRight")
    assert shown(screen) == "2 Orange swap"
    (stack,) = screen.page.evaluate(PIECES)
    assert stack.startswith("B2, orange stack")
    press(screen, "End")
    assert shown(screen) == "5 Blue A1"
    press(screen, "ArrowRight")
    assert shown(screen) == "5 Blue A1"
    press(screen, "ArrowLeft")
    assert shown(screen) == "4 Orange B2-D2, Blue 60 %"
    names = " ".join(screen.page.evaluate(PIECES))
    assert "block" in names and "D2, orange stack, height 2" in names
    press(screen, "Home", "ArrowLeft")
    assert shown(screen) == "Start"


def test_buttons_the_list_the_graph_and_the_slider_do_too(view, replay):
    screen = view(replay)
    for name, turn in (
        ("One step forward", "1 Blue B2, Orange 80 %"),
        ("To the end", "5 Blue A1"),
        ("One step back", "4 Orange B2-D2, Blue 60 %"),
        ("To the start", "Start"),
    ):
        screen.button(name, "#status").click()
        assert shown(screen) == turn
    assert screen.button("One step back", "#status").is_disabled()
    screen.page.locator("#turn-list .turn").nth(2).click()
    assert shown(screen) == "3 Blue D2, Orange 60 %"
    press(screen, "ArrowRight")
    assert shown(screen).startswith("4 ")
    slider = screen.page.locator("#graph input")
    slider.click()
    assert shown(screen)[0] in "23"
    slider.fill("5")
    assert shown(screen) == "5 Blue A1"


def test_it_plays_on_by_itself_until_it_is_stopped(view, replay):
    screen = view(replay, "#3")
    press(screen, "Space")
    screen.button("Pause", "#status").wait_for()
    screen.until("location.hash === '#4'")
    press(screen, "ArrowLeft")
    screen.button("Play", "#status").click()
    screen.until("location.hash === '#5'")
    assert screen.button("Play", "#status").is_disabled()


def test_the_address_names_a_turn(view, replay):
    screen = view(replay, "#4")
    assert shown(screen).startswith("4 ")
    screen.page.evaluate("location.hash = '#2'")
    screen.until("document.querySelector('#turn-line').textContent.includes('turn 3')")
    screen.page.evaluate("location.hash = '#99'")
    screen.until("location.hash === '#5'")


def test_what_a_record_says_is_only_text(view, replay):
    screen = view(replay, "#4")
    note = screen.page.locator("#note")
    assert note.locator(".said").text_content() == COMMENT
    assert f"played by {COMMENT}" in note.locator(".last").text_content()
    assert note.locator("b, script").count() == 0
    names = screen.page.locator("#players .who").all_text_contents()
    assert names == ["BlueAnn", "Orange"]


def test_nothing_is_loaded_and_no_control_needs_an_engine(view, replay):
    screen = view(replay)
    assert screen.page.evaluate("performance.getEntriesByType('resource').length") == 0
    assert screen.asked == [screen.address]
    assert screen.legal == []
    screen.click("C3")
    assert shown(screen) == "Start"
    for name in ("Hint", "Resign", "New game", "Review", "Set up", "Open SGF", "Console", "Undo"):
        assert screen.page.get_by_role("button", name=name).count() == 0
    assert screen.page.get_by_role("combobox").count() == 0
    assert screen.page.get_by_role("textbox").count() == 0


def test_the_board_fits_into_windows_of_any_shape(view, replay):
    screen = view(replay, "#4")
    fits = """() => {
        const {top, bottom} = document.querySelector(".board-picture").getBoundingClientRect();
        const {scrollWidth} = document.documentElement;
        return top >= 0 && bottom <= innerHeight && scrollWidth <= innerWidth;
    }"""
    for width, height in ((1280, 800), (390, 844), (844, 390)):
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.until(fits)


def test_a_turn_of_several_steps_is_shown_step_by_step(view, steps):
    screen = view(steps, "#5")
    before = screen.page.evaluate(PIECES)
    line = screen.page.locator("#turn-line")
    for key, words, pieces in (
        ("ArrowRight", "C2 /Resolve a patch", 5),
        ("ArrowRight", "Black", 3),
        ("ArrowLeft", "C2 /Resolve a patch", 5),
        ("End", "Black", 3),
        ("ArrowLeft", "C2 /Resolve a patch", 5),
    ):
        press(screen, key)
        screen.until(
            "words => document.querySelector('#turn-line').textContent.includes(words)", words
        )
        assert words in line.text_content()
        assert len(screen.page.evaluate(PIECES)) == pieces
        assert screen.page.locator("#board .pieces > .piece").count() == pieces
        # The list follows the board in the next frame.
        screen.until(
            "document.querySelector('#turn-list [aria-current]').textContent.endsWith('C2/C1')"
        )
    press(screen, "ArrowLeft")
    assert screen.page.evaluate(PIECES) == before


def test_turns_are_animated_and_explained(view, steps):
    screen = view(steps, "#5", reduced_motion="no-preference")
    # A slow browser may look only when an animation is over, so they are counted.
    screen.page.evaluate(ANIMATED)
    press(screen, "ArrowRight", "ArrowRight")
    screen.until("window.animated.length > 0")
    screen.page.locator("#note summary").click()
    rule = screen.page.locator("#note .rule").first
    number = rule.text_content()
    rule.click()
    assert screen.page.locator("#rules .sentence:focus").text_content().startswith(number)


def test_the_record_is_saved_from_the_page(view, replay):
    screen = view(replay)
    screen.open("Record")
    with screen.page.expect_download() as saved:
        screen.button("Save SGF").click()
    assert "W[B2-D2]" in Path(saved.value.path()).read_text()


def test_a_review_lists_and_marks_what_cost_most(view, review):
    screen = view(review)
    assert screen.page.locator("#graph .worst button").count() == 2
    assert screen.page.locator("#graph .dots span").count() == 2
    assert screen.page.locator("#turn-list .turn .loss").count() >= 2
    assert "2,000 visits" in screen.page.locator("#graph .about").text_content()
    screen.page.locator("#graph .worst button").first.click()
    assert shown(screen) == "Start, Black wins, proven"
    assert screen.page.locator("#board .candidate.best").count() == 1
    best = screen.page.locator("#analysis .candidates .word").first
    screen.point(best.text_content()).hover()
    screen.page.locator("#board .ghost").first.wait_for(state="attached")
    press(screen, "ArrowRight")
    assert shown(screen).startswith("1 Black B2, White wins, proven")
    told = screen.page.locator(".reviewed")
    assert told.locator("b").text_content().startswith("Better: ")
    assert "wins, but B2 loses" in told.locator("ul").text_content()


def test_the_better_line_is_shown_on_the_board(view, review):
    screen = view(review, "#1")
    played = screen.page.evaluate(PIECES)
    line = screen.page.get_by_role("group", name="The better line")
    line.get_by_role("button").first.click()
    screen.until("document.body.classList.contains('aside')")
    assert line.get_by_role("button", pressed=True).count() == 1
    (better,) = screen.page.evaluate(PIECES)
    assert [better] != played
    press(screen, "ArrowRight")
    screen.until("document.querySelectorAll('#board .piece').length > 1")
    press(screen, "ArrowLeft", "ArrowLeft")
    assert shown(screen).startswith("1 Black B2")
    assert screen.page.evaluate(PIECES) == played
    for key in ("b", "Escape"):
        press(screen, "b")
        screen.until("document.body.classList.contains('aside')")
        press(screen, key)
        assert shown(screen).startswith("1 Black B2")
    press(screen, "b")
    screen.button("Back to the game").click()
    assert shown(screen).startswith("1 Black B2")
    press(screen, "ArrowRight")
    assert shown(screen).startswith("2 White A1")


def test_variations_are_in_the_list(view, folder):
    record, page = folder / "variations.sgf", folder / "variations.html"
    text = "(;GAME[robble]SZ[3]PIE[off](;B[A1];W[B2])(;B[B1]C[why not];W[A1])(;B[pass]))"
    record.write_text(text)
    assert main(["replay", str(record), "-o", str(page)]) == 0
    screen = view(page)
    assert "One variation was left out" in screen.page.locator("#note").text_content()
    screen.page.locator("#turn-list .variation .turn").first.click()
    screen.until("document.querySelector('#note .said')?.textContent === 'why not'")
    press(screen, "ArrowRight")
    screen.until("document.querySelector('#turn-line').textContent.includes('turn 3')")
    press(screen, "Home", "End")
    assert len(screen.page.evaluate(PIECES)) == 2
    address = screen.page.evaluate("location.hash")
    again = view(page, address)
    assert again.page.evaluate(PIECES) == screen.page.evaluate(PIECES)


def test_a_replay_shows_no_review(view, replay):
    screen = view(replay, "#4")
    assert screen.page.locator(".reviewed, #graph .worst button").count() == 0
    assert screen.page.get_by_role("button", name="Analysis").count() == 0


LISTED = """() => [...document.querySelectorAll("#watch .game")]
    .map((one) => [one.textContent, one.ariaCurrent === "true"])"""


def test_a_page_of_several_games_shows_each(view, many):
    screen = view(many)
    first, second = "12. robbleB+1", "5. imploB+1"
    assert screen.page.evaluate(LISTED) == [[first, True], [second, False]]
    assert screen.page.evaluate("location.hash") == "#game=12&turn=0"
    assert screen.page.title() == "A against B"
    assert not screen.page.get_by_role("button", name="Analysis").is_visible()
    press(screen, "End")
    assert [name[:2] for name in screen.page.evaluate(PIECES)] == ["B2", "A1"]
    screen.page.locator("#watch .game").nth(1).click()
    screen.until("location.hash === '#game=5&turn=0'")
    assert screen.page.evaluate(PIECES) == []
    assert screen.page.evaluate(LISTED) == [[first, False], [second, True]]
    names = screen.page.locator("#players .who").all_text_contents()
    assert names == ["BlackB", "WhiteA"]
    assert screen.page.get_by_role("button", name="Analysis").is_visible()
    press(screen, "End")
    screen.until("location.hash === '#game=5&turn=3'")
    assert len(screen.page.evaluate(PIECES)) == 3
    screen.open("Rules")
    assert "patch" in screen.page.locator("#rules").text_content()
    screen.page.evaluate("location.hash = '#game=12&turn=1'")
    screen.until("document.querySelectorAll('#board .pieces > .piece').length === 1")
    assert screen.page.evaluate("performance.getEntriesByType('resource').length") == 0


def test_a_link_leads_to_a_turn_of_a_game(view, many):
    screen = view(many, "#game=5&turn=2")
    assert len(screen.page.evaluate(PIECES)) == 2
    assert screen.page.evaluate("location.hash") == "#game=5&turn=2"
    assert view(many, "#game=4").page.evaluate("location.hash") == "#game=12&turn=0"
