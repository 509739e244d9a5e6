"""What engines have left behind, counted from outside: in /proc. Only Linux tells."""

import itertools
import os
import time
from contextlib import suppress
from pathlib import Path

PLENTY = 60.0

_marks = itertools.count(os.getpid() * 1000)


def new_mark() -> str:
    """A number for the command line of an engine; all its processes show it, also its guard."""
    return str(next(_marks))


def marked(mark: str) -> list[int]:
    """The processes with a mark on their command lines."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if mark.encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def until_started(mark: str, count: int) -> None:
    """Wait until so many processes have a mark."""
    end = time.monotonic() + PLENTY
    while len(marked(mark)) < count:
        assert time.monotonic() < end
        time.sleep(0.01)


def until_none(mark: str) -> list[int]:
    """What is left with a mark after some time."""
    end = time.monotonic() + PLENTY
    while (left := marked(mark)) and time.monotonic() < end:
        time.sleep(0.01)
    return left


def zombies() -> list[int]:
    """Our children that have ended and that nobody has waited for."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if state == "Z" and int(parent) == os.getpid():
                found.append(int(path.parent.name))
    return found


def descriptors() -> int:
    """The number of our open files."""
    return len(os.listdir("/proc/self/fd"))
