"""The board as a folder of files, in a real browser: as any host serves it, as people use it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from support.screens import Screen
from support.waiting import wait_until

# The messages of the board to the page, as a test hears them.
LISTEN = """
globalThis.Worker = class extends Worker {
    constructor(...given) {
        super(...given);
        this.addEventListener("message", ({ data }) => typeof data === "string" && heard(data));
    }
};
"""


class Files(SimpleHTTPRequestHandler):
    """A folder, as any static host gives it."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".wasm": "application/wasm",
        ".mjs": "text/javascript",
    }

    def log_message(self, *words: object) -> None:
        """Log nothing."""


@contextmanager
def serving(folder: Path, handler: type[Files] = Files) -> Iterator[str]:
    """A folder that is served; its address, without a slash at the end."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class SiteScreen(Screen):
    """A page whose board runs in a worker of it."""

    def _listen(self) -> None:
        self.states = 0
        self.page.expose_function("heard", self._heard)
        self.page.add_init_script(LISTEN)

    def _heard(self, text) -> None:
        super()._heard(text)
        self.states += '"kind":"state"' in text[:20]

    @contextmanager
    def next_state(self) -> Iterator[None]:
        before = self.states
        yield

        def came() -> bool:
            self.page.wait_for_timeout(1)  # Playwright calls us only while it waits
            return self.states > before

        wait_until(came, "no state came")
