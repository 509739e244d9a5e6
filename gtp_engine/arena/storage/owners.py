"""Which process plays a game: known by host, number and start, on whatever machine it runs."""

import os
import socket

# The system's clock may have been set between two looks at a process.
_SAME_MOMENT = 30.0  # seconds


def this_process() -> str:
    """Host, number and start of this process: no other has had, or will have, the same."""
    import psutil

    return f"{socket.gethostname()} {os.getpid()} {psutil.Process().create_time()}"


def is_alive(owner: object, renewed: object, since: float) -> bool:
    """Whether a process may still play what it has claimed: it said so since a moment, and is not
    known to have ended. Who is no process of ours, as the file was altered, does not."""
    try:
        recent = float(renewed) > since  # type: ignore[arg-type]
        return recent and not _is_gone(str(owner))
    except (TypeError, ValueError, OverflowError):
        return False


def _is_gone(owner: str) -> bool:
    """Whether a process of this host runs no more. Raises ValueError."""
    import psutil

    host, number, start = owner.rsplit(" ", 2)
    if host != socket.gethostname():
        return False
    try:
        return bool(abs(psutil.Process(int(number)).create_time() - float(start)) > _SAME_MOMENT)
    except psutil.NoSuchProcess:
        return True
