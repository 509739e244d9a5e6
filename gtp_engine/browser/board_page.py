"""The page of the board in the folder of a site: the files that `gtp-board` serves, and few more.

A script brings what carries its messages: the board runs in a worker (site/site.js).
"""

from pathlib import Path

from gtp_engine.base.files import write_file
from gtp_engine.engine.page.bundle import INDEX, joined
from gtp_engine.engine.pictures.loader import look_text

# As board/server/static.py has it, for a host that sets no headers; and for a worker that runs
# WebAssembly.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types worker",
    )
)

_CHARACTERS = '<meta charset="utf-8">\n'
_HEAD = f"""\
{_CHARACTERS}<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<link rel="stylesheet" href="site.css">
<script type="module" src="site.js"></script>
"""

_VEIL = '<p id="veil"'
_LOADING = f"""\
<div id="loading" role="status">
<p>Loading the page&#8230;</p>
<progress max="1" value="0" aria-label="Loading"></progress>
</div>
{_VEIL}"""


def write(folder: Path) -> None:
    """Write the files of the page. Raises OSError."""
    files = joined()
    files[INDEX] = files[INDEX].replace(_CHARACTERS, _HEAD).replace(_VEIL, _LOADING)
    for name, text in files.items():
        write_file(folder / name, text.encode(), durable=False)
    write_file(folder / "look.json", look_text(), durable=False)
