"""pip, for the virtual environment of a checkout: how it is called, and what its failures mean."""

import csv
import io
import re
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from setting_up import clean_environment, say, sentence
from wheels import wheelhouse

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

# What pip writes of a large package.
_LARGE = re.compile(
    r"\s*(?:Downloading|Using cached) (?P<name>[^-\s]+)-\S+ \((?P<size>[\d.]+) MB\)"
)
_TOLD_MEGABYTES = 5

_TRACEBACK = re.compile(r"^Traceback \(.*\n(?:[ \t].*\n)*(?P<error>\S.*)", re.MULTILINE)


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
    done = _run_telling([*command, *tested], **options, **streams)
    if done.returncode != 0 and "(constraint)" in done.stdout:
        done = _run_telling(command, **options, **streams)
    return done


def _run_telling(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run pip to its end, and say which large packages it fetches, and when it has them."""
    lines, megabytes = [], 0.0
    with subprocess.Popen(command, **options) as process:
        for line in process.stdout:
            lines.append(line)
            if (found := _LARGE.match(line)) and (size := float(found["size"])) >= _TOLD_MEGABYTES:
                megabytes += size
                say(f"fetching {found['name']}, {size:.0f} MB")
            elif megabytes and line.startswith("Installing collected packages"):
                say("installing the packages, which takes a minute on a slow disk")
    return subprocess.CompletedProcess(command, process.returncode, "".join(lines))


def _pip_for(venv: Path) -> list[str]:
    """The command of a pip that installs for the virtual environment: the one outside, if any."""
    python = str(venv / "bin" / "python")
    if find_spec("pip") is not None:
        return [sys.executable, "-I", "-m", "pip", "--python", python]
    subprocess.run([python, "-I", "-m", "ensurepip"], capture_output=True, cwd=venv)
    return [python, "-I", "-m", "pip"]


def why_pip_failed(output: str, venv: Path) -> str:
    """The sentence for the user, from all that a pip that failed in this folder has written."""
    if known := sentence(PIP_FAILURES, output):
        return known
    errors = re.findall(r"^ERROR: (.*)", output, re.MULTILINE)
    said = errors[-1] if errors else last_line(output)
    if said == "Exception:":  # a traceback follows, which names no wheel
        for name in re.findall(r"^Processing (.*\.whl)$", output, re.MULTILINE):
            if not has_record(venv / name):
                return f"the wheel {(venv / name).resolve()} has a damaged RECORD"
        said = (_TRACEBACK.findall(output) or [last_line(output)])[-1]
    return f"pip says: {said}"


def has_record(wheel: Path) -> bool:
    """Whether a wheel lists its files in three columns, as pip reads them."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/RECORD"))
            text = archive.read(name).decode()
        return all(len(row) == 3 for row in csv.reader(io.StringIO(text)))
    except (OSError, ValueError, csv.Error, zipfile.BadZipFile):
        return False


def last_line(output: str) -> str:
    """The last line of an output."""
    return (output.strip().splitlines() or ["it says nothing"])[-1]
