"""Runs the property tests of the suite with new examples, again and again.

Faults are: a property that does not hold, and an end of the process of pytest that is no end of
the tests.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

from standing.findings import Findings

TESTS = Path(__file__).parents[1]

# Those of the arena need SciPy. Deep games need more stack than sanitizers leave.
LEFT_OUT, TOO_DEEP = "arena", "not deep"


def property_tests() -> list[Path]:
    """The files with property tests."""
    paths = sorted(TESTS.glob("*/test_*.py")) + sorted(TESTS.glob("test_*.py"))
    named = [path for path in paths if "from hypothesis" in path.read_text(encoding="utf-8")]
    return [path for path in named if path.parent.name != LEFT_OUT]


def run(seconds: float, seed: int, folder: Path) -> Findings:
    """Run all of them at least once, and as often as there is time."""
    found, end, took = Findings("properties", folder), time.monotonic() + seconds, 0.0
    words = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    words += ["-m", "hypothesis", "-k", TOO_DEEP, "--hypothesis-profile=standing"]
    words += ["--hypothesis-show-statistics", *map(str, property_tests())]
    while not found.tried or time.monotonic() + took < end:
        begun, given = time.monotonic(), f"--hypothesis-seed={seed}"
        done = subprocess.run(
            [*words, given], cwd=TESTS.parent, capture_output=True, text=True, errors="replace"
        )
        examples = re.findall(r"(\d+) passing", done.stdout)
        found.tried["examples"] += sum(map(int, examples))
        found.tried["rounds"] += 1
        if done.returncode != 0:
            told = f"pytest ended with status {done.returncode}, {given}"
            found.fault(told, (done.stdout + done.stderr).encode())
        took, seed = time.monotonic() - begun, seed + 1
    return found
