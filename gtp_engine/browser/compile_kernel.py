"""The kernel as one WebAssembly module, compiled by the clang of PyPI's ziglang.

That package brings all that is needed: no other compiler, no Emscripten. Its C++ library for WASI
has no threads and no exceptions. `one_thread/` stands in for the threads; for the exceptions three
files of the same package are compiled, too.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from gtp_engine.base.files import write_file
from gtp_engine.browser.making import CannotMake, run

_ROOM = Path(__file__).parent
_KERNEL = _ROOM.parent / "kernel"
_STAND_INS = _ROOM / "one_thread"

_FEATURES = (
    "exception_handling+bulk_memory+nontrapping_fptoint+sign_ext+mutable_globals+multivalue+simd128"
)
_TARGET = ("-target", "wasm32-wasi", f"-mcpu=generic+{_FEATURES}", "-fwasm-exceptions")
_MOST_MEMORY = 1 << 30
_STACK = 1 << 20

# As CMakeLists.txt has them.
_OUR_FLAGS = (
    "-std=c++20",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fvisibility=hidden",
    "-g0",
    "-DPATCHPIE_PLAIN",
    "-Wall",
    "-Wextra",
    "-Wno-psabi",
    # Exceptions of games have the alignment of their positions. WebAssembly reads what is not
    # aligned, so it does not matter that the library aligns them less.
    "-Wno-exceptions",
)

# All games are in one module, so what each of them defines gets its name.
_OF_A_GAME = ("game_entry", "new_search", "play_random_games")

# WebAssembly's tag of C++ exceptions, which the C++ library would define.
_TAG = "\t.tagtype __cpp_exception i32\n\t.globl __cpp_exception\n__cpp_exception:\n"


class _Job(NamedTuple):
    """A source, and the flags to compile it with."""

    source: Path
    flags: tuple[str, ...]


def games_of_kernel() -> list[str]:
    """The names of the games that the kernel has, sorted."""
    folders = sorted((_KERNEL / "games").iterdir())
    return [each.name for each in folders if (each / f"{each.name}.hpp").is_file()]


def digest() -> str:
    """What the module depends on, as a text of 64 characters."""
    found = hashlib.sha256(_compiler_version().encode())
    sources = [Path(__file__), *_STAND_INS.rglob("*"), *_KERNEL.rglob("*")]
    for each in sorted(sources):
        if each.is_file() and each.suffix in ("", ".py", ".cpp", ".hpp", ".in"):
            found.update(each.name.encode() + b"\0" + each.read_bytes())
    return found.hexdigest()


def compiled(cache: Path, tell: Callable[[str], None]) -> Path:
    """The module for these sources: the one in the cache, or else a new one. Raises CannotMake.

    tell -- gets what is being compiled
    """
    sources = digest()
    folder = cache / sources[:16]
    module = folder / "kernel.wasm"
    if module.is_file():
        return module
    folder.mkdir(parents=True, exist_ok=True)
    try:
        _make(module, sources, tell)
    except CannotMake:
        if digest() == sources:
            raise
        shutil.rmtree(folder)
        raise CannotMake("the sources have changed meanwhile; start again") from None
    for each in folder.iterdir():
        if each != module:
            each.unlink()
    return module


def _make(module: Path, sources: str, tell: Callable[[str], None]) -> None:
    """Compile the module for these sources, by their digest. Raises CannotMake."""
    folder = module.parent
    jobs = list(_jobs(folder))
    tell(f"compiling the kernel: {len(jobs)} files, two minutes of one processor")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda job: _compile(job, folder, sources), jobs))
    linked = folder / "linked"
    flags = [
        "-O2",
        "-mexec-model=reactor",
        "-s",
        f"-Wl,--max-memory={_MOST_MEMORY}",
        f"-Wl,-z,stack-size={_STACK}",
    ]
    _compiler(["c++", *_TARGET, *flags, *map(str, objects), "-o", str(linked)])
    _keep(linked, module, sources)


def _jobs(folder: Path) -> Iterator[_Job]:
    """What is compiled, the longest first. Writes the sources that are made from templates."""
    games = games_of_kernel()
    ours = (*_OUR_FLAGS, f"-I{_STAND_INS}", f"-I{_KERNEL}")
    for part, level in (("search", "-O3"), ("entry", "-O2")):
        for game in games:
            source = _filled(folder, f"game_{part}.cpp.in", f"{game}_{part}.cpp", game)
            own = [f"-D{each}={game}_{each.removeprefix('game_')}" for each in _OF_A_GAME]
            yield _Job(source, (level, *ours, *own))
    yield _Job(_KERNEL / "nn" / "inference.cpp", ("-O3", *ours, "-DPATCHPIE_ISA=plain"))
    each_game = "-DPATCHPIE_EACH_GAME(F)=" + " ".join(f"F({game})" for game in games)
    yield _Job(_KERNEL / "api" / "byte_calls.cpp", ("-O2", *ours, each_game))
    yield _Job(_filled(folder, "added_games.cpp.in", "added_games.cpp"), ("-O2", *ours))
    for name in ("rules/position_text.cpp", "api/arguments.cpp", "nn/net.cpp"):
        yield _Job(_KERNEL / name, ("-O2", *ours))
    yield from _exceptions(folder)


def _filled(folder: Path, template: str, name: str, game: str = "") -> Path:
    """A source made from a template of CMake, in which `@game@` stands for a game."""
    text = (_KERNEL / "api" / template).read_text()
    for mark, value in (("@game@", game), ("@Game@", game.capitalize()), ("@game_capsule@", "")):
        text = text.replace(mark, value)
    path = folder / name
    write_file(path, text.encode(), durable=False)
    return path


def _exceptions(folder: Path) -> Iterator[_Job]:
    """What the C++ library lacks to throw: parts of it that the package has as sources."""
    library = _compiler_folder() / "lib"
    names = ("_LIBCXXABI_BUILDING_LIBRARY", "_LIBCPP_BUILDING_LIBRARY", "_LIBCXXABI_HAS_NO_THREADS")
    folders = ("libcxxabi/include", "libcxxabi/src", "libcxx/src")
    flags = (
        "-std=c++20",
        "-O2",
        *(f"-D{n}" for n in names),
        *(f"-I{library / f}" for f in folders),
    )
    for name in ("cxa_exception", "cxa_personality"):
        yield _Job(library / "libcxxabi" / "src" / f"{name}.cpp", flags)
    unwinding = library / "libunwind"
    yield _Job(
        unwinding / "src" / "Unwind-wasm.c",
        (
            "-O2",
            "-D_LIBUNWIND_HIDE_SYMBOLS",
            "-D_LIBUNWIND_HAS_NO_THREADS",
            f"-I{unwinding / 'include'}",
            "-Wno-c23-extensions",
        ),
    )
    tag = folder / "tag.s"
    write_file(tag, _TAG.encode(), durable=False)
    yield _Job(tag, ())


def _compile(job: _Job, folder: Path, sources: str) -> Path:
    """Compile a source, unless an interrupted run has done it. Raises CannotMake."""
    made = folder / f"{job.source.stem}.o"
    if not made.is_file():
        language = "c++" if job.source.suffix == ".cpp" else "cc"
        part = made.with_suffix(".part")
        _compiler([language, *_TARGET, *job.flags, "-c", str(job.source), "-o", str(part)])
        _keep(part, made, sources)
    return made


def _keep(part: Path, made: Path, sources: str) -> None:
    """Give a file that was made its name, by which it counts later. Raises CannotMake."""
    if digest() != sources:
        raise CannotMake(f"the sources are no longer those of {made.parent.name}")
    part.replace(made)


def _compiler(arguments: Sequence[str]) -> None:
    """Run the compiler. It compiles its C++ library, too, and keeps that where its caches are."""
    run([sys.executable, "-m", "ziglang", *arguments], "the kernel was not compiled", "ziglang")


def _compiler_folder() -> Path:
    """The folder of the compiler's package. Raises CannotMake."""
    try:
        import ziglang
    except ImportError:
        raise CannotMake("the compiler is missing: pip install 'gtp-engine[site]'") from None
    return Path(ziglang.__file__).parent


def _compiler_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ziglang")
    except PackageNotFoundError:
        return ""
