"""The exact figures of figures.json, by each instruction set of this processor."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_engine.search.backends.kernel import kernel_for
from gtp_engine.search.options import VARIABLE
from kernel.figures import SIZES, all_figures, differences, figures_of_nets, recorded
from support.thorough import thorough
from support.waiting import PATIENCE

TESTS = Path(__file__).parents[1]


@pytest.fixture
def here():
    """The core, which must have all games."""
    if any(kernel_for(game) is None for game in SIZES):
        pytest.skip("the kernel lacks a game")
    return kernel_for("implo")


def test_the_figures_are_those_of_every_machine(here):
    assert len(recorded()) > 200
    assert differences(all_figures(kernel_for, here.isas()[0]), recorded()) == []


@thorough
def test_all_instruction_sets_give_those_of_nets(here):
    for isa in here.isas()[1:]:
        found = figures_of_nets(kernel_for, isa)
        assert differences(found, {name: recorded()[name] for name in found}) == [], isa


@thorough
def test_rules_and_search_for_any_processor_give_them_too(here):
    """The other build of a wheel, which only another process loads."""
    if here.compiled_for() == "plain" or "plain" not in here.isas():
        pytest.skip("there is no other build here")
    done = subprocess.run(
        [sys.executable, "-P", TESTS, "kernel.figures"],
        env={**os.environ, VARIABLE: "plain"},
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("plain, nets plain: ")
