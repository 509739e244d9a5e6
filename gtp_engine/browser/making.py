"""What the parts of `make-site` share: how they fail, and how they run other programs."""

import errno
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from gtp_engine.base.platforms import locked_folder

_PAUSE = 0.2  # seconds between two looks at a folder that another process fills


class CannotMake(Exception):
    """A part of the site could not be made; the message is one sentence for the user."""


@contextmanager
def alone_in(folder: Path, tell: Callable[[str], None]) -> Iterator[None]:
    """Make a folder if there is none, and fill it alone: others wait. Raises OSError.

    tell -- gets a sentence if another process fills it now
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as lock:
        told = False
        while True:
            try:
                lock.enter_context(locked_folder(folder))
                break
            except BlockingIOError:
                if not told:
                    tell("waiting for another one that fills the same cache")
                told = True
                time.sleep(_PAUSE)
        yield


def run(
    command: Sequence[str], what: str, package: str, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program. Raises CannotMake if it is missing or fails.

    what    -- says in a sentence what has failed
    package -- where the program is from
    """
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
    except FileNotFoundError:
        raise CannotMake(f"{what}: there is no {command[0]}; install {package}") from None
    if done.returncode != 0:
        raise CannotMake(f"{what}: {_why(done.stderr)}")
    return done


def _why(said: str) -> str:
    """The line of an output that tells why a program failed."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if "ENOSPC" in said or "No space left" in said:
        return f"{errno.errorcode[errno.ENOSPC]}: the disk is full"
    telling = [line for line in lines if "reason:" in line]  # npm begins with numbers and names
    telling += [line for line in lines if "error" in line.lower()]
    return (telling or lines or ["it says nothing"])[0]
