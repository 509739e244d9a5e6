"""A headless Chromium for viewing pages, driven by WebDriver (W3C) over HTTP."""

import json
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
DRIVER = "chromedriver"

# What pages need inside a container, too.
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
_SECONDS_TO_START = 20.0
_KEYS = {"ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Home": "\ue011", "End": "\ue010"}


def chromium() -> str | None:
    """The browser of this machine, or None where it or its driver is missing."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    return found if shutil.which(DRIVER) else None


class Browser:
    """A running browser; use it in a `with`."""

    def __init__(self, binary: str, profile: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._address = f"http://127.0.0.1:{port}"
        self._driver = subprocess.Popen(
            [DRIVER, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        options = {"binary": binary, "args": [*FLAGS, f"--user-data-dir={profile}"]}
        wanted = {"alwaysMatch": {"goog:chromeOptions": options}}
        try:
            self._wait_for_driver()
            session = self._call("POST", "/session", {"capabilities": wanted})["sessionId"]
        except BaseException:
            self._driver.kill()
            raise
        self._session = f"/session/{session}"

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._call("DELETE", self._session)
        finally:
            self._driver.terminate()
            self._driver.wait(10)

    def open(self, page: Path, fragment: str = "") -> None:
        self._call("POST", f"{self._session}/url", {"url": page.as_uri() + fragment})

    def run(self, script: str) -> object:
        """What a script returns."""
        return self._call("POST", f"{self._session}/execute/sync", {"script": script, "args": []})

    def press(self, key: str) -> None:
        """Press and release a key, as a user does."""
        value = _KEYS.get(key, key)
        strokes = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        keyboard = {"type": "key", "id": "keyboard", "actions": strokes}
        self._call("POST", f"{self._session}/actions", {"actions": [keyboard]})

    def click(self, selector: str) -> None:
        """Click in the middle of an element."""
        by = {"using": "css selector", "value": selector}
        found = self._call("POST", f"{self._session}/element", by)
        (element,) = found.values()
        self._call("POST", f"{self._session}/element/{element}/click", {})

    def _wait_for_driver(self) -> None:
        end = time.monotonic() + _SECONDS_TO_START
        while True:
            try:
                if self._call("GET", "/status")["ready"]:
                    return
            except OSError:
                if time.monotonic() > end or self._driver.poll() is not None:
                    raise
            time.sleep(0.05)

    def _call(self, method: str, path: str, body: dict | None = None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data, method=method)
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.load(reply)["value"]
