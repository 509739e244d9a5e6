"""Text for stderr: it comes in order, or it is dropped and counted; its writer never waits."""

import os
import select
import subprocess
import sys

import pytest

from gtp_engine.base import stderr
from gtp_engine.base.stderr import LossyWriter
from support.full_disk import FULL, needs_full
from support.waiting import wait_until

LINE = "x" * 999 + "\n"


@pytest.fixture
def pipe():
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def read_to(end: int, last: bytes) -> bytes:
    text = b""
    while not text.endswith(last):
        text += os.read(end, 2**16)
    return text


def test_texts_come_whole_and_in_order(pipe):
    out, into = pipe
    writer = LossyWriter(into)
    for number in range(50):
        writer.write(f"{number}\n")
    expected = "".join(f"{number}\n" for number in range(50)).encode()
    assert read_to(out, b"49\n") == expected


def test_nobody_reads_and_it_says_once_how_much_was_lost(pipe):
    out, into = pipe
    writer = LossyWriter(into)
    for _ in range(1000):  # a megabyte: far more than pipe and queue hold
        writer.write(LINE)
    told = read_to(out, b"nobody read stderr\n").decode()
    kept = told.count(LINE)
    assert 0 < kept < 1000
    notice = f"WARNING: {1000 - kept} messages were dropped: nobody read stderr\n"
    assert told == kept * LINE + notice
    writer.write("again\n")
    assert read_to(out, b"\n") == b"again\n"


def full(into: int) -> bool:
    """Whether a pipe takes no further line."""
    return not select.select([], [into], [], 0)[1]


@pytest.mark.skipif(sys.platform == "win32", reason="cannot tell whether a pipe is full")
def test_after_a_loss_nothing_is_taken_while_older_texts_wait(pipe):
    out, into = pipe
    writer = LossyWriter(into)
    writer.write(2**16 * "y")  # as much as a pipe holds
    wait_until(lambda: full(into))
    for _ in range(1000):
        writer.write(LINE)
    told = os.read(out, 2**15)
    wait_until(lambda: full(into))  # some of what waited has left the queue
    writer.write("late\n")
    told += read_to(out, b"nobody read stderr\n")
    lost = 1001 - told.decode().count(LINE)
    assert told.endswith(f"x\nWARNING: {lost} messages were dropped: nobody read stderr\n".encode())


def test_the_end_of_a_process_does_not_wait_for_a_full_pipe(pipe):
    _, into = pipe
    writer = LossyWriter(into)
    for _ in range(1000):
        writer.write(LINE)
    writer.flush(1000)


def test_a_reader_that_left_is_no_error():
    out, into = os.pipe()
    os.close(out)
    writer = LossyWriter(into)
    writer.write(LINE)
    writer.flush(1000)
    os.close(into)


def test_a_replaced_stderr_gets_it_at_once(capsys):
    stderr.write("to the console of a progress bar\n")
    assert capsys.readouterr().err == "to the console of a progress bar\n"


@needs_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_sentence_that_a_full_disk_does_not_take_changes_nothing(unbuffered):
    program = """import sys
from gtp_engine.base import stderr
stderr.provide()
for number in range(1000):
    print("waiting", number, file=sys.stderr)
print("done")"""
    with open(FULL, "w") as full:
        done = subprocess.run(
            [sys.executable, "-P", "-c", program],
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
        )
    assert (done.returncode, done.stdout) == (0, "done\n")


@pytest.mark.skipif(sys.platform == "win32", reason="has no such streams")
@pytest.mark.parametrize(
    "words", ["review /nonexistent.sgf", "--level 99", "puzzles x", "bench --weights /nonexistent"]
)
def test_where_stderr_is_closed_nothing_of_it_goes_to_stdout(words):
    command = f"exec {sys.executable} -P -m gtp_engine {words} 2>&-"
    done = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, input=b"")
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="has no such streams")
def test_an_engine_without_stderr_logs_into_no_other_file(tmp_path):
    """What it writes has not the descriptor of stderr."""
    path = tmp_path / "game.sgf"
    command = f"exec {sys.executable} -P -m gtp_engine --verbose 2>&-"
    lines = f"play b nowhere\nprintsgf {path}\nplay b nowhere\n"
    done = subprocess.run(
        ["sh", "-c", command], stdout=subprocess.PIPE, input=lines.encode(), check=True
    )
    assert done.stdout == b"? invalid color or coordinate\n\n=\n\n? invalid color or coordinate\n\n"
    assert path.read_bytes().startswith(b"(;") and path.read_bytes().endswith(b")\n")
