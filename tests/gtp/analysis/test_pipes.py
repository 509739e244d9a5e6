"""The engine on its pipes: what ends it, and what it leaves behind."""

import errno
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import pytest

from gtp_engine.engine.settings import Settings
from gtp_engine.gtp.analysis import pipes as engine_pipes
from gtp_engine.gtp.analysis.pipes import CANNOT_WRITE, FINISHED, lines, serve
from gtp_engine.gtp.analysis.service import Usual
from gtp_engine.search.pool import Pool
from support.analyzing import ENDLESS, LIVE, SMALL, answered, final
from support.full_disk import FULL, needs_full
from support.starting import running
from support.waiting import PATIENCE, wait_until

USUAL = Usual(Settings(threads=1, hash_mb=16), 20, None, 1000)
MOVES = [["b", "a1"], ["w", "b3"], ["b", "c1"]]
GAME = {**SMALL, "moves": MOVES, "analyzeTurns": "all"}


POOLS: list[Pool] = []
"""Those of the engine that runs in this process."""


@pytest.fixture(autouse=True)
def unwatched(monkeypatch):
    """A thread that watches a pipe would keep it open for this process, which reads it, too."""
    monkeypatch.setattr(engine_pipes, "wait_until_closed", lambda descriptor: False)
    monkeypatch.setattr(engine_pipes, "Pool", kept_pool)


def kept_pool(*options: int) -> Pool:
    POOLS.append(Pool(*options))
    return POOLS[-1]


def line_of(**fields) -> bytes:
    return json.dumps(fields).encode() + b"\n"


class Pipes:
    """The pipes of an engine that this thread is going to run."""

    def __init__(self) -> None:
        self.stdin, self._input = os.pipe()
        self._output, self.stdout = os.pipe()
        self.client = os.fdopen(self._input, "wb", buffering=0)
        self.answers = os.fdopen(self._output, "rb")

    def run(self, waits: bool = True, positions: int = 1) -> int:
        """Run the engine to its end; returns its exit status."""
        try:
            return serve(USUAL, positions, waits, self.stdin, self.stdout)
        finally:
            os.close(self.stdout)

    def close(self) -> None:
        """End what is left of the engine, and close the rest.

        Its reader must have ended: it would read from the next file that gets the number of its
        descriptor. What the reader took late may still be searched.
        """
        self.client.close()
        wait_until(reader_ended)
        while POOLS:
            POOLS.pop().close()
        os.close(self.stdin)
        self.answers.close()


def reader_ended() -> bool:
    """Whether the engine reads no more; what it waits for is dropped."""
    for pool in POOLS:
        pool.cancel_all()
    return not [each for each in threading.enumerate() if each.name == "stdin"]


@contextmanager
def pipes(*work) -> Iterator[Pipes]:
    """Pipes, and a client at them in a thread, which begins with the engine."""
    made = Pipes()
    thread = threading.Thread(target=lambda: [each(made) for each in work])
    thread.start()
    yield made
    thread.join(PATIENCE)
    assert not thread.is_alive()
    made.close()


def sends(*lines: bytes):
    """A client that sends lines and closes the engine's stdin."""

    def work(made: Pipes) -> None:
        for line in lines:
            made.client.write(line)
        made.client.close()

    return work


def told(made: Pipes) -> list[dict]:
    """What the engine has written, all of it whole lines."""
    text = made.answers.read()
    assert text == b"" or text.endswith(b"\n")
    return [json.loads(line) for line in text.splitlines()]


def test_the_end_of_input_finishes_everything():
    """The last line may lack its end."""
    request = line_of(id="a", **GAME) + line_of(id="b", **SMALL)[:-1]
    with pipes(sends(request)) as made:
        assert made.run() == FINISHED
        assert sorted(answered(told(made))) == [*(("a", turn) for turn in range(4)), ("b", 0)]


def test_without_waiting_the_rest_is_answered_by_no_results():
    with pipes(sends(line_of(id="long", **ENDLESS), line_of(id="a", **GAME))) as made:
        assert made.run(waits=False) == FINISHED
        found = told(made)
    assert len(answered(found)) == 5
    assert all("noResults" in line for line in found if line["id"] == "a")


def test_a_line_that_is_too_long_is_skipped(monkeypatch):
    monkeypatch.setattr(engine_pipes, "LONGEST_LINE", 200)
    long = line_of(id="a", **SMALL, text="x" * 10**6)
    fits = line_of(id="b", **SMALL)
    with pipes(sends(fits, long, fits.replace(b'"b"', b'"c"'), long[:-1])) as made:
        assert made.run() == FINISHED
        found = told(made)
    assert answered(found) == [("b", 0), ("c", 0)]
    assert [line["code"] for line in found if "error" in line] == ["too-long"] * 2


def test_lines_of_any_length(tmp_path):
    file = tmp_path / "lines"
    parts = [b"a", b"", b"b" * 70_000, b"c" * 70_001, b"d" * 200_000, b"e"]
    file.write_bytes(b"\n".join(parts))
    with file.open("rb") as opened:
        found = [*lines(opened.fileno(), 70_000)]
    assert found == [b"a", b"", b"b" * 70_000, None, None, b"e"]


def test_a_byte_order_mark_at_the_beginning_is_dropped(tmp_path):
    file = tmp_path / "lines"
    file.write_bytes(b"\xef\xbb\xbf{}\n\xef\xbb\xbf{}\n")
    with file.open("rb") as opened:
        assert [*lines(opened.fileno(), 100)] == [b"{}", b"\xef\xbb\xbf{}"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_after_the_line_that_is_being_written(number):
    """The pipe is full when the signal comes: half a line is in it."""

    def client(made: Pipes) -> None:
        made.client.write(line_of(id="x" * 1000, action="query_version", blob="x" * 200_000))
        made.client.write(line_of(id="long", **ENDLESS))
        made.answers.peek(1)
        os.kill(os.getpid(), number)
        found.extend(told(made))

    found: list[dict] = []
    with pipes(client) as made:
        assert made.run() == FINISHED
    assert [line["action"] for line in found] == ["query_version"]


def test_a_stdout_that_cannot_be_written_is_told(monkeypatch):
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pipes(sends(line_of(id="a", **SMALL))) as made, monkeypatch.context() as patch:
        patch.setattr(engine_pipes, "_write", full)
        assert made.run() == CANNOT_WRITE


ENGINE = [sys.executable, "-P", "-m", "gtp_engine"]


def engine(*options: str, stdout: int | IO[bytes] = subprocess.PIPE):
    command = [*ENGINE, "analyze", "--positions", "2", *options]
    pipe = subprocess.PIPE
    return running(command, stdin=pipe, stdout=stdout, stderr=pipe)


def test_a_process_answers_and_says_when_it_is_ready():
    """It is started by the words with which KaTrain starts KataGo, and the game is set outside."""
    words = ["analysis", "-model", "b18.bin.gz", "-config", "analysis.cfg"]
    words += ["-override-config", "homeDataDir=/home/ann,maxVisits=30"]
    pipe, there = subprocess.PIPE, os.environ | {"PATCHPIE_GAME": "implo", "PATCHPIE_SIZE": "3"}
    request = {key: value for key, value in GAME.items() if key not in SMALL}
    with running([*ENGINE, *words], stdin=pipe, stdout=pipe, stderr=pipe, env=there) as process:
        told = b"without effect here: -config, -model, -override-config homeDataDir\n"
        assert process.stderr.readline().endswith(told)
        assert b"Started, ready to begin handling requests" in process.stderr.readline()
        output, log = process.communicate(line_of(id="a", **request), timeout=PATIENCE)
    assert (process.returncode, log) == (0, b"")
    found = [json.loads(line) for line in output.splitlines()]
    assert len(answered(found)) == 4
    assert {line["rootInfo"]["position"].split()[0] for line in found} == {"implo"}


def test_sigterm_ends_a_process_with_whole_lines():
    with engine() as process:
        process.stdin.write(line_of(id="long", **ENDLESS, **LIVE))
        process.stdin.flush()
        first = process.stdout.readline()
        process.terminate()
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    found = [json.loads(line) for line in [first, *output.splitlines()]]
    assert not any(map(final, found))


def test_a_process_ends_when_nobody_reads_any_more():
    """Also while nothing is written."""
    with engine() as process:
        process.stdin.write(line_of(id="long", **ENDLESS))
        process.stdin.flush()
        process.stdout.close()
        assert process.wait(PATIENCE) == 0
        process.stdin.close()


@needs_full
def test_a_process_on_a_full_disk_says_so():
    """The line on stderr is there although the process ends at once."""
    with open(FULL, "wb") as full, engine(stdout=full) as process:
        _, log = process.communicate(line_of(id="a", **SMALL), timeout=PATIENCE)
    assert process.returncode == CANNOT_WRITE
    assert log.endswith(b"cannot write to stdout: No space left on device\n")
