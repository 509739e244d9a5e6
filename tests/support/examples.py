"""Example games for tests: their files count as files of gtp_engine/rules/ and of the kernel.

`tests/example_games` has the same folders as the package. Nothing in the package names them.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from gtp_engine import kernel, rules
from gtp_engine.base.platforms import locked_folder
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game
from support.checkouts import ROOT, make_kernel
from support.waiting import PATIENCE, wait_until

FOLDER = Path(__file__).parents[1] / "example_games"
HEX, BREAKTHROUGH, KONANE, AMAZONS = "hex", "breakthrough", "konane", "amazons"
NAMES = (BREAKTHROUGH, KONANE, AMAZONS, HEX)
"""The first two, which the fast part has, capture: by moving onto a piece, by jumping over some."""

_KERNEL = Path(kernel.__file__).parent
# Modules of the examples, which the core of the kernel takes as any others.
BUILT = Path(sys.prefix, "kernel_of_examples")
# The kernel of a checkout.
_COMPILED = Path(sys.prefix, "kernel")


def add_examples(compiled: bool = True) -> None:
    """Have the program find the games, and their modules of the kernel if these are built."""
    rules.__path__.append(str(FOLDER / "rules"))
    if compiled and _is_built():
        kernel.__path__.append(str(BUILT))
    rules.games.cache_clear()


@contextmanager
def examples_there() -> Iterator[None]:
    """The program knows the games during the block."""
    add_examples()
    try:
        yield
    finally:
        remove_examples()


def remove_examples() -> None:
    """Undo that."""
    rules.__path__.remove(str(FOLDER / "rules"))
    if str(BUILT) in kernel.__path__:
        kernel.__path__.remove(str(BUILT))
    rules.games.cache_clear()


def _sources(root: Path) -> list[Path]:
    kinds = (".in", ".hpp", ".cpp", ".txt")
    return sorted(each for each in root.rglob("*") if each.suffix in kinds)


@cache
def _digest() -> str:
    roots = (_KERNEL, FOLDER / "kernel")
    files = [each.read_bytes() for root in roots for each in _sources(root)]
    return hashlib.sha256(b"\0".join(files) + sys.version.encode()).hexdigest()


def _is_built() -> bool:
    try:
        return (BUILT / "made_from").read_text() == _digest()
    except OSError:
        return False


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other process compiles."""
    with ExitStack() as held:

        def claimed() -> bool:
            try:
                held.enter_context(locked_folder(BUILT))
            except BlockingIOError:
                return False
            return True

        wait_until(claimed, "another process that compiles the examples", 20 * PATIENCE)
        yield


def build() -> str | None:
    """Compile the headers as games of the kernel, if needed; returns why that is impossible.

    The sources are those of the package, with the headers put beside the others. The core of a
    wheel, or one with sanitizers, may come from another compiler.
    """
    if not (_COMPILED / "complete").exists():
        return "the kernel is not that of a checkout"
    BUILT.mkdir(exist_ok=True)
    with _alone():
        if _is_built():
            return None
        if not shutil.which("c++"):
            return "no compiler"
        try:  # a kernel that came from a wheel needed none
            tools = make_kernel.provide_tools(ROOT, Path(sys.prefix))
        except make_kernel.NotBuilt as error:
            return f"no packages to compile with: {error}"
        path = os.pathsep.join([str(tools / "bin"), os.environ.get("PATH", os.defpath)])
        sources, folder = BUILT / "sources", BUILT / "build"
        shutil.rmtree(sources, ignore_errors=True)  # a header that is gone counts as another source
        for root, goal in ((_KERNEL, sources), (FOLDER / "kernel", sources / "games")):
            for each in _sources(root):
                there = goal / each.relative_to(root)
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(each, there)
        environment = os.environ | {"PATH": path, "PYTHONPATH": os.pathsep.join(sys.path)}
        environment["PYTHONPATH"] += f"{os.pathsep}{tools}"
        targets = [f"_{name}" for name in NAMES]
        # Every processor runs these.
        options = ["-DPATCHPIE_VARIANT=plain", "-DPATCHPIE_QUICK=ON"]
        options.append(f"-DPython_EXECUTABLE={sys.executable}")
        configure = ["cmake", "-G", "Ninja", "-S", str(sources), "-B", str(folder), *options]
        for command in (configure, ["ninja", "-C", str(folder), *targets]):
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
        for name in NAMES:
            (module,) = folder.glob(f"_{name}.*so")
            shutil.copy2(module, BUILT)
        (BUILT / "made_from").write_text(_digest())
    return None


@contextmanager
def any_game_there(name: str) -> Iterator[Game]:
    """The game of a name; an example game is there during the block."""
    if name not in NAMES:
        yield find_game(name)
        return
    with examples_there():
        yield find_game(name)
