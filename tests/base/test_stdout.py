"""The stdout of every program: closed ones, and those that lack some signs."""

import io
import signal
import subprocess
import sys

import pytest

from gtp_engine.cli.interrupts import exit_status
from gtp_engine.search.backends.kernel import kernel_built
from support.starting import running
from support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no such streams")


@pytest.mark.parametrize(
    ("errors", "written"),
    [
        ("strict", b"\xb1 \\u4e2d\n"),
        ("surrogateescape", b"\xb1 \\u4e2d\n"),
        ("replace", b"\xb1 ?\n"),  # the user has chosen it
    ],
)
def test_a_sign_that_the_character_set_lacks_is_no_error(monkeypatch, errors, written):
    stream = io.TextIOWrapper(io.BytesIO(), "latin-1", errors, newline="\n")
    monkeypatch.setattr(sys, "stdout", stream)
    assert exit_status("tool", lambda: print("± 中") or 0) == 0
    assert stream.buffer.getvalue() == written


def closed(words: str) -> list[str]:
    return ["sh", "-c", f"exec {sys.executable} -P -m gtp_engine {words} >&-"]


@pytest.mark.parametrize("words", ["", "analyze"])
def test_without_a_stdout_the_engine_ends_at_once(words):
    with running(closed(words), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.wait(PATIENCE) == 0


@pytest.mark.skipif(not kernel_built(), reason="only the kernel keeps tables")
def test_without_a_stdout_no_other_file_has_its_descriptor(tmp_path):
    """Not the pipe that gets the signals either: a signal would be told to nobody."""
    table = tmp_path / "table"
    options = f"solve --game boloa --size 4 --opening pA1 --table {table} --save-every 0.05"
    with running(closed(options), stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: table.exists() or process.poll() is not None)
        process.send_signal(signal.SIGTERM)
        assert (process.wait(PATIENCE), process.stderr.read()) == (130, "")
