"""Python as WebAssembly: the package `pyodide` of npm, in one version, with its digest checked."""

import base64
import hashlib
import tarfile
from collections.abc import Callable
from pathlib import Path

from gtp_engine.base.files import write_file
from gtp_engine.browser.making import CannotMake, run

VERSION = "314.0.7"
"""Of Pyodide. It brings Python 3.14."""

_SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="

LIBRARY = "python_stdlib.zip"
"""The file with Python's own library."""

PACKAGES = "pyodide-lock.json"
"""The file that lists the packages that could be loaded from elsewhere."""

FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    LIBRARY,
    PACKAGES,
)
"""What a page or a program loads of it."""


def fetched(cache: Path, tell: Callable[[str], None]) -> Path:
    """The folder with the files: in the cache, or else fetched by npm. Raises CannotMake."""
    folder = cache / f"pyodide-{VERSION}"
    if all((folder / name).is_file() for name in FILES):
        return folder
    tell(f"fetching Pyodide {VERSION} with npm, 14 MB")
    folder.mkdir(parents=True, exist_ok=True)
    words = ["pack", "--loglevel=error", f"pyodide@{VERSION}", "--pack-destination", str(folder)]
    run(["npm", *words], "Pyodide was not fetched", "Node with npm")
    archive = folder / f"pyodide-{VERSION}.tgz"
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if digest != _SHA512:
        archive.unlink()
        raise CannotMake(
            f"Pyodide was not fetched: {archive.name} has another digest than {VERSION}"
        )
    with tarfile.open(archive) as packed:
        for name in FILES:
            found = packed.extractfile(f"package/{name}")
            assert found is not None
            write_file(folder / name, found.read(), durable=False)
    archive.unlink()
    return folder
