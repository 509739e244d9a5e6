"""WebKit for tests, which Safari has: Debian's webkit2gtk-driver, driven by WebDriver (W3C).

It has no mode without windows: they are on a screen of Xvfb, which nobody sees.
"""

import json
import os
import re
import shutil
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from glob import glob
from pathlib import Path

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPClientError

from support.other_page import OtherBrowser, OtherPage
from support.starting import running
from support.waiting import PATIENCE, wait_until

BROWSERS = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"
RESOURCES = "performance.getEntriesByType('resource').map(({ name }) => name)"
WINDOW = {"width": 1366, "height": 800}
COMPLAINT = re.compile(r"^CONSOLE \S+ (?:ERROR|WARN).*$", re.MULTILINE)


class WebKit(OtherBrowser):
    """A running driver, which shows one page at a time.

    where -- its address
    said  -- the file with what it and its pages said
    """

    def __init__(self, where: str, said: Path) -> None:
        self.where, self.said = where, said

    async def ask(self, method: str, path: str, **body):
        """The answer to a command of WebDriver."""
        sent = None if method in ("GET", "DELETE") else json.dumps(body)
        try:
            answer = await AsyncHTTPClient().fetch(
                self.where + path, method=method, body=sent, request_timeout=PATIENCE
            )
        except HTTPClientError as error:
            said = error.response.body.decode() if error.response else str(error)
            raise AssertionError(said) from None
        return json.loads(answer.body)["value"]

    @asynccontextmanager
    async def page(self, address: str) -> AsyncIterator["WebKitPage"]:
        arguments = ["--automation", "--enable-write-console-messages-to-stdout=TRUE"]
        wanted = {"binary": glob(BROWSERS)[0], "args": arguments}
        always = {"alwaysMatch": {"webkitgtk:browserOptions": wanted}}
        session = await self.ask("POST", "/session", capabilities=always)
        page = WebKitPage(self, session["sessionId"])
        try:
            await page.send("POST", "/window/rect", **WINDOW)
            await page.send("POST", "/url", url=address)
            yield page
            page.asked = await page.run(RESOURCES)
        finally:
            await page.send("DELETE", "")


class WebKitPage(OtherPage):
    """A page in a session of its own."""

    def __init__(self, driver: WebKit, session: str) -> None:
        self._driver, self._session = driver, f"/session/{session}"
        self._begins = driver.said.stat().st_size

    async def send(self, method: str, path: str, **body):
        """The answer to a command in the session of this page."""
        return await self._driver.ask(method, self._session + path, **body)

    async def run(self, expression: str):
        script = f"return JSON.stringify({expression}) ?? null"
        text = await self.send("POST", "/execute/sync", script=script, args=[])
        return None if text is None else json.loads(text)

    async def press(self, x: int, y: int) -> None:
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        move = {"type": "pointerMove", "x": x, "y": y}
        mouse = {"type": "pointer", "id": "mouse", "actions": [move, *press]}
        await self.send("POST", "/actions", actions=[mouse])

    @property
    def faults(self) -> list[str]:
        return COMPLAINT.findall(self._driver.said.read_text()[self._begins :])


@contextmanager
def running_webkit(folder: Path) -> Iterator[WebKit]:
    """A driver on a screen of its own; its files stand in a folder. Skips where there is none."""
    programs = [shutil.which("WebKitWebDriver"), shutil.which("Xvfb"), *glob(BROWSERS)]
    if None in programs or len(programs) < 3:
        pytest.skip("only .ci/site has WebKit")
    driver, screen, _ = programs
    said, number = folder / "said", folder / "display"
    shows = [screen, "-displayfd", "1", "-screen", "0", "1600x1200x24"]
    with (
        open(said, "wb") as log,
        open(number, "wb") as display,
        running(shows, stdout=display, stderr=log),
    ):
        shown = wait_until(lambda: number.read_text().strip(), "Xvfb")
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        environment = os.environ | {"DISPLAY": f":{shown}", "XDG_CACHE_HOME": str(folder)}
        words = [driver, f"--port={port}"]
        with running(words, stdout=log, stderr=log, env=environment) as process:
            wait_until(lambda: listens(port) or process.poll() is not None, "WebKit's driver")
            yield WebKit(f"http://127.0.0.1:{port}", said)
            process.terminate()
            process.wait(PATIENCE)


def listens(port: int) -> bool:
    """Whether somebody listens at a port of this machine."""
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0
