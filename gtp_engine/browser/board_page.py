"""The page of the board in the folder of a site: the files that `gtp-board` serves, and few more.

A script brings what carries its messages: the board runs in a worker (site/site.js). A browser can
keep all of it, and open it like a program of its own.
"""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from gtp_engine.base.files import write_file
from gtp_engine.browser import fetch_python
from gtp_engine.engine.page.bundle import INDEX, SCRIPT, SHEET, joined
from gtp_engine.engine.pictures.svg import png
from gtp_engine.rules import games

SCRIPTS = ("board-worker.js", "python.mjs", "kernel.mjs", "site.js", "site.css")
"""The files of `site/` that the page and its worker load."""

OFFLINE = "offline.js"
"""The service worker, which names all files of its version: the last one to be there."""

_SITE = Path(__file__).parent / "site"
_SIZES = (192, 512)  # pixels of the icons; phones want them so
_MANIFEST, _FIRST = "board.webmanifest", "first.json"
_ICON = re.compile(r'<link rel="icon" href="data:image/svg\+xml,([^"]+)">')

# As board/server/static.py has it, for a host that sets no headers; and for a worker that runs
# WebAssembly.
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types worker",
    )
)

_CHARACTERS = '<meta charset="utf-8">\n'
_HEAD = f"""\
{_CHARACTERS}<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<link rel="stylesheet" href="site.css">
<link rel="manifest" href="{_MANIFEST}">
<link rel="apple-touch-icon" href="icon-{_SIZES[0]}.png">
<script type="module" src="site.js"></script>
"""

_VEIL = '<p id="veil"'
_LOADING = f"""\
<div id="loading" role="status">
<p>Loading the page&#8230;</p>
<progress max="1" value="0" aria-label="Loading"></progress>
</div>
{_VEIL}"""


def write(folder: Path, first_messages: Sequence[str]) -> None:
    """Write the files of the page; `first_messages`: see make_site. Raises OSError."""
    files = joined()
    page = files[INDEX]
    files[INDEX] = page.replace(_CHARACTERS, _HEAD).replace(_VEIL, _LOADING)
    files[_MANIFEST] = json.dumps(_manifest(), indent=1) + "\n"
    files[_FIRST] = json.dumps(first_messages) + "\n"
    for name, text in files.items():
        write_file(folder / name, text.encode(), durable=False)
    (icon,) = _ICON.findall(page)
    for size in _SIZES:
        write_file(folder / f"icon-{size}.png", png(unquote(icon), size), durable=False)


def _names() -> list[str]:
    """The files of a made folder that the board needs, by their names."""
    own = [INDEX, SCRIPT, SHEET, _MANIFEST, _FIRST]
    own += [*SCRIPTS, "kernel.wasm", "python.zip"]
    icons = [f"icon-{size}.png" for size in _SIZES]
    return [*own, *icons, *(f"pyodide/{name}" for name in fetch_python.FILES)]


def write_offline(folder: Path) -> None:
    """Write the service worker, which keeps the files of the board. Last of all. Raises OSError."""
    kept, whole = {}, hashlib.sha256()
    for name in sorted(_names()):
        digest = hashlib.sha256((folder / name).read_bytes()).digest()
        whole.update(name.encode() + b"\0" + digest)
        # Some hosts redirect index.html to the folder, and a kept redirect opens no page.
        kept["./" if name == INDEX else name] = f"sha256-{base64.b64encode(digest).decode()}"
    text = (_SITE / OFFLINE).read_text(encoding="utf-8")
    text = text.replace('VERSION = ""', f'VERSION = "{whole.hexdigest()[:16]}"')
    text = text.replace("FILES = {}", f"FILES = {json.dumps(kept)}")
    write_file(folder / OFFLINE, text.encode(), durable=False)


def _manifest() -> dict[str, object]:
    """How the board is installed like a program; see the Web Application Manifest of W3C."""
    return {
        "name": "Patchpie",
        "short_name": "Patchpie",
        "description": f"{', '.join(game.title for game in games())}: learn, play and study",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f6f3ed",
        "theme_color": "#f6f3ed",
        "icons": [
            {
                "src": f"icon-{size}.png",
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": "any",
            }
            for size in _SIZES
        ],
    }
