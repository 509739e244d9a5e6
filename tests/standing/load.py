"""The README's commands in a bare clone, beside busy processes.

Each run is the part `bare` of `.ci/run`: a new clone on a machine that has nothing, whose board and
engine answer and whose fast suite passes. A test that depends on the speed of the machine fails.
Faults are tests that failed, and a run that ended without them; the folder keeps the output of each
run.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from standing.findings import Findings
from support.starting import running

BUSY = 3
"""Busy processes; the suite has one process more than there are processors."""

LOOP = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): pass"
"""What a busy process runs; it ends with the one that started it, even if that was killed."""

BARE = ["bash", str(Path(__file__).parents[2] / ".ci" / "run"), "bare"]

_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
_CLOSING = re.compile(r"^(?:=+ )?(\d+ (?:passed|failed).* in .*?)(?: =+)?$", re.MULTILINE)


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Processes that want a processor each during the block."""
    with ExitStack() as those:
        for _ in range(count):
            those.enter_context(running([sys.executable, "-I", "-c", LOOP, str(os.getpid())]))
        yield


def run(runs: float, seed: int, folder: Path) -> Findings:
    """Make so many clones and try each. The seed has no effect."""
    found = Findings("load", folder)
    with busy_processes(BUSY):
        for number in range(1, int(runs) + 1):
            log = folder / f"run-{number}"
            with open(log, "wb") as file:
                done = subprocess.run(BARE, stdout=file, stderr=file)
            text = log.read_text(errors="replace")
            found.tried["bare clones"] += 1
            print(f"run {number}: {''.join(_CLOSING.findall(text)[-1:])}", file=sys.stderr)
            failed = sorted(set(_FAILED.findall(text)))
            for test in failed:
                found.fault(f"failed: {test}", text.encode())
            if done.returncode != 0 and not failed:
                found.fault(f"the run ended with status {done.returncode}", text.encode())
    return found
