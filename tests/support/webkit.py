"""WebKit for tests, which Safari has: Debian's webkit2gtk-driver, driven by WebDriver (W3C).

It has no mode without windows: they are on a screen of Xvfb, which nobody sees.
"""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from glob import glob
from pathlib import Path

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPClientError

from support.other_page import OtherBrowser, OtherPage
from support.starting import free_port, running
from support.waiting import PATIENCE, wait_until

BROWSERS = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"
RESOURCES = "performance.getEntriesByType('resource').map(({ name }) => name)"
SILENT = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
WINDOW = {"width": 1366, "height": 800}

# Keeps in `faults` what goes wrong from now on.
LISTEN = """(() => {
    window.faults = [];
    const keep = (fault) => faults.push(String(fault));
    addEventListener("error", ({ message }) => keep(message));
    addEventListener("unhandledrejection", ({ reason }) => keep(reason));
    for (const kind of ["error", "warn"]) console[kind] = (...words) => keep(words.join(" "));
})()"""


class WebKit(OtherBrowser):
    """A running driver, which shows one page at a time.

    where -- its address
    """

    def __init__(self, where: str) -> None:
        self._where = where

    async def ask(self, method: str, path: str, **body):
        """The answer to a command of WebDriver."""
        sent = None if method in ("GET", "DELETE") else json.dumps(body)
        try:
            answer = await AsyncHTTPClient().fetch(
                self._where + path, method=method, body=sent, request_timeout=PATIENCE
            )
        except HTTPClientError as error:
            said = error.response.body.decode() if error.response else str(error)
            raise AssertionError(said) from None
        return json.loads(answer.body)["value"]

    @asynccontextmanager
    async def page(self, address: str) -> AsyncIterator["WebKitPage"]:
        wanted = {"binary": glob(BROWSERS)[0], "args": ["--automation"]}
        always = {"alwaysMatch": {"webkitgtk:browserOptions": wanted}}
        session = await self.ask("POST", "/session", capabilities=always)
        page = WebKitPage(self, session["sessionId"])
        try:
            await page.send("POST", "/window/rect", **WINDOW)
            await page.send("POST", "/url", url=address)
            await page.run(LISTEN)
            yield page
            page.asked = await page.run(RESOURCES)
            page.faults = await page.run("window.faults ?? []")
        finally:
            await page.send("DELETE", "")


class WebKitPage(OtherPage):
    """A page in a session of its own. What goes wrong while it is loaded is not known."""

    def __init__(self, driver: WebKit, session: str) -> None:
        self._driver, self._session = driver, f"/session/{session}"

    async def send(self, method: str, path: str, **body):
        """The answer to a command in the session of this page."""
        return await self._driver.ask(method, self._session + path, **body)

    async def run(self, expression: str):
        script = f"return JSON.stringify({expression}) ?? null"
        text = await self.send("POST", "/execute/sync", script=script, args=[])
        return None if text is None else json.loads(text)

    async def perform(self, source: dict) -> None:
        await self.send("POST", "/actions", actions=[source])


@contextmanager
def running_webkit(folder: Path) -> Iterator[WebKit]:
    """A driver on a screen of its own; its files stand in a folder. Skips where there is none."""
    programs = [shutil.which("WebKitWebDriver"), shutil.which("Xvfb"), *glob(BROWSERS)]
    if None in programs or len(programs) < 3:
        pytest.skip("only .ci/site has WebKit")
    driver, screen, _ = programs
    number = folder / "display"
    shows = [screen, "-displayfd", "1", "-screen", "0", "1600x1200x24"]
    with (
        open(number, "wb") as display,
        running(shows, stdout=display, stderr=subprocess.DEVNULL),
    ):
        shown = wait_until(lambda: number.read_text().strip(), "Xvfb")
        port = free_port()
        environment = os.environ | {"DISPLAY": f":{shown}", "XDG_CACHE_HOME": str(folder)}
        words = [driver, f"--port={port}"]
        with running(words, **SILENT, env=environment) as process:
            wait_until(lambda: listens(port) or process.poll() is not None, "WebKit's driver")
            assert process.poll() is None, "WebKit's driver has ended"
            yield WebKit(f"http://127.0.0.1:{port}")
            process.terminate()
            process.wait(PATIENCE)


def listens(port: int) -> bool:
    """Whether somebody listens at a port of this machine."""
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0
