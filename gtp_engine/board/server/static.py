"""The files of the page, and the headers of every response of the server."""

import gzip
import re
from functools import lru_cache
from pathlib import Path
from typing import cast

from tornado.http1connection import HTTP1Connection
from tornado.web import HTTPError, RequestHandler

from gtp_engine.base.files import CannotRead, read_file
from gtp_engine.engine.page import bundle
from gtp_engine.engine.page.bundle import INDEX, joined
from gtp_engine.engine.pictures.loader import look_text

PAGE = Path(bundle.__file__).parent
LARGEST_FILE = 2**20  # bytes

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
}
"""The content type by the end of a file's name; other files are not served."""

_NAME = re.compile(r"[a-z][a-z0-9_]*\.([a-z]+)")

# The page may not load anything from elsewhere, and cannot turn text into HTML.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "Content-Type": TYPES["html"],
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Guarded(RequestHandler):
    """A response with headers that isolate the page."""

    def set_default_headers(self) -> None:
        """Set the security headers, and reveal nothing about the program."""
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def compute_etag(self) -> None:
        """Disable caching by the browser."""

    def write_error(self, status_code: int, **kwargs: object) -> None:
        """Reveal only the status."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{status_code} {self._reason}\n")


class Refusing(Guarded):
    """The response to a request that the gate refused."""

    def initialize(self, status: int, reason: str) -> None:
        """Store the gate's refusal."""
        self._status, self._sentence = status, reason

    def prepare(self) -> None:
        """Respond at once, for any method."""
        self.set_status(self._status)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Connection", "close")
        self.finish(f"{self._sentence}\n")

    def on_finish(self) -> None:
        """End the connection: no stranger keeps one."""
        cast(HTTP1Connection, self.request.connection).stream.close()


class PageFile(Guarded):
    """A file of the page; the page itself if no name is given.

    A browser asks for three files, into which the others are joined: see page/bundle.py.
    """

    def get(self, name: str) -> None:
        """Respond with the file as it is on the disk now."""
        found = _NAME.fullmatch(name or INDEX)
        if found is None or found[1] not in TYPES:
            raise HTTPError(404)
        self.set_header("Content-Type", TYPES[found[1]])
        self.set_header("Vary", "Accept-Encoding")
        plain, packed = page_files().get(found[0]) or (self._read(found[0]), None)
        if packed and "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            plain = packed
        self.finish(plain)

    def _read(self, name: str) -> bytes:
        try:
            return read_file(PAGE / name, LARGEST_FILE)
        except CannotRead:
            raise HTTPError(404) from None


def page_files() -> dict[str, tuple[bytes, bytes]]:
    """The joined files by their names, plain and packed; made anew when a part has changed."""
    return _joined(tuple(part.stat().st_mtime_ns for part in sorted(PAGE.iterdir())))


@lru_cache(maxsize=1)
def _joined(changed: tuple[int, ...]) -> dict[str, tuple[bytes, bytes]]:
    texts = {name: text.encode() for name, text in joined().items()}
    return {name: (text, gzip.compress(text, mtime=0)) for name, text in texts.items()}


class LookFile(Guarded):
    """The look of boards and pieces, for other programs; the page contains it."""

    def get(self) -> None:
        """Respond with the data."""
        self.set_header("Content-Type", TYPES["json"])
        self.finish(look_text())
