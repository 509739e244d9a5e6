"""Which process plays a game: known by host, number and start, on whatever machine it runs."""

import os
import socket

# The system's clock may have been set between two looks at a process.
_SAME_MOMENT = 30.0  # seconds


def this_process() -> str:
    """Host, number and start of this process: no other has had, or will have, the same."""
    import psutil

    return f"{socket.gethostname()} {os.getpid()} {psutil.Process().create_time()}"


def is_gone(owner: str) -> bool:
    """Whether a process of this host runs no more."""
    import psutil

    host, number, start = owner.rsplit(" ", 2)
    if host != socket.gethostname():
        return False
    try:
        return bool(abs(psutil.Process(int(number)).create_time() - float(start)) > _SAME_MOMENT)
    except psutil.NoSuchProcess:
        return True
