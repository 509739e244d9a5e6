"""Standing checks: what takes hours, and is no part of the gate. `.ci/standing` runs them.

A job has one part or several. Each part runs in a process and a folder of its own: a module with a
function `run`, which takes an amount, a seed and the folder, and returns Findings. What it found is
printed, and kept as `summary`. The exit status is 1 if there was a fault.
"""

import argparse
import random
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import NamedTuple


class Job(NamedTuple):
    """The parts of a job, and how much it does if nothing else is said."""

    parts: tuple[str, ...]
    amount: int
    unit: str


JOBS = {
    "fuzz": Job(("lines", "requests", "files", "messages", "roles", "properties"), 60, "minutes"),
    "analyses": Job(("analyses",), 10_000, "starts and stops"),
    "board": Job(("board_day",), 3000, "turns"),
    "friends": Job(("friends",), 10, "games of each kind"),
    "arena": Job(("arena_games",), 20_000, "games"),
    "phone": Job(("phone_hour",), 60, "minutes"),
    "load": Job(("load",), 10, "runs"),
}

MOST_DEATHS = 5
"""Processes of a part that may die until the job goes on with the next part."""

LATE = 900
"""Seconds after its time until a part hangs."""


def run_part(name: str, amount: float, seed: int, folder: Path, timeout: float | None) -> bool:
    """Run a part in a process of its own; whether it lived to its end and found no fault."""
    folder = folder / f"{name}-{seed}"
    folder.mkdir(parents=True)
    words = [sys.executable, "-P", "-m", "standing", name, str(amount), "--seed", str(seed)]
    with open(folder / "stderr", "wb") as stderr, open(folder / "summary", "wb") as summary:
        try:
            done = subprocess.run(
                [*words, "--part", str(folder)], stdout=summary, stderr=stderr, timeout=timeout
            )
            status = str(done.returncode)
        except subprocess.TimeoutExpired:
            status = "none: it did not end"
    text = (folder / "summary").read_text()
    if not text:
        said = (folder / "stderr").read_text(errors="replace")
        text = f"{name}: FAULT, the process died with status {status}\n{said[-3000:]}\n"
        (folder / "summary").write_text(text)
    print(text, flush=True)
    return status == "0"


def run_job(name: str, amount: float, seed: int, folder: Path) -> bool:
    """Run all parts of a job; whether there was no fault."""
    parts, _, unit = JOBS[name]
    if unit != "minutes":
        (part,) = parts
        return run_part(part, amount, seed, folder, None)
    good = True
    for part in parts:
        end = time.monotonic() + amount * 60 / len(parts)
        for more in range(MOST_DEATHS):
            if (left := end - time.monotonic()) > 1:
                good &= run_part(part, left, seed + more, folder, left + LATE)
    return good


def main() -> int:
    about = "; ".join(f"{name}: {job.amount} {job.unit}" for name, job in JOBS.items())
    parser = argparse.ArgumentParser(prog=".ci/standing", description=__doc__.splitlines()[0])
    parser.add_argument("job", help=about)
    parser.add_argument("amount", nargs="?", type=float)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--folder", type=Path, help="for summaries, inputs and curves")
    parser.add_argument("--part", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        found = import_module(f"standing.{given.job}").run(given.amount, given.seed, given.part)
        found.keep_curves()
        print(found)
        return 1 if found.faults else 0
    if given.job not in JOBS or not given.folder:
        parser.error(f"a job and its --folder are needed: {about}")
    begun = time.monotonic()
    amount = JOBS[given.job].amount if given.amount is None else given.amount
    good = run_job(given.job, amount, given.seed, given.folder)
    minutes, verdict = (time.monotonic() - begun) / 60, "no fault" if good else "FAULTS"
    print(f"{given.job}: {minutes:.1f} minutes, seed {given.seed}, {verdict}; see {given.folder}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
