"""Hints for a mistyped option and for a missing library."""

import shlex
import sys
from pathlib import Path

import pytest

from gtp_engine import extras
from gtp_engine.cli import arena_run, bench, engine


@pytest.mark.parametrize(
    ("tool", "arguments", "hint"),
    [
        (engine, ["--gmae", "pilo"], "did you mean --game?"),
        (engine, ["--levle=3"], "did you mean --level?"),
        (bench, ["--sampels", "3"], "did you mean --samples?"),
        (arena_run, ["--bord", "pilo"], "did you mean --board?"),
    ],
)
def test_a_mistyped_option_is_told_the_one_meant(tool, arguments, hint, capsys):
    with pytest.raises(SystemExit) as leaving:
        tool.main(arguments)
    assert leaving.value.code == 2
    assert capsys.readouterr().err.rstrip().endswith(hint)


@pytest.mark.parametrize("python", ["/usr/bin/python3", "/with blank/bin/python"])
def test_from_a_checkout_a_library_is_installed_by_its_path(python, monkeypatch):
    monkeypatch.setattr(sys, "executable", python)
    words = [python, "-m", "pip", "install", "-e", f"{Path(extras.__file__).parents[1]}[arena]"]
    assert shlex.split(extras.how_to_install("arena")) == words
