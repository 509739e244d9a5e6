"""What tests need beside Python: browsers, Node, compilers. A plugin of pytest.

Where a tool is missing, its tests are skipped, and `-rs` says why. With TEST_TOOLS=required, as in
CI, each of these skips is a failure, so that nothing stays untried in silence.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support.waiting import PATIENCE

REQUIRED = os.environ.get("TEST_TOOLS") == "required"

# Why a test does not apply, on any machine. All other reasons are tools that are missing.
NOT_APPLICABLE = re.compile(
    r"a repetition decides|points do not fill|no games ship|no weights ship for the game"
    r"|there is no map|nobody has (searched|put down)|the game has no (text|header)"
    r"|Python keeps no tree|this machine is in no network|only \.ci/site has (a compiler|WebKit)"
)


def node() -> str:
    """The program Node: of the system, or in Playwright's wheel. Skips where there is none."""
    if found := shutil.which("node"):
        return found
    try:
        import playwright
    except ModuleNotFoundError:
        pytest.skip("there is no Node here")
    return str(Path(playwright.__file__).parent / "driver" / "node")


def npm_install(package: str, folder: Path) -> None:
    """Install a package of npm into a folder. Skips without npm, or where it cannot install."""
    command = [shutil.which("npm") or pytest.skip("there is no npm here"), "install"]
    command += ["--no-audit", "--no-fund", "--ignore-scripts", package]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=PATIENCE)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"npm cannot install {package}: {error}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    return _complained((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    return _complained((yield))


def _complained(report):
    """The report of a test or a file; a failure where a skip would hide a missing tool."""
    if not REQUIRED or not report.skipped or not isinstance(report.longrepr, tuple):
        return report
    path, line, reason = report.longrepr
    if not NOT_APPLICABLE.search(reason):
        report.outcome = "failed"
        report.longrepr = f"{path}:{line}: TEST_TOOLS=required, but: {reason}"
    return report
