"""A headless Firefox for tests, driven by WebDriver BiDi (W3C).

Playwright needs commands that Firefox ESR 140 does not have.
"""

import asyncio
import json
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

from tornado.websocket import websocket_connect

FIREFOX = ("firefox-esr", "firefox")
PREFERENCES = {"ui.prefersReducedMotion": 1, "browser.shell.checkDefaultBrowser": False}
SECONDS = 60


def firefox() -> str | None:
    """The browser of this machine, or None."""
    return next(filter(None, map(shutil.which, FIREFOX)), None)


class FirefoxPage:
    """The one page of a running Firefox; what went wrong in it stands in `faults`.

    asked -- the addresses that the page asked for
    """

    def __init__(self, socket) -> None:
        self.socket = socket
        self.numbers = count(1)
        self.faults: list[str] = []
        self.asked: list[str] = []
        self.context = ""

    async def send(self, method: str, **params):
        """The result of a command; events that come before it are kept."""
        number = next(self.numbers)
        command = {"id": number, "method": method, "params": params}
        await self.socket.write_message(json.dumps(command))
        while True:
            answer = json.loads(await asyncio.wait_for(self.socket.read_message(), SECONDS))
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]
            self.heard(answer)

    def heard(self, event: dict) -> None:
        params = event.get("params", {})
        if event.get("method") == "log.entryAdded" and params["level"] in ("error", "warn"):
            self.faults.append(params["text"])
        if event.get("method") == "network.beforeRequestSent":
            self.asked.append(params["request"]["url"])

    async def open(self, address: str) -> None:
        await self.send("session.new", capabilities={})
        tree = await self.send("browsingContext.getTree")
        self.context = tree["contexts"][0]["context"]
        events = ["log.entryAdded", "network.beforeRequestSent"]
        await self.send("session.subscribe", events=events)
        await self.send(
            "browsingContext.navigate", context=self.context, url=address, wait="complete"
        )

    async def run(self, expression: str):
        """What an expression is worth, by way of JSON."""
        result = await self.send(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert result["type"] == "success", result
        text = result["result"].get("value")
        return None if text is None else json.loads(text)

    async def until(self, expression: str):
        """The value of an expression, as soon as it is true."""
        for _ in range(50 * SECONDS):
            if value := await self.run(expression):
                return value
            await asyncio.sleep(0.02)
        raise AssertionError(f"not true in {SECONDS} seconds: {expression}")

    async def click(self, selector: str) -> None:
        """Click in the middle of an element with the mouse."""
        x, y = await self.run(
            f"(({{left, top, width, height}}) => [left + width / 2, top + height / 2])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        move = {"type": "pointerMove", "x": round(x), "y": round(y)}
        mouse = {"type": "pointer", "id": "mouse", "actions": [move, *press]}
        await self.send("input.performActions", context=self.context, actions=[mouse])


@asynccontextmanager
async def firefox_page(program: str, profile: Path, address: str) -> AsyncIterator[FirefoxPage]:
    """A page in a Firefox of its own, which ends with the block."""
    lines = [
        f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in PREFERENCES.items()
    ]
    (profile / "user.js").write_text("\n".join(lines))
    options = ["--headless", "--remote-debugging-port=0", "--profile", str(profile)]
    process = await asyncio.create_subprocess_exec(
        program, *options, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    try:
        page = FirefoxPage(await websocket_connect(await listening(process.stderr)))
        drained = asyncio.ensure_future(process.stderr.read())
        await page.open(address)
        yield page
        page.socket.close()
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), SECONDS)
    await drained


async def listening(stderr: asyncio.StreamReader) -> str:
    """Where Firefox listens, by what it says."""
    while line := await asyncio.wait_for(stderr.readline(), 3 * SECONDS):
        if found := re.search(r"WebDriver BiDi listening on (ws:\S+)", line.decode()):
            return f"{found[1]}/session"
    raise AssertionError("Firefox has ended")
