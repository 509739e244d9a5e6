"""Make a virtual environment for a checkout: make_venv.py ROOT run|arena|web|watch|test VENV.

Needs only Python and pip.

Called by in-venv on first use, and again when pyproject.toml or a source of the kernel has changed.
Another purpose of the same sources only adds packages; the kernel is not compiled again.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

EXTRAS = {"run": "", "arena": "[arena]", "web": "[web]", "watch": "[arena,web]", "test": "[test]"}
"""The optional dependencies of pyproject.toml that each purpose needs."""

STAMPS = {
    "run": ["run"],
    "arena": ["run", "arena"],
    "web": ["run", "web"],
    "watch": ["run", "arena", "web", "watch"],
    "test": ["run", "arena", "web", "watch", "test"],
}
TRY_KERNEL = "import sys, gtp_engine.search.backends.kernel as k; sys.exit(not k.kernel_built())"
OLDEST_PYTHON = (3, 11)

# What pip writes when it fails, and what to tell the user. The first one that is found counts.
FAILURES = {
    "ProxyError": "the proxy could not be reached; check HTTPS_PROXY, and start again",
    "NewConnectionError|ConnectTimeoutError|NameResolutionError": (
        "the package index could not be reached; connect to a network, or set PIP_INDEX_URL to an "
        "index within reach, or PIP_NO_INDEX=1 and PIP_FIND_LINKS to a folder of wheels, and start "
        "again"
    ),
    r"No matching distribution found for (?P<name>\S+)": (
        "no suitable package {name} was found; add it to the folder of wheels or to the index, and "
        "start again"
    ),
    "No space left on device": "the disk is full; free about 500 MB, and start again",
}

# Why the kernel was not built, in what the build tool writes.
NO_KERNEL = {
    "No CMAKE_CXX_COMPILER could be found|is not able to compile": "no working C++ compiler found",
    "Could NOT find Python": "the headers of Python are missing (on Debian: python3-dev)",
    r"CMake Error[^\n]*\n\s*(?P<name>the kernel needs [^\n]*)": "{name}",
    r"error: (?P<name>[^\n]*)": "the compiler says: {name}",
}

SOURCES = ("../../pyproject.toml", "CMakeLists.txt", "*/*.in", "*/*.[ch]pp", "*/*/*.[ch]pp")
"""What the kernel is made from, seen from its folder, in the order in which in-venv reads it."""

V3 = ["avx2", "bmi1", "bmi2", "fma", "f16c", "movbe", "abm"]
V4 = [*V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]
VARIANTS = {
    "v4_vnni": [*V4, "avx512_vnni"],
    "v4": V4,
    "v3_vnni": [*V3, "avx_vnni"],
    "v3": V3,
    "plain": [],
}
"""The processors that CMakeLists.txt knows: what /proc/cpuinfo says of them, best first."""

PROGRESS = re.compile(r"\[ *(\d+)/(\d+)\] (?:Building \w+ object|Linking).*?([\w.-]+)$")
"""A line of ninja: its number, of how many, and the file that was made."""


def main() -> int:
    """Set up under a lock; returns the exit status."""
    root, purpose, venv = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    if sys.version_info < OLDEST_PYTHON:
        say("needs Python 3.11 or newer")
        return 1
    try:
        venv.parent.mkdir(parents=True, exist_ok=True)
        lock = open(venv.with_name(".venv.lock"), "w")  # noqa: SIM115
    except OSError as error:
        say(
            f"could not set up {venv}: {error.strerror}; "
            "set XDG_CACHE_HOME to a folder that you can write to, and start again"
        )
        return 1
    try:
        with lock:
            wait_for(lock)
            make(root, purpose, venv)
    except (OSError, subprocess.CalledProcessError) as error:
        say(f"could not set up {venv}: {error}")
        return 1
    return 0


def say(text: str) -> None:
    """Tell the user, who sees stderr."""
    print(f"gtp_engine: {text}", file=sys.stderr, flush=True)


def wait_for(lock) -> None:
    """Take the lock; another engine may be setting up."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("waiting for another engine that sets up")
        fcntl.flock(lock, fcntl.LOCK_EX)


def make(root: Path, purpose: str, venv: Path) -> None:
    """Create what is missing, unless another process did so while we waited."""
    pure = os.environ.get("PATCHPIE_KERNEL") == "none"
    variant = machine()
    alive = (venv / "bin" / "python").exists()
    stamp = f"{root}\n" + ("without the kernel\n" if pure else sources(root))
    needed = " ".join(VARIANTS.get(variant, []))
    usable = alive and suits(read(venv / "processor"))
    made = {each.name: read(each) for each in venv.glob("made-for-*")}
    if usable and made.get(f"made-for-{purpose}") == stamp:
        return
    if usable and stamp in made.values():
        add_packages(root, purpose, venv)
        mark(venv, purpose, stamp)
        return
    say(f"setting up {venv}, once; PATCHPIE_KERNEL=none starts without the compiled kernel")
    if not alive or not any(each.startswith(f"{root}\n") for each in made.values()):
        shutil.rmtree(venv, ignore_errors=True)
    say("1 of 3: the virtual environment")
    pip = create(venv)
    say("2 of 3: packages, and what compiles the kernel")
    how = "wheel.cmake=false" if pure else f"cmake.define.PATCHPIE_VARIANT={variant}"
    wanted = ["--editable", f".{EXTRAS[purpose]}", "--config-settings", how]
    if venv.parent != root:  # the checkout cannot be written to
        wanted += ["--config-settings", f"build-dir={venv.parent}/build"]
    said = install([*pip, "install", "--verbose", "--disable-pip-version-check", *wanted], root)
    if not pure:
        built = [venv / "bin" / "python", "-I", "-c", TRY_KERNEL]
        if subprocess.run(built).returncode != 0:
            why = sentence(NO_KERNEL, said) or "the build failed"
            say(f"the kernel was not built, so the engine will search in Python: {why}")
    (venv / "processor").write_text(f"{needed}\n" if needed and not pure else "")
    mark(venv, purpose, stamp)


def add_packages(root: Path, purpose: str, venv: Path) -> None:
    """Install what this purpose needs beside the package itself, which stays as it is."""
    say(f"adding packages to {venv}, once")
    wanted = f"gtp-engine{EXTRAS[purpose]}"
    install([*create(venv), "install", "--disable-pip-version-check", wanted], root)


def mark(venv: Path, purpose: str, stamp: str) -> None:
    """Write down what the virtual environment was made from, for each purpose that it serves."""
    for provided in STAMPS[purpose]:
        (venv / f"made-for-{provided}").write_text(stamp)


def install(command: list[str], root: Path) -> str:
    """Run pip, and show a line for each step of the compiler. Returns the output of pip.

    Raises OSError, with a sentence for the user.
    """
    # pip's default of 5 retries for each library keeps people without a network waiting. A compiler
    # more than there are processors makes the last of the long files start late, and end alone.
    environment = {"PIP_RETRIES": "1", "CMAKE_BUILD_PARALLEL_LEVEL": processors()} | os.environ
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    lines = []
    with subprocess.Popen(command, cwd=root, env=environment, errors="replace", **streams) as pip:
        for line in pip.stdout:
            lines.append(line)
            step = PROGRESS.search(line.rstrip())
            if step and "cmTC" not in line:  # cmTC: CMake only tries the compiler
                say(f"3 of 3: the kernel, step {step[1]} of {step[2]} ({step[3]})")
    said = "".join(lines)
    if pip.returncode == 0:
        return said
    if why := sentence(FAILURES, said):
        raise OSError(why)
    print(said, end="", file=sys.stderr)
    raise subprocess.CalledProcessError(pip.returncode, command)


def sentence(known: dict[str, str], said: str) -> str | None:
    """The sentence for the first of some patterns that is found in an output; None for none."""
    for pattern, text in known.items():
        if found := re.search(pattern, said):
            return text.format(**found.groupdict())
    return None


def sources(root: Path) -> str:
    """The text of all that the virtual environment is made from."""
    kernel, texts = root / "gtp_engine" / "kernel", []
    for pattern in SOURCES:
        plain = not set("*[") & set(pattern)
        files = [kernel / pattern] if plain else sorted(kernel.glob(pattern), key=str)
        texts += [file.read_text() for file in files]
    return "".join(texts)


def processors() -> str:
    """How many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return str(len(affinity(0)) if affinity else os.cpu_count() or 1)


def flags() -> set[str] | None:
    """What this processor has, None where the system does not say."""
    lines = read(Path("/proc/cpuinfo")).splitlines()
    found = next((line for line in lines if line.startswith("flags")), None)
    return None if found is None else set(found.split())


def machine() -> str:
    """The variant of the kernel for this processor; all of them where it is not known."""
    has = flags()
    if has is None:
        return "all"
    return next(name for name, needed in VARIANTS.items() if has.issuperset(needed))


def suits(needed: str) -> bool:
    """Whether this processor has what a kernel was built for."""
    return (flags() or set()).issuperset(needed.split())


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


if __name__ == "__main__":
    raise SystemExit(main())
