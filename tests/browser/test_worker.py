"""The engine in a worker of a page, in three browsers, also where nothing is suspended."""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from support import screens
from support.site_screens import Files, serving
from support.thorough import thorough
from support.tools import node
from support.waiting import PATIENCE

pytestmark = thorough

CONTROLLER = Path(__file__).with_name("controller.mjs")
WORKER = Path(__file__).parents[2] / "gtp_engine" / "browser" / "site" / "gtp-worker.js"

PLAIN = "/plain"


class Handler(Files):
    """Below PLAIN it is for browsers that suspend nothing."""

    def translate_path(self, path: str) -> str:
        if path.endswith("/controller.mjs"):
            return str(CONTROLLER)
        return super().translate_path(path.removeprefix(PLAIN))

    def do_GET(self) -> None:  # noqa: N802
        if self.path.startswith(PLAIN):
            return self.get_plain()
        return super().do_GET()


@pytest.fixture(scope="module")
def address(site):
    """Where the folder is served."""
    with serving(site, Handler) as where:
        yield where


Run = Callable[[str, str], object]
"""Runs the body of an asynchronous function in a page at an address, and gives its result."""


@pytest.fixture(scope="module")
def run(request) -> Run:
    """Runs in a browser, by its name."""
    if request.param == "chromium":
        browsers = request.getfixturevalue("browsers")  # shown in calls only: others come between
        with browsers.shown() as chromium:
            page = chromium.new_page()
            page.set_default_timeout(screens.SECONDS * PATIENCE)

        def in_chromium(address: str, body: str) -> object:
            with browsers.shown():
                page.goto(address)
                return page.evaluate(f"async () => {{ {body} }}")

        yield in_chromium
        with browsers.shown():
            page.close()
    else:
        browser = request.getfixturevalue(request.param)

        async def in_other(address: str, body: str) -> object:
            async with browser.page(address) as page:
                return await page.result(body)

        yield lambda address, body: asyncio.run(in_other(address, body))


BEGIN = """
const { Controller } = await import(new URL("controller.mjs", location));
const engine = new Controller(new URL("gtp-worker.js?OPTIONS", location));
const ask = async (line) => (await engine.sendCommand(line)).content;
"""


def script(body: str, options: str = "game=robble&size=5&seed=1&visits=50") -> str:
    return BEGIN.replace("OPTIONS", options) + body


@pytest.fixture
def page(request, address):
    """The address of a page."""
    return f"{address}{request.param}/gtp.html"


# A browser, where it finds the page, and whether the worker beside it suspends WebAssembly.
WAYS = [
    ("chromium", "", True),
    ("chromium", PLAIN, False),
    ("firefox", "", True),
    ("firefox", PLAIN, False),
    ("webkit", "", False),
]


@pytest.mark.parametrize("run, page, suspends", WAYS, indirect=["run", "page"])
def test_it_talks_and_analyzes_and_hears(run, page, suspends):
    found = run(
        page,
        script("""
        const early = ask("name");
        const { suspends } = await engine.ready;
        const turn = await ask("genmove b");
        let lines = 0, last;
        const analysis = engine.sendCommand("kata-analyze 5", (piece) => {
            lines += piece.startsWith("info");
            if (lines === 3 && !last) last = ask("protocol_version");
        });
        const { content } = await analysis;
        const { error, content: why } = await engine.sendCommand("loadsgf game.sgf");
        return { name: await early, suspends, turn, lines, error, why,
            head: content.slice(0, 6), last: await last,
            report: JSON.parse(await ask("game-record_report")).reason,
            record: await ask("printsgf") };
    """),
    )
    assert isinstance(found, dict), found
    assert found["name"] == "Patchpie" and found["last"] == "2" and found["turn"]
    assert found["suspends"] is suspends
    assert found["lines"] >= 3 and found["head"] == "\ninfo "
    assert found["error"] and found["why"] == "cannot load file"
    assert "a web page has no files" in found["report"]
    assert found["record"].startswith("(;")


# In place of python.mjs: turns are done when a test does them, and an analysis never ends.
TURNS = """
export const MEMORY_MB = 32, SUSPENDS = false, planned = [];
export class Rounds {
    next(turn) { planned.push(turn); }
}
export const startKernel = async () => null;
const program = { turn: () => false, analyzes: true };
const module = { begun: () => program };
export const startPython = async () => ({ toPy: (given) => given, pyimport: () => module });
"""
MESSAGES = """
globalThis.self = { location: { href: "file:///gtp-worker.js" } };
Object.assign(globalThis, { onmessage: null, postMessage: () => {} });
const { planned } = await import("./python.mjs");
await import("./gtp-worker.mjs");
const counts = [planned.length];
for (let n = 0; n < 5; n++) {
    onmessage({ data: "kata-analyze 20" });
    onmessage({ data: "name" });
    counts.push(planned.length);
    planned.shift()();
    counts.push(planned.length);
}
console.log(JSON.stringify(counts));
"""


def test_where_nothing_is_suspended_messages_share_one_chain_of_turns(tmp_path):
    """Else each one makes the next one wait longer."""
    shutil.copy(WORKER, tmp_path / "gtp-worker.mjs")
    (tmp_path / "python.mjs").write_text(TURNS)
    (tmp_path / "messages.mjs").write_text(MESSAGES)
    command = [node(), "messages.mjs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert json.loads(done.stdout or "null") == [1] * 11, done.stderr


@pytest.mark.parametrize("run, page", [way[:2] for way in WAYS], indirect=True)
def test_it_ends_by_quit_and_by_a_wrong_option(run, page):
    ended = """
        const over = () => engine.told.find((each) => "exit" in each);
        while (!over()) await new Promise((resolve) => setTimeout(resolve, 20));
        return engine.told;
    """
    told = run(page, script(f'await ask("quit"); {ended}'))
    assert told[-1] == {"exit": 0}
    told = run(page, script(ended, "gaem=robble"))
    assert told[-1] == {"exit": 2}
    assert any("did you mean --game" in each.get("log", "") for each in told)


@pytest.mark.parametrize("run", ["chromium", "firefox"], indirect=True)  # they suspend
def test_searches_are_interrupted(run, address):
    found = run(
        f"{address}/gtp.html",
        script(
            """
        await engine.ready;
        const turn = ask("genmove b");
        await ask("# interrupt\\n1 name");
        await ask("boardsize 5");
        const solved = engine.sendCommand("game-solve");
        const after = ask("# interrupt\\n2 name");
        return [await turn, (await solved).content, await after];
    """.replace('await ask("# interrupt\\\\n1 name")', 'engine.worker.postMessage("# interrupt")'),
            "game=robble&size=7&seconds=1000",
        ),
    )
    assert isinstance(found, list), found
    turn, solved, after = found
    assert turn and "positions" in solved and after == "Patchpie"


def test_the_example_page_is_a_console(site, address, chromium):
    lines = (site / "gtp.html").read_text().splitlines()
    assert len(lines) < 60
    with chromium.new_page() as page:
        page.set_default_timeout(screens.SECONDS * PATIENCE)
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}/gtp.html?game=robble&size=4")
        log = page.locator("#log")
        log.get_by_text("ready").wait_for()
        loaded = len(asked)
        page.fill("#line", "1 name")
        page.press("#line", "Enter")
        page.locator("#log", has_text="=1 Patchpie").wait_for()
        page.fill("#line", "genmove b")
        page.click("text=Send")
        page.locator("#log", has_text=re.compile(r"genmove b\s+= [A-D]")).wait_for()
        assert faults == []
        assert len(asked) == loaded, "nothing is requested after loading"
        assert all(each.startswith(address) for each in asked), json.dumps(asked)
