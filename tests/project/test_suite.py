"""What the suite promises: hanging tests end, missing tools are told, settings change nothing.

Each test runs pytest on a file of tests, with the plugins of the suite.
"""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from support import packages
from support.packages import Hidden, only_in_test_all
from support.thorough import thorough
from support.waiting import wait_until

TESTS = Path(__file__).parents[1]

STARTS_A_CHILD = """
import os, signal, subprocess, sys, time
from pathlib import Path

def start_a_child():
    code = "import time; time.sleep(1000)"
    child = subprocess.Popen([sys.executable, "-c", code])
    Path("child").write_text(str(child.pid))

def test_first():
    start_a_child()
    {ends}

def test_second():
    pass
"""


def run_pytest(folder: Path, code: str, *options: str, **environment: str):
    """Run pytest on this code."""
    (folder / "test_file.py").write_text(code)
    settings = os.environ | {"PYTHONPATH": f"{TESTS}{os.pathsep}{TESTS.parent}"} | environment
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_TESTRUNUID", "PYTEST_ADDOPTS"):
        settings.pop(name, None)
    command = [sys.executable, "-P", "-m", "pytest", "-p", "no:cacheprovider", *options, "."]
    return subprocess.run(
        command, cwd=folder, env=settings, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def child_of(folder: Path) -> bool:
    """Whether the child of a test lives."""
    try:
        child = psutil.Process(int((folder / "child").read_text()))
        return child.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_test_that_hangs_is_ended_with_its_children(tmp_path):
    code = STARTS_A_CHILD.format(ends="time.sleep(1000)")
    done = run_pytest(tmp_path, code, "-p", "support.hung", "--longest-test", "0.3")
    assert done.returncode == 3
    assert "test_file.py::test_first hangs" in done.stderr
    assert "in test_first" in done.stderr
    wait_until(lambda: not child_of(tmp_path))


LEAVES_A_THREAD = """
import threading

def test_first():
    threading.Thread(target=threading.Event().wait).start()
    assert False
"""


@thorough
def test_a_thread_that_is_left_does_not_keep_the_process(tmp_path):
    done = run_pytest(tmp_path, LEAVES_A_THREAD, "-p", "support.hung", "--longest-test", "0.3")
    assert done.returncode == 3
    assert "1 failed" in done.stdout
    assert "test_file.py::test_first hangs" in done.stderr


@thorough
@pytest.mark.parametrize("ends", ["os.kill(os.getpid(), signal.SIGKILL)", "time.sleep(1000)"])
def test_a_worker_that_is_gone_leaves_no_children_and_another_goes_on(ends, tmp_path):
    code = STARTS_A_CHILD.format(ends=ends)
    options = ("-p", "support.hung", "--longest-test", "2", "--numprocesses", "1")
    done = run_pytest(tmp_path, code, *options)
    assert "1 failed, 1 passed" in done.stdout
    wait_until(lambda: not child_of(tmp_path))


MISSING = """
import pytest

def test_needs_a_tool():
    pytest.skip("there is no Node here")

def test_does_not_apply():
    pytest.skip("no games ship")

@pytest.mark.skipif(True, reason="no kernel was built")
def test_needs_a_kernel():
    pass

@pytest.mark.xfail(reason="known")
def test_that_fails_as_expected():
    assert False
"""


@thorough
def test_a_missing_tool_skips_and_fails_where_tools_are_required(tmp_path):
    (tmp_path / "test_package.py").write_text("import pytest; pytest.importorskip('no_such')")
    options = ("-p", "support.tools", "--continue-on-collection-errors")
    assert "4 skipped, 1 xfailed" in run_pytest(tmp_path, MISSING, *options, TEST_TOOLS="").stdout
    done = run_pytest(tmp_path, MISSING, *options, TEST_TOOLS="required")
    assert "1 failed, 1 skipped, 1 xfailed, 2 errors" in done.stdout
    for missing in ("there is no Node here", "no kernel was built", "could not import 'no_such'"):
        assert f"TEST_TOOLS=required, but: Skipped: {missing}" in done.stdout


def test_the_fast_part_cannot_import_what_only_test_all_has(monkeypatch):
    names = only_in_test_all()
    assert {"numpy", "scipy", "jax", "optuna", "matplotlib", "distributed", "resvg_py"} <= names
    assert not names & {"pytest", "tornado", "msgspec", "psutil", "hypothesis", "gtp_engine"}
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    monkeypatch.setattr(packages, "only_in_test_all", lambda: frozenset({"wave"}))
    for module in ("wave", "wave.part"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    packages.hide_what_only_test_all_has()
    with pytest.raises(ModuleNotFoundError, match="the fast part of the suite has no wave"):
        import wave  # noqa: F401
    assert Hidden(frozenset({"wave"})).find_spec("waves") is None


@thorough
def test_settings_of_the_caller_change_no_test(tmp_path):
    """Settings of our engine; a wheelhouse; how the kernel is chosen."""
    code = (
        "import os\ndef test_none(): assert [e for e in os.environ if e[:9] == 'PATCHPIE_'] == []"
    )
    settings = {"PATCHPIE_KERNEL": "none", "PATCHPIE_WHEELS": "/x", "PATCHPIE_LEVEL": "3"}
    conftest = f"--confcutdir={TESTS}"
    done = run_pytest(tmp_path, code, "-p", "conftest", conftest, **settings)
    assert "1 passed" in done.stdout, done.stdout
