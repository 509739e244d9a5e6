"""What `make-site` puts into its folders, and the sentences with which it fails."""

import ast
import gzip
import json
import re
import sys
import threading
from pathlib import Path

import pytest

from gtp_engine.base.platforms import locked_folder
from gtp_engine.browser import compile_kernel, fetch_python, python_files
from gtp_engine.browser.making import CannotMake, alone_in, run
from gtp_engine.browser.python_files import LEFT_OUT_OF_LIBRARY, left_out_of_library
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


def test_the_folders_have_what_runs_and_nothing_that_only_makes_them():
    names = {name for name, _ in python_files.package_files()}
    assert {"gtp_engine/cli/hosted.py", "gtp_engine/browser/core.py"} <= names
    assert "gtp_engine/engine/page/bundle.py" in names
    assert "gtp_engine/cli/analyze.py" in names
    for part in ("kernel/", "arena/", "learn/", "cli/solve", "one_thread", "site/", "compile_"):
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
