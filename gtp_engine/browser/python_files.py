"""What Python needs in a page or a program: this package and its dependencies, as bytecode."""

import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

from gtp_engine.browser.making import CannotMake, run

_PACKAGE = Path(__file__).parent.parent

DEPENDENCIES = ("loguru", "pyparsing", "sgfmill", "webencodings")
"""Packages in pure Python, as they are installed here."""

# What needs processes, sockets or a compiler, what only programs import that are not here, and what
# makes the site itself.
_LEFT_OUT = (
    "__main__.py",
    "arena",
    "base/cluster.py",
    "base/own_commands.py",
    "base/retrying.py",
    "base/statistics",
    "board/server/connections.py",
    "board/server/listener.py",
    "board/server/network.py",
    "board/server/server.py",
    "board/server/socket.py",
    "board/server/static.py",
    "board/server/watch.py",
    "board/table/watching.py",
    "gtp/client/blocking.py",
    "gtp/client/guard.py",
    "gtp/client/transcript.py",
    "gtp/client/wirelog.py",
    "learn",
    "kernel",
    "browser/one_thread",
    "browser/site",
    "browser/board_page.py",
    "browser/compile_kernel.py",
    "browser/fetch_python.py",
    "browser/make_site.py",
    "browser/making.py",
    "browser/python_files.py",
    "browser/compile_python.mjs",
    "browser/take_snapshot.mjs",
    "search/proof_tables.py",
)

# The programs, by their modules: the engine, `analyze` and the board.
_OF_CLI = {
    "__init__.py",
    "analyze.py",
    "board_tables.py",
    "engine.py",
    "flags.py",
    "hosted.py",
    "hosted_analyze.py",
    "hosted_board.py",
    "interrupts.py",
    "parser.py",
}
_ENDINGS_LEFT_OUT = (".pyc", ".pyi", ".so", "README.md", "py.typed")

# Modules, and packages with their modules; tests/browser/test_make_site.py knows who imports them.
# The character sets among them lack ASCII, so no record is in one of them.
_LEFT_OUT_OF_LIBRARY = """
    __hello__ __phello__ _markupbase _pydatetime _pyio _pyrepl antigravity asyncio.__main__
    asyncio.proactor_events asyncio.tools asyncio.windows_events asyncio.windows_utils bdb
    cProfile cmd code colorsys compileall concurrent.futures.interpreter
    concurrent.futures.process concurrent.interpreters configparser ctypes doctest
    email._encoded_words email._header_value_parser email._parseaddr email._policybase
    email.base64mime email.charset email.contentmanager email.encoders email.errors
    email.feedparser email.generator email.header email.headerregistry email.iterators
    email.message email.mime email.parser email.policy email.quoprimime email.utils
    encodings.cp037 encodings.cp1026 encodings.cp1140 encodings.cp273 encodings.cp424
    encodings.cp500 encodings.cp875 filecmp fileinput ftplib getpass graphlib html.parser http
    imaplib json.__main__ json.tool logging.config logging.handlers mailbox mimetypes
    modulefinder multiprocessing.connection multiprocessing.dummy multiprocessing.forkserver
    multiprocessing.heap multiprocessing.managers multiprocessing.pool
    multiprocessing.popen_fork multiprocessing.popen_forkserver
    multiprocessing.popen_spawn_posix multiprocessing.popen_spawn_win32 multiprocessing.queues
    multiprocessing.resource_sharer multiprocessing.resource_tracker
    multiprocessing.shared_memory multiprocessing.sharedctypes multiprocessing.spawn
    multiprocessing.synchronize multiprocessing.util netrc nturl2path optparse pdb pickletools
    platform plistlib poplib profile pstats pty py_compile pyclbr pydoc pyodide.console
    pyodide.http rlcompleter runpy sched shelve smtplib socketserver sqlite3.__main__
    sqlite3.dump sre_compile sre_constants sre_parse ssl statistics symtable
    sysconfig.__main__ tabnanny this timeit trace tty unittest.__main__ unittest._log
    unittest.async_case unittest.mock urllib.error urllib.request urllib.response
    urllib.robotparser uuid wave webbrowser wsgiref xml xmlrpc zipapp zipfile.__main__ zoneinfo
"""

LEFT_OUT_OF_LIBRARY = frozenset(_LEFT_OUT_OF_LIBRARY.split())
"""What no part of the engine reaches of Python's own library."""

_FROZEN_IN_PYTHON = """
    _collections_abc _sitebuiltins abc codecs genericpath importlib._bootstrap
    importlib._bootstrap_external importlib.machinery importlib.util io ntpath os posixpath site
    stat zipimport
"""

FROZEN_IN_PYTHON = frozenset(_FROZEN_IN_PYTHON.split())
"""What is a part of the interpreter, which never reads the files of these modules."""

# Of a dependency: it needs a package that is not here.
_DRAWS_GRAMMARS = "pyparsing/diagram"

OF_THE_BOARD = ("board", "browser/inner_engine.py", "cli/board_tables.py", "cli/hosted_board.py")
"""What only the board needs."""

JOINED = tuple(
    f"engine/page/{path.name}"
    for path in sorted((_PACKAGE / "engine" / "page").iterdir())
    if path.suffix in (".js", ".css")
)
"""The parts of the page, which a site has in few files: see board_page.py."""

# Their docstrings are help; all others go.
_WITH_HELP = ("gtp_engine/cli", "gtp_engine/gtp/commands")


def package_files(left_out: tuple[str, ...] = ()) -> Iterator[tuple[str, Path]]:
    """The files of this package that run, by their names in the site."""
    for path in sorted(_PACKAGE.rglob("*")):
        name = path.relative_to(_PACKAGE).as_posix()
        if not path.is_file() or name.endswith(_ENDINGS_LEFT_OUT):
            continue
        if path.parent.name == "cli" and path.name not in _OF_CLI:
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
            if file.suffix != ".py" or {"tests", "sgfmill_tests", ".."} & set(parts):
                continue
            if not file.is_relative_to(_DRAWS_GRAMMARS):
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
            module = name.removesuffix(".py").replace("/", ".")
            if module not in FROZEN_IN_PYTHON and not left_out_of_library(module):
                packed.extract(name, folder)


def left_out_of_library(module: str) -> bool:
    """Whether the site lacks a module of Python's own library, such as `xml.dom`."""
    parts = module.split(".")
    packages = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
    return any(package in LEFT_OUT_OF_LIBRARY for package in packages)


def compile_files(python: Path, package: Path, library: Path) -> None:
    """Replace all sources by bytecode. Docstrings stay where they are help.

    python -- the folder of Pyodide, whose Python compiles

    Raises CannotMake.
    """
    folders = (f"{package}={','.join(_WITH_HELP)}", str(library))
    _node("compile_python.mjs", str(python), *folders)


def take_snapshot(python: Path, package: Path, snapshot: Path) -> None:
    """Write the memory of a Python that has imported the engine. Raises CannotMake.

    python -- the folder of Pyodide as the program will have it
    """
    _node("take_snapshot.mjs", *map(str, (python, package, snapshot)))


def _node(script: str, *words: str) -> None:
    command = ["node", str(Path(__file__).parent / script), *words]
    run(command, "Python did not compile the package", "Node")
