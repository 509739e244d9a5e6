"""The engine under the controller of Sabaki, @sabaki/gtp from npm, in Node."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.thorough import thorough
from support.tools import node, npm_install
from support.waiting import PATIENCE

pytestmark = thorough  # the package comes over the network

SCRIPT = Path(__file__).with_name("sabaki.mjs")

PACKAGE = "@sabaki/gtp@3.0.0"
ENGINE = [sys.executable, "-P", "-m", "gtp_engine"]
SIZES = {"implo": 6, "boloa": 5, "robble": 5, "pilo": 6}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A temporary folder with the package installed."""
    place = tmp_path_factory.mktemp("sabaki")
    npm_install(PACKAGE, place)
    return place


@pytest.mark.parametrize("name", SIZES)
def test_sabaki_drives_the_engine(folder, name, record_property):
    command = [node(), str(SCRIPT), *ENGINE, "--game", name, "--size", str(SIZES[name])]
    environment = os.environ | {"PYTHONPATH": str(SCRIPT.parents[2])}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    for key, value in json.loads(done.stdout).items():
        record_property(key, value)
