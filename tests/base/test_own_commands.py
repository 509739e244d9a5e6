"""Commands that are printed to be copied start our programs."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_engine.base import own_commands
from gtp_engine.base.own_commands import own_command

PROGRAMS = ["gtp-engine", "gtp-arena", "gtp-board", "gtp-regress"]


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """No checkout is there, and a folder of programs that the shell searches."""
    monkeypatch.setattr(own_commands, "_BIN", tmp_path / "none")
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("program", PROGRAMS)
def test_in_a_checkout_it_is_the_file_in_bin(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path, *words = shlex.split(own_command(program, ["--engine", "a='b c'"]))
    assert os.access(path, os.X_OK) and Path(path).name == program
    assert words == ["--engine", "a='b c'"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_without_a_program_on_the_path_it_is_a_module(program, installed):
    words = shlex.split(own_command(program, ["--help"]))
    assert words[0] == sys.executable
    done = subprocess.run(words, capture_output=True, text=True, env={"PYTHONPATH": _root()})
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"usage: {program}")


def test_a_program_on_the_path_is_called_by_its_name(installed):
    (installed / "gtp-arena").write_text("#!/bin/sh\n")
    (installed / "gtp-arena").chmod(0o755)
    assert own_command("gtp-arena", ["run"]) == "gtp-arena run"


def _root() -> str:
    return str(Path(own_commands.__file__).parents[2])
