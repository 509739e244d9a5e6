"""The frame of the page: its screens, the size of the board, and the way to a new game."""

import pytest

from support.screens import SECONDS
from support.thorough import thorough
from support.waiting import PATIENCE

# The least edge of the wooden board, in pixels, for windows of usual sizes.
EDGES = {(1366, 625): 560, (1280, 800): 740, (1920, 1080): 900, (960, 540): 330, (740, 360): 330}

OUTSIDE = """() => {
    const {scrollWidth} = document.documentElement;
    const box = document.querySelector(".board-picture").getBoundingClientRect();
    const seen = box.left >= 0 && box.right <= innerWidth && box.top >= 0;
    const cut = [...document.querySelectorAll("button, select")].filter((one) => {
        const {left, right, width} = one.getBoundingClientRect();
        return width && one.id !== "skip" && (left < -0.5 || right > innerWidth + 0.5);
    }).map((one) => one.textContent || one.title);
    if (scrollWidth > innerWidth) cut.push("the page");
    return seen && box.bottom <= innerHeight ? cut : [...cut, "the board"];
}"""
EDGE = "document.querySelector('.board-picture').getBoundingClientRect().width"


def resize(screen, width, height):
    screen.page.set_viewport_size({"width": width, "height": height})
    screen.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


@pytest.fixture
def board(serve, visit):
    return visit(serve("--game", "boloa", "--level", "1"))


def test_the_board_is_as_large_as_the_window_allows(board):
    for size, edge in EDGES.items():
        resize(board, *size)
        assert board.page.evaluate(EDGE) >= edge, size
        assert board.page.evaluate(OUTSIDE) == [], size
    zoomed = [(width // 2, height // 2) for width, height in EDGES if width > 740]
    for size in (*zoomed, (820, 1180), (1024, 768), (800, 800), (360, 740), (3840, 2160)):
        resize(board, *size)
        assert board.page.evaluate(OUTSIDE) == [], size


def test_the_size_of_the_board_can_be_dragged_and_is_kept(board):
    resize(board, 1280, 800)
    before = board.page.evaluate(EDGE)
    corner = board.page.get_by_role("slider", name="Size of the board")
    box = corner.bounding_box()
    x, y = box["x"] + 12, box["y"] + 12
    board.page.mouse.move(x, y)
    board.page.mouse.down()
    board.page.mouse.move(x - 150, y - 150, steps=3)
    board.page.mouse.up()
    after = board.page.evaluate(EDGE)
    assert before - 160 < after < before - 140
    board.page.reload()
    board.until(f"document.querySelector('.board-picture') && {EDGE} === {after}")
    corner.press("End")
    assert board.page.evaluate(EDGE) == before


def test_a_new_game_follows_an_ended_one(serve, visit):
    screen = visit(serve("--game", "robble", "--size", "3", "--level", "1"))
    resign = screen.button("Resign", "#status")
    for width, game in ((1280, "pilo"), (820, "implo"), (360, "boloa")):
        screen.page.set_viewport_size({"width": width, "height": 800})
        assert resign.is_disabled()
        screen.play(screen.legal[0])
        resign.click()
        screen.button("Resign", "dialog.ask").click()
        screen.page.locator("#status").get_by_role("button", name="New game").click()
        assert resign.is_disabled()
        dialog = screen.page.get_by_role("dialog", name="New game")
        dialog.get_by_role("combobox", name="Game").select_option(game)
        screen.button("New game", "#new-game").click()
        screen.until(f"location.hash.includes('game={game}&')")
        assert screen.offered()["legal"]
        assert not dialog.is_visible()
        screen.agrees()


def test_after_a_game_one_plays_again_with_colors_exchanged(serve, visit):
    screen = visit(serve("--game", "robble", "--size", "3", "--level", "1"))
    screen.until("document.title.startsWith('Your turn \u2013 Robble')")
    assert screen.page.locator("#status").get_by_role("button", name="Rematch").count() == 0
    screen.play("A1")
    screen.button("Resign", "#status").click()
    screen.button("Resign", "dialog.ask").click()
    screen.page.locator("#status").get_by_role("button", name="Review").wait_for()
    screen.until("document.title.startsWith('White wins')")
    screen.page.locator("#status").get_by_role("button", name="Rematch").click()
    screen.until("document.querySelectorAll('#board [aria-label*=stone]').length < 2")
    screen.until(
        "document.querySelector('[aria-label=\"Who plays Black\"]').selectedOptions[0].text"
        " === 'First game'"
    )
    screen.until("document.title.startsWith('Your turn')")


def test_what_is_typed_is_never_swallowed(serve, visit):
    screen = visit(serve("--game", "robble", "--size", "4", "--level", "1"))
    screen.begin("robble", 4)
    screen.open("Turns")
    field = screen.page.get_by_placeholder("Type a turn")
    note = screen.page.locator("#note")
    for typed in ("\u00e9", "\U0001f600", "A\u2013B"):
        field.fill(typed)
        field.press("Enter")
        note.locator(".refused", has_text=typed).wait_for()
        assert field.input_value() == typed
    before = screen.position
    field.fill("\uff43\uff13")  # c3 in full width
    field.press("Enter")
    screen.until_moved(before)
    screen.until("document.querySelector('[data-vertex=C3]').ariaLabel.includes('stone')")
    screen.button("Play on").click()
    field.fill("c3")
    field.press("Enter")
    note.locator(".refused", has_text="Swap").wait_for()
    assert field.input_value() == "c3"


def test_the_page_says_that_it_connects(serve, visit, chromium):
    address = serve("--game", "robble", "--size", "4")
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE * SECONDS)
    page = context.new_page()
    page.add_init_script("window.WebSocket = class { close() {} }")
    page.goto(f"{address}#board")
    page.get_by_text("Connecting").wait_for()
    assert page.evaluate("['page', 'nav'].every((id) => document.getElementById(id).inert)")
    context.close()


def test_screens_have_addresses(serve, visit):
    address = serve("--level", "1")
    screen = visit(address)
    shown = "name => document.body.dataset.screen === name"
    for name in ("Learn", "Puzzles", "My games"):
        screen.page.get_by_role("link", name=name).click()
        screen.until(shown, name.lower().split()[-1])
    screen.page.reload()
    screen.until(shown, "games")
    screen.page.go_back()
    screen.until(shown, "puzzles")
    screen.page.get_by_role("link", name="Play").click()
    screen.until("location.hash.includes('position=')")
    screen.page.reload()
    screen.until(shown, "board")


PICTURES = "[...document.querySelectorAll('#start .card .pieces')].map((one) => one.innerHTML)"
LONG = 30_000  # milliseconds, in which each picture moves several times


def pass_time(screen, milliseconds):
    """Let the page's time pass, second by second: in each the server can answer its heartbeat."""
    for _ in range(milliseconds // 1000):
        screen.page.clock.run_for(1000)
        screen.page.evaluate("async () => { await fetch('page.css'); }")


def start_page(serve, visit, motion):
    screen = visit(serve("--level", "1") + "#start", clock=True, reduced_motion=motion)
    cards = screen.page.locator("#start .card")
    cards.nth(3).locator(".piece").first.wait_for(state="attached")
    return screen, cards, screen.page.evaluate(PICTURES)


@thorough
def test_the_start_page_shows_the_games_in_motion(serve, visit):
    screen, cards, before = start_page(serve, visit, "no-preference")
    assert len(before) == cards.count() == 4
    pass_time(screen, LONG)
    screen.until(f"(before) => {PICTURES}.every((one, n) => one !== before[n])", before)
    cards.nth(2).get_by_role("button", name="Play").click()
    title = cards.nth(2).get_by_role("heading").text_content()
    game = screen.page.locator("#new-game").get_by_role("combobox", name="Game")
    assert game.evaluate("(one) => one.selectedOptions[0].text") == title
    screen.button("New game", "#new-game").click()
    screen.until("document.body.dataset.screen === 'board' && location.hash.includes('game=')")


def test_the_start_page_stands_still_for_whom_motion_disturbs(serve, visit):
    screen, _, before = start_page(serve, visit, "reduce")
    pass_time(screen, LONG)
    assert screen.page.evaluate(PICTURES) == before


@pytest.mark.parametrize("phone", [False, True])
def test_sounds_are_off_on_a_phone_until_somebody_wants_them(serve, visit, phone):
    screen = visit(serve("--level", "1"), has_touch=phone, is_mobile=phone)
    screen.settings()
    sounds = screen.page.locator("#settings").get_by_role("switch", name="Sounds")
    assert sounds.is_checked() is not phone


def test_a_page_without_a_wish_begins_at_its_start(serve, visit):
    address = serve("--level", "1")
    screen = visit(f"{address}#")
    screen.until("document.body.dataset.screen === 'start'")
    other = visit(serve("--game", "pilo") + "#")
    other.until("document.body.dataset.screen === 'board'")


def test_a_short_phone_shows_the_controls_too(serve, visit):
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    screen = visit(serve("--game", "pilo", "--level", "1"), **phone)
    controls = screen.button("Take back", "#status").bounding_box()
    bar = screen.page.locator("#tabs").bounding_box()
    assert controls["y"] + controls["height"] <= bar["y"]
    assert screen.page.evaluate(OUTSIDE) == []
