"""The process on its pipes, for tests."""

import select
import subprocess
import sys
import time
from io import RawIOBase
from types import TracebackType
from typing import Self

ENGINE = [sys.executable, "-P", "-m", "gtp_engine"]
TIMEOUT = 60.0
LONG_THINKING = ("--game", "robble", "--size", "19", "--seconds", "60", "--timing", "fixed")

MEGABYTE = b"x" * 10**6
PIPE_IS_FULL = 0.3  # seconds after which an engine that nobody reads has filled its pipe

NAME = b"= Patchpie\n\n"
UNKNOWN = b"? unknown command\n\n"
MALFORMED = b"? invalid color or coordinate\n\n"
SILENCE = b""


def talk(text: bytes, *options: str) -> bytes:
    """What an engine writes for an input that ends; it must end well and say nothing else."""
    done = subprocess.run(
        [*ENGINE, *options], input=text, capture_output=True, timeout=TIMEOUT, check=False
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

    def read(self, timeout: float = TIMEOUT) -> bytes:
        """The next answer, with the empty line at its end."""
        return self._read_until(b"\n\n", timeout, self.process.stdout)

    def read_line(self, timeout: float = TIMEOUT) -> bytes:
        return self._read_until(b"\n", timeout, self.process.stdout)

    def read_log(self, end_of_text: bytes) -> bytes:
        """What it writes on stderr, up to a text."""
        return self._read_until(end_of_text, TIMEOUT, self.process.stderr)

    def _read_until(self, end_of_text: bytes, timeout: float, pipe: RawIOBase) -> bytes:
        text = b""
        end = time.monotonic() + timeout
        while not text.endswith(end_of_text):
            left = max(0.0, end - time.monotonic())
            ready, _, _ = select.select([pipe], [], [], left)
            assert ready, f"no answer within {timeout} seconds, only {text!r}"
            byte = pipe.read(1)
            assert byte, f"the engine ended after {text!r}"
            text += byte
        return text

    def ask(self, line: bytes) -> bytes:
        self.write(line + b"\n")
        return self.read()

    def think(self) -> None:
        """Have it begin a long search."""
        assert self.ask(b"name") == NAME
        self.write(b"genmove b\n")
        time.sleep(0.3)

    def ends_well(self, timeout: float = TIMEOUT) -> None:
        assert self.process.wait(timeout) == 0
        assert self.process.stderr.read() == b""
