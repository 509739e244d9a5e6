"""Checks of data that ships with the project. A plugin of pytest.

What was proven of a puzzle stays proven until somebody changes the puzzle, the rules or the solver.
Tests marked with `@shipped_data(KIND)` run with `bin/test --data` alone, or where they are named.
If all of them pass, that command notes the digests of the data and of all sources that judge them
in tests/shipped_data.json. A test of the fast part compares these digests.

A marked test that calls a function of a source without digest fails.
"""

import ast
import hashlib
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
STAMPS = ROOT / "tests" / "shipped_data.json"
COMMAND = "bin/test --data"


class Kind(NamedTuple):
    """A kind of data.

    data   -- its files
    tests  -- the files of the tests that prove it
    judges -- modules that these tests call; what they import judges, too
    """

    data: tuple[str, ...]
    tests: tuple[str, ...]
    judges: tuple[str, ...]


_SOLVED = ("gtp_engine.search.solver", "gtp_engine.search.openings.swap_maps")

KINDS = {
    "puzzles": Kind(
        ("gtp_engine/engine/tasks/data/*",),
        ("tests/engine/tasks/test_shipped.py",),
        ("gtp_engine.engine.tasks.proof", "gtp_engine.engine.tasks.identity"),
    ),
    "certificates": Kind(
        ("gtp_engine/search/proofs/*",),
        ("tests/search/test_shipped.py",),
        ("gtp_engine.search.certificates", "support.check_certificate"),
    ),
    "books": Kind(
        ("gtp_engine/search/books/*",),
        ("tests/search/test_books.py",),
        ("support.check_book",),
    ),
    "solved boards": Kind(
        ("gtp_engine/search/openings/maps/*", "protocol_specs/play/solved.md"),
        ("tests/search/test_shipped.py",),
        _SOLVED,
    ),
    "ends of Robble": Kind(
        ("tests/search/robble_ends.txt",),
        ("tests/search/test_robble_ends.py",),
        ("gtp_engine.search.solver", "support.playing"),
    ),
}

# The games and the kernel are found by name, not imported.
_ALWAYS = (
    "gtp_engine/rules/*.py",
    "gtp_engine/kernel/**/*.[ch]pp",
    "gtp_engine/kernel/**/*.in",
    "gtp_engine/kernel/CMakeLists.txt",
)
# It has the version, which judges nothing, but is behind each import.
_NEVER = ROOT / "gtp_engine" / "__init__.py"
# What the suite itself calls while a test runs.
_SUITE = {Path(__file__), ROOT / "tests" / "support" / "packages.py", _NEVER}


def shipped_data(kind: str) -> pytest.MarkDecorator:
    """The mark of a test that proves a kind of data."""
    assert kind in KINDS
    return pytest.mark.shipped_data(kind)


@cache
def sources(name: str) -> frozenset[Path]:
    """All files on which the verdict on a kind of data depends, and the data."""
    kind = KINDS[name]
    patterns = (*kind.data, *kind.tests, *_ALWAYS)
    named = {path for pattern in patterns for path in ROOT.glob(pattern)}
    roots = [file_of(module) for module in kind.judges]
    assert None not in roots, kind.judges
    todo = [*roots, *ROOT.glob(_ALWAYS[0])]
    reached: set[Path] = set()
    while todo:
        path = todo.pop()
        if path is not None and path not in reached and path != _NEVER:
            reached.add(path)
            todo += map(file_of, imported(path))
    return frozenset(named | reached)


@cache
def imported(path: Path) -> tuple[str, ...]:
    """The modules that a file imports anywhere, with their packages, and names that may be some."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, path
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return tuple({part for name in names for part in prefixes(name)})


def prefixes(name: str) -> Iterator[str]:
    words = name.split(".")
    return (".".join(words[:count]) for count in range(1, len(words) + 1))


@cache
def file_of(module: str) -> Path | None:
    """The file of a module of the package or beside the tests; None for others."""
    for folder in (ROOT, ROOT / "tests"):
        path = folder.joinpath(*module.split("."))
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if file.is_file():
                return file
    return None


def digest(name: str) -> str:
    """A number for the present state of a kind's sources and data, on any system."""
    total = hashlib.sha256()
    for path in sorted(sources(name)):
        content = path.read_bytes().replace(b"\r\n", b"\n")
        line = f"{path.relative_to(ROOT).as_posix()} {hashlib.sha256(content).hexdigest()}\n"
        total.update(line.encode())
    return total.hexdigest()


def stamps() -> dict[str, str]:
    """The digests with which each kind was proven."""
    return json.loads(STAMPS.read_text()) if STAMPS.exists() else {}


# The plugin --------------------------------------------------------------------------------------


def pytest_addoption(parser):
    parser.addoption(
        "--data", action="store_true", help="prove the data again that ships, and note that it is"
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "shipped_data(kind): runs with --data, or where it is named")
    if config.option.data and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Notary())


def pytest_collection_modifyitems(config, items):
    if config.option.data or config.args_source is not pytest.Config.ArgsSource.ARGS:
        marked, others = [], []
        for item in items:
            (marked if mark_of(item) else others).append(item)
        items[:], left_out = (marked, others) if config.option.data else (others, marked)
        config.hook.pytest_deselected(items=left_out)


def mark_of(item) -> pytest.Mark | None:
    return item.get_closest_marker("shipped_data")


class Notary:
    """Notes that all was proven; a skipped test proves nothing."""

    def __init__(self) -> None:
        self.passed, self.unproven = 0, []

    def pytest_runtest_logreport(self, report):
        self.passed += report.passed and report.when == "call"
        if report.skipped:
            self.unproven.append(report.nodeid)

    def pytest_sessionfinish(self, session, exitstatus):
        if exitstatus or session.config.args_source is pytest.Config.ArgsSource.ARGS:
            return
        if self.unproven or not self.passed:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            return
        STAMPS.write_text(json.dumps({name: digest(name) for name in KINDS}, indent=2) + "\n")

    def pytest_terminal_summary(self, terminalreporter):
        for test in self.unproven:
            terminalreporter.line(f"not proven, because it was skipped: {test}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    mark = mark_of(item)
    if mark is None:
        return (yield)
    called: set[str] = set()
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, argument: called.add(frame.f_code.co_filename))
    try:
        result = yield
    finally:
        sys.setprofile(before)
    ours = {path for path in map(Path, called) if path.is_relative_to(ROOT / "gtp_engine")}
    ours |= {path for path in map(Path, called) if path.is_relative_to(ROOT / "tests")}
    unknown = ours - sources(mark.args[0]) - _SUITE
    assert not unknown, f"without digest: {sorted(map(str, unknown))}"
    return result
