"""The processors of a process: set by the system on Linux, by psutil elsewhere."""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from gtp_engine.base.platforms import bind_thread, own_processors


def usable_processors() -> frozenset[int] | None:
    """The numbers of the processors that this process may use; None if the system cannot bind
    processes to processors, or if it needs psutil and psutil is missing."""
    own = own_processors()
    if own is not None:
        return own
    process = _by_psutil(os.getpid())
    return None if process is None else frozenset(process.cpu_affinity())


def processor_count() -> int:
    """The number of processors that this process may use; all of them if the system cannot tell."""
    return len(usable_processors() or ()) or os.cpu_count() or 1


@contextmanager
def inherited(processors: Collection[int]) -> Iterator[None]:
    """Processes started by this thread within the block use only these processors, and so do their
    children; all processors if none are given.

    A process inherits the processors of the thread that starts it, so it is bound from its first
    instruction. Other threads are not affected. Raises OSError.
    """
    before = own_processors()
    if not processors or before is None:
        yield
        return
    bind_thread(processors)
    try:
        yield
    finally:
        bind_thread(before)


def bind_started(pid: int, processors: Collection[int]) -> None:
    """Bind a process that was just started, on systems where `inherited` has no effect."""
    if processors and own_processors() is None:
        with suppress(Exception):  # it may have ended already
            if process := _by_psutil(pid):
                process.cpu_affinity(list(processors))


def _by_psutil(pid: int) -> Any:
    """The process, None if psutil cannot bind it."""
    with suppress(ImportError):
        import psutil

        if hasattr(psutil.Process, "cpu_affinity"):
            return psutil.Process(pid)
    return None
