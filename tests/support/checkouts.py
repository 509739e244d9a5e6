"""Checkouts, for tests of what a first start does, and later ones."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest import mock

import loguru

from support.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
COPIED = ("bin", "gtp_engine", "pyproject.toml", "README.md", "LICENSE")

sys.path.insert(0, str(ROOT / "bin"))

# The modules of the set-up, for all tests.
import make_kernel  # noqa: E402
import make_venv  # noqa: E402
import run_pip  # noqa: E402
import time_left  # noqa: E402
import wheels  # noqa: E402

__all__ = [
    "COPIED",
    "KNOWN_PYTHON",
    "ROOT",
    "WITHOUT_COMPILER",
    "copy_checkout",
    "link_checkout",
    "make_kernel",
    "make_venv",
    "run",
    "run_pip",
    "set_up",
    "time_left",
    "wheels",
]

# Where it is not what is tried, the launchers need not look for a Python.
KNOWN_PYTHON = {"PATCHPIE_PYTHON": os.path.realpath(sys.executable)}

# The kernel takes a minute to compile; where it is not what is tried, no compiler works.
WITHOUT_COMPILER = os.environ | {"CC": "/bin/false", "CXX": "/bin/false"}


def run(command: list[str], folder: Path, text: str = "", **options) -> subprocess.CompletedProcess:
    streams = {"input": text, "capture_output": True, "text": True}
    return subprocess.run(command, cwd=folder, timeout=4 * PATIENCE, **streams, **options)


def copy_checkout(folder: Path) -> Path:
    """Copy what users check out, without what was made from it."""
    folder.mkdir(parents=True)
    made = shutil.ignore_patterns("__pycache__", "*.so")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=made)
        else:
            shutil.copy(source, folder / name)
    return folder


def link_checkout(folder: Path) -> Path:
    """The same, for tests that change nothing in the package: it is a link to ours."""
    folder.mkdir(parents=True)
    shutil.copytree(ROOT / "bin", folder / "bin", ignore=shutil.ignore_patterns("__pycache__"))
    for name in COPIED[1:]:
        (folder / name).symlink_to(ROOT / name)
    return folder


def set_up(checkout: Path) -> Path:
    """Make the environment as after a start without a kernel; returns the checkout.

    Its packages are those of these tests: no pip runs.
    """
    venv = checkout / ".venv"
    installed = subprocess.CompletedProcess([], 0, "")
    with mock.patch.object(make_venv, "install", return_value=installed):
        make_venv.make(checkout, "run", venv)
    packages = next(venv.glob("lib/python*/site-packages"))
    (packages / "tests.pth").write_text(f"{Path(loguru.__file__).parents[1]}\n")
    return checkout
