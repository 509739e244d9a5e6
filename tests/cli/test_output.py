"""What tools do when their output cannot be written."""

import os
import subprocess
import sys

import pytest

TOOLS = [
    ["swap-map", "--table"],
    ["solve", "--game", "implo", "--size", "2", "--all-openings", "--backend", "python"],
    ["bench", "--game", "implo", "--size", "2", "--what", "perft", "--samples", "1"],
]


def run(arguments, stdout):
    command = [sys.executable, "-m", "gtp_engine", *arguments]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("arguments", TOOLS, ids=lambda arguments: arguments[0])
def test_a_tool_ends_without_a_word_when_nobody_reads_its_output(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = run(arguments, writer)
    finally:
        os.close(writer)
    assert (ended.returncode, ended.stderr) == (1, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("arguments", TOOLS, ids=lambda arguments: arguments[0])
def test_a_tool_says_in_one_line_that_its_output_cannot_be_written(arguments):
    with open("/dev/full", "w") as full:
        ended = run(arguments, full)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"gtp-engine {arguments[0]}: ")
    assert ended.stderr.endswith("No space left on device\n")
    assert ended.stderr.count("\n") == 1
