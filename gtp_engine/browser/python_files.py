"""What Python needs in a page or a program: this package and its dependencies, as bytecode."""

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
    "cluster",
    "learn",
    "kernel",
    "browser/one_thread",
    "browser/site",
    "browser/compile_kernel.py",
    "browser/fetch_python.py",
    "browser/make_site.py",
    "browser/making.py",
    "browser/python_files.py",
    "browser/precompile.mjs",
    "cli/make_site.py",
)
_ENDINGS_LEFT_OUT = (".pyc", ".pyi", ".so", "README.md", "py.typed")

OF_THE_BOARD = ("journal", "page", "table", "web", "cli/board.py")
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


def precompile(python: Path, folder: Path, snapshot: Path | None) -> None:
    """Replace the sources in a folder by bytecode, and write a snapshot of Python's memory.

    python   -- the folder of Pyodide, whose Python compiles
    snapshot -- of a Python that has imported the engine; None for none

    Raises CannotMake.
    """
    script = Path(__file__).parent / "precompile.mjs"
    given = [str(python), str(folder), *([str(snapshot)] if snapshot else [])]
    run(["node", str(script), *given], "Python did not compile the package", "Node")
