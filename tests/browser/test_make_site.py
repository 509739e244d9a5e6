"""What `make-site` puts into its folders, and the sentences with which it fails."""

import ast
import base64
import gzip
import hashlib
import json
import os
import re
import sys
import threading
from pathlib import Path

import pytest

from gtp_engine.base.platforms import locked_folder
from gtp_engine.browser import board_page, compile_kernel, fetch_python, make_site, python_files
from gtp_engine.browser.making import CannotMake, alone_in, run
from gtp_engine.browser.python_files import LEFT_OUT_OF_LIBRARY, left_out_of_library
from gtp_engine.cli import make_site as program
from support.thorough import thorough
from support.tools import node
from support.waiting import PATIENCE, wait_until

ROOT = Path(__file__).parents[2]
BROWSER_PAGE = ROOT / "protocol_specs" / "clients" / "browser.md"
IMPORTS = Path(__file__).parent / "imports.mjs"
MOST_PACKED = 7_500_000  # bytes of the folder with gzip
USUAL_LEVEL = 6  # of the programs that serve files

OUR_MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "gtp_engine").rglob("*.py")
}


def told(folder: Path) -> str:
    with pytest.raises(CannotMake) as failed:
        fetch_python.fetched(folder, lambda sentence: None)
    return str(failed.value)


def npm(monkeypatch, folder: Path, body: str) -> None:
    """An npm of the test, the only program on the path."""
    program = folder / "npm"
    program.write_text(f"#!{sys.executable} -S\nimport sys\n{body}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_without_npm_a_sentence_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert told(tmp_path) == "Pyodide was not fetched: there is no npm; install Node with npm"


def test_what_npm_complains_of_is_told_in_a_sentence(monkeypatch, tmp_path):
    npm(monkeypatch, tmp_path, 'sys.exit("npm notice\\nnpm error network is unreachable\\nmore")')
    assert told(tmp_path) == "Pyodide was not fetched: npm error network is unreachable"


def test_the_reason_is_told_that_npm_gives_between_other_lines(monkeypatch, tmp_path):
    said = "npm error code ENOTFOUND\nnpm error network request to X failed, reason: no network"
    body = f"sys.exit('' if '--silent' in sys.argv else {said!r})"
    npm(monkeypatch, tmp_path, body)
    reason = "npm error network request to X failed, reason: no network"
    assert told(tmp_path) == f"Pyodide was not fetched: {reason}"


def test_a_package_with_another_digest_is_refused_and_removed(monkeypatch, tmp_path):
    archive = f"pyodide-{fetch_python.VERSION}.tgz"
    npm(monkeypatch, tmp_path, f"open(sys.argv[-1] + '/{archive}', 'w').write('other')")
    assert "another digest" in told(tmp_path)
    assert not list(tmp_path.rglob("*.tgz"))


def test_what_was_fetched_is_not_fetched_again(monkeypatch, tmp_path):
    folder = tmp_path / f"pyodide-{fetch_python.VERSION}"
    folder.mkdir()
    for name in fetch_python.FILES:
        (folder / name).touch()
    monkeypatch.setenv("PATH", "")
    assert fetch_python.fetched(tmp_path, pytest.fail) == folder


def test_a_full_disk_is_told():
    with pytest.raises(CannotMake, match="it failed: ENOSPC: the disk is full"):
        run([sys.executable, "-c", "exit('write: No space left on device')"], "it failed", "Python")


def test_a_kernel_in_the_cache_is_not_compiled(monkeypatch, tmp_path):
    module = tmp_path / compile_kernel.digest()[:16] / "kernel.wasm"
    module.parent.mkdir()
    module.touch()
    assert compile_kernel.compiled(tmp_path, pytest.fail) == module


BEFORE, AFTER = 64 * "a", 64 * "b"
CHANGED = "the sources have changed meanwhile; start again"


@pytest.fixture
def compiler(monkeypatch, tmp_path):
    """A compiler of the test for one source, and that source.

    Its words are calls for the next programs: `change` the source, `fail`.
    """
    source, does = tmp_path / "source.cpp", []
    source.write_text(BEFORE)

    def compile_with(arguments) -> None:
        compiled = source.read_text()
        word = does.pop(0) if does else ""
        if "change" in word:
            source.write_text(AFTER)
        if "fail" in word:
            raise CannotMake("no such file")
        Path(arguments[-1]).write_text(compiled)

    monkeypatch.setattr(compile_kernel, "digest", source.read_text)
    monkeypatch.setattr(compile_kernel, "_jobs", lambda _: [compile_kernel._Job(source, ())])
    monkeypatch.setattr(compile_kernel, "_compiler", compile_with)
    return source, does


@pytest.mark.parametrize("words", [["change"], ["", "change"], ["change and fail"]])
def test_what_was_made_from_sources_that_change_is_not_kept(compiler, tmp_path, words):
    (source, does), cache = compiler, tmp_path / "cache"
    does += words
    with pytest.raises(CannotMake, match=f"^{CHANGED}$"):
        compile_kernel.compiled(cache, lambda _: None)
    assert not [path for path in cache.rglob("*") if path.is_file()]
    for sources in (AFTER, BEFORE):
        source.write_text(sources)
        module = compile_kernel.compiled(cache, lambda _: None)
        assert module.parent.name == sources[:16] and module.exists()
        assert [path.name for path in module.parent.iterdir()] == ["kernel.wasm"]


def test_what_an_interrupted_compilation_has_made_is_used_unless_the_sources_differ(
    compiler, tmp_path
):
    _, does = compiler
    does += ["", "fail"]
    with pytest.raises(CannotMake, match="no such file"):
        compile_kernel.compiled(tmp_path / "cache", lambda _: None)
    does += ["", "fail"]
    compile_kernel.compiled(tmp_path / "cache", lambda _: None)
    assert does == ["fail"], "it was only linked"


def test_one_waits_for_another_that_fills_the_same_cache(tmp_path):
    told, cache = [], tmp_path / "cache"
    cache.mkdir()

    def fill() -> None:
        with alone_in(cache, told.append):
            (cache / "filled").touch()

    with locked_folder(cache):
        other = threading.Thread(target=fill, daemon=True)
        other.start()
        wait_until(lambda: told)
        assert not list(cache.iterdir())
    wait_until((cache / "filled").exists)
    other.join(PATIENCE)
    assert told == ["waiting for another one that fills the same cache"]


# A folder, of small parts: without a compiler, npm, Node and pictures.


@pytest.fixture
def parts(monkeypatch, tmp_path):
    """What a folder is made from; a test may replace it."""
    pyodide, kernel = tmp_path / "pyodide", tmp_path / "kernel"
    pyodide.mkdir()
    for name in fetch_python.FILES:
        (pyodide / name).write_text("{}")
    kernel.write_text("the kernel")
    sources = [("gtp_engine/browser/core.py", Path(compile_kernel.__file__))]
    for module, stand_ins in {
        fetch_python: {"fetched": lambda *_: pyodide},
        compile_kernel: {"compiled": lambda *_: kernel},
        board_page: {"png": lambda svg, pixels: b"a picture"},
        python_files: {
            "package_files": lambda *_: sources,
            "library_files": lambda _, folder: folder.mkdir(),
            "compile_files": lambda *_: None,
            "take_snapshot": lambda _, __, snapshot: snapshot.write_text("a snapshot"),
        },
    }.items():
        for name, stand_in in stand_ins.items():
            monkeypatch.setattr(module, name, stand_in)
    return tmp_path


def made(parts: Path, npm: bool, first_messages=lambda: ["first"]) -> Path:
    folder = parts / "place" / "folder"
    make_site.make(folder, npm, parts / "cache", lambda _: None, first_messages)
    return folder


def content(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.mark.parametrize("npm", [False, True])
@pytest.mark.parametrize("problem", [CannotMake("no"), KeyboardInterrupt()])
def test_a_folder_stays_as_it_was_if_making_it_anew_fails(monkeypatch, parts, npm, problem):
    before = content(made(parts, npm))

    def fail(*_) -> None:
        raise problem

    (parts / "kernel").write_text("another kernel")
    with monkeypatch.context() as patched:
        patched.setattr(python_files, "compile_files", fail)
        with pytest.raises(type(problem)):
            made(parts, npm)
    patch = {"first_messages": fail}
    if npm:
        monkeypatch.setattr(python_files, "take_snapshot", fail)
        patch = {}
    with pytest.raises(type(problem)):
        made(parts, npm, **patch)
    folder = parts / "place" / "folder"
    assert content(folder) == before
    assert [path.name for path in folder.parent.iterdir()] == ["folder"]


@pytest.mark.parametrize("npm", [False, True])
def test_what_else_is_in_a_folder_stays(parts, npm):
    folder = parts / "place" / "folder"
    for name in ("mine.html", "pyodide/mine.whl", "licences/mine.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mine")
    made(parts, npm)
    first = content(folder)
    assert {name for name, text in first.items() if text == b"mine"} == {
        "mine.html",
        "pyodide/mine.whl",
        "licences/mine.txt",
    }
    (parts / "kernel").write_text("another kernel")
    made(parts, npm)
    again = content(folder)
    assert again.keys() == first.keys() and again["kernel.wasm"] == b"another kernel"
    assert [path.name for path in folder.parent.iterdir()] == ["folder"]


def test_no_module_of_an_older_package_stays(parts):
    folder = parts / "place" / "folder"
    (folder / "python").mkdir(parents=True)
    (folder / "python" / "old.pyc").touch()
    made(parts, npm=True)
    assert (folder / "python" / "gtp_engine" / "browser" / "core.py").is_file()
    assert not (folder / "python" / "old.pyc").exists()


def test_a_folder_in_the_place_of_a_file_is_told_before_anything_changes(parts):
    before = content(made(parts, npm=False))
    folder = parts / "place" / "folder"
    (folder / "site.css").unlink()
    (folder / "site.css").mkdir()
    (parts / "kernel").write_text("another kernel")
    with pytest.raises(IsADirectoryError, match="site.css"):
        made(parts, npm=False)
    del before["site.css"]
    assert content(folder) == before


def test_where_nothing_can_be_made_beside_a_folder_it_is_made_in_it(monkeypatch, parts):
    access, place = os.access, parts / "place"
    monkeypatch.setattr(os, "access", lambda path, mode: path != place and access(path, mode))
    folder = made(parts, npm=False)
    assert (folder / board_page.OFFLINE).is_file()
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]


def test_the_service_worker_comes_last(monkeypatch, parts):
    moved, replace = [], Path.replace

    def note(path: Path, target: Path) -> Path:
        moved.append(Path(target))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", note)
    folder = made(parts, npm=False)
    assert set(moved) >= {folder / name for name in content(folder)}
    assert moved[-1] == folder / board_page.OFFLINE


def test_the_service_worker_knows_the_digest_of_each_file_that_it_keeps(parts):
    folder = parts / "place" / "folder"
    (folder / "pyodide").mkdir(parents=True)
    (folder / "pyodide" / "mine.whl").touch()
    made(parts, npm=False)
    (listed,) = re.findall(r"^const FILES = (.*);$", (folder / "offline.js").read_text(), re.M)
    files = json.loads(listed)
    assert {"./", "page.js", "kernel.wasm", "pyodide/pyodide.mjs"} <= files.keys()
    assert not {"index.html", "offline.js", "gtp.html", "pyodide/mine.whl"} & files.keys()
    for name, digest in files.items():
        path = folder / ("index.html" if name == "./" else name)
        found = hashlib.sha256(path.read_bytes()).digest()
        assert digest == f"sha256-{base64.b64encode(found).decode()}"


@thorough
def test_without_a_home_a_sentence_says_what_to_set(monkeypatch, tmp_path, capsys):
    pytest.importorskip("ziglang", reason="only .ci/site has a compiler for WebAssembly")

    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", home)
    assert program.main([str(tmp_path / "site")]) == 2
    assert capsys.readouterr().err == (
        "make-site: Could not determine home directory. Set XDG_CACHE_HOME to a folder that you "
        "can write to.\n"
    )


def test_the_folders_have_what_runs_and_nothing_that_only_makes_them():
    names = {name for name, _ in python_files.package_files()}
    assert {"gtp_engine/cli/hosted.py", "gtp_engine/browser/core.py"} <= names
    assert "gtp_engine/engine/page/bundle.py" in names
    assert "gtp_engine/cli/analyze.py" in names
    for part in (
        "kernel/",
        "arena/",
        "learn/",
        "cli/solve",
        "one_thread",
        "site/",
        "compile_",
        "board_page",
    ):
        assert not [name for name in names if part in name], part
    engine = {name for name, _ in python_files.package_files(python_files.OF_THE_BOARD)}
    assert engine < names
    assert not [name for name in engine if name.startswith("gtp_engine/board/server/")]


def test_dependencies_are_all_of_those_that_the_package_declares():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {each.partition(">")[0] for each in project["dependencies"]}
    assert declared == set(python_files.DEPENDENCIES)
    found = {name.partition("/")[0] for name, _ in python_files.dependency_files()}
    assert set(python_files.DEPENDENCIES) <= found
    texts = {name.removesuffix(".txt") for name, _ in python_files.licences()}
    assert texts == set(python_files.DEPENDENCIES) - {"loguru", "sgfmill"}  # they ship none


@pytest.mark.filterwarnings("ignore:invalid escape")  # in texts of a dependency
@thorough
def test_nothing_imports_what_the_library_lacks():
    for name, path in (*python_files.package_files(), *python_files.dependency_files()):
        if path.suffix != ".py":
            continue
        for part in ast.walk(ast.parse(path.read_bytes())):
            names = [each.name for each in part.names] if isinstance(part, ast.Import) else []
            if isinstance(part, ast.ImportFrom) and not part.level:
                names = [part.module, *(f"{part.module}.{each.name}" for each in part.names)]
            assert not [each for each in names if left_out_of_library(each)], name


# Imports in functions that nobody calls here, and in branches for other systems.
NEVER_REACHED = {
    "asyncio": {"asyncio.windows_events"},
    "asyncio.base_events": {"ssl"},  # asyncio does without it
    "asyncio.events": {"asyncio.windows_events"},
    "asyncio.selector_events": {"ssl"},
    "asyncio.sslproto": {"ssl"},
    "concurrent.futures": {"concurrent.futures.interpreter", "concurrent.futures.process"},
    "datetime": {"_pydatetime"},
    "email": {"email.parser"},
    "gtp_engine.board.server.lobby": {"gtp_engine.board.server.network"},
    "heapq": {"doctest"},
    "importlib.metadata._adapters": {"email.message"},
    "pathlib": {"urllib.error", "urllib.request"},
    "random": {"statistics"},
    "unittest": {"unittest.async_case"},
    "unittest.case": {"unittest._log"},
    "zipfile": {"py_compile"},
}


@thorough
def test_what_the_folder_lacks_is_imported_only_where_nobody_gets(site):
    done = run([node(), str(IMPORTS), str(site)], "the imports are unknown", "Node")
    imports = json.loads(done.stdout)
    elsewhere = imports.keys() | {"gtp_engine.kernel"}
    lacking: dict[str, set[str]] = {}
    for module, names in imports.items():
        parts = {each for name in names for each in LEFT_OUT_OF_LIBRARY if begins(name, each)}
        parts |= OUR_MODULES.intersection(names) - elsewhere
        if parts:
            lacking[module] = parts
    processes = {each for each in lacking if begins(each, "multiprocessing")}
    assert {each: lacking[each] for each in lacking.keys() - processes} == NEVER_REACHED
    assert all(begins(part, "multiprocessing") for each in processes for part in lacking[each])


def begins(module: str, package: str) -> bool:
    """Whether a module is a package or in it."""
    return module == package or module.startswith(f"{package}.")


@thorough
def test_a_page_loads_little(site):
    files = [each for each in site.rglob("*") if each.is_file() and each.name != "complete"]
    packed = sum(len(gzip.compress(each.read_bytes(), USUAL_LEVEL)) for each in files)
    assert packed < MOST_PACKED, packed
    told = re.search(r"([\d.]+) MB with gzip", BROWSER_PAGE.read_text())
    assert told and float(told[1]) == pytest.approx(packed / 1e6, abs=0.1)
