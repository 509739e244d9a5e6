"""The process on its pipes, for tests."""

import os
import select
import subprocess
import sys
import time
from io import RawIOBase
from types import TracebackType
from typing import Self

import pytest

from gtp_engine.base.platforms import process_time, unread
from support.waiting import PATIENCE, wait_until

ENGINE = [sys.executable, "-P", "-m", "gtp_engine"]
LONG_THINKING = ("--game", "robble", "--size", "19", "--seconds", "60", "--timing", "fixed")

MEGABYTE = b"x" * 10**6
WORK = 0.1  # seconds of processor time, more than a line without a search takes
MOMENT = 0.1  # seconds in which an engine that works uses a processor

NAME = b"= Patchpie\n\n"
UNKNOWN = b"? unknown command\n\n"
MALFORMED = b"? invalid color or coordinate\n\n"
SILENCE = b""


def talk(text: bytes, *options: str) -> bytes:
    """What an engine writes for an input that ends; it must end well and say nothing else."""
    done = subprocess.run(
        [*ENGINE, *options], input=text, capture_output=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def answers(text: bytes, *options: str) -> list[bytes]:
    """The answers to an input, without the empty lines between them."""
    output = talk(text, *options)
    assert output.endswith(b"\n\n")
    return output[:-2].split(b"\n\n")


class Engine:
    """A running engine; every wait for it has an end."""

    def __init__(self, *options: str) -> None:
        pipe = subprocess.PIPE
        command = [*ENGINE, *options]
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        # What was read of a pipe, and not yet given.
        self._came = {self.process.stdout: bytearray(), self.process.stderr: bytearray()}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()

    def write(self, text: bytes) -> None:
        while text:
            text = text[self.process.stdin.write(text) :]

    def read(self) -> bytes:
        """The next answer, with the empty line at its end."""
        return self._read_until(b"\n\n", self.process.stdout)

    def read_line(self) -> bytes:
        return self._read_until(b"\n", self.process.stdout)

    def read_log(self, end_of_text: bytes) -> bytes:
        """What it writes on stderr, up to a text."""
        return self._read_until(end_of_text, self.process.stderr)

    def rest_of_output(self) -> bytes:
        """What it has still written on stdout when it ends."""
        return bytes(self._came[self.process.stdout]) + self.process.stdout.read()

    def rest_of_log(self) -> bytes:
        """What it has still written on stderr when it ends."""
        return bytes(self._came[self.process.stderr]) + self.process.stderr.read()

    def _read_until(self, end_of_text: bytes, pipe: RawIOBase) -> bytes:
        came = self._came[pipe]
        end = time.monotonic() + PATIENCE
        while (found := came.find(end_of_text)) < 0:
            left = max(0.0, end - time.monotonic())
            ready, _, _ = select.select([pipe], [], [], left)
            assert ready, f"no answer within {PATIENCE:g} seconds, only {bytes(came)!r}"
            chunk = pipe.read(2**16)
            assert chunk, f"the engine ended after {bytes(came)!r}"
            came += chunk
        size = found + len(end_of_text)
        text = bytes(came[:size])
        del came[:size]
        return text

    def ask(self, line: bytes) -> bytes:
        self.write(line + b"\n")
        return self.read()

    def think(self) -> None:
        """Have it begin a long search."""
        assert self.ask(b"name") == NAME
        self.write(b"genmove b\n")
        self.until_works()

    def until_works(self) -> None:
        """Wait until it uses a processor: it searches. Skips where the system does not tell."""
        before = self.processor_time()
        wait_until(lambda: self.processor_time() > before + WORK, "an engine that works")

    def until_rests(self) -> None:
        """Wait until it uses no processor for a moment. Skips where the system does not tell."""
        wait_until(self._rests, "an engine that rests")

    def _rests(self) -> bool:
        before = self.processor_time()
        time.sleep(MOMENT)  # no event tells that something does not happen
        return self.processor_time() == before

    def processor_time(self) -> float:
        """Seconds of processor time that it has used. Skips where the system does not tell."""
        try:
            return process_time(self.process.pid)[1]
        except (OSError, ValueError, IndexError):
            pytest.skip("only Linux tells the processor time of others")

    def until_taken(self) -> None:
        """Wait until it has read what was written."""
        wait_until(lambda: not unread(self.process.stdin.fileno()), "an engine that reads")

    def until_full(self) -> None:
        """Wait until no more of what it writes fits into the pipe that we read."""
        wait_until(lambda: is_full(self.process.stdout.fileno()), "a full pipe")

    def ends_well(self) -> None:
        assert self.process.wait(PATIENCE) == 0
        assert self.rest_of_log() == b""


def is_full(descriptor: int) -> bool:
    """Whether the pipe behind its reading end has no room. Skips where the system has no /proc."""
    try:
        writing = os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY)
    except OSError:
        pytest.skip("only Linux opens the other end of a pipe")
    try:
        return not select.select([], [writing], [], 0)[1]
    finally:
        os.close(writing)
