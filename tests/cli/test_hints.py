"""Hints for a mistyped option and for a missing library."""

import re
import shlex
import sys
from importlib import metadata

import pytest

from gtp_engine.base import optional_packages
from gtp_engine.cli import arena, bench, board, engine


@pytest.mark.parametrize(
    ("tool", "arguments", "hint"),
    [
        (engine, ["--gmae", "pilo"], "did you mean --game?"),
        (engine, ["--levle=3"], "did you mean --level?"),
        (bench, ["--sampels", "3"], "did you mean --samples?"),
        (arena, ["run", "--bord", "pilo"], "did you mean --board?"),
        (
            arena,
            ["reprot", "match.db"],
            "gtp-arena: there is no subcommand reprot; did you mean report?",
        ),
        (engine, ["bnech"], "gtp-engine: there is no subcommand bnech; did you mean bench?"),
        (engine, ["chess"], "gtp-engine: there is no subcommand chess"),
    ],
)
def test_a_mistyped_option_is_told_the_one_meant(tool, arguments, hint, capsys):
    with pytest.raises(SystemExit) as leaving:
        tool.main(arguments)
    assert leaving.value.code == 2
    assert capsys.readouterr().err.rstrip().endswith(hint)


@pytest.fixture
def without(monkeypatch):
    """A function that hides packages; all others seem to be there."""

    def hide(*names):
        monkeypatch.setattr(
            optional_packages, "find_spec", lambda name: None if name in names else name
        )

    return hide


@pytest.mark.parametrize("python", ["/usr/bin/python3", "/with blank/bin/python"])
def test_in_a_checkout_only_what_is_missing_is_installed(python, without, monkeypatch):
    monkeypatch.setattr(sys, "executable", python)
    without("rich", "matplotlib")
    *words, rich = shlex.split(optional_packages.how_to_install("arena"))
    assert words == [python, "-m", "pip", "install"]
    assert re.fullmatch(r"rich>=[\d.]+", rich)
    assert optional_packages.missing("arena") == ["rich"]
    assert optional_packages.missing("tune", "report") == ["rich", "matplotlib"]


def test_an_environment_without_pip_is_served_from_outside(without, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/checkout/.venv/bin/python")
    without("pip", "resvg_py")
    words = shlex.split(optional_packages.how_to_install("png"))
    assert words[:-1] == [
        "python3",
        "-m",
        "pip",
        "--python",
        "/checkout/.venv/bin/python",
        "install",
    ]
    assert words[-1].startswith("resvg-py>=")


def test_a_wheel_is_installed_with_its_extras(without, monkeypatch, tmp_path):
    monkeypatch.setattr(optional_packages, "_PYPROJECT", tmp_path / "pyproject.toml")
    declared = ['rich>=13; extra == "arena"', "loguru", "gtp-engine[arena]; extra == 'tune'"]
    monkeypatch.setattr(metadata, "requires", lambda name: declared)
    without("rich")
    assert optional_packages.missing("tune") == ["rich"]
    assert shlex.split(optional_packages.how_to_install("tune"))[-1] == "gtp-engine[tune]"


def test_a_program_without_its_packages_says_what_to_install(without, capsys):
    without("tornado")
    with pytest.raises(SystemExit) as leaving:
        board.main([])
    assert leaving.value.code == 2
    told = capsys.readouterr().err
    assert (
        told == f"gtp-board: needs tornado; to install: {optional_packages.how_to_install('web')}\n"
    )
