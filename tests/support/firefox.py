"""A headless Firefox for tests, driven by WebDriver BiDi (W3C).

Playwright needs commands that Firefox ESR 140 does not have.
"""

import json
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path

import pytest
from tornado.websocket import websocket_connect

from support.other_page import OtherBrowser, OtherPage
from support.starting import running
from support.waiting import PATIENCE, wait_until, waiting_for

FIREFOX = ("firefox-esr", "firefox")
PREFERENCES = {"ui.prefersReducedMotion": 1, "browser.shell.checkDefaultBrowser": False}


class FirefoxPage(OtherPage):
    """The one page of a session."""

    def __init__(self, socket) -> None:
        self.socket = socket
        self.numbers = count(1)
        self.asked, self.faults = [], []
        self.context = ""

    async def send(self, method: str, **params):
        """The result of a command; events that come before it are kept."""
        number = next(self.numbers)
        command = {"id": number, "method": method, "params": params}
        await self.socket.write_message(json.dumps(command))
        async with waiting_for(f"Firefox's answer to {method}"):
            while (answer := json.loads(await self.socket.read_message())).get("id") != number:
                self.heard(answer)
        assert answer["type"] == "success", answer
        return answer["result"]

    def heard(self, event: dict) -> None:
        params = event.get("params", {})
        if event.get("method") == "log.entryAdded" and params["level"] in ("error", "warn"):
            self.faults.append(params["text"])
        if event.get("method") == "network.beforeRequestSent":
            self.asked.append(params["request"]["url"])

    async def open(self, address: str) -> None:
        self.user = await self.send("browser.createUserContext")
        tab = await self.send("browsingContext.create", type="tab", **self.user)
        self.context = tab["context"]
        events = ["log.entryAdded", "network.beforeRequestSent"]
        await self.send("session.subscribe", events=events)
        await self.send(
            "browsingContext.navigate", context=self.context, url=address, wait="complete"
        )

    async def run(self, expression: str):
        result = await self.send(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert result["type"] == "success", result
        text = result["result"].get("value")
        return None if text is None else json.loads(text)

    async def perform(self, source: dict) -> None:
        await self.send("input.performActions", context=self.context, actions=[source])


class Firefox(OtherBrowser):
    """A Firefox that listens at an address."""

    def __init__(self, where: str) -> None:
        self._where = where

    @asynccontextmanager
    async def page(self, address: str) -> AsyncIterator[FirefoxPage]:
        page = FirefoxPage(await websocket_connect(self._where))
        await page.send("session.new", capabilities={})
        try:
            await page.open(address)
            yield page
            await page.send("browser.removeUserContext", **page.user)
        finally:
            await page.send("session.end")
            page.socket.close()


@contextmanager
def running_firefox(profile: Path) -> Iterator[Firefox]:
    """A Firefox with a new profile in a folder. Skips where there is none."""
    program = next(filter(None, map(shutil.which, FIREFOX)), None)
    if program is None:
        pytest.skip("there is no Firefox here")
    lines = [
        f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in PREFERENCES.items()
    ]
    (profile / "user.js").write_text("\n".join(lines))
    said = profile / "said"
    options = ["--headless", "--remote-debugging-port=0", "--profile", str(profile)]
    with (
        open(said, "wb") as log,
        running([program, *options], stdout=subprocess.DEVNULL, stderr=log) as process,
    ):
        listens = re.compile(r"WebDriver BiDi listening on (ws:\S+)")
        found = wait_until(
            lambda: listens.search(said.read_text()) or process.poll() is not None and "ended",
            "Firefox",
        )
        assert found != "ended", said.read_text()
        yield Firefox(f"{found[1]}/session")
        process.terminate()
        process.wait(PATIENCE)
