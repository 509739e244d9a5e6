"""How fast the board is in Chromium, as a table: measure.py [--game NAME] [--size N] [--clicks N]

The page itself times a click, from the pointer event to the first picture of the new position, so
the time contains no part of the driver. There are three targets. The median is below 40 ms, also
during an analysis. The board accepts clicks within a second after the browser gets its address. The
page is smaller than 340 KiB in total.
"""

import argparse
import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from support import screens

WATCH = """() => {
    window.clickTimes = [];
    let began = 0;
    const points = () => [...document.querySelectorAll("#board [data-vertex]")];
    const told = () => points().map((point) => point.getAttribute("aria-label")).join();
    document.querySelector("#board").addEventListener("pointerup", () => {
        began = performance.now();
        const before = told();
        const look = () => {
            if (told() === before) return requestAnimationFrame(look);
            const painted = new MessageChannel();
            painted.port1.onmessage = () => window.clickTimes.push(performance.now() - began);
            painted.port2.postMessage(null);
        };
        requestAnimationFrame(look);
    }, true);
}"""
LOADED = """() => ["resource", "navigation"].flatMap((kind) => performance.getEntriesByType(kind))
    .reduce((sum, one) => sum + one.decodedBodySize, 0)"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game")
    parser.add_argument("--size", type=int)
    parser.add_argument("--clicks", type=int, default=60)
    options = parser.parse_args()
    given = [f"--{name}={value}" for name in ("game", "size") if (value := getattr(options, name))]
    with (
        screens.driver().sync_playwright() as player,
        screens.chromium(player) as browser,
        screens.serving("--level", "1", *given) as address,
    ):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        began = time.monotonic()
        screen = screens.Screen(context, address)
        screen.offered()
        row("address to playable board", 1000 * (time.monotonic() - began), "ms", 1000)
        row("files of the page", screen.page.evaluate(LOADED) / 1024, "KiB", 340)
        card = screen.page.locator('#players [data-color="white"] select')
        card.select_option(label="A person")
        screen.page.evaluate(WATCH)
        clicks(screen, options.clicks, "click to picture")
        screen.open("Analysis")
        screen.page.get_by_role("switch", name="Analyze this position").check()
        screen.page.locator("#analysis .candidates tbody tr").first.wait_for()
        clicks(screen, options.clicks, "the same while it analyses")
        screen.close()


def clicks(screen: screens.Screen, number: int, name: str) -> None:
    """Play at random, and tell how long the steps took; a game that ends is taken back."""
    choice = random.Random(1)
    screen.page.evaluate("window.clickTimes.length = 0")
    while screen.page.evaluate("window.clickTimes.length") < number:
        offered = screen.offered()
        if offered["over"]:
            screen.page.locator("#status").get_by_role("button", name="To the start").click()
            screen.until("document.querySelector('#board .legal')")
        elif offered["answers"]:
            screen.button("Play on").click()
        elif offered["legal"]:
            before = screen.standing
            screen.click(choice.choice(sorted(offered["legal"])))
            screen.until(f"before => ({screens.STANDING})() !== before", before)
        else:
            screen.page.locator("#status .actions").locator(".primary, .step").first.click()
    times = sorted(screen.page.evaluate("window.clickTimes"))
    row(f"{name}, median of {len(times)}", statistics.median(times), "ms", 40)
    row(f"{name}, 95 of 100 within", times[int(0.95 * len(times))], "ms")


def row(name: str, value: float, unit: str, target: float | None = None) -> None:
    wanted = "" if target is None else f"  below {target}{'' if value < target else ': MISSED'}"
    print(f"{name:<45}{value:9.1f} {unit:<4}{wanted}", flush=True)


if __name__ == "__main__":
    main()
