"""Pictures of every screen and state of the page, to be looked at: page_screens FOLDER [NAME...]

Each is made at four sizes and in both themes, as NAME-WIDTHxHEIGHT-THEME.png; the two small sizes
are those of phones, with touch. Names restrict the states; those before them in a list are visited.
"""

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

from board.browser.test_accessible import STATES
from board.browser.test_friends import ASKED, invited, new_game, plays
from support import screens
from support.screens import Screen

DESK, PHONE = ((1366, 768), (1920, 1080)), ((390, 844), (360, 640))
"""Sizes of windows, in pixels."""

TOUCH = {"has_touch": True, "is_mobile": True}

THEMES = ("light", "dark")

SETTLED = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))"


def lessons(screen: Screen) -> None:
    go(screen, "#learn")
    screen.page.locator("#learn li").first.wait_for()


def lesson(screen: Screen) -> None:
    go(screen, "#learn/robble.push.1")
    screen.page.locator("#exercise .task", has_text="Push the white stone").wait_for()


def lesson_wrong(screen: Screen) -> None:
    screen.click("D3")
    screen.page.locator("#exercise .verdict").wait_for()


def lesson_right(screen: Screen) -> None:
    screen.button("Try again").click()
    screen.page.locator("#exercise .verdict").wait_for(state="detached")
    screen.click("B3")
    screen.page.locator("#exercise .verdict", has_text="new stone").wait_for()
    screen.page.locator("#exercise summary").first.click()


def puzzles(screen: Screen) -> None:
    go(screen, "#puzzles/robble")
    screen.page.locator("#puzzles .shelves button").nth(2).wait_for()


def puzzle(screen: Screen) -> None:
    screen.page.locator("#puzzles .shelves button").first.click()
    screen.page.locator("#exercise .task").wait_for()
    screen.page.locator(screens.LEGAL).first.wait_for()


def puzzle_wrong(screen: Screen) -> None:
    for vertex in screen.legal:
        screen.click(vertex)
        verdict = screen.page.locator("#exercise .verdict")
        verdict.wait_for()
        if "wrong" in (verdict.get_attribute("class") or ""):
            return
        puzzle_again(screen)


def puzzle_again(screen: Screen) -> None:
    """The turn was right: the same task once more."""
    screen.page.reload()
    screen.page.locator(screens.LEGAL).first.wait_for()


def puzzle_shown(screen: Screen) -> None:
    screen.button("Show me").click()
    screen.page.locator("#exercise .verdict.over").wait_for()


def game_in_progress(screen: Screen) -> None:
    go(screen, "#board")
    screen.page.locator("#exercise .task").wait_for(state="detached")
    screen.begin("implo", 5, "both", "off")
    for vertex in ("C3", "B2", "D4", "C2", "E5"):
        screen.play(vertex)
    turns(screen)


def turns(screen: Screen) -> None:
    """Show the list of turns, which a wide page always shows."""
    if not screen.page.locator("#turn-list").is_visible():
        screen.open("Turns")


def rules(screen: Screen) -> None:
    screen.open("Rules")
    screen.page.locator("#rules li").first.wait_for()


def share(screen: Screen) -> None:
    screen.use("Share")
    screen.until("document.querySelector('#share textarea').value")


def reviewed(screen: Screen) -> None:
    screen.page.keyboard.press("Escape")
    turns(screen)
    screen.button("Review", "#graph").click()
    screen.button("Save review").wait_for()
    screen.page.locator("#turn-list .turn").nth(1).click()
    screen.page.locator(".reviewed").first.wait_for(state="attached")


def mistake(screen: Screen) -> None:
    turns(screen)
    screen.page.get_by_role("button", name="Learn from your mistakes").click()
    screen.page.locator("#exercise .task, #note .info").first.wait_for()


def large_board(screen: Screen) -> None:
    go(screen, "#board")
    screen.page.locator("#exercise .task").wait_for(state="detached")
    screen.begin("pilo", 13, "black", "off", replaces=True)
    screen.page.locator("#status").wait_for()


def unknown_lesson(screen: Screen) -> None:
    go(screen, "#learn/no.such")
    screen.page.locator("#learn").wait_for()


LEARNING: list[Callable[[Screen], None]] = [
    lessons,
    lesson,
    lesson_wrong,
    lesson_right,
    puzzles,
    puzzle,
    puzzle_wrong,
    puzzle_shown,
    game_in_progress,
    rules,
    share,
    reviewed,
    mistake,
    large_board,
    unknown_lesson,
]


class Camera:
    """Makes the pictures of a page in some sizes and both themes."""

    def __init__(
        self, folder: Path, names: Iterable[str], sizes: tuple[tuple[int, int], ...]
    ) -> None:
        """Make those of these names, or all."""
        self._folder, self._names, self._sizes = folder, set(names), sizes

    def take(self, screen: Screen, name: str) -> None:
        """Make the pictures of a state."""
        if self._names and name not in self._names:
            return
        for width, height in self._sizes:
            screen.page.set_viewport_size({"width": width, "height": height})
            for theme in THEMES:
                screen.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
                screen.page.evaluate(SETTLED)
                path = self._folder / f"{name}-{width}x{height}-{theme}.png"
                screen.page.screenshot(path=path)
        width, height = self._sizes[0]
        screen.page.set_viewport_size({"width": width, "height": height})


def go(screen: Screen, fragment: str) -> None:
    """Visit a screen by its address."""
    screen.page.evaluate("fragment => (location.hash = fragment)", fragment)


def alone(camera: Camera, visit: Callable[[str], Screen]) -> None:
    """The states of somebody alone."""
    for states in (STATES, LEARNING):
        with screens.serving() as address:
            screen = visit(address)
            for state in states:
                state(screen)
                camera.take(screen, state.__name__.replace("_", "-"))
    camera.take(screen, "server-gone")


def together(host_camera: Camera, guest_camera: Camera, host: Screen, visit) -> None:
    """The states of two people and a spectator."""

    def both(name: str) -> None:
        host_camera.take(host, f"{name}-host")
        guest_camera.take(guest, f"{name}-guest")

    links = invited(host, "To watch")
    host_camera.take(host, "invited")
    host.page.locator("#invite").get_by_role("button", name="Done").click()
    guest = visit(f"{links[0]}#board")
    new_game(host, Game="robble", Size="5", **{"Pie rule": "off"}, Clock="180+2")
    guest.page.locator(".player.timed").first.wait_for()
    plays(host, "A1", guest)
    plays(guest, "B1", host)
    both("playing")
    plays(host, "C1", guest)
    guest.page.get_by_role("button", name="Say something").click()
    guest_camera.take(guest, "phrases")
    guest.page.get_by_role("button", name="Good luck").click()
    host.page.locator(".bubble", has_text="Good luck").wait_for()
    host_camera.take(host, "spoken")
    guest.page.get_by_role("button", name="Take back").click()
    host.page.locator(ASKED, has_text="asks to take back").wait_for()
    both("asked")
    host.page.locator(ASKED).get_by_role("button", name="Decline").click()
    guest.page.goto("about:blank")
    host.page.locator("#absent", has_text="away").wait_for()
    host_camera.take(host, "away")
    guest.page.goto(f"{links[0]}#board")
    host.page.locator("#absent").wait_for(state="hidden")
    guest.page.get_by_role("button", name="Resign").click()
    guest.page.locator("dialog.ask").get_by_role("button", name="Resign").click()
    for each in (host, guest):
        each.page.locator("#turn-line", has_text="You").wait_for()
    both("over")
    watcher = visit(f"{links[1]}#board")
    guest_camera.take(watcher, "watching")
    guest.page.get_by_role("button", name="Rematch").click()
    host.page.locator(ASKED, has_text="new game").wait_for()
    both("rematch")
    host.use("Invite a friend")
    host.page.locator(".invitation").first.get_by_role("button", name="Close").click()
    guest.page.locator("#veil", has_text="This invitation was closed").wait_for()
    guest_camera.take(guest, "closed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with screens.driver().sync_playwright() as player, screens.chromium(player) as browser:

        def visitor(sizes: tuple[tuple[int, int], ...]) -> Callable[[str], Screen]:
            (width, height), touch = sizes[0], TOUCH if sizes is PHONE else {}
            window = {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce"}
            return lambda address: Screen(browser.new_context(**window, **touch), address)

        def camera(sizes: tuple[tuple[int, int], ...]) -> Camera:
            return Camera(options.folder, options.names, sizes)

        for own, other in ((DESK, PHONE), (PHONE, DESK)):
            alone(camera(own), visitor(own))
            with screens.serving() as address:
                host = visitor(own)(address)
                together(camera(own), camera(other), host, visitor(other))


if __name__ == "__main__":
    main()
