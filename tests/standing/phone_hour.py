"""An hour at a phone: games of all kinds by taps, on the board that runs in the browser alone.

The browser is Chromium as a phone with a small window. It plays against the engine at a level
that searches, and the tab is never closed. Before the last look the page is loaded again, and has
all games.

Faults are: a tap that does nothing, a page that shows what is not so or complains, a request after
loading, a game that is not kept, a tab that crashes or grows.
"""

import json
import random
import subprocess
import tempfile
import time
import traceback
from itertools import cycle
from pathlib import Path

import psutil

from gtp_engine.rules import games
from standing.findings import Findings
from support import screens
from support.checkouts import ROOT
from support.site_screens import SiteScreen, serving

PHONE = screens.DESK | {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}

LEVEL = 13
"""Of the engine: it searches 1,000 visits a turn."""

LARGEST, GROWTH = 700.0, 40.0
"""MiB that the tab may have, and by which it may grow from the second to the last quarter."""

EVERY = 5
"""Taps between two looks at the memory."""


class Phone(SiteScreen):
    """The board on a phone, whose memory is watched."""

    def __init__(self, browser, address: str, found: Findings) -> None:
        super().__init__(browser.new_context(**PHONE), f"{address}/")
        self._found, self._taps = found, 0
        self._processes = browser.new_browser_cdp_session()
        self._heap = self.context.new_cdp_session(self.page)
        self._heap.send("Performance.enable")
        self.page.on("crash", lambda _: found.fault("the tab has crashed"))

    def tap(self, vertex: str) -> None:
        """Tap, and look at the memory now and then."""
        super().tap(vertex)
        self._taps += 1
        self._found.tried["taps"] += 1
        if self._taps % EVERY == 0:
            self.measure()

    def measure(self) -> None:
        """Look at the memory of the tab, which has the worker, and of the whole browser.

        The garbage of the page is collected first: with much memory a browser does it late.
        """
        self._heap.send("HeapProfiler.collectGarbage")
        told = self._processes.send("SystemInfo.getProcessInfo")["processInfo"]
        tabs = [each["id"] for each in told if each["type"] == "renderer"]
        self._found.measure(
            tab=[psutil.Process(pid) for pid in tabs],
            browser=[psutil.Process(each["id"]) for each in told],
        )
        metrics = self._heap.send("Performance.getMetrics")["metrics"]
        (used,) = (each["value"] for each in metrics if each["name"] == "JSHeapUsedSize")
        self._found.sizes["the page's objects"].append(used / 2**20)

    def shown(self) -> str:
        """What the page shows, and what it was told last: for somebody who looks for a fault."""
        told = {kind: self.heard.get(kind) for kind in ("state", "told", "refused")}
        text = self.page.locator("#app").inner_text()
        return f"{self.faults}\n{text}\n{json.dumps(told, indent=1)}"

    def all_games(self) -> str:
        """The same, after the page was loaded again."""
        self.page.reload()
        self.until_loaded()
        return super().all_games()


def spend(
    phone: Phone, seconds: float, choice: random.Random, found: Findings, size: int | None = None
) -> None:
    """Play so long, and see that all games are kept.

    size -- of the boards; None for that of each game
    """
    phone.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    end, played = time.monotonic() + seconds, 0
    for game in cycle(games()):
        side = choice.choice(("black", "white"))
        phone.begin(game.name, size or game.default_size, side, level=LEVEL)
        loaded = len(phone.asked)
        screens.play_out(phone, choice, phone.tap, most=1000)
        phone.until(screens.ENDED)
        phone.measure()
        found.tried[f"games of {game.title}"] += 1
        played += 1
        if asked := phone.asked[loaded:]:
            found.fault(f"it has requested after loading: {asked}")
        if time.monotonic() > end:
            break
    last = phone.heard["state"]["view"]["last"]["turn"]
    phone.until_kept(last.rpartition("/")[2])  # a record has each step by itself
    if (kept := phone.all_games().count("GAME[")) != played:
        found.fault(f"{kept} games are kept of {played}")


def run(seconds: float, seed: int, folder: Path) -> Findings:
    """Spend so many seconds at the phone."""
    found = Findings("phone", folder)
    with (
        tempfile.TemporaryDirectory() as site,
        screens.driver().sync_playwright() as player,
        screens.chromium(player) as browser,
    ):
        subprocess.run([ROOT / "bin" / "make-site", site], stdout=subprocess.DEVNULL, check=True)
        with serving(Path(site)) as address:
            phone = Phone(browser, address, found)
            try:
                spend(phone, seconds, random.Random(seed), found)
                phone.close()
            except Exception:
                found.fault(traceback.format_exc(), f"{found.tried}\n{phone.shown()}".encode())
                phone.page.screenshot(path=folder / "fault.png")
    found.limit("tab", LARGEST)
    found.bound("tab", GROWTH)
    return found
