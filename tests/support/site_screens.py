"""The board as a folder of files, in a real browser: as any host serves it, as people use it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from support.screens import LOOK, Screen
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


# Whether the journal that the browser keeps has a word.
KEEPS = """word => new Promise((resolve) => {
    const opened = indexedDB.open("/patchpie");
    opened.onsuccess = () => {
        const files = opened.result.transaction("FILE_DATA").objectStore("FILE_DATA");
        const got = files.get("/patchpie/journal.db");
        got.onsuccess = () => {
            opened.result.close();
            const { contents = new Uint8Array() } = got.result ?? {};
            resolve(new TextDecoder("latin1").decode(contents).includes(word));
        };
    };
})"""

# Has a worker find that the browser never suspends WebAssembly.
WITHOUT = b"delete WebAssembly.Suspending; delete WebAssembly.promising;\n"


class Files(SimpleHTTPRequestHandler):
    """A folder, as any static host gives it."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".wasm": "application/wasm",
        ".mjs": "text/javascript",
    }

    def get_plain(self) -> None:
        """Respond as for a browser that suspends nothing."""
        if not self.path.endswith("/python.mjs"):
            return super().do_GET()
        self.give(WITHOUT + Path(self.translate_path(self.path)).read_bytes())
        return None

    def give(self, script: bytes) -> None:
        """Respond with another script than that of the folder."""
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript")
        self.send_header("Content-Length", str(len(script)))
        self.end_headers()
        self.wfile.write(script)

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

    def __init__(self, context, address: str, loaded: bool = True) -> None:
        """`loaded`: wait until the worker is there."""
        super().__init__(context, address)
        if loaded:
            self.until_loaded()

    def until_loaded(self) -> None:
        """Wait until the worker is there."""
        self.page.locator("#loading").wait_for(state="hidden")

    def _listen(self) -> None:
        self.page.expose_function("heard", self._heard)
        self.page.add_init_script(LISTEN)

    def until_kept(self, word: str) -> None:
        """Wait until the browser keeps a turn with a word."""

        def kept() -> bool:
            self.page.wait_for_timeout(LOOK)
            return self.page.evaluate(KEEPS, word)

        wait_until(kept, "the browser keeps the game")

    @contextmanager
    def next_state(self) -> Iterator[None]:
        before = self.heard.get("state")
        yield
        self.until_told(lambda state: state is not before)

    def until_told(self, holds: Callable[[dict], object]) -> None:
        """Wait until something holds of the newest `state`."""

        def told() -> object:
            self.page.wait_for_timeout(1)  # Playwright calls us only while it waits
            return holds(self.heard["state"])

        wait_until(told, "the board tells nothing of it")
