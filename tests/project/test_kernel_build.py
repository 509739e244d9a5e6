"""The kernel of a checkout: compiled in the background, adopted by engines that run.

The compiler is stood in for by two small programs: no test here waits for a real one.
"""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from gtp_engine.base import kernel_build
from gtp_engine.rules import default_game
from gtp_engine.search.backends.kernel import kernel_built, kernel_files
from support import checkouts
from support.checkouts import (
    KNOWN_PYTHON,
    ROOT,
    WITHOUT_COMPILER,
    link_checkout,
    make_kernel,
    run,
)
from support.thorough import first_of, thorough
from support.waiting import PATIENCE, wait_until

needs_kernel = pytest.mark.skipif(not kernel_built(), reason="no kernel was built")

CMAKE = """#!/bin/sh
mkdir -p build
echo "$@" >>calls
"""

# Says what it would do, or makes a module for each target, and two more for `all`.
NINJA = """#!/bin/sh
echo "[0/3] Re-checking globbed directories..."
echo "[1/3] Building CXX object first.o"
if [ "$5" = -n ]; then
    echo "[2/3] Building CXX object implo_search.cpp.o"
    echo "[3/3] Linking CXX shared module _implo.so"
    exit
fi
shift 4
echo "$@" >>calls
cp progress progress.seen
[ "$*" != all ] || set -- _kernel _implo _robble
for module; do echo module >build/$module.so; done
"""


@pytest.fixture(scope="module")
def set_up(tmp_path_factory) -> Path:
    return checkouts.set_up(link_checkout(tmp_path_factory.mktemp("set up") / "checkout"))


@pytest.fixture
def checkout(set_up) -> Path:
    """A checkout that was set up without a kernel."""
    kernel = set_up / ".venv" / "kernel"
    shutil.rmtree(kernel, ignore_errors=True)
    kernel.mkdir()
    shutil.copy(set_up / ".venv" / "machine", kernel)
    return set_up


@pytest.fixture
def header(checkout) -> Iterator[Path]:
    """A source of the kernel, to be changed; the package is a copy meanwhile."""
    package = checkout / "gtp_engine"
    package.unlink()
    shutil.copytree(ROOT / "gtp_engine", package)
    yield package / "kernel" / "board" / "bits.hpp"
    shutil.rmtree(package)
    package.symlink_to(ROOT / "gtp_engine")


@pytest.fixture
def tools(tmp_path, checkout) -> Path:
    """Stand-ins for CMake and ninja, first on the path."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name, text in (("cmake", CMAKE), ("ninja", NINJA)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    (checkout / ".venv" / "kernel" / "tools").mkdir(parents=True)
    return folder


def started(checkout: Path, tools: Path | None = None, *options: str, **variables: str):
    """A start of the engine; returns the finished process."""
    command = [f"{checkout}/bin/gtp-engine", *options]
    return run(command, checkout, "name\n", env=environment_with(tools, **variables))


def environment_with(tools: Path | None, **variables: str) -> dict[str, str]:
    path = f"{tools}:{os.environ['PATH']}" if tools else os.environ["PATH"]
    return os.environ | KNOWN_PYTHON | {"PATH": path, "PATCHPIE_KERNEL": "wait"} | variables


# Tells its master and itself, and never ends.
HANGS = """#!/bin/sh
echo $PPID $$ >begun
exec sleep 300
"""


@contextmanager
def hanging(checkout: Path) -> Iterator[int]:
    """While CMake hangs. Gives the process that started it; at the end both are killed."""
    begun = checkout / ".venv" / "kernel" / "begun"
    wait_until(lambda: make_kernel.read(begun), "the compiler runs")
    master, compiler = map(int, begun.read_text().split())
    try:
        yield master
    finally:
        with suppress(ProcessLookupError):
            os.kill(master, signal.SIGKILL)  # it would try again
        os.kill(compiler, signal.SIGKILL)
        wait_until(lambda: not make_kernel.running(begun.parent), "nothing is compiled")


# The compilation.


def test_the_asked_game_comes_first(checkout, tools):
    kernel = checkout / ".venv" / "kernel"
    done = started(checkout, tools, "--game", "robble")
    assert done.stdout == "= Patchpie\n\n"
    configured, *targets = (kernel / "calls").read_text().splitlines()
    assert configured.startswith(f"-G Ninja -S {checkout}/gtp_engine/kernel -B {kernel}/build ")
    assert targets == ["_kernel _robble", "all"]
    assert sorted(path.name for path in kernel.glob("*.so")) == [
        "_implo.so",
        "_kernel.so",
        "_robble.so",
    ]
    seen = json.loads((kernel / "progress.seen").read_text())
    assert (seen["done"], seen["total"]) == (1, 3)
    assert not (kernel / "progress").exists()
    again = started(checkout, tools)
    assert (again.stdout, again.stderr) == ("= Patchpie\n\n", "")


def test_for_a_program_of_a_package_the_first_game_comes_first():
    """In a Python that knows nothing but the set-up, as for `bin/in-venv cluster dask`."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1] + '/bin'); import make_venv\n"
        "assert make_venv.answered(sys.argv[1], 'dask', ['scheduler']) is None\n"
        "print(make_venv.asked_game(['scheduler']))"
    )
    asked = [sys.executable, "-I", "-S", "-c", script, str(checkouts.ROOT)]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{default_game().name}\n", "")


@thorough
def test_an_engine_in_a_match_waits(checkout, tools):
    done = started(checkout, tools, PATCHPIE_KERNEL="", PATCHPIE_IN_MATCH="1")
    assert done.stdout == "= Patchpie\n\n"
    assert (checkout / ".venv" / "kernel" / "complete").exists()


def test_a_start_does_not_wait_for_the_compiler(checkout, tools):
    kernel = checkout / ".venv" / "kernel"
    (tools / "cmake").write_text(HANGS)
    done = started(checkout, tools, PATCHPIE_KERNEL="background")
    assert done.stdout == "= Patchpie\n\n"
    assert done.stderr == (
        "gtp_engine: the kernel is compiled in the background; PATCHPIE_KERNEL=wait waits for it\n"
    )
    assert started(checkout, tools, PATCHPIE_KERNEL="background").stderr == ""
    with hanging(checkout) as master:
        # A compiler that outlives its master is waited for; then a start begins again.
        os.kill(master, signal.SIGKILL)
        assert make_kernel.running(kernel)
    (tools / "cmake").write_text(CMAKE)
    assert started(checkout, tools).stdout == "= Patchpie\n\n"
    assert (kernel / "complete").exists()


def test_a_start_without_streams_says_nothing_and_keeps_its_lock(checkout, tools):
    """The lock would be opened in the place of a closed stream, and be lost there."""
    (tools / "cmake").write_text(HANGS)
    command = ["sh", "-c", 'exec "$0" 2>&- <&-', f"{checkout}/bin/gtp-engine"]
    done = run(command, checkout, env=environment_with(tools, PATCHPIE_KERNEL="background"))
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    with hanging(checkout):
        assert make_kernel.running(checkout / ".venv" / "kernel")


@thorough
def test_sources_that_change_meanwhile_are_compiled_again(checkout, tools, header):
    kernel = checkout / ".venv" / "kernel"
    changing = f"[ -e changed ] || {{ echo >changed; echo >>'{header}'; }}\n"
    (tools / "ninja").write_text(NINJA + changing)
    started(checkout, tools)
    targets = (kernel / "calls").read_text().splitlines()
    assert [each for each in targets if each[0] != "-"] == ["_kernel _implo", "all"] * 2
    assert (kernel / "sources").read_bytes() == make_kernel.sources(checkout)


@thorough
def test_a_kernel_of_other_sources_or_of_another_processor_is_dropped(checkout, tools, header):
    kernel = checkout / ".venv" / "kernel"
    started(checkout, tools)
    (kernel / "_old.so").touch()
    header.write_text(header.read_text() + "// changed\n")
    for choice in ("old", "none"):
        assert started(checkout, tools, PATCHPIE_KERNEL=choice).stderr == ""
        assert (kernel / "_old.so").exists()
    started(checkout, tools)
    assert not (kernel / "_old.so").exists()
    (kernel / "processor").write_text("no-such-flag\n")
    (kernel / "_old.so").touch()
    started(checkout, tools)
    assert not (kernel / "_old.so").exists()
    assert "no-such-flag" not in (kernel / "processor").read_text()


FOREIGN = "aarch64 .cpython-311-aarch64-linux-gnu.so\n"


@pytest.fixture
def foreign(checkout, tools) -> Path:
    """The folder of a kernel that was compiled on another machine, in the same checkout."""
    kernel = checkout / ".venv" / "kernel"
    (kernel / "machine").write_text(FOREIGN)
    (kernel / "sources").write_bytes(make_kernel.sources(checkout))
    (kernel / "build").mkdir()
    for name in ("_kernel.cpython-311-aarch64-linux-gnu.so", "processor", "complete"):
        (kernel / name).touch()
    return kernel


@pytest.mark.parametrize("told", [FOREIGN, ""])
def test_a_kernel_of_another_machine_is_dropped(checkout, foreign, told):
    """With all that compiled it. One that does not tell its machine does not load here."""
    (foreign / "machine").write_text(told)
    make_kernel.renew(checkout, checkout / ".venv")
    assert sorted(path.name for path in foreign.iterdir()) == ["machine", "sources"]
    assert (foreign / "machine").read_bytes() == (checkout / ".venv" / "machine").read_bytes()


@pytest.mark.parametrize("changed", ["sources", "machine"])
def test_a_module_for_others_than_are_wanted_is_not_published(checkout, changed):
    kernel = checkout / ".venv" / "kernel"
    (kernel / "build").mkdir()
    module = kernel / "build" / "_implo.so"
    module.write_text("a module")
    made_from = make_kernel.renew(checkout, checkout / ".venv")
    assert make_kernel.publish(module, checkout / ".venv", made_from)
    (kernel / "_implo.so").unlink()
    (kernel / changed).write_text("another")
    assert not make_kernel.publish(module, checkout / ".venv", made_from)
    assert not (kernel / "_implo.so").exists()


def test_a_failure_on_another_machine_does_not_count(checkout, monkeypatch):
    before = make_kernel.circumstances(checkout)
    assert make_kernel.circumstances(checkout) == before
    machine = os.uname_result(("Linux", "name", "release", "version", "riscv64"))
    monkeypatch.setattr(os, "uname", lambda: machine)
    assert make_kernel.circumstances(checkout) != before


@thorough
def test_a_start_on_another_machine_compiles(checkout, foreign):
    assert started(checkout, None, PATCHPIE_KERNEL="old").stderr == ""
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull}
    done = started(checkout, None, **offline)
    assert done.stdout == "= Patchpie\n\n"
    assert "there is no kernel" in done.stderr
    assert "no suitable package nanobind was found" in done.stderr


def test_a_kernel_that_tells_no_machine_stays_if_it_loads(checkout, monkeypatch):
    kernel = checkout / ".venv" / "kernel"
    (kernel / "machine").unlink()
    (kernel / "sources").write_bytes(make_kernel.sources(checkout))
    (kernel / "_kernel.so").touch()
    monkeypatch.setattr(make_kernel, "loads", lambda venv: True)
    make_kernel.renew(checkout, checkout / ".venv")
    assert (kernel / "_kernel.so").exists()
    assert (kernel / "machine").read_bytes() == (checkout / ".venv" / "machine").read_bytes()


@thorough
def test_a_failure_is_said_and_tried_again_when_something_has_changed(checkout):
    kernel = checkout / ".venv" / "kernel"
    said = (
        "gtp_engine: there is no kernel, so the engine searches in Python: "
        "no working C++ compiler found\n"
    )

    def tries() -> int:
        return (kernel / "log").read_text().count(": compiling the kernel")

    for _ in range(2):
        assert started(checkout, None, **WITHOUT_COMPILER, PATCHPIE_KERNEL="wait").stderr == said
        assert tries() == 1
    changed = WITHOUT_COMPILER | {"CXX": "/bin/true"}
    started(checkout, None, **changed, PATCHPIE_KERNEL="wait")
    assert tries() == 2
    # An engine that searches says it, too.
    environment = WITHOUT_COMPILER | {"CXX": "/bin/true"}
    lines = "boardsize 3\ngenmove b\ngame-select pilo 3\ngenmove b\nundo\ngenmove b\n"
    done = run([f"{checkout}/bin/gtp-engine", "--level", "1"], checkout, lines, env=environment)
    assert done.stdout.count("= ") == 3
    assert [
        line.partition(":")[2].split(" is searched")[0] for line in done.stderr.splitlines()
    ] == [
        " Implo",
        " Pilo",
    ]


@needs_kernel
def test_a_wheel_of_the_same_sources_is_taken(checkout, tmp_path):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    for name, sources in (("0.0", "other sources"), ("0.1", make_kernel.digest(checkout))):
        with zipfile.ZipFile(
            wheels / f"gtp_engine-{name}-{version}-{version}-any.whl", "w"
        ) as wheel:
            wheel.writestr("gtp_engine/kernel/sources", sources + "\n")
            for path in kernel_files():
                wheel.write(path, f"gtp_engine/kernel/{Path(path).name}")
    (wheels / f"gtp_engine-0.0.1-{version}-{version}-any.whl").write_text("no wheel")
    done = started(checkout, None, PATCHPIE_WHEELS=str(wheels), **WITHOUT_COMPILER)
    assert done.stderr == (
        f"gtp_engine: the kernel comes from {wheels}/gtp_engine-0.1-{version}-{version}-any.whl\n"
    )
    again = started(checkout, None, **WITHOUT_COMPILER)
    assert (again.stdout, again.stderr) == ("= Patchpie\n\n", "")
    assert not (checkout / ".venv" / "kernel" / "log").exists()


@thorough
def test_wheels_without_the_right_kernel_are_told(checkout, tools, tmp_path):
    """Such as one of another system, with modules that do not load."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (wheels / "gtp_engine-0.0.1-cp311-cp311-any.whl").write_text("no wheel")
    with zipfile.ZipFile(wheels / "gtp_engine-0.0.2-cp311-cp311-any.whl", "w") as wheel:
        ending = (checkout / ".venv" / "machine").read_text().split()[-1]
        wheel.writestr("gtp_engine/kernel/sources", make_kernel.digest(checkout))
        wheel.writestr(f"gtp_engine/kernel/_kernel{ending}", "no module")
    done = started(checkout, tools, PATCHPIE_WHEELS=str(wheels))
    assert done.stderr.splitlines()[0] == (
        f"gtp_engine: no wheel in {wheels} has the kernel of these sources for this machine and "
        "Python"
    )
    kernel = checkout / ".venv" / "kernel"
    assert (kernel / "complete").exists()
    assert "no module" not in [each.read_text() for each in kernel.glob("*.so")]


def test_an_environment_elsewhere_takes_the_kernel_of_the_checkout(checkout, tmp_path):
    """Users who may not write to the checkout have their own environments."""
    theirs, ours = checkout / ".venv" / "kernel", tmp_path / ".venv" / "kernel"
    ours.mkdir(parents=True)
    for kernel in (theirs, ours):
        (kernel / "sources").write_text("the same")
        (kernel / "machine").write_text("the same")
    (theirs / "_kernel.so").write_text("a module")
    assert not make_kernel.take_from_checkout(checkout, tmp_path / ".venv")  # not complete
    (theirs / "complete").touch()
    (ours / "machine").write_text("another")
    assert not make_kernel.take_from_checkout(checkout, tmp_path / ".venv")
    (ours / "machine").write_text("the same")
    (theirs / "processor").write_text("no-such-flag\n")
    assert not make_kernel.take_from_checkout(checkout, tmp_path / ".venv")
    assert not list(ours.glob("*.so"))
    (theirs / "processor").write_text("\n")
    assert make_kernel.take_from_checkout(checkout, tmp_path / ".venv")
    assert (ours / "_kernel.so").read_text() == "a module"
    assert (ours / "complete").exists()
    assert not make_kernel.take_from_checkout(checkout, checkout / ".venv")


# Engines that run while the kernel is compiled.


class Engine:
    """A running engine; `log` reads a line of its stderr."""

    def __init__(self, checkout: Path, *options: str) -> None:
        command = [checkout / ".venv" / "bin" / "python", "-I", "-m", "gtp_engine", *options]
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self._process = subprocess.Popen(command, text=True, **streams)

    def send(self, line: str) -> None:
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def answer(self) -> str:
        text = self._process.stdout.readline()
        assert self._process.stdout.readline() == "\n"
        return text.strip()

    def line(self) -> str:
        return self._process.stdout.readline()

    def log(self) -> str:
        return self._process.stderr.readline().strip()

    def end(self) -> str:
        """End it; returns the rest of its stderr."""
        return self._process.communicate(timeout=PATIENCE)[1]


@contextmanager
def compiling(checkout: Path) -> Iterator[None]:
    """As while make_kernel.py is at work."""
    kernel = checkout / ".venv" / "kernel"
    kernel.mkdir(exist_ok=True)
    with open(kernel / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (kernel / "progress").write_text('{"done": 3, "total": 8, "seconds": 42}')
        yield


def publish(checkout: Path) -> None:
    """Put the modules where make_kernel.py puts them."""
    for path in map(Path, kernel_files()):
        partly = checkout / ".venv" / "kernel" / f"{path.name}.partly"
        shutil.copy(path, partly)
        partly.rename(partly.with_suffix(""))


@needs_kernel
def test_an_engine_adopts_the_kernel_at_its_next_search(checkout):
    engine = Engine(checkout, "--game", "robble", "--size", "5", "--level", "2")
    with compiling(checkout):
        for color in ("b", "w"):
            engine.send(f"genmove {color}")
            assert engine.answer().startswith("= ")
        publish(checkout)
    assert engine.log() == (
        "INFO: the kernel is being compiled, about 40 seconds left. Until then Robble is searched "
        "in Python, about a hundred times slower. PATCHPIE_KERNEL=wait waits at the start"
    )
    for color in ("b", "w"):
        engine.send(f"genmove {color}")
        assert engine.answer().startswith("= ")
    assert engine.log() == "INFO: Robble is searched in the kernel from now on"
    assert engine.end() == ""


@needs_kernel
@pytest.mark.parametrize(
    "options", first_of([["--seed", "1"], ["--visits", "50"], ["--backend", "kernel"]])
)
def test_what_can_be_repeated_waits_for_the_kernel(checkout, options):
    with compiling(checkout):
        engine = Engine(checkout, "--game", "pilo", "--size", "6", *options)
        engine.send("genmove b")
        assert engine.log() == "INFO: waiting for the kernel of Pilo, about 40 seconds left"
        publish(checkout)
    assert engine.answer().startswith("= ")
    assert engine.end() == ""


@thorough
def test_a_compilation_that_ends_without_a_kernel_is_not_waited_for(checkout):
    with compiling(checkout):
        engine = Engine(checkout, "--game", "pilo", "--size", "3", "--visits", "5")
        engine.send("genmove b")
        assert engine.log().startswith("INFO: waiting for the kernel of Pilo")
        (checkout / ".venv" / "kernel" / "failed").write_text('{"why": "the disk is full"}')
    assert engine.answer().startswith("= ")
    assert engine.log().endswith("about a hundred times slower: the disk is full")
    assert engine.end() == ""


@needs_kernel
def test_a_request_that_needs_no_search_is_answered_before_the_kernel_is_there(checkout):
    with compiling(checkout):
        engine = Engine(checkout, "analyze")
        assert engine.log().startswith("gtp-engine analyze: Started, ready")
        engine.send('{"id": 1}')
        assert "error" in engine.line()
        engine.send('{"id": "v", "action": "query_version"}')
        assert '"version"' in engine.line()
        engine.send('{"id": "a", "game": "robble", "size": 4, "maxVisits": 5, "moves": []}')
        assert engine.log() == "INFO: waiting for the kernel of Robble, about 40 seconds left"
        publish(checkout)
        assert '"rootInfo"' in engine.line()
    assert engine.end() == ""


@needs_kernel
@thorough
@pytest.mark.parametrize(
    "words",
    [
        "review no-such.sgf",
        "solve --file no-such.sgf",
        "solve --check no-such.proof",
        "swap-map --table",
        "puzzles --select no-such.jsonl",
        "train chess -o out",
    ],
)
def test_a_tool_that_needs_no_search_does_not_wait(checkout, words):
    """The compilation lasts until it has ended."""
    with compiling(checkout):
        assert "waiting" not in Engine(checkout, *words.split()).end()


@needs_kernel
def test_a_tool_waits_for_the_kernel_before_it_measures(checkout):
    with compiling(checkout):
        engine = Engine(
            checkout, *["bench", "--game", "robble", "--seconds", "0.01", "--samples", "1"]
        )
        assert engine.log() == "gtp-engine bench: waiting for the kernel, about 40 seconds left"
        publish(checkout)
    assert engine.end() == ""


def test_without_stderr_a_tool_waits_in_silence(monkeypatch, capsys):
    seen = iter([kernel_build.Progress(1, 2, 9), None])
    monkeypatch.setattr(kernel_build, "progress", lambda: next(seen))
    monkeypatch.setattr(sys, "stderr", None)
    kernel_build.wait_telling("a tool")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("seconds", "why", "words"),
    [
        (None, None, "one to five minutes left"),
        (2, None, "about 5 seconds left"),
        (96, None, "about 100 seconds left"),
        (110, None, "about 2 minutes left"),
        (1480, "it rains", "about 25 minutes left because it rains"),
    ],
)
def test_the_time_left_in_words(seconds, why, words):
    assert str(kernel_build.Progress(0, 0, seconds, why)) == words


def test_a_kernel_that_is_switched_off_is_not_waited_for(checkout):
    command = [checkout / ".venv" / "bin" / "python", "-I", "-m", "gtp_engine"]
    environment = os.environ | {"PATCHPIE_KERNEL": "none"}
    with compiling(checkout):
        done = run([*command, "--backend", "kernel"], checkout, env=environment)
        assert done.returncode == 2
        options = ["--size", "3", "--visits", "5"]
        done = run([*command, *options], checkout, "genmove b\n", env=environment)
    assert done.stdout.startswith("= ")
    assert done.stderr.endswith("about a hundred times slower: PATCHPIE_KERNEL is none\n")
