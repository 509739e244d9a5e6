"""The order of collecting and running, where several workers share the tests. A plugin of pytest.

Where no bytecode is kept yet, a worker that imports a file of tests rewrites its assertions, which
costs far more than the import. Each worker begins with another folder, so it finds most files as
the others have left them. What has long tests runs first: at the end no worker has many seconds of
work left that it cannot give away.
"""

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

LONG = [
    TESTS / each for each in ("browser/test_node.py", "project", "board/browser", "arena", "board")
]
"""Folders and files with tests of many seconds, the longest first."""


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    work = getattr(collector.config, "workerinput", None)
    if work and collector.path == TESTS and report.result:
        number = int(work["workerid"].removeprefix("gw"))
        first = len(report.result) * number // work["workercount"]
        report.result = report.result[first:] + report.result[:first]
    return report


def pytest_collection_modifyitems(config, items):
    if hasattr(config, "workerinput"):  # all workers have the same order
        places = {path: (_place(path), path) for path in {item.path for item in items}}
        items.sort(key=lambda item: places[item.path])


def _place(path: Path) -> int:
    """The place in LONG of the first one that has a file; the last place for all others."""
    return next((place for place, each in enumerate(LONG) if path.is_relative_to(each)), len(LONG))
