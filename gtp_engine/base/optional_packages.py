"""Optional packages: which of them are missing, and how to install them."""

import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

_PROJECT = "gtp-engine"
_PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"

_NAME = re.compile(r"[\w.-]+")
_OWN = re.compile(rf"{_PROJECT}\[(.+)\]")
_MARKER = re.compile(r";.*\bextra *== *[\"']([\w-]+)[\"']")


def missing(*extras: str) -> list[str]:
    """The packages of some extras of pyproject.toml that are not installed, by name."""
    names = map(_name, _requirements(extras))
    return [name for name in names if find_spec(name.replace("-", "_")) is None]


def how_to_install(*extras: str) -> str:
    """The command that installs what is missing of some extras for the running Python.

    In a checkout it names the packages themselves: the package itself is not installed anew.
    """
    wanted = [f"{_PROJECT}[{','.join(extras)}]"]
    if _PYPROJECT.exists():
        names, declared = missing(*extras), _requirements(extras)
        wanted = [each for each in declared if _name(each) in names] or declared
    return shlex.join([*_pip(), "install", *wanted])


def _pip() -> list[str]:
    """The command of pip for the running Python; the environment of a checkout has no pip."""
    if find_spec("pip") is None:
        return ["python3", "-m", "pip", "--python", sys.executable]
    return [sys.executable, "-m", "pip"]


def _name(requirement: str) -> str:
    """The name in a requirement such as `rich>=13`."""
    found = _NAME.match(requirement)
    assert found is not None
    return found[0]


def _requirements(extras: tuple[str, ...]) -> list[str]:
    """The requirements of some extras, also of extras within them; each once."""
    if not extras:  # an engine starts without reading any file
        return []
    known = _of_checkout() if _PYPROJECT.exists() else _of_installed()
    found: list[str] = []
    for extra in extras:
        for requirement in known.get(extra, ()):
            own = _OWN.fullmatch(requirement)
            found += _requirements(tuple(own[1].split(","))) if own else [requirement]
    return list(dict.fromkeys(found))


def _of_checkout() -> dict[str, list[str]]:
    import tomllib

    project = tomllib.loads(_PYPROJECT.read_text(encoding="utf-8"))["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    return extras


def _of_installed() -> dict[str, list[str]]:
    from importlib import metadata

    extras: dict[str, list[str]] = {}
    try:
        declared = metadata.requires(_PROJECT) or []
    except metadata.PackageNotFoundError:  # a copy of the folder: nothing is declared
        declared = []
    for line in declared:
        if extra := _MARKER.search(line):
            extras.setdefault(extra[1], []).append(line.partition(";")[0].strip())
    return extras
