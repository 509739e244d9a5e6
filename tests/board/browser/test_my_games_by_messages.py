"""My games, settings, records and an absent player, by messages of a server."""

from pathlib import Path

import pytest

from support.driver import Driver
from support.told_page import HUMAN, NODES, at_node

GUEST = {"kind": "human", "guest": "white"}
KNOWN = {"games": ["robble"], "ratings": {"levels": [], "curve": []}}
# No new connection opens.
GONE = "() => { window.WebSocket = class { close() {} }; socket.onclose({}); }"


def kept(number: int, **fields) -> dict:
    """A game of the journal."""
    people = {"black": "Ann", "white": "Ben", "human": "", "opened": False, "level": ""}
    ended = {"name": f"Game {number}", "winner": "", "result": "", "turns": 9, "changed": 0}
    place = {"id": number, "game": "robble", "size": 5, "here": False, "picture": None}
    return place | people | ended | fields


@pytest.fixture
def games(told):
    """The page at its list of games; it is told a part of the list."""
    told.hello(lasts=True)
    told.show(Driver("robble", 5))
    told.page.evaluate("location.hash = '#games'")
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'kept')")

    def tell(first: int, *numbers: int, **fields) -> None:
        listed = [kept(number, **fields) for number in numbers]
        told.tell("kept", list=listed, total=4, **KNOWN | {"from": first})

    return tell


def test_further_games_that_were_asked_for_twice_are_listed_once(told, games):
    games(0, 1, 2)
    told.button("Show more").dblclick()
    assert told.sent("kept")[-2:] == [{"from": 2, "only": None}] * 2
    games(2, 3, 4)
    games(2, 3, 4)
    names = told.page.locator(".kept-game .name")
    assert names.all_inner_texts() == [f"Game {number}" for number in (1, 2, 3, 4)]
    games(0, 2)
    assert names.all_inner_texts() == ["Game 2"]


def test_a_small_board_listens_to_nothing_that_outlives_it(told, games):
    told.page.evaluate("""() => {
        window.listened = 0;
        const { addEventListener } = EventTarget.prototype;
        MediaQueryList.prototype.addEventListener = function (...given) {
            window.listened += 1;
            addEventListener.apply(this, given);
        };
    }""")
    view = told.state["view"]
    games(0, 1, picture={key: view[key] for key in ("game", "pieces")})
    told.page.locator(".kept-game .board-picture").wait_for()
    assert told.page.evaluate("listened") == 0


def test_the_board_follows_the_theme_of_the_system(told):
    told.show(Driver("robble", 5))
    letters = told.page.locator("#board .board-picture text").first
    colors = []
    for theme in ("light", "dark"):
        told.page.emulate_media(color_scheme=theme)
        told.page.wait_for_function(f"document.documentElement.dataset.theme === '{theme}'")
        colors.append(letters.evaluate("one => getComputedStyle(one).fill"))
    told.page.emulate_media(color_scheme="light")
    assert colors[0] != colors[1]


def test_a_tab_keeps_the_settings_that_another_one_has_changed(told):
    told.show(Driver("robble", 5))
    told.page.evaluate("localStorage.setItem('board-settings', '{\"numbers\": true}')")
    told.button("Settings", "#tools").click()
    told.page.locator("#settings").get_by_role("switch", name="Coordinates").uncheck()
    settings = "JSON.parse(localStorage.getItem('board-settings'))"
    found = told.page.evaluate(f"[{settings}.numbers, {settings}.coordinates]")
    assert found == [True, False]


def record(told, form: str, text: str) -> None:
    told.tell("record", form=form, name="robble-5.sgf", text=text, type="application/x-go-sgf")


def test_a_game_that_is_shared_is_not_what_was_saved_for_other_programs(told):
    told.show(Driver("robble", 5))
    told.button("Record", "#tabs").click()
    told.button("Save for Go viewers").click()
    told.button("Share", "#tools").click()
    assert told.sent("save") == [{"form": "display"}, {"form": "plain"}]
    record(told, "plain", "(;B[C2])")
    told.page.wait_for_function("document.querySelector('#share textarea').value")
    with told.page.expect_download() as saved:
        record(told, "display", "(;AB[aa])")
    assert Path(saved.value.path()).read_text() == "(;AB[aa])"


def test_what_only_a_server_can_save_is_told_without_one(told):
    told.nodes(*NODES)
    at_node(told, 2)
    told.page.evaluate(GONE)
    told.button("Record", "#tabs").click()
    told.button("Save for Go viewers").click()
    sentence = "Without the server this page saves only SGF."
    assert told.text("#note .error p") == sentence
    told.button("Share", "#tools").click()
    told.page.wait_for_function("document.querySelector('#share textarea').value")
    told.button("Game as a page", "#share").click()
    assert told.text("#share .done") == sentence


def test_an_absence_is_announced_once_and_again_when_the_game_can_be_claimed(told):
    driver = Driver("robble", 5)
    driver("play b c2")
    told.show(driver, seats={"black": HUMAN, "white": GUEST}, can_undo=True)
    limits = {"awaited": [], "claim": 120, "in_pause": 1800, "watching": 0}
    told.tell("presence", away={"white": 100}, **limits)
    live = told.page.locator("#live")
    live.filter(has_text="White is away.").wait_for()
    bar = told.page.locator("#absent")
    assert "claim the game in 0:" in bar.inner_text()
    assert bar.evaluate("one => one.closest('[role=status], [aria-live]')") is None
    told.tell("presence", away={"white": 130}, **limits)
    live.filter(has_text="You can wait, or claim the game.").wait_for()
    told.button("Claim the game").click()
    assert told.sent("claim") == [{}]
