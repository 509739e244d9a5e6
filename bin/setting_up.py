"""Shared by make_venv.py and make_kernel.py: sentences for users, locks, files, the environment."""

import fcntl
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class CannotSetUp(Exception):
    """The set-up failed; the message is for the user."""


def say(text: str) -> None:
    """Tell the user, who sees stderr, if there is one: print would take stdout instead of None."""
    if sys.stderr is not None:
        with suppress(OSError):  # nobody reads it, or it cannot be written
            print(f"gtp_engine: {text}", file=sys.stderr, flush=True)


def occupy_closed_streams() -> None:
    """See to it that no file which is opened later becomes stdin, stdout or stderr.

    A program that is executed gets these as they were: closed.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


def sentence(known: dict[str, str], said: str) -> str | None:
    """The sentence for the first of some patterns that is found in an output; None for none."""
    for pattern, text in known.items():
        if found := re.search(pattern, said):
            return text.format(**found.groupdict())
    return None


@contextmanager
def held(path: Path, waiting: str) -> Iterator[int]:
    """Hold the lock of a file; `waiting` is said if another process has it."""
    with open(path, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waiting:
                say(waiting)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()


def clean_environment() -> dict[str, str]:
    """The environment without what would make Python run something of the client."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def read(path: Path) -> bytes:
    """The content of a file, empty where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
