"""Commands that start engines, as one line each, for tests. A blank in a path splits no word."""

import shlex
import sys
from pathlib import Path

ENGINES = Path(__file__).parent / "engines"


def python_command(*words: str | Path) -> str:
    """The line that starts this Python with these words."""
    return shlex.join(map(str, (sys.executable, *words)))


def engine_command(*options: str) -> str:
    """The line that starts our engine."""
    return python_command("-P", "-m", "gtp_engine", *options)


def rogue_command(fault: str, *options: str) -> str:
    """The line that starts an engine that misbehaves."""
    return python_command(ENGINES / "rogue.py", fault, *options)


RANDOM = engine_command("--player", "random")
