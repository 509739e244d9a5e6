"""Compile the kernel for a checkout, in the background: make_kernel.py ROOT VENV GAME.

make_venv.py starts it, and does not wait for it. VENV/kernel holds what it makes:

    sources      what the modules are made from: all sources of the kernel, one after the other
    machine      the machine and the ending of modules that they are for, as in VENV/machine
    processor    what a processor needs to run them, as /proc/cpuinfo names it
    *.so         the modules: the core, and one for each game; the asked game comes first
    complete     exists when all modules do
    progress     JSON, while the compiler runs; gtp_engine/base/kernel_build.py reads it
    failed       JSON: why there is no kernel, and what a further try needs to be different
    lock, log    the lock of the one process that compiles, and all that its tools say
    tools, build the packages that compile, and the folder of CMake

A killed compilation goes on at the next start. The compiler holds the lock, too, so a compiler
that outlives its master is waited for.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import traceback
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

sys.path.insert(0, str(Path(__file__).parent))

from run_pip import PIP_FAILURES, install  # noqa: E402
from setting_up import clean_environment, held, read, say, sentence  # noqa: E402
from time_left import TimeLeft  # noqa: E402
from wheels import wheelhouse  # noqa: E402

FOLDER = "kernel"
"""The folder of the kernel in the virtual environment."""

TOOLS = {"cmake": "cmake", "ninja": "ninja"}
"""The programs that compile, and the packages that bring them."""

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

# Why the kernel was not built, in what the tools write.
NO_KERNEL = {
    "No space left on device": "the disk is full",
    "Killed signal terminated program": "the compiler ran out of memory",
    "No CMAKE_CXX_COMPILER could be found|is not able to compile": "no working C++ compiler found",
    "Could NOT find Python": "the headers of Python are missing (on Debian: python3-dev)",
    r"CMake Error[^\n]*\n\s*(?P<name>the kernel needs [^\n]*)": "{name}",
    r"error: (?P<name>[^\n]*)": "the compiler says: {name}",
} | PIP_FAILURES

# Seconds after which a failure that may have passed by itself is tried again.
_TRY_AGAIN = 600

# What may pass by itself: a full disk, a lost network.
_PASSING = re.compile("No space left on device|ProxyError|ConnectionError|ConnectTimeout|NameResol")

_STEP = re.compile(r"\[\d+/\d+\] (?:Building|Linking) .* (?P<made>\S+)\s*")
_MODULE = re.compile(r"_\S+\.so")
_NICENESS = 5
_LOOK = 0.2


# What a start of a program does.


def begin(root: Path, venv: Path, purpose: str, game: str) -> None:
    """See to it that the kernel is there, or is being compiled; PATCHPIE_KERNEL says how.

    game -- the one to compile first, or none of them
    """
    patient = "test" in purpose or "PATCHPIE_IN_MATCH" in os.environ
    wish = os.environ.get("PATCHPIE_KERNEL") or ("wait" if patient else "background")
    if wish in ("old", "none"):
        return
    kernel = venv / FOLDER
    kernel.mkdir(exist_ok=True)
    renew(root, venv)
    if not (kernel / "complete").exists():
        take_from_checkout(root, venv) or take_from_wheel(root, venv)
    if (kernel / "complete").exists():
        return
    hopeless = failure(kernel).get("tried") == circumstances(root)
    if not hopeless and start(root, venv, game) and wish == "background":
        say("the kernel is compiled in the background; PATCHPIE_KERNEL=wait waits for it")
    if wish == "wait":
        follow(kernel)
        if not (kernel / "complete").exists():
            why = failure(kernel).get("why", "its compilation was ended")
            say(f"there is no kernel, so the engine searches in Python: {why}")


def renew(root: Path, venv: Path) -> tuple[bytes, bytes]:
    """Drop the modules of other sources or for another machine. Returns what `wanted` does.

    Another machine, or a Python of another version, can share the checkout.
    """
    kernel, now, machine = venv / FOLDER, sources(root), read(venv / "machine")
    with held(venv.with_name(".venv.lock"), ""):
        made_for = read(kernel / "machine")
        unknown = not made_for and any(kernel.glob("*.so"))
        same = made_for == machine or unknown and loads(venv)
        if not same:  # programs and objects for the other machine
            for folder in ("tools", "build"):
                shutil.rmtree(kernel / folder, ignore_errors=True)
        if not same or read(kernel / "sources") != now or not runs_here(kernel):
            for each in (*kernel.glob("*.so"), kernel / "complete", kernel / "processor"):
                each.unlink(missing_ok=True)
            write(kernel / "sources", now)
        if made_for != machine:
            write(kernel / "machine", machine)
    return now, machine


def wanted(kernel: Path) -> tuple[bytes, bytes]:
    """The sources and the machine that modules are wanted for."""
    return read(kernel / "sources"), read(kernel / "machine")


def runs_here(kernel: Path) -> bool:
    """Whether this processor has what the modules need."""
    return (flags() or set()).issuperset(read(kernel / "processor").decode().split())


def start(root: Path, venv: Path, game: str) -> bool:
    """Start the compilation in a process that outlives this one; False if one is running."""
    kernel = venv / FOLDER
    with open(kernel / "lock", "a") as lock, open(kernel / "log", "ab") as log:
        if not claimed(lock):
            return False
        number = lock.fileno()  # the new process inherits the lock
        command = [sys.executable, "-I", __file__, str(root), str(venv), game, str(number)]
        subprocess.Popen(
            command,
            cwd=kernel,
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=[number],
            start_new_session=True,
        )
    return True


def claimed(lock: IO[str]) -> bool:
    """Take a lock if nobody holds it; who only looks whether it is held has it for a moment."""
    for _ in range(3):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_LOOK / 4)
        else:
            return True
    return False


def follow(kernel: Path) -> None:
    """Wait for the end of the compilation, and show its steps."""
    shown = b""
    while running(kernel):
        time.sleep(_LOOK)
        now = read(kernel / "progress")
        if now and now != shown and (step := json.loads(now))["total"]:
            say(f"compiling the kernel, step {step['done']} of {step['total']}")
        shown = now


def running(kernel: Path) -> bool:
    """Whether a process compiles."""
    with open(kernel / "lock", "a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def failure(kernel: Path) -> dict:
    """The last failure, empty if there was none: `why`, and the circumstances that were `tried`."""
    with suppress(ValueError):
        found = json.loads(read(kernel / "failed") or "{}")
        if "until" not in found or time.time() < found["until"]:
            return found
    return {}


def circumstances(root: Path) -> str:
    """What a failed compilation depends on, as a digest: sources, machine, compilers, settings."""
    names = ("CC", "CXX", "CXXFLAGS", "LDFLAGS", "HTTPS_PROXY", "https_proxy")
    given = [f"{name}={os.environ.get(name)}" for name in names]
    given += [f"{name}={value}" for name, value in os.environ.items() if name.startswith("PIP_")]
    compilers = (os.environ.get("CXX", ""), "c++", "g++", "clang++", *TOOLS)
    there = [str(shutil.which(each)) for each in compilers if each]
    headers = Path(sysconfig.get_path("include"), "Python.h").exists(), sys.version
    seen = repr((sorted(given), there, headers, os.uname().machine)).encode(
        errors="surrogateescape"
    )
    return hashlib.sha256(seen + sources(root)).hexdigest()


# A kernel that is there already.


def take_from_checkout(root: Path, venv: Path) -> bool:
    """Take the modules of the checkout's own environment, which this user could not change.

    Returns whether there were any, from the same sources and for this machine.
    """
    kernel, there = venv / FOLDER, root / ".venv" / FOLDER
    with suppress(OSError):
        same = there != kernel and wanted(there) == wanted(kernel)
        if same and (there / "complete").exists() and runs_here(there):
            for each in (*there.glob("*.so"), there / "processor"):
                write(kernel / each.name, read(each))
            (kernel / "complete").touch()
            return True
    return False


def take_from_wheel(root: Path, venv: Path) -> bool:
    """Take the modules of a wheel that was made from the same sources for this machine, if any.

    Returns whether there was one; a line tells of wheels that do not fit.
    """
    folder, kernel = wheelhouse(root), venv / FOLDER
    ending = read(venv / "machine").decode().split()[-1]
    wheels = sorted(folder.glob("gtp_engine-*.whl")) if folder else []
    for wheel in wheels:
        with suppress(OSError, KeyError, zipfile.BadZipFile), zipfile.ZipFile(wheel) as archive:
            if archive.read("gtp_engine/kernel/sources").decode().strip() != digest(root):
                continue
            names = [name for name in archive.namelist() if name.endswith(ending)]
            modules = {kernel / Path(name).name: archive.read(name) for name in names}
            for module, content in modules.items():
                write(module, content)
            if modules and loads(venv):
                (kernel / "complete").touch()
                say(f"the kernel comes from {wheel}")
                return True
            for module in modules:  # for another system
                module.unlink()
    if wheels:
        say(f"no wheel in {folder} has the kernel of these sources for this machine and Python")
    return False


def loads(venv: Path) -> bool:
    """Whether the core of the kernel can be loaded."""
    command = [venv / "bin" / "python", "-I", "-c", "import gtp_engine.kernel._kernel"]
    streams = {"stdin": subprocess.DEVNULL, "capture_output": True}
    return subprocess.run(command, env=clean_environment(), **streams).returncode == 0


# The compilation.


class NotBuilt(Exception):
    """A tool failed; the message is what it wrote."""


def main() -> int:
    """Compile what is missing. The process and its tools inherit the lock."""
    root, venv, game, lock = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    kernel, here = venv / FOLDER, read(venv / "machine")
    os.set_inheritable(lock, True)
    os.nice(_NICENESS)
    print(f"# {time.ctime()}: compiling the kernel", flush=True)
    try:
        while not (kernel / "complete").exists() and read(venv / "machine") == here:
            build(root, venv, game)
    except Exception as error:
        traceback.print_exc(file=sys.stdout)
        why = sentence(NO_KERNEL, str(error)) or f"the compilation failed; see {kernel / 'log'}"
        failed = {"why": why, "tried": circumstances(root)}
        if _PASSING.search(str(error)):
            failed["until"] = time.time() + _TRY_AGAIN
        write(kernel / "failed", json.dumps(failed).encode())
        return 1
    finally:
        (kernel / "progress").unlink(missing_ok=True)
    (kernel / "failed").unlink(missing_ok=True)
    return 0


def build(root: Path, venv: Path, game: str) -> None:
    """Compile the modules: the core and the asked game, then all others. Raises NotBuilt.

    It is not complete if the sources or the machine have changed meanwhile.
    """
    kernel, made_from, variant = venv / FOLDER, renew(root, venv), machine()
    tell(kernel)
    tools = provide_tools(root, venv)
    environment = clean_environment() | {
        "PYTHONPATH": str(tools),
        "PATH": f"{tools / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
    }
    configure(root, venv, variant, environment)
    write(kernel / "processor", " ".join([*VARIANTS.get(variant, []), "\n"]).encode())
    asked = (root / "gtp_engine" / "kernel" / "games" / game).is_dir() and game
    orders = [["_kernel", f"_{asked}"], ["all"]] if asked else [["all"]]
    left = TimeLeft(steps(kernel, orders, environment), int(processors()))
    tell(kernel, left)
    for targets in orders:
        for module in linked_modules(kernel, targets, environment, left):
            if not publish(module, venv, made_from):
                return
    if sources(root) == made_from[0] and wanted(kernel) == made_from:
        (kernel / "complete").touch()


def publish(module: Path, venv: Path, made_from: tuple[bytes, bytes]) -> bool:
    """Put a new module where engines find it; False if another one is wanted meanwhile."""
    kernel = venv / FOLDER
    with held(venv.with_name(".venv.lock"), ""):
        if wanted(kernel) != made_from:
            return False
        if not (kernel / module.name).exists():
            write(kernel / module.name, module.read_bytes())
    return True


def configure(root: Path, venv: Path, variant: str, environment: dict[str, str]) -> None:
    """Run CMake. Raises NotBuilt."""
    folder = venv / FOLDER / "build"
    command = ["cmake", "-G", "Ninja", "-S", str(root / "gtp_engine" / "kernel"), "-B", str(folder)]
    command += ["-DCMAKE_BUILD_TYPE=Release", f"-DPATCHPIE_VARIANT={variant}"]
    command += [f"-DPython_EXECUTABLE={venv / 'bin' / 'python'}"]
    try:
        run(command, environment)
    except NotBuilt:  # an earlier one that was killed may have left half of its files
        shutil.rmtree(folder, ignore_errors=True)
        run(command, environment)


def provide_tools(root: Path, venv: Path) -> Path:
    """The folder of the packages that compile; a program that the system has is not installed."""
    tools, partly = venv / FOLDER / "tools", venv / FOLDER / "tools.partly"
    if tools.exists():
        return tools
    wanted = ["nanobind"] + [name for program, name in TOOLS.items() if not shutil.which(program)]
    shutil.rmtree(partly, ignore_errors=True)
    done = install(root, venv, ["--target", str(partly), *wanted])
    if done.returncode != 0:
        raise NotBuilt(done.stdout)
    print(done.stdout, flush=True)
    partly.rename(tools)
    return tools


def steps(kernel: Path, orders: list[list[str]], environment: dict[str, str]) -> list[str]:
    """What the steps make that ninja has still to do, in their order. Raises NotBuilt.

    orders -- the targets of each run of ninja
    """
    # A dry run of build.ninja itself would only tell that CMake might have to write it anew.
    (kernel / "build" / "plan.ninja").write_text("include build.ninja\n")
    found: dict[str, None] = {}
    for targets in orders:
        command = ["ninja", "-C", str(kernel / "build"), "-f", "plan.ninja", "-n", *targets]
        lines = lines_of(command, environment)
        found |= {step["made"]: None for line in lines if (step := _STEP.fullmatch(line))}
    return list(found)


def linked_modules(
    kernel: Path, targets: list[str], environment: dict[str, str], left: TimeLeft
) -> Iterator[Path]:
    """Run ninja, and write its progress. Gives each module as soon as it is linked, then all.

    Raises NotBuilt.
    """
    folder = kernel / "build"
    command = ["ninja", "-C", str(folder), "-j", processors(), *targets]
    for line in lines_of(command, environment):
        if step := _STEP.fullmatch(line):
            left.finish(step["made"])
            tell(kernel, left)
            if _MODULE.fullmatch(step["made"]):
                yield folder / step["made"]
    for target in targets:
        yield from folder.glob("_*.so" if target == "all" else f"{target}.*so")


def run(command: list[str], environment: dict[str, str]) -> None:
    """Run a tool. Raises NotBuilt."""
    for _ in lines_of(command, environment):
        pass


def lines_of(command: list[str], environment: dict[str, str]) -> Iterator[str]:
    """The output of a tool, which also goes to the log. Raises NotBuilt if the tool fails."""
    said = []
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, env=environment, close_fds=False, **streams) as tool:
        for line in tool.stdout:
            text = line.decode(errors="replace")
            print(text, end="", flush=True)
            said.append(text)
            yield text
    if tool.returncode != 0:
        raise NotBuilt("".join(said))


# Files.


def tell(kernel: Path, left: TimeLeft | None = None) -> None:
    """Write the progress: steps done, all steps, the estimated seconds, and why they are many."""
    told = {"done": 0, "total": 0, "seconds": None, "why": None}
    if left is not None:
        seconds = round(left.seconds)
        told = {"done": left.done, "total": left.total, "seconds": seconds, "why": left.why}
    write(kernel / "progress", json.dumps(told).encode())


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    partly = path.with_name(f"{path.name}.partly")
    partly.write_bytes(content)
    partly.replace(path)


def source_files(root: Path) -> list[Path]:
    """The sources of the kernel, in the order of in-venv and of CMakeLists.txt."""
    kernel = root / "gtp_engine" / "kernel"
    kinds = ("CMakeLists.txt", "*.in", "*.hpp", "*.cpp")
    return sorted(
        (each for kind in kinds for each in kernel.rglob(kind)), key=lambda p: p.as_posix()
    )


def sources(root: Path) -> bytes:
    """The text of all sources of the kernel."""
    return b"".join(file.read_bytes() for file in source_files(root))


def digest(root: Path) -> str:
    """The digest of the sources, as CMakeLists.txt writes it into wheels."""
    each = (hashlib.sha256(file.read_bytes()).hexdigest() for file in source_files(root))
    return hashlib.sha256("".join(each).encode()).hexdigest()


# The machine.


def processors() -> str:
    """How many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return str(len(affinity(0)) if affinity else os.cpu_count() or 1)


def flags() -> set[str] | None:
    """What this processor has, None where the system does not say."""
    lines = read(Path("/proc/cpuinfo")).decode(errors="replace").splitlines()
    found = next((line for line in lines if line.startswith("flags")), None)
    return None if found is None else set(found.split())


def machine() -> str:
    """The variant of the kernel for this processor; all of them where it is not known."""
    has = flags()
    if has is None:
        return "all"
    return next(name for name, needed in VARIANTS.items() if has.issuperset(needed))


if __name__ == "__main__":
    raise SystemExit(main())
