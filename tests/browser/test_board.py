"""The board as a folder of files: games, help, lessons, records, the journal, in Chromium."""

import asyncio
import random
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gtp_engine.browser import board_page
from gtp_engine.rules import games
from gtp_engine.search.levels import HIGHEST, LOWEST
from standing.findings import Findings
from standing.phone_hour import PHONE, Phone, spend
from support import screens
from support.screens import DESK, ENDED, SECONDS
from support.site_screens import KEEPS, Files, SiteScreen, serving
from support.thorough import thorough
from support.waiting import PATIENCE, wait_until

pytestmark = thorough


class Redirects(Files):
    """A host that sends whoever asks for the page by its name to the folder."""

    def do_GET(self) -> None:  # noqa: N802
        if self.path != "/index.html":
            return super().do_GET()
        self.send_response(301)
        self.send_header("Location", "/")
        self.send_header("Content-Length", "0")
        self.end_headers()
        return None


class Plain(Files):
    """The folder for browsers that suspend nothing: engines run in the event loop there."""

    def do_GET(self) -> None:  # noqa: N802
        self.get_plain()


@pytest.fixture(scope="module")
def address(site):
    with serving(site) as where:
        yield where


@pytest.fixture
def visit(chromium, address) -> Iterator:
    """Opens the board in a browser that has never been there; at the end nothing was wrong."""
    opened = []

    def open_page(fragment: str = "", where: str = address, **settings) -> SiteScreen:
        context = chromium.new_context(**(DESK | settings))
        opened.append(SiteScreen(context, f"{where}/{fragment}"))
        return opened[-1]

    yield open_page
    for screen in opened:
        screen.close()


def again(screen: SiteScreen) -> None:
    """Load the page again, and wait until the board is there."""
    screen.page.reload()
    screen.until_loaded()
    screen.page.locator(screens.BOARD).first.wait_for(state="attached")


def test_all_games_are_played_to_their_ends_by_clicks(visit):
    screen = visit()
    for game in games():
        screen.begin(game.name, 4)
        assert screens.play_out(screen, random.Random(5), screen.click) > 3
        screen.until(ENDED)


def test_a_game_against_the_engine_by_keys_alone(visit):
    screen = visit()
    screen.begin("robble", 4, side="black")
    screen.page.evaluate("document.activeElement.blur()")
    screen.page.locator("#skip").focus()
    screen.page.keyboard.press("Enter")
    screen.until("document.activeElement.dataset.vertex")
    assert screens.play_out(screen, random.Random(3), screen.press) > 2
    screen.until(ENDED)


def test_games_by_taps_on_a_phone_are_kept(chromium, address, tmp_path):
    found = Findings("phone", tmp_path)
    phone = Phone(chromium, address, found)
    spend(phone, 0, random.Random(4), found, 4)
    phone.close()
    assert found.faults == {}
    assert found.tried["taps"] > 2 and min(found.sizes["tab"]) > 1


def test_a_game_by_taps_that_aim_on_a_small_phone(visit):
    screen = visit(**PHONE | {"viewport": {"width": 360, "height": 640}})
    screen.begin("boloa", 9, side="black", level=2)
    assert screen.page.locator("#board.aims").count()
    screens.play_out(screen, random.Random(8), screen.tap)
    screen.until(ENDED)


def test_every_level_answers(visit):
    screen = visit()
    chosen = screen.page.get_by_role("combobox", name="Who plays White")
    screen.open("Turns")
    for level in range(LOWEST, HIGHEST + 1):
        screen.begin("boloa", 4, side="black", pie="off", replaces=level > LOWEST)
        chosen.select_option(f'{{"kind":"engine","engine":"Patchpie","level":{level}}}')
        screen.click("B2")
        screen.page.locator("#turn-list .turn").nth(1).wait_for(state="attached")


def test_help_in_a_game(visit):
    screen = visit()
    page = screen.page
    screen.begin("boloa", 7, side="black")
    screen.button("Hint").first.click()
    page.get_by_role("button", name="Show the turn").wait_for()
    screen.open("Analysis")
    page.locator("#analyse").check()
    page.locator("#analysis .candidates tbody tr").nth(2).wait_for()
    screen.play(screen.offered()["legal"][10])  # the analysis goes on, and the engine answers
    page.locator("#analysis .candidates tbody tr").nth(2).wait_for()
    page.locator("#analyse").uncheck()
    page.locator("#analysis .candidates tbody tr").first.wait_for(state="hidden")
    screen.open("Rules")
    screen.button("By number").click()
    page.locator("#rules").get_by_text("B1", exact=True).first.wait_for()


def test_a_lesson_and_a_puzzle(visit):
    screen = visit("#learn")
    page = screen.page
    page.locator("#learn .course button").first.click()
    page.locator("#exercise").get_by_role("button", name="Show me").click()
    page.locator("#exercise").get_by_role("button", name="Next").wait_for()
    page.evaluate("location.hash = '#puzzles'")
    page.get_by_role("button", name="Solve it").click()
    page.locator("#exercise").get_by_role("button", name="Hint").click()
    assert page.locator("#exercise").inner_text()


def test_a_game_is_reviewed_guessed_saved_and_opened(visit):
    screen = visit()
    page = screen.page
    screen.begin("robble", 3)
    screens.play_out(screen, random.Random(1), screen.click)
    ended = screen.position
    screen.button("Review").first.click()
    screen.until_told(lambda state: state["reviewed"])

    screen.open("Turns")
    screen.button("Guess the turns", "#graph").click()
    page.locator("dialog.ask").get_by_role("button", name="White").click()
    page.locator("#exercise .task", has_text="What did White play here?").wait_for()
    screen.button("Show me", "#exercise").click()
    page.locator("#exercise .verdict", has_text="White played").wait_for()
    screen.button("Back to the game", "#exercise").click()
    screen.until(f"end => {screens.POSITION} === end", ended)

    screen.open("Record")
    with page.expect_download() as saved:
        screen.button("Save SGF").click()
    record = Path(saved.value.path())
    assert record.read_text().startswith("(;")
    screen.begin("implo", 5)
    page.locator("#files input[type=file]").set_input_files(record)
    screen.until(f"end => {screens.POSITION} === end", ended)


def test_a_link_shows_its_position(visit):
    start = "robble 5 ...../...../..B../...../..... w pie=off"
    fragment = "#game=robble&size=5&position="
    screen = visit(fragment + start.replace(" ", "+"))
    screen.until("document.querySelectorAll('#board [data-vertex]').length === 25")
    screen.until("text => document.querySelector('#files textarea').value.startsWith(text)", start)


def test_a_hostile_link_is_told_in_a_sentence(visit):
    screen = visit("#game=robble&size=5&position=robble+5+nonsense")
    screen.page.locator("#status").get_by_text("position").first.wait_for()


def test_other_machines_are_neither_offered_nor_asked(visit):
    screen = visit()
    for name in ("Invite a friend", "Say something"):
        assert not screen.button(name).first.is_visible()
    assert "invite" not in screen.heard["hello"]["may_send"]
    before = len(screen.asked)
    screen.begin("robble", 4, side="black")
    screen.play("B2")
    screen.offered()
    assert screen.asked[before:] == []


def test_games_are_kept_until_the_next_visit_and_one_tab_has_them(visit, address):
    screen = visit()
    page = screen.page
    screen.begin("boloa", 5, side="both")
    screen.play("C3")
    screen.play("B2")
    position = screen.position
    screen.until_kept("B2")
    again(screen)
    screen.until(f"before => {screens.POSITION} === before", position)

    second = SiteScreen(screen.context, f"{address}/#games")
    second.page.locator("#games").get_by_text("only until").wait_for()
    second.page.close()

    assert screen.all_games().count("GAME[") == 1
    page.locator("#games .kept-game").click()
    page.evaluate("location.hash = '#board'")
    screen.button("Undo", "#status").or_(screen.button("Take back", "#status")).first.wait_for()


def add_games(screen: screens.Screen, record: str) -> None:
    """Add all games of a file."""
    screen.page.evaluate("location.hash = '#games'")
    with screen.page.expect_file_chooser() as chooser:
        screen.button("Add games").click()
    content = {"name": "my-games.sgf", "mimeType": "text/plain", "buffer": record.encode()}
    chooser.value.set_files(content)


def test_all_games_go_from_a_browser_to_a_server_and_back(visit, chromium):
    screen = visit()
    screen.begin("robble", 4, side="black", pie="off", level=2)
    screens.play_out(screen, random.Random(3), screen.click)
    screen.begin("boloa", 5)
    screen.play("C3")
    saved = screen.all_games()
    with screens.serving("--journal", "none") as server:
        other = screens.Screen(chromium.new_context(**DESK), f"{server}#board")
        for told in ("2 games were added.", "0 games were added. 2 games were here already."):
            add_games(other, saved)
            other.page.locator("#games").get_by_text(told, exact=True).wait_for()
        other.page.locator("#games .small-board svg").nth(1).wait_for(state="attached")
        again = other.all_games()
        assert again == saved
        other.close()
    another = visit()
    add_games(another, again)
    another.page.locator("#games").get_by_text("You lost").or_(
        another.page.locator("#games").get_by_text("You won")
    ).first.wait_for()
    add_games(another, saved.replace("[boloa]", "[chess]"))
    another.page.locator("#games").get_by_text("No game was added. Game 2 of the file: ").wait_for()
    assert another.page.locator("#games .kept-game").count() == 2


DAMAGE = """() => new Promise((resolve, reject) => {
    const opened = indexedDB.open("/patchpie");
    opened.onsuccess = () => {
        const change = opened.result.transaction("FILE_DATA", "readwrite");
        const files = change.objectStore("FILE_DATA"), name = "/patchpie/journal.db";
        files.get(name).onsuccess = ({ target }) => {
            const damaged = new TextEncoder().encode("SQLite format 3\\0 no more".repeat(400));
            files.put({ ...target.result, contents: damaged }, name);
        };
        change.onabort = reject;
        change.oncomplete = () => resolve(opened.result.close());
    };
})"""


def test_a_damaged_journal_is_told_and_one_plays_all_the_same(visit, address):
    screen = visit("#board")
    screen.page.goto(f"{address}/first.json")
    screen.page.evaluate(DAMAGE)
    screen.page.goto(f"{address}/#board")
    screen.until_loaded()
    told = screen.page.locator("#status").get_by_text("journal.db is not a file of this program.")
    told.get_by_text("only until it is closed").wait_for()
    screen.play("D4")


WORKER = (Path(board_page.__file__).parent / "site" / "board-worker.js").read_text()
REFUSE_ONCE = 'if (!this.refused) return (this.refused = "no room");'


# Notes each sentence of the board about itself, however short it stands there.
NOTE_WHAT_IS_SAID = """{
    const notes = new Set();
    window.said = () => [...notes].map((note) => note.textContent);
    new MutationObserver((changes) => {
        for (const note of changes.flatMap(({ addedNodes }) => [...addedNodes]))
            if (note.matches?.("#status .error, #status .info")) notes.add(note);
    }).observe(document, { childList: true, subtree: true });
}"""


def test_a_full_storage_is_told_once_and_the_game_goes_on(visit, address):
    screen = visit()
    quota = screen.context.new_cdp_session(screen.page)
    screen.begin("robble", 4, pie="off")
    screen.play("C3")
    screen.until_kept("C3")

    def until_said(words: str) -> None:
        """Change the game until something is said of it."""

        def said() -> bool:
            screen.play("A1")
            played = screen.position
            screen.button("Take back").first.click()
            screen.until_moved(played)
            return screen.page.evaluate("words => window.said().includes(words)", words)

        wait_until(said, words)

    quota.send("Storage.overrideQuotaForOrigin", {"origin": address, "quotaSize": 1})
    screen.page.add_init_script(NOTE_WHAT_IS_SAID)
    screen.page.reload()  # what the browser knows of the room lasts half a minute
    screen.until_loaded()
    until_said("Your games are not kept now: the browser has no room left for them.")
    screen.play("B2")
    screen.play("D4")
    assert not screen.page.evaluate(KEEPS, "D4")
    quota.send("Storage.overrideQuotaForOrigin", {"origin": address})
    until_said("Your games are kept again.")
    assert (
        len(screen.page.evaluate("window.said().filter((text) => text.includes('not kept'))")) == 1
    )
    screen.play("D1")
    position = screen.position
    screen.until_kept("D1")
    assert screen.faults == ["warning: WARNING: the browser has no room left for them."]
    screen.faults.clear()
    again(screen)
    screen.until(f"before => {screens.POSITION} === before", position)


def test_what_the_browser_has_refused_is_kept_without_a_change(visit, site):
    class Refuses(Files):
        """The first copy of the journal fails."""

        def do_GET(self) -> None:  # noqa: N802
            if not self.path.endswith("/board-worker.js"):
                return super().do_GET()
            self.give(WORKER.replace("save() {", f"save() {{ {REFUSE_ONCE}").encode())
            return None

    with serving(site, Refuses) as where:
        screen = visit("#board", where)
        status = screen.page.locator("#status")
        status.get_by_text("Your games are not kept now: no room.").wait_for()
        status.get_by_text("Your games are kept again.").wait_for()
        assert screen.faults == ["warning: WARNING: no room."]
        screen.faults.clear()


# Whether the board has made its database; a look into it would make one, too.
IS_THERE = """indexedDB.databases()
    .then((all) => all.some(({ name, version }) => name === "/patchpie" && version > 1))"""


def test_a_connection_that_the_browser_closes_is_opened_again(visit, address):
    screen = visit()
    screen.begin("robble", 4, pie="off")
    screen.play("C3")
    screen.until_kept("C3")
    browser = screen.context.new_cdp_session(screen.page)
    closing = {"origin": address, "storageTypes": "indexeddb"}
    browser.send("Storage.clearDataForOrigin", closing)  # it removes what is there, too
    screen.play("B2")
    position = screen.position
    wait_until(lambda: screen.page.evaluate(IS_THERE), "the browser keeps something")
    screen.until_kept("B2")
    assert screen.faults == []
    again(screen)
    screen.until(f"before => {screens.POSITION} === before", position)


def test_it_opens_and_plays_without_a_network(visit):
    screen = visit()
    screen.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    screen.begin("robble", 4, side="black", pie="off")
    screen.play("B2")
    screen.until_told(lambda state: state["view"]["turn"]["number"] == 3)  # after the answer
    view = screen.heard["state"]["view"]
    screen.until_kept(view["last"]["turn"])
    screen.context.set_offline(True)
    again(screen)
    screen.until_told(lambda state: state["view"]["position"] == view["position"])
    screens.play_out(screen, random.Random(2), screen.click)
    screen.until(ENDED)


def test_it_opens_again_on_a_host_that_redirects_the_name_of_the_page(visit, site):
    with serving(site, Redirects) as where:
        screen = visit(where=where)
        screen.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        screen.context.set_offline(True)
        again(screen)
        screen.page.goto(f"{where}/index.html")
        screen.until_loaded()


def test_a_new_version_is_told_and_waits(chromium, site, tmp_path):
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    with serving(folder) as where:
        screen = SiteScreen(chromium.new_context(**DESK), f"{where}/")
        page = screen.page
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        again(screen)  # now it comes from what is kept
        index = folder / "index.html"
        index.write_text(index.read_text().replace("Skip to the board", "Skip to the new board"))
        board_page.write_offline(folder)
        page.reload()
        page.get_by_text("There is a new version").wait_for()
        assert page.locator("#skip").inner_text() == "Skip to the board"
        page.locator("#loading button").click()
        page.goto("about:blank")  # no tab of the board is open any more

        def renewed() -> bool:
            page.goto(where)
            if page.locator("#skip").inner_text() == "Skip to the new board":
                return True
            page.goto("about:blank")
            return False

        wait_until(renewed, "the new version begins")
        assert screen.faults == []
        screen.context.close()


# How it ends that a page looks for a new version.
LOOK_FOR_ANOTHER = """async () => {
    const known = await navigator.serviceWorker.getRegistration();
    const next = known.waiting ?? await new Promise((resolve) => {
        known.addEventListener("updatefound", () => resolve(known.installing), { once: true });
        known.update();
    });
    while (!["installed", "redundant"].includes(next.state))
        await new Promise((end) => next.addEventListener("statechange", end, { once: true }));
    return next.state;
}"""


def test_of_two_versions_that_a_host_mixes_for_a_while_nothing_is_kept(chromium, site, tmp_path):
    folder, new = tmp_path / "site", tmp_path / "new"
    for each in (folder, new):
        shutil.copytree(site, each)
    for name, text in (("index.html", "<!-- new -->"), ("page.css", "/* new */")):
        (new / name).write_text((new / name).read_text() + text)
    board_page.write_offline(new)
    with serving(folder) as where:
        screen = SiteScreen(chromium.new_context(**DESK), f"{where}/")
        page = screen.page
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        again(screen)  # now it comes from what is kept
        for name in ("index.html", "offline.js"):  # the others come to the host later
            shutil.copy(new / name, folder)
        assert page.evaluate(LOOK_FOR_ANOTHER) == "redundant"
        assert page.get_by_text("There is a new version").count() == 0
        shutil.copy(new / "page.css", folder)
        wait_until(lambda: page.evaluate(LOOK_FOR_ANOTHER) == "installed")
        page.get_by_text("There is a new version").wait_for()
        screen.context.close()


def test_a_browser_that_suspends_nothing_plays_too(visit, site):
    with serving(site, Plain) as where:
        screen = visit(where=where)
        screen.begin("robble", 4, side="black")
        screens.play_out(screen, random.Random(2), screen.click)
        screen.until(ENDED)
        screen.begin("boloa", 5, side="black")
        screen.open("Analysis")
        screen.page.locator("#analyse").check()
        screen.page.locator("#analysis .candidates tbody tr").nth(2).wait_for()
        screen.play(screen.offered()["legal"][3])
        screen.offered()
        screen.page.locator("#analyse").uncheck()


def test_another_browser_plays_and_keeps_the_game(other_browser, address):
    async def play() -> None:
        async with other_browser.page(f"{address}/#board") as page:
            await page.until("document.querySelector('#loading').hidden")
            await page.click("#board [data-vertex=D4]")
            answered = "/turn 3/.test(document.querySelector('#status').textContent)"
            await page.until(answered)
            look = f"({KEEPS})('D4').then((kept) => window.kept = kept)"
            await page.until(f"window.kept || ({look} && false)")
            await page.run("location.reload()")
            await page.until(f"document.querySelector('#loading')?.hidden && {answered}")
        assert page.faults == []

    asyncio.run(play())


def test_the_board_is_drawn_while_it_loads_and_a_click_is_played(chromium, site):
    loads = threading.Event()

    class Slow(Files):
        def do_GET(self) -> None:  # noqa: N802
            if self.path.endswith("kernel.wasm"):
                loads.wait(PATIENCE)
            super().do_GET()

    with serving(site, Slow) as where:
        screen = SiteScreen(chromium.new_context(**DESK), f"{where}/#board", loaded=False)
        screen.click("D4")
        assert screen.page.locator("#loading").is_visible() and not screen.heard
        screen.page.evaluate("location.hash = '#start'")
        screen.page.locator("#start .card svg").nth(3).wait_for()
        loads.set()
        screen.until_loaded()
        screen.until_told(lambda state: state["can_undo"])
        screen.close()


def test_a_part_that_is_missing_is_told(chromium, site):
    class Lacking(Files):
        def do_GET(self) -> None:  # noqa: N802
            if self.path.endswith("kernel.wasm"):
                return self.send_error(404)
            return super().do_GET()

    with serving(site, Lacking) as where:
        context = chromium.new_context(**DESK)
        context.set_default_timeout(PATIENCE * SECONDS)
        page = context.new_page()
        page.goto(where)
        page.locator("#loading[role=alert]").get_by_text("cannot run in this browser").wait_for()
        context.close()
