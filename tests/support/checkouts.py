"""Fresh checkouts, for tests of what a first start does."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
COPIED = ("bin", "gtp_engine", "pyproject.toml", "README.md", "LICENSE")

# The kernel takes a minute to compile; where it is not what is tried, no compiler works.
WITHOUT_COMPILER = os.environ | {"CC": "/bin/false", "CXX": "/bin/false"}


def run(command: list[str], folder: Path, text: str = "", **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, cwd=folder, input=text, capture_output=True, text=True, timeout=280, **options
    )


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
