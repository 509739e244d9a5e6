"""The page in few files: in three for a server, in one for games that it encloses.

A page with games needs no server and loads nothing, and browsers refuse modules from the disk;
from a server each file costs a request. Therefore the modules become one script, each a function
that returns its exports; they may import and export only in the plain forms of this page. Its look
is data in the page itself, so that nothing else is asked for before the board is drawn.

A site without a server has only the joined files (browser/board_page.py).
"""

import gzip
import json
import re
from base64 import b64encode, encodebytes
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from gtp_engine.engine.pictures.loader import look_text

INDEX, SCRIPT, SHEET = "index.html", "page.js", "page.css"
"""The files of the page for a server."""

_MAIN = "main.js"
_LINKS = f"""\
<link rel="stylesheet" href="{SHEET}">
<script type="module" src="{SCRIPT}"></script>
"""

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_OTHER_FORM = re.compile(r"^\s*(?:import|export)\b.*|\bimport\(.*", re.MULTILINE)
_COMMENT = re.compile(r"^\s*(?:/\*(?:(?!\*/)[\s\S])*\*/|//.*)$", re.MULTILINE)
_REMARK = re.compile(r"(?<=[;{]) // [^\"'`\n]*$", re.MULTILINE)  # after code, surely not in a text
_DECLARATION = re.compile(r"(?:^|(?<=[{;]) )([\w-]+): ", re.MULTILINE)  # its blanks mean nothing
_BLANKS = re.compile(r"\s*([;{,>])\s*")  # they mean nothing in a sheet
_OPENED = re.compile(r"^((?:(?!//).)*[{(\[])\n", re.MULTILINE)  # surely not in a remark
_CLOSED = re.compile(r"^((?:(?!//).)*)\n(?=[})\]])", re.MULTILINE)  # the same
_LOADED_SHEET = re.compile(r'<link rel="stylesheet" href="(\w+\.css)">')
_LOADED = re.compile(r'<(?:link rel="stylesheet"|script .*src=).*\n')

# The page may not load anything, and cannot turn text into HTML.
_POLICY = (
    "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data:; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


def joined() -> dict[str, str]:
    """The page for a server: the contents of its three files, as the disk has their parts now."""
    index = _part(INDEX)
    look = json.dumps(json.loads(look_text()), separators=(",", ":")).replace("<", r"\u003c")
    data = f'<script type="application/json" id="look">{look}</script>\n'
    return {
        INDEX: _LOADED.sub("", index).replace("</head>", f"{_LINKS}{data}</head>"),
        SCRIPT: script(),
        SHEET: _sheet(index),
    }


def page_with(title: str, enclosed: Mapping[str, str]) -> str:
    """The page with what it encloses, for `playback.js`: what `packed` has made, by element ids.

    The text is ASCII without empty or long lines, so that a GTP response can contain it unchanged.
    """
    titled = escape(title).encode("ascii", "xmlcharrefreplace").decode()
    parts = (
        f'<script type="text/plain" id="{name}">\n{part}</script>\n'
        for name, part in enclosed.items()
    )
    head, body, end = _frame()
    return f"{head}<title>{titled}</title>{body}{''.join(parts)}{end}"


def packed(value: Any) -> str:
    """A value of JSON as the page unpacks it: compressed, in base64, in short lines."""
    text = json.dumps(value, separators=(",", ":"))
    return encodebytes(gzip.compress(text.encode(), mtime=0)).decode()


@cache
def _frame() -> tuple[str, str, str]:
    """What stands before the title, between it and the enclosed parts, and after them."""
    index = _part(INDEX)
    script, style = bundle(), _sheet(index)
    policy = _POLICY.format(script=_hash(script), style=_hash(style))
    index = _LOADED.sub("", index)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    head, _, body = index.partition("<title>Board</title>")
    body, _, _ = body.replace("</head>", f"<style>{style}</style>\n</head>").partition("</body>")
    return head + meta, body, f'<script type="module">{script}</script>\n</body>\n</html>\n'


@cache
def bundle() -> str:
    """The script, which does not change while the program runs."""
    return script()


def script() -> str:
    """All modules that `main.js` needs as one script. Raises ValueError for what cannot be one."""
    if (made := _joined_before(SCRIPT)) is not None:
        return made
    done: dict[str, str] = {}
    _add(_MAIN, done, ())
    text = "const part = {};\n" + "".join(done.values())
    if re.search(r"</script|<!--", text, re.IGNORECASE) or not text.isascii():
        raise ValueError("the script would end early, or is not ASCII")
    return text


def _sheet(index: str) -> str:
    """All style sheets of the index as one."""
    if (made := _joined_before(SHEET)) is not None:
        return made
    text = "".join(dense(_part(name)) for name in _LOADED_SHEET.findall(index))
    return _BLANKS.sub(r"\1", _DECLARATION.sub(r"\1:", text)).replace(";}", "}")


def _joined_before(name: str) -> str | None:
    """A file that was joined when the package was made; None in a checkout."""
    path = files(__package__).joinpath(name)
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _add(name: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    """Append a module after those that it imports."""
    if name in above:
        raise ValueError(f"{name} imports itself, by way of {above}")
    text = _part(name)
    for _, other in _IMPORT.findall(text):
        if f"{other}.js" not in done:
            _add(f"{other}.js", done, (*above, name))
    exports = [word for _, word in _EXPORT.findall(text)]
    text = _EXPORT.sub(r"\1", _IMPORT.sub(_taken, dense(text)))
    if found := _OTHER_FORM.search(text):
        raise ValueError(f"{name}: {found[0]}")
    if any(line.count("`") % 2 for line in text.splitlines()):
        raise ValueError(f"{name} has a text of several lines")
    text = _CLOSED.sub(r"\1", _OPENED.sub(r"\1", text))
    returned = f"return{{{','.join(exports)}}};"
    done[name] = f"part.{name.removesuffix('.js')} = (() => {{\n{text}{returned}\n}})();\n"


def _taken(imported: re.Match[str]) -> str:
    """An import from a module of the same script."""
    return f"const{''.join(imported[1].split())}=part.{imported[2]};"


def dense(text: str) -> str:
    """A script or a sheet without comments, indentation and empty lines.

    A comment after code stays if it might be a part of a text.
    """
    lines = map(str.strip, _REMARK.sub("", _COMMENT.sub("", text)).split("\n"))
    return "".join(f"{line}\n" for line in lines if line)


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """A Content-Security-Policy's name for the one style or script that it allows."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
