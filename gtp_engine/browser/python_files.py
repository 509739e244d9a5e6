"""What Python needs in a page or a program: this package and its dependencies, as bytecode."""

import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

from gtp_engine.browser.making import CannotMake, run

_PACKAGE = Path(__file__).parent.parent

DEPENDENCIES = ("loguru", "pyparsing", "sgfmill", "webencodings")
"""Packages in pure Python, as they are installed here."""

# What needs processes, sockets or a compiler, and what makes the site itself.
_LEFT_OUT = (
    "arena",
    "base/cluster.py",
    "learn",
    "kernel",
    "browser/one_thread",
    "browser/site",
    "browser/compile_kernel.py",
    "browser/fetch_python.py",
    "browser/make_site.py",
    "browser/making.py",
    "browser/python_files.py",
    "browser/compile_python.mjs",
    "browser/take_snapshot.mjs",
    "cli/make_site.py",
)
_ENDINGS_LEFT_OUT = (".pyc", ".pyi", ".so", "README.md", "py.typed")

LEFT_OUT_OF_LIBRARY = {
    "_pyrepl",
    "bdb",
    "doctest",
    "ensurepip",
    "ftplib",
    "idlelib",
    "imaplib",
    "mailbox",
    "optparse",
    "pdb",
    "pickletools",
    "poplib",
    "pydoc",
    "pydoc_data",
    "smtplib",
    "wsgiref",
    "xmlrpc",
}

OF_THE_BOARD = ("board", "cli/board.py")
"""What only the board needs."""


def package_files(left_out: tuple[str, ...] = ()) -> Iterator[tuple[str, Path]]:
    """The files of this package that run, by their names in the site."""
    for path in sorted(_PACKAGE.rglob("*")):
        name = path.relative_to(_PACKAGE).as_posix()
        if not path.is_file() or name.endswith(_ENDINGS_LEFT_OUT):
            continue
        if not any(name == each or name.startswith(f"{each}/") for each in (*_LEFT_OUT, *left_out)):
            yield f"gtp_engine/{name}", path


def dependency_files() -> Iterator[tuple[str, Path]]:
    """The files of the packages that this one needs. Raises CannotMake."""
    for name in DEPENDENCIES:
        try:
            found = distribution(name)
        except PackageNotFoundError:
            raise CannotMake(f"the package {name} is missing: bin/make-site installs it") from None
        for file in sorted(found.files or ()):
            parts = PurePosixPath(file).parts
            if file.suffix == ".py" and not {"tests", "sgfmill_tests", ".."} & set(parts):
                yield PurePosixPath(file).as_posix(), Path(str(found.locate_file(file)))


def licences() -> Iterator[tuple[str, Path]]:
    """The licences of the packages that this one needs, by a name for each."""
    for name in DEPENDENCIES:
        for file in sorted(distribution(name).files or ()):
            if "LICEN" in file.name.upper():
                yield f"{name}.txt", Path(str(distribution(name).locate_file(file)))
                break


def library_files(archive: Path, folder: Path) -> None:
    """Unpack Python's own library into a folder, without what no part of the engine imports."""
    with zipfile.ZipFile(archive) as packed:
        for name in packed.namelist():
            if name.partition("/")[0].removesuffix(".py") not in LEFT_OUT_OF_LIBRARY:
                packed.extract(name, folder)


def compile_files(python: Path, package: Path, library: Path) -> None:
    """Replace all sources by bytecode; that of this package keeps its docstrings, which are help.

    python -- the folder of Pyodide, whose Python compiles

    Raises CannotMake.
    """
    ours = package / "gtp_engine"
    aside = package.with_name("others")
    aside.mkdir()
    for each in package.iterdir():
        if each != ours:
            each.rename(aside / each.name)
    folders = [f"0={package}", f"2={aside}", f"2={library}"]
    _node("compile_python.mjs", str(python), *folders)
    for each in aside.iterdir():
        each.rename(package / each.name)


def take_snapshot(python: Path, package: Path, snapshot: Path) -> None:
    """Write the memory of a Python that has imported the engine. Raises CannotMake.

    python -- the folder of Pyodide as the program will have it
    """
    _node("take_snapshot.mjs", *map(str, (python, package, snapshot)))


def _node(script: str, *words: str) -> None:
    command = ["node", str(Path(__file__).parent / script), *words]
    run(command, "Python did not compile the package", "Node")
