"""What engines have left behind, counted from outside: in /proc. Only Linux tells."""

import itertools
import os
from collections import Counter
from contextlib import suppress
from pathlib import Path

from support.waiting import PATIENCE, wait_until

PLENTY = PATIENCE

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
    wait_until(lambda: len(marked(mark)) >= count, f"{count} processes with the mark {mark}")


def until_none(mark: str) -> list[int]:
    """What is left with a mark; waits for the end of those that end."""
    with suppress(AssertionError):
        wait_until(lambda: not marked(mark))
    return marked(mark)


def zombies() -> list[int]:
    """Our children that have ended and that nobody has waited for."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
            if state == "Z" and int(parent) == os.getpid():
                found.append(int(path.parent.name))
    return found


def open_files() -> Counter[str]:
    """What our descriptors are open on; a pipe and a socket have numbers of their own."""
    found: Counter[str] = Counter()
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the descriptor of this folder
            found[str(path.readlink())] += 1
    return found


def opened_since(before: Counter[str]) -> list[str]:
    """What is open and was not. What earlier tests had left open may be closed meanwhile."""
    return list((open_files() - before).elements())
