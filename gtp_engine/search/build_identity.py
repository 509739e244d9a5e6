"""A word for the build of this package: code, kernel and data."""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import gtp_engine
from gtp_engine.search.backends.kernel import kernel_files

_DIGITS = 8
# Sources of the kernel count by what was built from them.
_NOT_RUN = {".pyi", ".hpp", ".cpp", ".txt", ".md"}


@cache
def build_word() -> str:
    """The version, and a digest of all files that run."""
    whole = hashlib.sha256()
    root = Path(gtp_engine.__file__).parent
    for path in sorted({*_own_files(root), *map(Path, kernel_files())}):
        whole.update(path.name.encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{gtp_engine.__version__}+{whole.hexdigest()[:_DIGITS]}"


def _own_files(root: Path) -> Iterator[Path]:
    """The files below a folder that run. Bytecode comes and goes while programs start."""
    for path in root.rglob("*"):
        if path.suffix not in _NOT_RUN and "__pycache__" not in path.parts and path.is_file():
            yield path


class OtherBuild(Exception):
    """This process has another build than the one that asks; the text names it."""


def check_build(asking: str, any_build: bool) -> None:
    """Raise OtherBuild if this process may not search for another one.

    asking    -- the build of the other one
    any_build -- whether other files of the same version will do
    """
    own = build_word()
    if own != asking and not (any_build and _version(own) == _version(asking)):
        raise OtherBuild(own)


def _version(word: str) -> str:
    return word.partition("+")[0]
