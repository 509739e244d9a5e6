"""The page of the board in the folder of a site: the one that `gtp-board` serves, with other seams."""

from pathlib import Path

from gtp_engine.base.files import write_file
from gtp_engine.engine.page.bundle import INDEX, SHEET, dense, joined
from gtp_engine.engine.pictures.loader import look_text

_SITE = Path(__file__).parent / "site"
_CARRIER = "carrier.js"

# As board/server/static.py has it, for a host that sets no headers. The page starts a worker; what
# WebAssembly may do there, the browsers ask the page, too.
POLICY = "; ".join(
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

_HEAD = f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'

_LOADING = """\
<div id="loading" role="status"><p>Loading the page&#8230;</p><progress max="1" value="0"></progress></div>
<p id="veil\""""


def write(folder: Path) -> None:
    """Write the files of the page. Raises OSError."""
    files = joined({_CARRIER: (_SITE / _CARRIER).read_text(encoding="utf-8")})
    index = files[INDEX].replace('<meta charset="utf-8">\n', _HEAD)
    files[INDEX] = index.replace('<p id="veil"', _LOADING)
    files[SHEET] += dense((_SITE / "site.css").read_text(encoding="utf-8"))
    for name, text in files.items():
        write_file(folder / name, text.encode(), durable=False)
    write_file(folder / "look.json", look_text(), durable=False)
