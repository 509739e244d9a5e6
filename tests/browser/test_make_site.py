"""What `make-site` puts into its folders, and the sentences with which it fails."""

import ast
import sys
from pathlib import Path

import pytest

from gtp_engine.browser import compile_kernel, fetch_python, python_files
from gtp_engine.browser.making import CannotMake, run


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


def test_the_folders_have_what_runs_and_nothing_that_only_makes_them():
    names = {name for name, _ in python_files.package_files()}
    assert {"gtp_engine/cli/hosted.py", "gtp_engine/browser/core.py"} <= names
    assert "gtp_engine/engine/page/bundle.py" in names
    for part in ("kernel/", "arena/", "learn/", "one_thread", "site/", "compile_"):
        assert not [name for name in names if part in name], part
    engine = {name for name, _ in python_files.package_files(python_files.OF_THE_BOARD)}
    assert engine < names
    assert not [name for name in engine if name.startswith("gtp_engine/board/server/")]


def test_dependencies_are_all_of_those_that_the_package_declares():
    import tomllib

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    declared = {each.partition(">")[0] for each in project["dependencies"]}
    assert declared == set(python_files.DEPENDENCIES)
    found = {name.partition("/")[0] for name, _ in python_files.dependency_files()}
    assert set(python_files.DEPENDENCIES) <= found
    texts = {name.removesuffix(".txt") for name, _ in python_files.licences()}
    assert texts == set(python_files.DEPENDENCIES) - {"loguru", "sgfmill"}  # they ship none


def test_nothing_imports_what_the_library_lacks():
    lacking = python_files.LEFT_OUT_OF_LIBRARY
    for name, path in (*python_files.package_files(), *python_files.dependency_files()):
        text = path.read_bytes()
        if path.suffix != ".py" or not any(each.encode() in text for each in lacking):
            continue
        for node in ast.walk(ast.parse(text)):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names.append(node.module or "")
            assert not {each.partition(".")[0] for each in names} & lacking, name
