"""The compilation of the kernel that the first start of a checkout leaves in the background.

`bin/make_kernel.py` compiles, and writes its state into the folder `kernel` of the virtual
environment. A package that was installed as a wheel has no such folder, and nothing is compiled.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gtp_engine.base import stderr
from gtp_engine.base.platforms import is_locked

_FOLDER = Path(sys.prefix, "kernel")
_SOURCES = Path(__file__).parents[1] / "kernel" / "games"
_LOOK = 0.2  # seconds between two checks
_AS_MINUTES = 105  # seconds that are told in minutes


class Progress(NamedTuple):
    """How far a compilation is: steps done, of how many; both 0 while it is prepared.

    seconds -- an estimate of how long it still takes; None at first
    why     -- why the estimate became much longer than it had been; None if it did not
    """

    done: int
    total: int
    seconds: int | None
    why: str | None = None

    def __str__(self) -> str:
        """The time left, in words."""
        if self.seconds is None:
            return "one to five minutes left"
        if self.seconds < _AS_MINUTES:
            time_left = f"about {max(5, round(self.seconds, -1))} seconds left"
        else:
            time_left = f"about {round(self.seconds / 60)} minutes left"
        return time_left if self.why is None else f"{time_left} because {self.why}"


def progress(game: str | None = None) -> Progress | None:
    """How far the compilation is; None if there is none now, or if it does not make this game."""
    if game is not None and not (_SOURCES / game).is_dir():
        return None
    if not is_locked(_FOLDER / "lock"):
        return None
    try:
        found = json.loads((_FOLDER / "progress").read_bytes())
        return Progress(int(found["done"]), int(found["total"]), found["seconds"], found.get("why"))
    except (OSError, ValueError, KeyError):  # it has just begun, or ended
        return Progress(0, 0, None)


def failure() -> str | None:
    """Why the last compilation failed, in words; None if it did not."""
    try:
        return str(json.loads((_FOLDER / "failed").read_bytes())["why"])
    except (OSError, ValueError, KeyError):
        return None


def wait(
    until: Callable[[], bool] = lambda: False, tell: Callable[[Progress], None] = lambda now: None
) -> None:
    """Wait until a condition holds or the compilation has ended; `tell` gets each new progress."""
    told: Progress | None = None
    while not until() and (now := progress()) is not None:
        if told != now:
            tell(now)
        told = now
        time.sleep(_LOOK)


def wait_telling(program: str) -> None:
    """Wait until the compilation has ended, as a program does whose results must not depend on the
    moment; stderr tells how far it is."""
    wait(tell=lambda now: stderr.write(f"{program}: waiting for the kernel, {now}\n"))
