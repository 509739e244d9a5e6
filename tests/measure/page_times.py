"""`python tests measure.page_times`: how fast the board is in Chromium, as a table.

The page itself times a click, from the release of the button to the first picture of the new
position, and the way from its address to the first point that can be clicked; so no time contains a
part of the driver. A click is one of a person: the pointer rests on a point before it, and the
button is held for a while. Processor time is that of the page's process, and of the server with its
engines, for each click, with animations. `--site FOLDER`, made by bin/make-site, has the same
clicks at the board that needs no server, too. Run it on an idle machine.
"""

import argparse
import random
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from gtp_engine.rules import find_game
from gtp_engine.rules.step import Pie
from support import screens, site_screens
from support.playing import random_nodes

WINDOW = {"width": 1280, "height": 800}

OPENINGS = 9
"""Pages that are opened one after the other."""

NODES = 3000
"""Nodes of a large tree of variations."""

WITHOUT_SERVER = 1.5
"""How many times longer a click may take at the board of a folder."""

HOVER, REST = 150, 400
"""Milliseconds for which a pointer rests before a click, and a page after it."""

HELD = (60, 100)
"""Milliseconds for which the button is held, at least and at most."""

OPENED = """() => {
    const look = () => {
        const legal = document.querySelector("#board .board-point.legal");
        if (legal) window.playable = performance.now();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""

# Notes when a click began, and when a new position was painted, in milliseconds since 1970. `told`
# is what the points are called: another position or a selection changes it, an analysis does not.
# A picture is asked for only when the page draws one: Chromium lets all messages wait for one that
# is asked for when a button is released.
WATCH = """() => {
    window.began = [];
    window.painted = [];
    const board = document.querySelector("#board");
    const points = () => [...board.querySelectorAll("[data-vertex]")];
    window.told = () => points().map((point) => point.getAttribute("aria-label")).join();
    const now = () => performance.timeOrigin + performance.now();
    let before = told();
    board.addEventListener("pointerup", () => window.began.push(now()), true);
    const look = () => {
        if (told() === before) return;
        before = told();
        requestAnimationFrame(() => {
            const done = new MessageChannel();
            done.port1.onmessage = () => window.painted.push(now());
            done.port2.postMessage(null);
        });
    };
    const changes = { attributeFilter: ["aria-label"], childList: true, subtree: true };
    new MutationObserver(look).observe(board, changes);
}"""

# Where the points are.
PLACES = """() => Object.fromEntries(
    [...document.querySelectorAll("#board [data-vertex]")].map((point) => {
        const {left, top, width, height} = point.getBoundingClientRect();
        return [point.dataset.vertex, [left + width / 2, top + height / 2]];
    }))"""

LOADED = """() => ["resource", "navigation"].flatMap((kind) => performance.getEntriesByType(kind))
    .reduce((sum, {decodedBodySize}) => sum + decodedBodySize, 0)
    - document.querySelector("#look").textContent.length"""


class Meter:
    """The processor time of the page, and of a server with its engines."""

    def __init__(self, browser) -> None:
        """Watch all pages of a browser, and the server that this process has started."""
        self._browser = browser.new_browser_cdp_session()
        (self._server,) = [
            child
            for child in psutil.Process().children()
            if "gtp_engine.cli.board" in child.cmdline()
        ]

    def read(self) -> tuple[float, float]:
        """The seconds of the pages, and of the server, so far."""
        told = self._browser.send("SystemInfo.getProcessInfo")["processInfo"]
        page = sum(each["cpuTime"] for each in told if each["type"] == "renderer")
        those = [self._server, *self._server.children(recursive=True)]
        return page, sum(sum(each.cpu_times()[:2]) for each in those)


def row(name: str, value: float, unit: str, target: float | None = None) -> None:
    """Print a figure with its target."""
    wanted = "" if target is None else f"  below {target:g}{'' if value < target else ': MISSED'}"
    print(f"{name:<50}{value:9.1f} {unit:<4}{wanted}", flush=True)


def rows(
    name: str, times: list[float], median: float | None, most: float | None
) -> tuple[float, float]:
    """Print the median of some times, and what 95 of 100 stay within; returns both."""
    times = sorted(times)
    found = statistics.median(times), times[int(0.95 * len(times))]
    row(f"{name}, median of {len(times)}", found[0], "ms", median)
    row(f"{name}, 95 of 100 within", found[1], "ms", most)
    return found


def opened(browser, address: str) -> None:
    """How long it takes until a page can be used, and how large it is."""
    times = []
    for _ in range(OPENINGS):
        context = browser.new_context(viewport=WINDOW)
        context.add_init_script(f"({OPENED})()")
        page = context.new_page()
        page.goto(f"{address}#board")
        page.wait_for_function("() => window.playable")
        times.append(page.evaluate("window.playable"))
        size = page.evaluate(LOADED) / 1024
        context.close()
    row(f"address to playable board, median of {OPENINGS}", statistics.median(times), "ms", 600)
    row("files of the page", size, "KiB", 340)


def play(screen: screens.Screen, number: int, clicked: Callable[[], None] = lambda: None) -> None:
    """Play so many steps at random; a game that ends goes on from its start."""
    choice, held, played = random.Random(1), random.Random(2), 0
    while played < number:
        offered = screen.offered()
        before = screen.page.evaluate("told()")
        if offered["over"]:
            screen.page.locator("#status").get_by_role("button", name="To the start").click()
            screen.until("document.querySelector('#board .legal')")
            screen.page.evaluate("window.began.length = window.painted.length = 0")
        elif offered["answers"]:
            screen.button("Play on").click()
        elif offered["legal"]:
            where = screen.page.evaluate(PLACES)[choice.choice(sorted(offered["legal"]))]
            click(screen.page, where, held)
            screen.until("before => told() !== before", before)
            if not screen.choosing:  # the first of two clicks plays nothing
                clicked()
                played += 1
        else:
            before = screen.standing
            screen.page.locator("#status .actions").locator(".primary, .step").first.click()
            screen.until(f"before => ({screens.STANDING})() !== before", before)


def waits(screen: screens.Screen, number: int, other: screens.Screen | None = None) -> list[float]:
    """Milliseconds from so many clicks to their pictures, on this page or on another one."""
    shows, times = other or screen, []

    def clicked() -> None:
        began = screen.page.evaluate("window.began.at(-1)")
        script = "began => window.painted.find((at) => at > began)"
        shown = shows.page.wait_for_function(script, arg=began, polling=screens.LOOK)
        times.append(shown.json_value() - began)

    play(screen, number, clicked)
    return times


def processor_time(screen: screens.Screen, number: int, meter: Meter) -> None:
    """What a click costs; the pointer rests on a point before it, which shows the turn.

    Nobody asks the page anything meanwhile: that would cost, too.
    """
    choice, held, clicked, spent = random.Random(1), random.Random(2), 0, [0.0, 0.0]
    while clicked < number:
        state = screen.heard["state"]
        game, over = state["view"]["game"], state["view"]["outcome"] is not None
        goes_on = state["can_undo"] and not over
        screen.begin(game["name"], game["size"], "both", "off", replaces=goes_on)
        places = screen.page.evaluate(PLACES)
        screen.page.wait_for_timeout(REST)
        before = meter.read()
        while clicked < number and (steps := single_clicks(screen.heard["state"]["view"])):
            with screen.next_state():
                click(screen.page, places[choice.choice(steps)], held)
            screen.page.wait_for_timeout(REST)
            clicked += 1
        spent = [sum(each) - old for *each, old in zip(spent, meter.read(), before)]
    page, server = (1000 * each / number for each in spent)
    row(f"processor time of a click, the page, mean of {number}", page, "ms", 35)
    row(f"processor time of a click, the server, mean of {number}", server, "ms", 9)


def single_clicks(view: dict) -> list[str]:
    """The points of which one click is a step."""
    tools = (None, *view["tools"][:1])
    options = (each for each in view["options"] if "step" in each)
    return sorted(each["at"] for each in options if each.get("verb") in tools or not tools[1:])


def click(page, place: tuple[float, float], held: random.Random) -> None:
    """Move the pointer to a place, let it rest there, and click."""
    page.mouse.move(*place, steps=3)
    page.wait_for_timeout(HOVER)
    page.mouse.down()
    page.wait_for_timeout(held.uniform(*HELD))
    page.mouse.up()


def large_tree() -> bytes:
    """A record of Robble with many variations of its first turn."""
    start, lines, seen = find_game("robble").start(8, Pie.OFF), [], set()
    for seed in range(NODES):
        words = random_nodes(start, random.Random(seed), 60)
        seen |= {tuple(words[:length]) for length in range(1, len(words) + 1)}
        lines.append(f"({''.join(words)})")
        if len(seen) >= NODES:
            break
    return f"(;FF[4]GAME[robble]SZ[8]PIE[off]{''.join(lines)})".encode()


def analyzed(screen: screens.Screen, number: int) -> list[float]:
    """Milliseconds from so many clicks to their pictures while the engine analyzes."""
    screen.open("Analysis")
    analyze = screen.page.get_by_role("switch", name="Analyze this position")
    analyze.check()
    screen.page.locator("#analysis .candidates tbody tr").first.wait_for()
    times = waits(screen, number)
    analyze.uncheck()
    return times


@contextmanager
def shown(
    browser, address: str, kind: type[screens.Screen] = screens.Screen
) -> Iterator[screens.Screen]:
    """A page of two people, which notes when it shows a new position."""
    screen = kind(browser.new_context(viewport=WINDOW), address)
    seat = screen.page.locator('#players [data-color="white"] select')
    seat.select_option(label="A person")
    screen.page.evaluate(WATCH)
    yield screen
    screen.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[2])
    parser.add_argument("--game")
    parser.add_argument("--size", type=int)
    parser.add_argument("--clicks", type=int, default=200)
    parser.add_argument("--site", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    given = [f"--{name}={value}" for name in ("game", "size") if (value := getattr(options, name))]
    with (
        screens.driver().sync_playwright() as player,
        screens.chromium(player) as browser,
        screens.serving("--level", "1", *given) as address,
    ):
        opened(browser, address)
        screen = screens.Screen(browser.new_context(viewport=WINDOW), address)
        processor_time(screen, options.clicks, Meter(browser))
        game = screen.heard["state"]["view"]["game"]
        screen.close()
        with shown(browser, address) as screen:
            click = rows("click to picture", waits(screen, options.clicks), 25, None)
            with shown(browser, address) as other:
                rows("turn to the other browser", waits(screen, options.clicks, other), 60, None)
            analysis = rows("click during analysis", analyzed(screen, options.clicks), 30, 60)
        with shown(browser, address) as screen:
            record = {"name": "tree.sgf", "mimeType": "text/plain", "buffer": large_tree()}
            screen.page.locator("#files input[type=file]").set_input_files(record)
            played = screen.position
            if not screen.heard["state"]["over"]:
                screen.page.locator("dialog.ask").get_by_role("button", name="Replace it").click()
            screen.until_moved(played)
            screen.until("document.querySelector('#board .legal')")
            rows(f"click in a tree of {NODES} nodes", waits(screen, options.clicks), None, 100)
        if options.site is not None:
            with (
                site_screens.serving(options.site) as folder,
                shown(browser, folder, site_screens.SiteScreen) as screen,
            ):
                screen.begin(game["name"], game["size"], "both", "off")
                times = waits(screen, options.clicks)
                rows("click without a server", times, *(WITHOUT_SERVER * each for each in click))
                times = analyzed(screen, options.clicks)
                limits = (WITHOUT_SERVER * each for each in analysis)
                rows("click during analysis without a server", times, *limits)


if __name__ == "__main__":
    main()
