"""What tools do when their output cannot be written."""

import errno
import os
import subprocess
import sys

import pytest

from gtp_engine.cli.interrupts import exit_status
from support.full_disk import FULL, needs_full
from support.matches import new_match
from support.thorough import first_of

# Command lines, and what their errors begin with.
TOOLS = {
    "engine swap-map --table": "gtp-engine swap-map",
    "arena check --items": "gtp-arena check",
    "regress --help": "gtp-regress",
    "engine --help": "gtp-engine",
    "engine solve --game implo --size 2 --all-openings --backend python": "gtp-engine solve",
    "engine bench --game implo --size 2 --what perft --samples 1": "gtp-engine bench",
    "arena --help": "gtp-arena",
}


def run(arguments, stdout, stderr=subprocess.PIPE):
    program, *words = arguments.split()
    module = "gtp_engine" if program == "engine" else f"gtp_engine.cli.{program}"
    command = [sys.executable, "-m", module, *words]
    return subprocess.run(command, stdout=stdout, stderr=stderr, text=True)


@pytest.mark.parametrize("arguments", first_of(TOOLS, 3))
def test_a_tool_ends_without_a_word_when_nobody_reads_its_output(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = run(arguments, writer)
    finally:
        os.close(writer)
    assert (ended.returncode, ended.stderr) == (1, "")


@needs_full
@pytest.mark.parametrize("arguments", first_of(TOOLS, 3))
def test_a_tool_says_in_one_line_that_its_output_cannot_be_written(arguments):
    with open(FULL, "w") as full:
        ended = run(arguments, full)
    assert ended.returncode == 2
    told = "stdout: No space left on device; free some space"
    assert ended.stderr == f"{TOOLS[arguments]}: {told}\n"


@needs_full
@pytest.mark.parametrize("arguments", ["arena --help", "arena report no-such.db", "regress"])
def test_a_reason_that_cannot_be_written_either_changes_no_status(arguments):
    with open(FULL, "w") as full:
        assert run(arguments, full, stderr=full).returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="has no such streams")
@pytest.mark.parametrize(
    "words",
    ["gtp_engine render {sgf}", "gtp_engine replay {sgf}", "gtp_engine.cli.arena report {db}"],
)
def test_where_stdout_is_closed_a_tool_does_its_work(words, tmp_path):
    game, match = tmp_path / "game.sgf", new_match(tmp_path / "match.db")
    game.write_text("(;GAME[implo]SZ[3]PIE[off];B[B2];W[A1])")
    command = f"exec {sys.executable} -P -m {words.format(sgf=game, db=match)} >&-"
    ended = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


class Lost(Exception):
    """An error that a tool raises."""


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (KeyboardInterrupt(), 130, ""),
        (Lost("the match is lost"), 2, "tool: the match is lost\n"),
        (OSError("some.txt is a folder"), 2, "tool: some.txt is a folder\n"),
        (
            OSError(errno.ENOENT, os.strerror(errno.ENOENT), "a.txt"),
            2,
            f"tool: a.txt: {os.strerror(errno.ENOENT)}; check the name and its folder\n",
        ),
        (OSError(errno.EBUSY, "It is busy", "a.txt"), 2, "tool: a.txt: It is busy\n"),
    ],
    ids=str,
)
def test_each_error_has_its_status_and_one_line(error, status, told, capsys):
    def fail():
        raise error

    assert exit_status("tool", fail, {Lost: 2}) == status
    assert capsys.readouterr().err == told


def test_a_tool_has_its_own_status_and_a_usage_error_leaves():
    assert [exit_status("tool", lambda status=status: status) for status in (0, 1, 11)] == [
        0,
        1,
        11,
    ]
    with pytest.raises(SystemExit):
        exit_status("tool", sys.exit)
