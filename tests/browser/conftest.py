"""What `make-site` makes, once for all tests of a run; the kernel comes from the user's cache."""

import base64
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gtp_engine.base.platforms import cache_folder, locked_folder
from support.starting import running
from support.tools import node
from support.waiting import PATIENCE, wait_until

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder for web pages."""
    return made(tmp_path_factory, npm=False)


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """The package for npm."""
    return made(tmp_path_factory, npm=True)


@pytest.fixture
def engine(package):
    """The words that start the engine under Node."""
    return [node(), str(package / "gtp.mjs")]


def made(factory, npm: bool) -> Path:
    """A folder that all workers of pytest-xdist share: the first one makes it."""
    from gtp_engine.browser.make_site import make
    from gtp_engine.cli.first_state import first_messages

    pytest.importorskip("ziglang", reason="only .ci/site has a compiler for WebAssembly")
    node()
    base = factory.getbasetemp()
    folder = (base.parent if base.name.startswith("popen") else base) / f"npm-{npm}"
    folder.mkdir(exist_ok=True)
    with wait_until(lambda: claimed(folder), "another worker makes it", 10 * PATIENCE):
        if not (folder / "complete").exists():
            make(folder, npm, cache_folder() / "site", print, first_messages)
            (folder / "complete").touch()
    return folder


def claimed(folder: Path):
    """The lock of a folder, held; None while another process has it."""
    lock = locked_folder(folder)
    try:
        lock.__enter__()
    except BlockingIOError:
        return None
    return Held(lock)


class Held:
    """A context that was entered already."""

    def __init__(self, context) -> None:
        self._context = context

    def __enter__(self) -> None:
        return None

    def __exit__(self, *problem) -> None:
        self._context.__exit__(*problem)


class NodeCalls:
    """See core.Calls: the kernel of a package, in a process of Node."""

    def __init__(self, process: subprocess.Popen) -> None:
        self._process = process

    def call(self, request: bytes) -> bytes:
        return base64.b64decode(self._told("c", request))

    def solve(self, request: bytes) -> None:
        self._told("s", request)

    def _told(self, kind: str, request: bytes) -> str:
        self._process.stdin.write(f"{kind}{base64.b64encode(request).decode()}\n")
        self._process.stdin.flush()
        told = self._process.stdout.readline().rstrip("\n")
        if told.startswith("!"):
            raise ValueError(told[1:])
        return told


@pytest.fixture(scope="session")
def kernel_under_node(package):
    """Starts a kernel in WebAssembly; its name says how patient its host is."""

    @contextmanager
    def start(*options: str) -> Iterator[NodeCalls]:
        words = [node(), str(HERE / "kernel_server.mjs"), str(package), *options]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with running(words, text=True, **pipes) as process:
            yield NodeCalls(process)

    return start
