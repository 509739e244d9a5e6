"""Runs a program that stands beside the tests: `.venv/bin/python tests documents.reference ...`."""

import runpy
import sys
from pathlib import Path

ROOMS = ("documents", "kernel", "measure", "standing", "support")


def programs() -> list[str]:
    """The modules that are programs, such as `documents.reference`."""
    tests = Path(__file__).parent
    files = (file for room in ROOMS for file in sorted((tests / room).glob("[a-z]*.py")))
    return [f"{file.parent.name}.{file.stem}" for file in files if "__main__" in file.read_text()]


if __name__ == "__main__":
    del sys.argv[0]
    if not sys.argv or sys.argv[0] not in programs():
        raise SystemExit("\n  ".join(["usage: python tests PROGRAM [ARGUMENT...]", *programs()]))
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
