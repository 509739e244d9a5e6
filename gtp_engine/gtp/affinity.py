"""Which processors a process may run on: Linux tells that by itself, others by psutil."""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from gtp_engine.platforms import bind_thread, own_processors


def usable_processors() -> frozenset[int] | None:
    """The numbers of the processors that this process may use; None where the system does not
    bind processes to processors, or psutil is missing that could."""
    own = own_processors()
    if own is not None:
        return own
    process = _by_psutil(os.getpid())
    return None if process is None else frozenset(process.cpu_affinity())


@contextmanager
def inherited(processors: Collection[int]) -> Iterator[None]:
    """What this thread starts in the block runs on these processors alone, with all that it starts
    itself; on all where none is given.

    A process has the processors of the thread that starts it, so it is bound before its first
    instruction. Other threads of ours are not touched. Raises OSError.
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
    """Bind a process that was just started, where `inherited` could not."""
    if processors and own_processors() is None:
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
