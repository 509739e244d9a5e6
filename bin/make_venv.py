"""Set up a checkout, then run a program: make_venv.py ROOT PURPOSE VENV CACHE MODULE [ARGUMENT...].

Needs only Python and pip. in-venv calls it on first use, and again when pyproject.toml, the
constraints, a source of the kernel, the machine or Python has changed. Wrong arguments and `--help`
are answered before anything is set up.

The virtual environment holds the packages that the program needs, and nothing else: it has no pip,
and it finds the package of the checkout by a .pth file. The kernel is compiled by make_kernel.py,
which goes on when the program has started.

CACHE is the folder for compiled Python files, empty for the usual places.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import make_kernel  # noqa: E402
from run_pip import PIP_FAILURES, install, last_line, why_pip_failed  # noqa: E402
from setting_up import (  # noqa: E402
    CannotSetUp,
    clean_environment,
    held,
    occupy_closed_streams,
    read,
    say,
    sentence,
)

EXTRAS = {
    "run": [],
    "arena": ["arena"],
    "report": ["report"],
    "cluster": ["cluster"],
    "train": ["train"],
    "train-cluster": ["cluster", "train"],
    "tune": ["tune"],
    "site": ["site"],
    "web": ["web"],
    "watch": ["arena", "web"],
    "test": ["test"],
    "test-all": ["test-all"],
}
"""The optional dependencies of pyproject.toml that each purpose needs."""

# Fails in an environment that was made for another version of Python.
_TELL_MACHINE = """
import gtp_engine, platform, sysconfig
print(platform.machine(), sysconfig.get_config_var("EXT_SUFFIX"))"""

# As in-venv does.
_TELL_HERE = 'uname -m; echo /lib*/ld-*; readlink -f "$0"'

# In the file `unfinished`: the environment works, and pip was adding packages to it.
_ADDING = b"adding\n"

_REQUIREMENT = re.compile(r"gtp-engine\[(?P<extras>[^\]]*)\]")


def main() -> int:
    """Set up, and become the program. Returns the exit status if it does not start."""
    root, purpose, venv, cache, module, *arguments = sys.argv[1:]
    occupy_closed_streams()
    if wheels := os.environ.get("PATCHPIE_WHEELS"):  # pip and the compiler run in other folders
        os.environ["PATCHPIE_WHEELS"] = os.path.abspath(wheels)
    try:
        (root + venv).encode()
    except UnicodeEncodeError:  # neither pyvenv.cfg nor CMake can hold it
        say(f"the path {root if venv.startswith(root) else venv} is not UTF-8; move the checkout")
        return 2
    try:
        status = answered(root, module, arguments)
        if status is None:
            set_up(Path(root), purpose, Path(venv), arguments)
    except CannotSetUp as error:
        say(f"could not set up {venv}: {error}")
        return 2
    except KeyboardInterrupt:
        say("interrupted; the next start goes on")
        return 130
    if status is not None:
        return status
    python = os.path.join(venv, "bin", "python")
    options = ["-X", f"pycache_prefix={cache}"] if cache else []
    return os.execv(python, [python, "-I", *options, "-m", module, *arguments])


def answered(root: str, module: str, arguments: list[str]) -> int | None:
    """The exit status of a program that only prints its help or an error; None for any other."""
    sys.path.insert(0, root)
    if not module.startswith("gtp_engine"):
        return None
    from gtp_engine.cli.parser import needed_extras

    try:
        needed_extras("gtp_engine.cli.engine" if module == "gtp_engine" else module, arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return None


def set_up(root: Path, purpose: str, venv: Path, arguments: list[str]) -> None:
    """Make the virtual environment, and see to the kernel. Raises CannotSetUp."""
    lock = venv.with_name(".venv.lock")
    try:
        venv.parent.mkdir(parents=True, exist_ok=True)
        lock.touch()
    except OSError as error:
        raise CannotSetUp(
            f"{error.strerror}; set XDG_CACHE_HOME to a folder that you can write to, and start "
            "again"
        ) from None
    try:
        with held(lock, "waiting for another engine that sets up") as number:
            os.set_inheritable(number, True)  # a pip that outlives this process is waited for
            make(root, purpose, venv)
        make_kernel.begin(root, venv, purpose, "" if "test" in purpose else asked_game(arguments))
    except OSError as error:
        raise CannotSetUp(sentence(PIP_FAILURES, str(error)) or str(error)) from None


def asked_game(arguments: list[str]) -> str:
    """The game that `--game` names, or else the first one of the program."""
    for option, value in zip(arguments, [*arguments[1:], ""]):
        if option == "--game":
            return value
        if option.startswith("--game="):
            return option.partition("=")[2]
    from gtp_engine.rules import default_game  # answered() has made it known

    return default_game().name


def make(root: Path, purpose: str, venv: Path) -> None:
    """Create what is missing, unless another process did so while we waited."""
    marks = {each: venv / f"made-for-{each}" for each in EXTRAS}
    made_from = needs(root)
    unfinished = venv / "unfinished"
    machine = machine_of(venv)
    fits = bool(machine) and read(venv / "machine") in (machine, b"")  # older ones tell no machine
    if fits and not unfinished.exists() and read(marks[purpose]) == made_from:
        remember(venv, machine)
        return
    layout = made_from.partition(b"\n")[0]
    known = any(read(each).startswith(layout + b"\n") for each in marks.values())
    interrupted = unfinished.exists()
    whole = fits and known and (not interrupted or read(unfinished) == _ADDING)
    say(f"{'adding packages to' if whole else 'setting up'} {venv}, once")
    if not whole:
        clear(venv)
    unfinished.write_bytes(_ADDING if whole else b"")
    if whole and interrupted:
        drop_halves(venv)
    if not whole:
        create(root, venv)
        machine = machine_of(venv)
        if not machine:
            raise CannotSetUp(f"{venv / 'bin' / 'python'} does not run")
    remember(venv, machine)
    wanted = requirements(root, EXTRAS[purpose])
    done = install(root, venv, wanted)
    if done.returncode != 0:
        if whole and not interrupted:  # pip changes nothing before it has everything
            unfinished.unlink()
        raise CannotSetUp(why_pip_failed(done.stdout, venv))
    for each, mark in marks.items():
        if set(requirements(root, EXTRAS[each])) <= set(wanted):
            mark.write_bytes(made_from)
    unfinished.unlink()


def needs(root: Path) -> bytes:
    """What the virtual environment is made from, in the order of in-venv."""
    parts = [f"layout 2 of {root}\n".encode(errors="surrogateescape")]
    parts += [(root / name).read_bytes() for name in ("pyproject.toml", "bin/constraints.txt")]
    return b"".join(parts)


def machine_of(venv: Path) -> bytes:
    """The machine and the ending of compiled modules, as the environment's Python tells them.

    Empty if it does not run here, or is not the version that the environment was made for.
    """
    command = [venv / "bin" / "python", "-I", "-c", _TELL_MACHINE]
    streams = {"stdin": subprocess.DEVNULL, "capture_output": True}
    try:
        return subprocess.run(command, env=clean_environment(), **streams).stdout
    except OSError:
        return b""


def remember(venv: Path, machine: bytes) -> None:
    """Write what the environment is for: precisely, and what in-venv compares."""
    command = ["sh", "-c", _TELL_HERE, venv / "bin" / "python"]
    here = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout
    (venv / "machine").write_bytes(machine)
    (venv / "here").write_bytes(here)


def clear(venv: Path) -> None:
    """Remove what is left of another virtual environment, but not the kernel."""
    venv.mkdir(exist_ok=True)
    for each in venv.iterdir():
        if each.is_dir() and not each.is_symlink():
            if each.name != make_kernel.FOLDER:
                shutil.rmtree(each)
        else:
            each.unlink()


def drop_halves(venv: Path) -> None:
    """Have pip install again what it was installing when it was interrupted.

    It takes a package for installed that has a folder of metadata, and writes INSTALLER there after
    all files and programs of the package.
    """
    for each in venv.glob("lib/python*/site-packages/*.dist-info"):
        if not (each / "INSTALLER").exists():
            shutil.rmtree(each)


def create(root: Path, venv: Path) -> None:
    """Make a virtual environment without pip, in which Python finds the package of the checkout."""
    command = [sys.executable, "-I", "-m", "venv", "--without-pip", str(venv)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "errors": "replace"}
    made = subprocess.run(command, cwd=venv, env=clean_environment(), **streams)
    if made.returncode != 0:
        raise CannotSetUp(sentence(PIP_FAILURES, made.stdout) or last_line(made.stdout))
    packages = next(venv.glob("lib/python*/site-packages"))
    # Not the path alone: Python may not be able to read it there if it is no UTF-8.
    found_here = f"import sys; sys.path.append({ascii(str(root))})\n"
    (packages / "patchpie.pth").write_text(found_here, encoding="ascii")


def requirements(root: Path, extras: list[str]) -> list[str]:
    """The packages that pyproject.toml declares for the engine and some extras."""
    with open(root / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    found, waiting = list(project["dependencies"]), list(extras)
    while waiting:
        for each in project["optional-dependencies"][waiting.pop()]:
            if own := _REQUIREMENT.fullmatch(each):
                waiting += own["extras"].split(",")
            else:
                found.append(each)
    return found


if __name__ == "__main__":
    raise SystemExit(main())
