"""The board in a real browser, driven like a person: by clicks, taps and keys."""

import asyncio
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path

import pytest

from support.starting import running
from support.waiting import PATIENCE, wait_until

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

# The address bar of a window has two pages of its own, which no test uses. Chromium takes the last
# list of features alone, so this one repeats Playwright's.
UNUSED = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
    "AimEnabled,AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "BlockOriginHeaderModificationOnRedirect,DestroyProfileOnBrowserClose,DialMediaRouteProvider,"
    "GlobalMediaControls,HttpsUpgrades,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,"
    "OptimizationHints,PaintHolding,ThirdPartyStoragePartitioning,Translate"
)

BOARD = "#board [data-vertex]"
LEGAL = "#board .board-point.legal"
AGREEMENT = Path(__file__).with_name("agreement.js").read_text()
DESK = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
"""The settings of a context: a desktop's window, where nothing moves."""

ENDED = (
    "/(wins|You won|You lost|draw|Nobody)/.test(document.querySelector('#turn-line').textContent)"
)
"""Whether the page says that the game is over."""

SECONDS = 1000  # milliseconds
LOOK = 20  # milliseconds between two looks at a page: one at each frame would make it draw frames
FUNCTION = re.compile(r"\(?\w*\)? => ")

# The position in the page's address; in a long game, the turns that lead there.
POSITION = "(new URLSearchParams(location.hash.slice(1)).get('position') ?? location.hash)"

# The position in the page's address, and what each point is called: a click changes some of it.
STANDING = """() => location.hash + [...document.querySelectorAll("#board [data-vertex]")]
    .map((point) => point.className + point.getAttribute("aria-label")).join()"""


# What a person may do: answer the question of a swap, click a vertex, use a button that appears
# when it applies; null while it is somebody else's turn.
OFFERED = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const over = all("#status .actions button").some((one) => one.textContent === "Review");
    const answers = all("#swap[open] .answers button").length;
    const legal = all("#board .board-point.legal").map((point) => point.dataset.vertex);
    const buttons = all("#status .actions .primary, #status .actions .step").length;
    return over || answers || legal.length || buttons ? {over, answers, legal, buttons} : null;
}"""


# Press the button that plays where a tap has aimed, at once: a message may drop the aim.
PLAY_AIMED = "() => document.querySelector('#board.aims .board-confirm button:enabled')?.click()"


# Whether the page shows the newest position of its table: no exercise, no editor, no earlier turn.
SHOWS_ITS_TABLE = """() => document.body.dataset.screen === "board"
    && document.querySelector("#veil").hidden
    && !document.body.dataset.exercise && !document.querySelector("#editor")?.checkVisibility()
    && !/looking back/.test(document.querySelector("#asked")?.textContent ?? "")"""


# Keeps in `animated` the class of each node that is animated from now on.
ANIMATED = """() => {
    const animate = Element.prototype.animate;
    window.animated = [];
    Element.prototype.animate = function (...how) {
        window.animated.push(this.getAttribute("class"));
        return animate.apply(this, how);
    };
}"""


# What axe-core finds wrong with the page as it is.
FOUND = """async rules => (await axe.run({rules, resultTypes: ["violations"]})).violations.flatMap(
    ({id, nodes}) => nodes.map(({target, any}) => `${id}: ${target} ${any[0]?.message ?? ""}`))"""


def driver():
    """Playwright's module; no wait of a test is longer than PATIENCE. Skips where there is none."""
    module = pytest.importorskip("playwright.sync_api")
    module.expect.set_options(timeout=PATIENCE * SECONDS)
    return module


def chromium_binary() -> str:
    """The program. Skips the test where there is none."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    return found or pytest.skip("there is no Chromium here")


@contextmanager
def chromium(player) -> Iterator:
    """A running Chromium."""
    flags = ["--no-sandbox", "--disable-dev-shm-usage", f"--disable-features={UNUSED}"]
    browser = player.chromium.launch(
        executable_path=chromium_binary(), args=flags, timeout=PATIENCE * SECONDS
    )
    yield browser
    browser.close()


class Browsers(ExitStack):
    """A running Chromium for many tests, from the start to the end of a `with` block.

    Playwright's event loop counts as running in this thread all the while. It is hidden from other
    tests, which run loops of their own.
    """

    def __enter__(self) -> "Browsers":
        super().__enter__()
        player = self.enter_context(driver().sync_playwright())
        self._loop = asyncio.get_running_loop()
        self._browser = self.enter_context(chromium(player))
        self.callback(asyncio._set_running_loop, self._loop)
        asyncio._set_running_loop(None)
        return self

    @contextmanager
    def shown(self) -> Iterator:
        """Chromium, to use within the block."""
        asyncio._set_running_loop(self._loop)
        try:
            yield self._browser
        finally:
            asyncio._set_running_loop(None)


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """A board in a process of its own, without a journal unless one is named; its address."""
    command = [sys.executable, "-m", "gtp_engine.cli.board", "--no-open", *options]
    command += [] if "--journal" in options else ["--journal", "none"]
    with running(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)


class Screen:
    """A page that shows a board; what went wrong in it stands in `faults`."""

    def __init__(self, context, address: str) -> None:
        self.faults: list[str] = []
        self.asked: list[str] = []
        self.heard: dict[str, dict] = {}
        self.context = context
        context.set_default_timeout(PATIENCE * SECONDS)
        self.page = context.new_page()
        self.address = address
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("websocket", self._connected)
        self._listen()
        named = "#" in address or address.startswith("file:")
        self.page.goto(address if named else f"{address}#board")
        self.page.locator(BOARD).first.wait_for(state="attached")
        self._look_over()

    def flaws(self, contrast: bool = True) -> list[str]:
        """What keeps people away who do not see or use the page as others do, by axe-core.

        contrast -- also of colors, which takes longer than all else
        """
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text())
        return self.page.evaluate(FOUND, {"color-contrast": {"enabled": contrast}})

    def _console(self, message) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text}")

    def _listen(self) -> None:
        """Listen to what else carries messages; see support.site_screens."""

    def _connected(self, socket) -> None:
        self.socket = socket
        socket.on("framereceived", self._heard)

    def _heard(self, text) -> None:
        kind = text[:20].partition('"kind":"')[2].partition('"')[0]
        if kind in ("state", "hello"):
            self.heard[kind] = json.loads(text)

    @contextmanager
    def next_state(self) -> Iterator[None]:
        """Wait at the end of the block for a `state` that came since its beginning."""
        with self.socket.expect_event("framereceived", lambda text: '"kind":"state"' in text):
            yield

    def _look_over(self) -> None:
        if "state" in self.heard and self.page.evaluate(SHOWS_ITS_TABLE):
            self.agrees()

    def agrees(self) -> None:
        """Wait until all that the page shows of the position agrees with the server's `state`."""
        wrong = []

        def agreed() -> bool:
            wrong[:] = self.page.evaluate(AGREEMENT, self.heard)
            if wrong:
                self.page.wait_for_timeout(LOOK)
            return not wrong

        try:
            wait_until(agreed)
        except AssertionError:
            pytest.fail("\n".join(wrong))

    @property
    def strangers(self) -> list[str]:
        """What was asked of anybody but the board's server."""
        own = "/".join(self.address.split("/")[:3])
        return [url for url in self.asked if not url.startswith((own, "data:", "blob:"))]

    def close(self) -> None:
        """Fails where the page shows what is not so, complained, or asked anybody else."""
        try:
            self._look_over()
        finally:
            self.context.close()
        assert not self.faults, self.faults
        assert self.strangers == []

    # What a person sees ---------------------------------------------------------------------

    @property
    def standing(self) -> str:
        return self.page.evaluate(STANDING)

    @property
    def position(self) -> str:
        """The position, as the address of the page tells it; see POSITION."""
        return self.page.evaluate(POSITION)

    @property
    def legal(self) -> list[str]:
        """The vertices that can be clicked, by name."""
        return sorted(
            self.page.eval_on_selector_all(LEGAL, "all => all.map(one => one.dataset.vertex)")
        )

    @property
    def over(self) -> bool:
        return self.page.locator("#status").get_by_role("button", name="Review").count() > 0

    def names(self) -> list[str]:
        """What each vertex is called."""
        read = "all => all.map(one => one.getAttribute('aria-label'))"
        return self.page.eval_on_selector_all(BOARD, read)

    def point(self, vertex: str):
        return self.page.locator(f'#board [data-vertex="{vertex}"]')

    def button(self, name: str, within: str = "body"):
        return self.page.locator(within).get_by_role("button", name=name, exact=True)

    def until(self, script: str, argument=None) -> None:
        """Wait until a function of JavaScript, or an expression, is true."""
        function = script if FUNCTION.match(script) else f"() => {script}"
        self.page.wait_for_function(function, arg=argument, polling=LOOK)

    def until_moved(self, before: str) -> None:
        """Wait until the position is another one."""
        self.until(f"old => {POSITION} !== old", before)

    def offered(self) -> dict:
        """What the person at the page may do, as soon as there is something."""
        return self.page.wait_for_function(OFFERED, polling=LOOK).json_value()

    # What a person does -----------------------------------------------------------------------

    def begin(
        self,
        game: str,
        size: int,
        side: str = "both",
        pie: str = "pieces",
        replaces: bool = False,
        level: int | str = "",
    ) -> None:
        """A new game by its dialog.

        pie      -- the pie rule; "" for a game that has none
        level    -- of the engine; "" for what is chosen there
        replaces -- whether it takes the place of a game in progress, so that the page asks
        """
        self.page.get_by_role("button", name="New game").first.click()
        panel = self.page.locator("#new-game")
        fields = {"Game": game, "Size": str(size), "You play": side, "Pie rule": pie}
        fields["Strength"] = str(level)
        for name, value in fields.items():
            if value:
                panel.get_by_role("combobox", name=name, exact=True).select_option(value)
        # The board before may be of the same game and size.
        with self.next_state():
            panel.get_by_role("button", name="New game").click()
            if replaces:
                self.button("New game", "dialog.ask").click()
        self.page.evaluate("new Promise(requestAnimationFrame)")
        self.until("game => location.hash.includes(`game=${game}&`)", game)
        self.until(
            "size => document.querySelectorAll('#board [data-vertex]').length === size", size**2
        )

    def open(self, panel: str) -> None:
        """Show a panel by its tab; on a narrow page some are under More."""
        if self.button(panel, "#tabs").is_visible():
            self.button(panel, "#tabs").click()
        else:
            self.button("More", "#tabs").click()
            self.button(panel, "#more").click()

    def settings(self) -> None:
        """Open the dialog of the settings."""
        self.use("Settings")

    def use(self, tool: str) -> None:
        """Use a tool of the frame; on a narrow page it may be under More."""
        if self.button(tool, "#tools").is_visible():
            self.button(tool, "#tools").click()
        else:
            self.open(tool)

    def click(self, vertex: str) -> None:
        self.point(vertex).click()

    def all_games(self) -> str:
        """The record of all games in My games."""
        self.page.evaluate("location.hash = '#games'")
        with self.page.expect_download() as saved:
            self.button("Save all").click()
        return Path(saved.value.path()).read_text()

    def set_up(self, position: str) -> None:
        """Begin with a position, by its text."""
        self.open("Record")
        self.page.get_by_role("textbox", name="Position as text").fill(position)
        self.button("Set up").click()
        self.until("text => location.hash.includes(text)", position.split()[2])

    def play(self, vertex: str) -> None:
        """Click a vertex, and see the position change; a swap is declined."""
        before = self.position
        self.click(vertex)
        self.until_moved(before)
        if self.offered()["answers"]:
            self.button("Play on").click()

    def tap(self, vertex: str) -> None:
        """Tap a vertex; where points are small, that only aims, and a button plays."""
        self.point(vertex).tap()
        self.page.evaluate(PLAY_AIMED)

    def press(self, vertex: str) -> None:
        """Walk to a vertex by arrow keys, and press Enter."""
        walk = """vertex => {
            const order = [...document.querySelectorAll("#board [data-vertex]")];
            const size = Math.sqrt(order.length);
            const now = order.indexOf(document.activeElement);
            const there = order.findIndex((one) => one.dataset.vertex === vertex);
            const down = Math.floor(there / size) - Math.floor(now / size);
            return now < 0 ? null : [there % size - now % size, down];
        }"""
        across, down = self.page.evaluate(walk, vertex)
        if self.choosing:
            self._choose(vertex)
            return
        for key, times in (("Right", across), ("Left", -across), ("Down", down), ("Up", -down)):
            for _ in range(times):
                self.page.keyboard.press(f"Arrow{key}")
        self.page.keyboard.press("Enter")

    @property
    def choosing(self) -> bool:
        """Whether a click of two or more is begun."""
        return any("selected" in name for name in self.names())

    def _choose(self, vertex: str) -> None:
        """Arrows go from choice to choice then; look for this one, or take what there is."""
        focused = "document.activeElement.dataset.vertex"
        for key in ("Right", "Down", "Left", "Up") * 4:
            if self.page.evaluate(focused) == vertex:
                break
            self.page.keyboard.press(f"Arrow{key}")
            if self.page.evaluate(focused) in self.legal:
                break
        self.page.keyboard.press("Enter")


def play_out(screen: Screen, choice: random.Random, touch, most: int = 400) -> int:
    """Play a game to its end by `touch(vertex)`, random among what is legal; how many touches."""
    for touched in range(most):
        before = screen.standing  # of a moment before: a late message may still change the offer
        offered = screen.offered()
        if offered["over"]:
            return touched
        if offered["answers"]:
            answer = choice.randrange(offered["answers"])
            screen.page.locator("#swap .answers button").nth(answer).click()
            screen.page.locator("#swap").wait_for(state="hidden")
            continue
        if offered["legal"]:
            try:
                touch(choice.choice(sorted(offered["legal"])))
            except driver().TimeoutError:
                if not screen.offered()["answers"]:
                    raise
                continue  # the question of a swap came meanwhile
        else:
            screen.page.locator("#status .actions").locator(".primary, .step").first.click()
        screen.until(f"before => ({STANDING})() !== before", before)
        screen.agrees()
    raise AssertionError(f"no end after {most} touches: {screen.position}")
