"""The folders that `make-site` makes: a static site, and a package for npm.

Both hold the kernel, Python, and this package as bytecode. The site has them in few files, which a
page loads; the package has them as a program under Node reads them.
"""

import errno
import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from gtp_engine import __version__
from gtp_engine.base.files import write_file
from gtp_engine.browser import board_page, compile_kernel, fetch_python, python_files
from gtp_engine.browser.making import alone_in
from gtp_engine.rules import games

_SITE = Path(__file__).parent / "site"
_ROOT = Path(__file__).parent.parent.parent
_EARLIEST = (1980, 1, 1, 0, 0, 0)

_OF_THE_PAGE = (
    "gtp.html",
    "gtp-worker.js",
    *board_page.SCRIPTS,
)
_OF_THE_PROGRAM = ("gtp.mjs", "kernel.mjs")
_PYTHON = "python"  # the package for npm has a folder of this name

_PARTS = f"""\
The parts of this folder and their licences:

- Patchpie {__version__}, in kernel.wasm, python and the files beside this folder: MIT, patchpie.txt
- Pyodide {fetch_python.VERSION}, in pyodide: Mozilla Public License 2.0,
  https://www.mozilla.org/MPL/2.0/; its sources are at https://github.com/pyodide/pyodide
- Python 3.14, in pyodide: PSF License 2, https://docs.python.org/3/license.html
- the C++ library of LLVM, in kernel.wasm: Apache License 2.0 with LLVM exceptions,
  https://llvm.org/LICENSE.txt
- the C library of WASI, in kernel.wasm: Apache License 2.0 with LLVM exceptions, and MIT for musl,
  https://github.com/WebAssembly/wasi-libc
- loguru and sgfmill, in python: MIT, https://github.com/Delgan/loguru and
  https://github.com/mattheww/sgfmill
- pyparsing and webencodings, in python: MIT and BSD; their texts are beside this one
"""


def make(
    folder: Path,
    npm: bool,
    cache: Path,
    tell: Callable[[str], None],
    first_messages: Callable[[], Sequence[str]],
) -> None:
    """Make the folder, which may exist; what else is in it stays. Raises CannotMake and OSError.

    Until all is made the folder is as it was.

    npm   -- whether to make the package for npm instead of the site
    cache -- a folder for what the next time need not be made again
    tell  -- gets a sentence for each part that takes long

    first_messages -- makes those of the board to its page, which shows them while it loads; see
                      cli/first_state.py. What it raises ends the making.
    """
    with alone_in(cache, tell):
        pyodide = fetch_python.fetched(cache, tell)
        kernel = compile_kernel.compiled(cache, tell)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".make-site-", dir=_place_for(folder)) as place:
        made = Path(place) / "made"
        made.mkdir()
        _fill(made, npm, pyodide, kernel, tell, first_messages)
        _move(made, folder)


def _place_for(folder: Path) -> Path:
    """Where files can be made that are moved to a folder: beside it, or else in it."""
    beside = folder.resolve().parent
    one_system = beside.stat().st_dev == folder.stat().st_dev
    return beside if one_system and os.access(beside, os.W_OK) else folder


def _move(made: Path, folder: Path) -> None:
    """Move all that was made; what was there before under the same names is gone then.

    The service worker comes last: whoever finds it finds the files that it names.
    """
    package = made / _PYTHON
    files = [path for path in made.rglob("*") if path.is_file() and package not in path.parents]
    targets = {path: folder / path.relative_to(made) for path in files}
    for target in targets.values():
        target.parent.mkdir(exist_ok=True)
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if package.is_dir():  # as a whole: no module of another version stays in it
        if (target := folder / _PYTHON).exists():
            shutil.move(target, made.parent / "before")  # some file systems rename no folder
        package.replace(target)
    for path in sorted(files, key=lambda path: (path.name == board_page.OFFLINE, path)):
        path.replace(targets[path])


def _fill(
    folder: Path,
    npm: bool,
    pyodide: Path,
    kernel: Path,
    tell: Callable[[str], None],
    first_messages: Callable[[], Sequence[str]],
) -> None:
    """Make all files in an empty folder; see make.

    pyodide, kernel -- the folder and the file from which they are copied
    """
    for name in _OF_THE_PROGRAM if npm else _OF_THE_PAGE:
        shutil.copyfile(_SITE / name, folder / name)
    shutil.copyfile(kernel, folder / "kernel.wasm")
    _copy(((name, pyodide / name) for name in fetch_python.FILES), folder / "pyodide")
    _empty_packages(folder / "pyodide" / fetch_python.PACKAGES)
    _write_licences(folder / "licences")
    tell("compiling the package to bytecode")
    with tempfile.TemporaryDirectory() as place:
        package, library = Path(place) / "python", Path(place) / "library"
        _copy(_sources(npm), package)
        _name_kernel(kernel, package)
        python_files.library_files(pyodide / fetch_python.LIBRARY, library)
        python_files.compile_files(pyodide, package, library)
        _pack(library, folder / "pyodide" / fetch_python.LIBRARY)
        if npm:
            shutil.move(package, folder / _PYTHON)
        else:
            _pack(package, folder / "python.zip")
    if not npm:
        board_page.write(folder, first_messages())
        board_page.write_offline(folder)
    else:
        snapshot = folder / "python.snapshot"
        python_files.take_snapshot(folder / "pyodide", folder / _PYTHON, snapshot)
        described = json.dumps(_package(), indent=2) + "\n"
        write_file(folder / "package.json", described.encode(), durable=False)
        shutil.copyfile(_SITE / "README.md", folder / "README.md")
        (folder / "gtp.mjs").chmod(0o755)


def _name_kernel(kernel: Path, package: Path) -> None:
    """Put the digest of the kernel into the package, so that the word for its build covers it."""
    digest = hashlib.sha256(kernel.read_bytes()).hexdigest()
    named = package / "gtp_engine" / "browser" / "kernel.sha256"
    write_file(named, f"{digest}\n".encode(), durable=False)


def _empty_packages(file: Path) -> None:
    """Remove the packages from Pyodide's list: nothing is loaded from elsewhere."""
    listed = json.loads(file.read_bytes())
    listed["packages"] = {}
    write_file(file, json.dumps(listed).encode(), durable=False)


def _write_licences(folder: Path) -> None:
    _copy(python_files.licences(), folder)
    shutil.copyfile(_ROOT / "LICENSE", folder / "patchpie.txt")
    write_file(folder / "README", _PARTS.encode(), durable=False)


def _package() -> dict[str, object]:
    """What npm wants to know of the package."""
    titles = [game.title for game in games()]
    return {
        "name": "patchpie",
        "version": __version__,
        "description": f"A GTP engine that plays {', '.join(titles)}, without an installation",
        "license": "MIT AND MPL-2.0 AND PSF-2.0 AND Apache-2.0 WITH LLVM-exception",
        "type": "module",
        "bin": {"patchpie": "gtp.mjs"},
        "engines": {"node": ">=20"},
        "keywords": ["GTP", "Go Text Protocol", *titles],
    }


def _sources(npm: bool) -> Iterator[tuple[str, Path]]:
    yield from python_files.package_files(python_files.OF_THE_BOARD if npm else python_files.JOINED)
    yield from python_files.dependency_files()


def _copy(files: Iterator[tuple[str, Path]], folder: Path) -> None:
    """Copy files into a folder, under new names."""
    folder.mkdir(exist_ok=True)
    for name, path in files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def _pack(folder: Path, archive: Path) -> None:
    """Pack a folder, so that the same files give the same archive.

    It is not compressed: the host does that when it sends it, and gets it smaller as a whole.
    """
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(folder).as_posix()
                packed.writestr(zipfile.ZipInfo(name, _EARLIEST), path.read_bytes())
