"""Make the checkout's .venv: make_venv.py ROOT run|arena|test. Needs nothing but Python and pip.

Called by in-venv on first use, and again when pyproject.toml has changed.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

REQUIREMENTS = {"run": ".", "arena": ".[arena]", "test": ".[test]"}
STAMPS = {"run": ["run"], "arena": ["run", "arena"], "test": ["run", "arena", "test"]}
QUIETLY = ["--quiet", "--disable-pip-version-check"]
TRY_KERNEL = "import sys, gtp_engine.search.backends.kernel as k; sys.exit(not k.kernel_built())"
OLDEST_PYTHON = (3, 11)

# What pip writes about an index that does not answer.
UNREACHABLE = ("NewConnectionError", "ConnectTimeoutError", "NameResolutionError", "ProxyError")


def main() -> int:
    """Set up under a lock; returns the exit status."""
    root, purpose = Path(sys.argv[1]), sys.argv[2]
    if sys.version_info < OLDEST_PYTHON:
        print("gtp_engine needs Python 3.11 or newer", file=sys.stderr)
        return 1
    try:
        with open(root / ".venv.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            make(root, purpose)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"gtp_engine: could not set up {root}/.venv: {error}", file=sys.stderr)
        return 1
    return 0


def make(root: Path, purpose: str) -> None:
    """Create what is missing, unless another process did so while we waited."""
    wanted = f"{root}\n" + "".join(path.read_text() for path in sources(root))
    venv = root / ".venv"
    alive = (venv / "bin" / "python").exists()
    if alive and read(venv / f"made-for-{purpose}") == wanted:
        return
    print(f"gtp_engine: setting up {venv}, once", file=sys.stderr)
    stamps = [read(stamp) for stamp in venv.glob("made-for-*")]
    if not alive or not any(stamp.startswith(f"{root}\n") for stamp in stamps):
        shutil.rmtree(venv, ignore_errors=True)
    install(root, [*create(venv), "install", *QUIETLY, "--editable", REQUIREMENTS[purpose]])
    if subprocess.run([venv / "bin" / "python", "-I", "-c", TRY_KERNEL]).returncode != 0:
        print("gtp_engine: no C++20 compiler was found; it will search in Python", file=sys.stderr)
    for provided in STAMPS[purpose]:
        (venv / f"made-for-{provided}").write_text(wanted)


def install(root: Path, command: list[str]) -> None:
    """Run pip, which is heard only where it fails. Raises OSError, with a sentence for the user."""
    # pip's default of 5 retries for each library keeps people without a network waiting.
    environment = {"PIP_RETRIES": "1"} | os.environ
    done = subprocess.run(
        command,
        cwd=root,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode == 0:
        return
    if any(sign in done.stdout for sign in UNREACHABLE):
        raise OSError(
            "the package index could not be reached; connect to a network, or set PIP_INDEX_URL to "
            "an index within reach, and start again"
        )
    print(done.stdout, end="", file=sys.stderr)
    raise subprocess.CalledProcessError(done.returncode, command)


def sources(root: Path) -> list[Path]:
    """What the virtual environment depends on, in the order in which in-venv reads it."""
    kernel = root / "gtp_engine" / "kernel"
    files = [*sorted(kernel.glob("*.*")), *sorted(kernel.glob("games/*.*"))]
    return [root / "pyproject.toml", *files]


def read(path: Path) -> str:
    """The text of a file, empty where there is none."""
    return path.read_text() if path.exists() else ""


def create(venv: Path) -> list[str]:
    """Make the virtual environment, and return the command that runs pip in it.

    Debian leaves out ensurepip without the package python3-venv; then the pip outside does it.
    """
    python = venv / "bin" / "python"
    if not python.exists():
        attempt = [sys.executable, "-m", "venv", str(venv)]
        if subprocess.run(attempt, capture_output=True).returncode != 0:
            subprocess.run([*attempt, "--clear", "--without-pip"], check=True)
    inside = [str(python), "-m", "pip"]
    if subprocess.run([*inside, "--version"], capture_output=True).returncode == 0:
        return inside
    return [sys.executable, "-m", "pip", "--python", str(python)]


raise SystemExit(main())
