"""The kernel in parts: a core, and a module for each game that is loaded when it is first used."""

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_engine.search.backends.choose import PYTHON
from gtp_engine.search.backends.kernel import kernel_files, kernel_for, kernel_games
from support.waiting import PATIENCE

pytestmark = pytest.mark.skipif(not kernel_games(), reason="no kernel was built")

# A process that finds the kernel in one folder, where `build` puts parts of it.
BEGINNING = """
import shutil, sys
from pathlib import Path
import gtp_engine.kernel
from gtp_engine.rules import find_game
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.backends.kernel import kernel_built, kernel_for, kernel_games

folder, *files = map(Path, sys.argv[1:])
gtp_engine.kernel.__path__[:] = [str(folder)]

def build(*parts):
    folder.mkdir(exist_ok=True)
    for file in files:
        if file.name.partition(".")[0] in parts:
            shutil.copy(file, folder)

def loaded():
    return sorted(name.rpartition(".")[2] for name in sys.modules if "kernel._" in name)
"""


def run(folder: Path, *lines: str) -> list[str]:
    """What a process prints for these lines."""
    program = "\n".join([BEGINNING, *lines])
    command = [sys.executable, "-P", "-c", program, str(folder), *kernel_files()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    return done.stdout.splitlines()


def test_a_game_is_loaded_when_it_is_first_used(tmp_path):
    assert run(
        tmp_path,
        "build('_kernel', '_implo', '_robble')",
        "print(kernel_games(), kernel_built('robble'), loaded())",
        "core = kernel_for('robble')",
        "print(core.games(), loaded())",
        "print(kernel_for('implo') is core, kernel_for('robble') is core)",
        "print(core.games(), loaded())",
    ) == [
        "['implo', 'robble'] True []",
        "['robble'] ['_kernel', '_robble']",
        "True True",
        "['robble', 'implo'] ['_implo', '_kernel', '_robble']",
    ]


def test_absence_is_not_remembered(tmp_path):
    """A compiler may finish the core and each game while an engine runs."""
    seen = (
        "print(kernel_built(), kernel_built('robble'), kernel_games(),"
        " backend_for(find_game('robble')).name)"
    )
    assert run(
        tmp_path / "later",
        *(seen, "build('_kernel')", seen, "build('_implo')", seen, "build('_robble')", seen),
    ) == [
        "False False [] python",
        "True False [] python",
        "True False ['implo'] python",
        "True True ['implo', 'robble'] kernel",
    ]


def test_a_game_of_other_sources_is_refused():
    core = kernel_for(kernel_games()[0])
    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
    name = b"patchpie game 0"  # the capsule refers to it
    with pytest.raises(ImportError, match="the core of the kernel have different sources"):
        core.add_game(make(1, name, None))


def test_python_searches_what_cannot_be_loaded(tmp_path):
    assert run(
        tmp_path,
        "build('_kernel')",
        "file = next(file for file in files if file.name.startswith('_kernel.'))",
        "(folder / file.name.replace('_kernel', '_robble')).write_text('no library')",
        "print(kernel_built('robble'), backend_for(find_game('robble')).name)",
    ) == [f"True {PYTHON}"]
