"""A copy of the checkout that faults are put into, with an environment and a kernel of its own."""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
KERNEL = Path(sys.prefix) / "kernel"
"""Where the environment of this Python keeps the modules of the kernel."""

FASTER = "_v3."
"""In the names of modules that a faster processor prefers: a fault is compiled into the others."""

FAST = ["-m", "not thorough"]
SOON = "--longest-test=30"
"""With a fault a test may hang: that need not take long."""

LOADED = """
import sys
from gtp_engine.rules import games
from gtp_engine.search.backends.kernel import kernel_for
missing = [game.name for game in games() if kernel_for(game.name) is None]
assert not missing, missing
unused = [module for module in sys.argv[1:] if f"gtp_engine.kernel.{module}" not in sys.modules]
assert not unused, unused
"""
"""A script: all games are there, and the modules that its arguments name are those in use."""


class Copy:
    """A copy of the checkout. Its environment has the packages and the kernel of this Python.

    Raises SystemExit unless the kernel has all games.
    """

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "checkout"
        self._copy_files()
        self._environment = self.checkout / ".venv"
        venv.create(self._environment, symlinks=True)
        (packages,) = self._environment.glob("lib/python*/site-packages")
        theirs = [path for path in sys.path if path.endswith("packages")]  # site-, dist-packages
        packages.joinpath("copy.pth").write_text("\n".join([str(self.checkout), *theirs]))
        self._python = str(self._environment / "bin" / "python")
        for module in KERNEL.glob("*.so"):
            if FASTER not in module.name:
                (self._environment / "kernel").mkdir(exist_ok=True)
                shutil.copy2(module, self._environment / "kernel")
        self._check_kernel()

    def _check_kernel(self, *modules: str) -> None:
        """Raises SystemExit unless all games are there, fit the core, and use these modules."""
        command = [self._python, "-I", "-c", LOADED, *modules]
        loaded = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if loaded.returncode:
            raise SystemExit(
                f"the kernel in {KERNEL} lacks a game, or a module is not in use:\n{loaded.stderr}"
            )

    def _copy_files(self) -> None:
        listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        for name in filter(lambda name: (ROOT / name).exists(), names.splitlines()):
            (self.checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, self.checkout / name)

    # Tests ------------------------------------------------------------------------------------

    def failures(
        self, selection: Sequence[str], *options: str, planted: bool = False, **variables: str
    ) -> list[str]:
        """The tests of a selection that fail or hang; a file, where its tests cannot be collected.

        planted   -- whether a fault is in the copy: what Python compiles is not kept then
        variables -- what the environment has besides
        Raises SystemExit if the tests do not run.
        """
        command = [self._python, "-I", *(["-B"] if planted else []), "-m", "pytest", "-q"]
        command += [SOON] if planted else []
        command += ["-p", "no:cacheprovider", "-rfE", *options, *selection]
        variables |= {"PYTHONDONTWRITEBYTECODE": "1"} if planted else {}
        done = subprocess.run(
            command,
            cwd=self.checkout,
            env=os.environ | variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode == 0:
            return []
        told = done.stdout.splitlines()
        failed = [line for line in told if line.startswith(("FAILED", "ERROR"))]
        hung = [line.removesuffix(" hangs") for line in told if line.endswith(" hangs")]
        if not failed and not hung:
            raise SystemExit(f"the tests did not run:\n{done.stdout}")
        return [line.partition(" ")[2].partition(" - ")[0] for line in failed] + hung

    # Faults -----------------------------------------------------------------------------------

    @contextmanager
    def planted(self, file: str, right: str, wrong: str, module: str | None = None) -> Iterator:
        """Replace a text that stands once in a file; it is back at the end.

        module -- a module of the kernel that is compiled with the fault
        Raises SystemExit if it cannot be compiled.
        """
        path = self.checkout / file
        text, times = path.read_text(), path.stat()
        if module:
            _ = self.built  # configured with the sources as they are
        path.write_text(text.replace(right, wrong))
        kept = self._environment / "kernel" / f"{module}.kept"
        try:
            if module:
                # CMake looks at times only, and a digest of the headers must fit the other modules.
                os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
                (there,) = kept.parent.glob(f"{module}.*so")
                there.rename(kept)
                shutil.copy2(self._compiled(module), there)
                self._check_kernel(module)
            yield
        finally:
            if kept.exists():
                kept.replace(there)
            path.write_text(text)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    @cached_property
    def built(self) -> Path:
        """The folder of CMake. Modules are compiled in it as for this machine, but quickly."""
        sys.path.insert(0, str(ROOT / "bin"))
        from make_kernel import machine, provide_tools

        provide_tools(ROOT, Path(sys.prefix))  # a kernel from a wheel came without them
        folder = self.checkout / "build"
        command = ["cmake", "-G", "Ninja", "-S", self.checkout / "gtp_engine" / "kernel"]
        command += ["-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DPATCHPIE_QUICK=ON"]
        command += [f"-DPATCHPIE_VARIANT={machine()}", f"-DPython_EXECUTABLE={self._python}"]
        if shutil.which("ccache"):
            command.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        self._run(command)
        return folder

    def _compiled(self, module: str) -> Path:
        """Compile a module anew."""
        for made in self.built.glob(f"CMakeFiles/{module}.dir/**/*.o"):
            made.unlink()
        self._run(["ninja", "-C", self.built, module])
        (found,) = self.built.glob(f"{module}.*so")
        return found

    def _run(self, command: list) -> None:
        """Run a tool that compiles. Raises SystemExit, with what it wrote."""
        tools = KERNEL / "tools"
        variables = os.environ | {
            "PYTHONPATH": str(tools),
            "PATH": f"{tools / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "CCACHE_BASEDIR": str(self.checkout),
            "CCACHE_NOHASHDIR": "1",
        }
        done = subprocess.run(
            command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        if done.returncode:
            raise SystemExit(f"{command[0]} failed:\n{done.stdout}")
