"""Shared by make_venv.py and make_kernel.py: pip, sentences for users, locks, the environment."""

import fcntl
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

# What pip writes when it fails, and what to tell the user. The first one that is found counts.
PIP_FAILURES = {
    "ProxyError|Failed to parse: |[Ii]nvalid proxy": (
        "the proxy could not be reached; check HTTPS_PROXY, and start again"
    ),
    "NewConnectionError|ConnectTimeoutError|NameResolutionError": (
        "the package index could not be reached; connect to a network, or set PIP_INDEX_URL to an "
        "index within reach, or PIP_NO_INDEX=1 and PIP_FIND_LINKS to a folder of wheels, and start "
        "again"
    ),
    "No space left on device": "the disk is full; free about 50 MB, and start again",
    r"No matching distribution found for (?P<name>\S+)": (
        "no suitable package {name} was found; add it to the folder of wheels or to the index, and "
        "start again"
    ),
}


class CannotSetUp(Exception):
    """The set-up failed; the message is for the user."""


def say(text: str) -> None:
    """Tell the user, who sees stderr."""
    print(f"gtp_engine: {text}", file=sys.stderr, flush=True)


def sentence(known: dict[str, str], said: str) -> str | None:
    """The sentence for the first of some patterns that is found in an output; None for none."""
    for pattern, text in known.items():
        if found := re.search(pattern, said):
            return text.format(**found.groupdict())
    return None


@contextmanager
def held(path: Path, waiting: str) -> Iterator[int]:
    """Hold the lock of a file; `waiting` is said if another process has it."""
    with open(path, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waiting:
                say(waiting)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()


def clean_environment() -> dict[str, str]:
    """The environment without what would make Python run something of the client."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def read(path: Path) -> bytes:
    """The content of a file, empty where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def install(root: Path, venv: Path, wanted: list[str]) -> subprocess.CompletedProcess[str]:
    """Run pip for the Python of the virtual environment; returns the process and what it wrote.

    The versions are those that were tested; others where an index or a folder lacks these. The
    process inherits the locks of this one, so that a pip that outlives it is waited for.
    """
    command = [*_pip_for(venv), "install", "--disable-pip-version-check", "--no-input", *wanted]
    if (wheels := wheelhouse(root)) is not None:
        command += ["--find-links", str(wheels)]
    # pip's default of 5 retries for each library keeps people without a network waiting.
    environment = {"PIP_RETRIES": "1"} | clean_environment()
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    options = {"cwd": venv, "env": environment, "close_fds": False, "errors": "replace"}
    tested = ["--constraint", str(root / "bin" / "constraints.txt")]
    done = subprocess.run([*command, *tested], **options, **streams)
    if done.returncode != 0 and "(constraint)" in done.stdout:
        done = subprocess.run(command, **options, **streams)
    return done


def _pip_for(venv: Path) -> list[str]:
    """The command of a pip that installs for the virtual environment: the one outside, if any."""
    python = str(venv / "bin" / "python")
    if find_spec("pip") is not None:
        return [sys.executable, "-I", "-m", "pip", "--python", python]
    subprocess.run([python, "-I", "-m", "ensurepip"], capture_output=True, cwd=venv)
    return [python, "-I", "-m", "pip"]


def wheelhouse(root: Path) -> Path | None:
    """The folder of wheels: PATCHPIE_WHEELS, or `patchpie-wheels` beside the checkout."""
    given = os.environ.get("PATCHPIE_WHEELS")
    folder = Path(given) if given else root.parent / "patchpie-wheels"
    return folder if folder.is_dir() else None
