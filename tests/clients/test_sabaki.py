"""The engine under the controller of Sabaki, @sabaki/gtp from npm, in Node."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

SCRIPT = Path(__file__).with_name("sabaki.mjs")
PACKAGE = "@sabaki/gtp@3.0.0"
ENGINE = [sys.executable, "-P", "-m", "gtp_engine"]
SIZES = {"implo": 6, "boloa": 5, "robble": 5, "pilo": 6}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A temporary folder with the package installed."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("no node and npm here to run @sabaki/gtp with")
    place = tmp_path_factory.mktemp("sabaki")
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE]
    try:
        done = subprocess.run(
            command, cwd=place, capture_output=True, text=True, timeout=60, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.skip("npm does not finish to install @sabaki/gtp")
    if done.returncode:
        pytest.skip(f"npm cannot install @sabaki/gtp: {done.stderr.strip()[-200:]}")
    return place


@pytest.mark.parametrize("name", SIZES)
def test_sabaki_drives_the_engine(folder, name, record_property):
    command = ["node", str(SCRIPT), *ENGINE, "--game", name, "--size", str(SIZES[name])]
    environment = os.environ | {"PYTHONPATH": str(SCRIPT.parents[2])}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    for key, value in json.loads(done.stdout).items():
        record_property(key, value)
