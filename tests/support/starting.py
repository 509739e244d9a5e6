"""Commands that start engines, for tests: as words, or as a line whose paths may have blanks.

`running` starts what must not outlive its test.
"""

import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ENGINES = Path(__file__).parents[1] / "engines"


def python_command(*words: str | Path) -> str:
    """The line that starts this Python with these words."""
    return shlex.join(map(str, (sys.executable, *words)))


def engine_command(*options: str) -> str:
    """The line that starts our engine."""
    return python_command("-P", "-m", "gtp_engine", *options)


def robble_command(fault: str = "none", *options: str | Path) -> str:
    """The line that starts a small engine of Robble, which may misbehave: engines/faults.py."""
    return python_command(ENGINES / "robble.py", fault, *options)


def rogue(fault: str, *options: str) -> list[str]:
    """The words that start our engine with a fault; a small one would start sooner."""
    return [sys.executable, str(ENGINES / "rogue.py"), fault, *options]


def rogue_command(fault: str, *options: str) -> str:
    """The same as one line."""
    return shlex.join(rogue(fault, *options))


def plain() -> list[str]:
    """The words that start an engine that knows no game of ours."""
    return [sys.executable, str(ENGINES / "plain.py")]


ROBBLE = robble_command()
PLAIN = shlex.join(plain())
RANDOM = engine_command("--player", "random")


def free_port() -> int:
    """A port of this machine at which nobody listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def complaints(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What a program wrote to stderr, without what the arena says while engines start slowly."""
    return [line for line in done.stderr.splitlines() if "starting the engines" not in line]


@contextmanager
def running(words: list[str], **streams: Any) -> Iterator[subprocess.Popen]:
    """A process that is killed at the end of the block, so that no failed test waits for it."""
    with subprocess.Popen(words, **streams) as process:
        try:
            yield process
        finally:
            process.kill()
