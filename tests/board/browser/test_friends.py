"""Two people play over one server, one of them on a phone, and a third watches; a game by mail."""

import re

from gtp_engine.board.server import network
from support.thorough import thorough

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
ASKED = "#asked:not([hidden])"
POINT = '#board [data-vertex="%s"]'


def invited(host, *roles):
    """The links that a host gets: to play White, which comes at once, and for these roles."""
    host.use("Invite a friend")
    host.page.get_by_role("button", name="Open to your network").click()
    host.until("document.querySelectorAll('.invitation input').length === 1")
    for number, role in enumerate(roles, 2):
        host.page.get_by_role("button", name=role).click()
        host.until(f"document.querySelectorAll('.invitation').length === {number}")
    return [each.input_value() for each in host.page.locator(".invitation input").all()]


def new_game(host, **chosen):
    host.page.get_by_role("button", name="New game").locator("visible=true").first.click()
    for label, value in chosen.items():
        host.page.locator("#new-game").get_by_role(
            "combobox", name=label, exact=True
        ).select_option(value)
    host.page.locator("#new-game button[type=submit]").click()


def plays(screen, vertex, *others):
    """Click an empty point; all pages show the piece."""
    screen.page.locator(POINT % vertex).click()
    for each in (screen, *others):
        each.until("at => document.querySelector(at).ariaLabel.includes('stone')", POINT % vertex)


def pieces(screen):
    """The number of pieces on the board."""
    return sum("stone" in name for name in screen.names())


@thorough
def test_two_people_play_with_clocks_and_a_third_watches(serve, visit):
    host = visit(serve("--game", "robble", "--size", "5"))
    to_play, to_watch = invited(host, "To watch")
    assert host.flaws() == []
    host.page.locator("#invite").get_by_role("button", name="Done").click()
    guest = visit(f"{to_play}#board", **PHONE)
    watcher = visit(f"{to_watch}#board")
    new_game(host, Game="robble", Size="5", **{"Pie rule": "off"}, Clock="180+2")
    for each in (host, guest, watcher):
        each.page.locator(".player.timed").first.wait_for()

    plays(host, "A1", guest, watcher)
    assert guest.page.title().startswith("Your turn")
    assert not host.page.title().startswith("Your turn")
    plays(guest, "B1", host, watcher)
    plays(host, "C1", guest, watcher)
    for each in (host, guest, watcher):
        assert each.page.locator('.player[data-color="white"] .time.runs').count() == 1
    assert watcher.legal == [] and host.legal == []
    assert watcher.page.get_by_role("button", name="Take back").locator("visible=true").count() == 0

    watcher.page.get_by_role("button", name="One turn back").click()
    watcher.page.locator(ASKED, has_text="You are looking back").wait_for()
    assert guest.flaws(contrast=False) == [] and watcher.flaws(contrast=False) == []
    guest.page.get_by_role("button", name="Take back").click()
    host.page.locator(ASKED, has_text="White asks to take back").wait_for()
    assert host.flaws(contrast=False) == []
    host.page.locator(ASKED).get_by_role("button", name="Agree").click()
    guest.page.locator("#turn-line", has_text="White").wait_for()
    guest.until("document.querySelector('#board .board-point.legal')")

    guest.page.get_by_role("button", name="Resign").click()
    guest.page.locator("dialog.ask").get_by_role("button", name="Resign").click()
    for each, words in ((host, "You won"), (guest, "You lost"), (watcher, "Black wins")):
        each.page.locator("#turn-line", has_text=words).wait_for()
    new_game(host, Clock="300+5")
    guest.page.locator(ASKED, has_text="5 min + 5 s").get_by_role("button", name="Agree").click()
    watcher.page.locator("#turn-line", has_text="Black").get_by_text("turn 1").wait_for()

    host.page.get_by_role("button", name="Invite a friend").first.click()
    host.page.locator(".invitation").first.get_by_role("button", name="Close").click()
    guest.page.locator("#veil", has_text="This invitation was closed").wait_for()
    assert not guest.page.locator("#status .actions").is_visible()


def test_a_rematch_has_a_clock_of_the_same_kind(serve, visit):
    host = visit(serve("--game", "robble", "--size", "5"))
    (to_play,) = invited(host)
    host.page.locator("#invite").get_by_role("button", name="Done").click()
    guest = visit(f"{to_play}#board", **PHONE)
    new_game(host, Game="robble", Size="5", **{"Pie rule": "off"}, Clock="600~10")
    guest.page.locator(".player.timed").first.wait_for()
    plays(host, "A1", guest)
    guest.page.get_by_role("button", name="Resign").click()
    guest.page.locator("dialog.ask").get_by_role("button", name="Resign").click()
    guest.page.get_by_role("button", name="Rematch").click()
    asked = host.page.locator(ASKED, has_text="10 min, 10 s of each turn free")
    asked.get_by_role("button", name="Agree").click()
    guest.page.locator("#turn-line", has_text="Black").get_by_text("turn 1").wait_for()
    assert guest.page.locator(".player.timed").count() == 2


@thorough
def test_the_players_speak_in_phrases_and_see_how_many_watch(serve, visit):
    host = visit(serve("--game", "robble", "--size", "5"))
    to_play, to_watch = invited(host, "To watch")
    host.page.locator("#invite").get_by_role("button", name="Done").click()
    guest = visit(f"{to_play}#board", **PHONE)
    watcher = visit(f"{to_watch}#board")
    for each in (host, guest, watcher):
        each.page.locator("#players", has_text="1 spectator").wait_for()
    assert watcher.page.get_by_role("button", name="Say something").count() == 0

    guest.page.get_by_role("button", name="Say something").click()
    assert guest.flaws(contrast=False) == []
    guest.page.get_by_role("button", name="Good luck").click()
    for each in (host, guest, watcher):
        each.page.locator('.player[data-color="white"] .bubble', has_text="Good luck").wait_for()
        each.page.locator("#live", has_text="White: Good luck").wait_for()
    assert host.flaws() == []

    watcher.page.goto("about:blank")
    host.until("!document.querySelector('#players').textContent.includes('spectator')")
    host.page.get_by_role("button", name="Say something").click()
    host.page.get_by_role("button", name="Mute the other").click()
    host.page.get_by_role("button", name="Thanks").click()
    guest.page.locator('.player[data-color="black"] .bubble', has_text="Thanks").wait_for()
    guest.page.get_by_role("button", name="Say something").click()
    guest.page.get_by_role("button", name="Sorry").click()
    guest.page.locator('.player[data-color="white"] .bubble', has_text="Sorry").wait_for()
    plays(host, "A1", guest)
    assert host.page.locator(".bubble", has_text="Sorry").count() == 0


def test_links_come_with_the_way_in_and_go_with_it(serve, visit):
    host = visit(serve("--game", "robble", "--size", "5"))
    host.page.get_by_role("button", name="Invite a friend").first.click()
    dialog = host.page.locator("#invite")
    dialog.get_by_text("A friend comes to this board: Robble 5").wait_for()
    dialog.get_by_role("button", name="Open to your network").wait_for()
    assert dialog.get_by_role("button", name=re.compile("^To (play|watch)")).count() == 0
    assert host.flaws() == []
    dialog.get_by_role("button", name="Open to your network").click()
    dialog.locator(".invitation .code").wait_for()
    link = dialog.locator(".invitation input").input_value()
    guest = visit(f"{link}#board")
    dialog.locator(".invitation", has_text="is here").wait_for()
    dialog.get_by_role("button", name="Only this computer again").click()
    guest.page.locator("#veil", has_text="Connection lost").wait_for()
    dialog.locator(".invitation", has_text="No link yet").wait_for()
    assert dialog.locator(".invitation input, .code").count() == 0
    assert host.flaws() == []
    dialog.get_by_role("button", name="Open to your network").click()
    guest.page.locator("#veil").wait_for(state="hidden")
    refused = "net::ERR_CONNECTION_REFUSED"  # a try while nobody listened
    guest.faults = [each for each in guest.faults if not each.endswith(refused)]
    assert dialog.locator(".invitation input").input_value() == link
    dialog.get_by_role("button", name="Close").click()
    guest.page.locator("#veil", has_text="This invitation was closed").wait_for()
    dialog.get_by_role("button", name="Open to your network").wait_for()
    assert dialog.locator(".invitation").count() == 0


def test_who_invites_after_a_game_gets_another_one_and_its_engine_back(serve, visit):
    host = visit(serve("--game", "robble", "--size", "5", "--level", "1"))
    plays(host, "A1")
    host.page.locator("#turn-line", has_text="turn 3").wait_for()
    host.page.get_by_role("button", name="Resign").click()
    host.page.locator("dialog.ask").get_by_role("button", name="Resign").click()
    host.page.locator("#turn-line", has_text="You lost").wait_for()
    seat = host.page.get_by_label("Who plays White")
    opponent = seat.input_value()
    invited(host)
    host.page.locator("#note", has_text="The last one is in My games").wait_for()
    assert pieces(host) == 0
    host.page.locator(".invitation").get_by_role("button", name="Close").click()
    host.until("!document.querySelector('.invitation')")
    host.page.locator("#invite").get_by_role("button", name="Done").click()
    assert seat.input_value() == opponent and "engine" in opponent
    host.page.evaluate("() => { location.hash = '#games'; }")
    host.page.locator("#games", has_text="you resigned").get_by_text("Patchpie").first.wait_for()


def test_who_is_in_no_network_is_told_in_the_dialog(serve, visit, monkeypatch):
    monkeypatch.setattr(network, "own_address", lambda: None)
    host = visit(serve("--game", "robble", "--size", "5"))
    host.page.get_by_role("button", name="Invite a friend").first.click()
    host.page.get_by_role("button", name="Open to your network").click()
    host.page.locator("#invite [role=alert]", has_text="is in no network").wait_for()
    assert host.page.locator(".invitation").count() == 0


def test_a_host_has_several_games(serve, visit):
    host = visit(serve("--game", "robble", "--size", "5"))
    plays(host, "A1")
    invited(host)
    host.page.get_by_role("button", name="Another game").click()
    host.until("document.querySelectorAll('.table').length === 2")
    host.until("at => !document.querySelector(at).ariaLabel.includes('stone')", POINT % "A1")
    (link,) = invited_here(host)
    guest = visit(f"{link}#board")
    host.page.locator(".table").first.get_by_role("button", name="Show").click()
    host.until("at => document.querySelector(at).ariaLabel.includes('stone')", POINT % "A1")
    assert pieces(guest) == 0
    host.page.locator(".table").nth(1).get_by_role("button", name="End").click()
    guest.page.locator("#veil", has_text="This invitation was closed").wait_for()


def invited_here(host):
    host.page.get_by_role("button", name="To watch").click()
    host.page.locator(".invitation").wait_for()
    return [each.input_value() for each in host.page.locator(".invitation input").all()]


@thorough
def test_a_game_goes_by_mail(serve, visit, tmp_path):
    mine = visit(serve("--game", "robble", "--size", "5"))
    new_game(mine, **{"Pie rule": "off", "You play": "both"})
    seat = "document.querySelector('[aria-label=\"Who plays White\"]')"
    mine.until(f"{seat}.selectedOptions[0].text === 'A person'")
    plays(mine, "A1")
    plays(mine, "B1")
    mine.page.get_by_role("button", name="Share").first.click()
    mine.until("document.querySelector('#share textarea').value")
    assert mine.flaws(contrast=False) == []
    fragment = mine.page.locator("#share textarea").input_value()
    with mine.page.expect_download() as saved:
        mine.page.get_by_role("button", name="Game as a page").click()
    saved.value.save_as(tmp_path / "game.html")
    for form, magic in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        with mine.page.expect_download() as saved:
            mine.page.get_by_role("button", name=f"Picture ({form})").click()
        saved.value.save_as(tmp_path / "picture")
        assert (tmp_path / "picture").read_bytes().startswith(magic)

    yours = visit(f"{serve('--game', 'pilo')}{fragment}")
    yours.until("at => document.querySelector(at)?.ariaLabel.includes('stone')", POINT % "B1")
    offline = visit((tmp_path / "game.html").as_uri())
    offline.page.keyboard.press("End")
    offline.until("at => document.querySelector(at).ariaLabel.includes('stone')", POINT % "B1")
    offline.page.get_by_role("button", name="Share").first.click()
    offline.until("document.querySelector('#share textarea').value")


def test_what_is_no_game_in_a_link_is_said(serve, visit):
    address = serve("--game", "robble", "--size", "5")
    for fragment in ("#record=xxxxxxxxxxxx", "#record=" + "A" * 60):
        screen = visit(f"{address}{fragment}")
        screen.page.locator("#note", has_text="The link holds no game").wait_for()


@thorough
def test_a_guest_who_leaves_is_away_and_the_game_can_be_claimed(serve, visit):
    host = visit(serve("--game", "robble", "--size", "5"), clock=True)
    (to_play,) = invited(host)
    host.page.locator("#invite").get_by_role("button", name="Done").click()
    host.page.clock.run_for(6000)
    host.page.locator('.player[data-color="white"] .absence', has_text="not here yet").wait_for()
    guest = visit(f"{to_play}#board")
    new_game(host, Game="robble", Size="5", **{"Pie rule": "off"}, Clock="180+2")
    guest.page.locator(".player.timed").first.wait_for()
    plays(host, "A1", guest)
    guest.page.goto("about:blank")
    host.page.clock.run_for(3000)
    host.page.locator('.player[data-color="white"] .absence', has_text="away since 0:").wait_for()
    assert host.page.title().startswith("White is away")
    card = host.page.locator('.player[data-color="white"]')
    name, time = (card.locator(part).bounding_box() for part in (".name", ".time"))
    assert name["x"] + name["width"] <= time["x"]
    bar = host.page.locator("#absent")
    assert not bar.get_by_role("button", name="Claim the game").is_visible()
    assert host.flaws(contrast=False) == []
    bar.get_by_role("button", name="Ask to stop the clocks").wait_for()

    guest.page.goto(f"{to_play}#board")
    bar.wait_for(state="hidden")
    assert not host.page.title().startswith("White is away")


def test_a_host_solves_a_puzzle_while_a_guest_is_at_the_board(serve, visit):
    host = visit(serve("--game", "robble", "--size", "5"))
    (to_play,) = invited(host)
    guest = visit(f"{to_play}#board")
    host.page.locator("#invite").get_by_role("button", name="Done").click()
    host.page.evaluate("() => { location.hash = '#puzzles/robble'; }")
    host.until("document.querySelectorAll('#puzzles .shelves button').length > 1")
    host.page.locator("#puzzles .shelves button").first.click()
    host.page.locator("#exercise .task").wait_for()
    assert guest.page.locator("#absent").is_hidden()
    assert guest.page.locator(".absence:not([hidden])").count() == 0
