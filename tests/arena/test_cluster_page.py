"""The commands on the page of clusters are understood, and what they start listens nowhere else."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from distributed.cli import dask_scheduler, dask_worker  # noqa: E402

import gtp_engine  # noqa: E402

PAGE = Path(gtp_engine.__file__).parents[1] / "protocol_specs" / "matches" / "clusters.md"
PROGRAMS = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}


def commands() -> list[list[str]]:
    """The command lines of Dask in the indented blocks."""
    joined = re.sub(r" *\\\n +", " ", PAGE.read_text())
    return [shlex.split(line) for line in re.findall(r"^ {4,8}(dask .*)$", joined, re.MULTILINE)]


def test_the_commands_are_understood(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ca.pem", "cert.pem", "key.pem"):
        (tmp_path / name).touch()
    found = commands()
    assert [words[1] for words in found] == ["scheduler", "worker"] * 2
    for _, program, *words in found:
        read = PROGRAMS[program].make_context(program, list(words)).params
        home, _, port = read["dashboard_address"].partition(":")
        assert home == "127.0.0.1" and port.isdigit()
        if program == "scheduler":
            assert read["host"], "a scheduler without a host listens on all interfaces"


def test_what_makes_keys_is_understood(tmp_path):
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    lines = re.findall(r"^ {4}(openssl .*)$", PAGE.read_text(), re.MULTILINE)
    assert len(lines) == 3
    for line in lines:
        done = subprocess.run(shlex.split(line), cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    checked = ["openssl", "verify", "-CAfile", "ca.pem", "cert.pem"]
    done = subprocess.run(checked, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "cert.pem: OK\n"
