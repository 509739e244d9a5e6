"""Identifies the process that plays a game, on any machine: by host, process id and start time."""

import os
import socket

# The system's clock may be changed between two checks of a process.
_SAME_MOMENT = 30.0  # seconds


def this_process() -> str:
    """Host, id and start time of this process: unique for all time."""
    import psutil

    return f"{socket.gethostname()} {os.getpid()} {psutil.Process().create_time()}"


def is_alive(owner: object, renewed: object, since: float) -> bool:
    """Whether a process may still be playing a game it claimed: the claim was renewed recently, and
    the process is not known to have ended. An owner that is no valid process id counts as ended."""
    try:
        recent = float(renewed) > since  # type: ignore[arg-type]
        return recent and not _is_gone(str(owner))
    except (TypeError, ValueError, OverflowError):
        return False


def _is_gone(owner: str) -> bool:
    """Whether a process of this host has ended. Raises ValueError."""
    import psutil

    host, number, start = owner.rsplit(" ", 2)
    if host != socket.gethostname():
        return False
    try:
        return bool(abs(psutil.Process(int(number)).create_time() - float(start)) > _SAME_MOMENT)
    except psutil.NoSuchProcess:
        return True
