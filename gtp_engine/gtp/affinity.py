"""Which processors a process may run on: Linux tells that by itself, others by psutil."""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any


def usable_processors() -> frozenset[int] | None:
    """The numbers of the processors that this process may use; None where the system does not
    bind processes to processors, or psutil is missing that could."""
    if hasattr(os, "sched_getaffinity"):
        return frozenset(os.sched_getaffinity(0))
    process = _by_psutil(os.getpid())
    return None if process is None else frozenset(process.cpu_affinity())


@contextmanager
def inherited(processors: Collection[int]) -> Iterator[None]:
    """What this thread starts in the block runs on these processors alone, with all that it starts
    itself; on all where none is given.

    A process has the processors of the thread that starts it, so it is bound before its first
    instruction. Other threads of ours are not touched. Raises OSError.
    """
    if not processors or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def bind_started(pid: int, processors: Collection[int]) -> None:
    """Bind a process that was just started, where `inherited` could not."""
    if processors and not hasattr(os, "sched_setaffinity"):
        with suppress(Exception):  # it may have ended already
            if process := _by_psutil(pid):
                process.cpu_affinity(list(processors))


def _by_psutil(pid: int) -> Any:
    """The process, None where psutil cannot bind it."""
    with suppress(ImportError):
        import psutil

        if hasattr(psutil.Process, "cpu_affinity"):
            return psutil.Process(pid)
    return None
