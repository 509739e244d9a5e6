"""What the system tells of processes: in /proc, which only Linux has."""

from contextlib import suppress
from pathlib import Path


def state_of(pid: int) -> str:
    """The state of a process as /proc writes it, "S" while it sleeps; "" if there is none."""
    told = _stat(pid)
    return told[0] if told else ""


def is_gone(pid: int) -> bool:
    """Whether a process has ended; nobody may have reaped it yet."""
    return state_of(pid) in ("", "Z")


def parent_of(pid: int) -> int | None:
    """The process that started one, or that has adopted it; None if there is no such process."""
    told = _stat(pid)
    return int(told[1]) if told else None


def children_of(pid: int) -> list[int]:
    """The processes that one has started and that have not been reaped."""
    every = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    return [each for each in every if parent_of(each) == pid]


def _stat(pid: int) -> list[str]:
    """The fields behind the name: the state, the parent and so on; none if it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return []
