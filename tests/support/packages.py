"""The packages that only the whole suite has, hidden from its fast part.

The fast part runs on a machine that has the extra `test` alone. Where `test-all` is installed, too,
an import that such a machine could not do fails as it does there.
"""

import re
import sys
import tomllib
from importlib.machinery import ModuleSpec
from pathlib import Path

_PROJECT = Path(__file__).parents[2] / "pyproject.toml"
_REQUIREMENT = re.compile(r"(?P<name>[\w-]+)(?:\[(?P<extras>.*?)\])?")


def only_in_test_all() -> frozenset[str]:
    """The modules of the packages that the extra `test-all` has and `test` lacks."""
    extras = tomllib.loads(_PROJECT.read_text())["project"]["optional-dependencies"]

    def packages(extra: str) -> set[str]:
        found = set()
        for text in extras[extra]:
            name, inner = _REQUIREMENT.match(text).group("name", "extras")
            found |= {name} if inner is None else set().union(*map(packages, inner.split(",")))
        return found

    return frozenset(name.replace("-", "_") for name in packages("test-all") - packages("test"))


class Hidden:
    """A finder of modules that finds none of some, and keeps others from finding them."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """None for modules that others may look for. Raises ModuleNotFoundError for the rest."""
        if name.partition(".")[0] in self._names:
            raise ModuleNotFoundError(f"the fast part of the suite has no {name}", name=name)
        return None


def hide_what_only_test_all_has() -> None:
    """From now on these packages are not found."""
    sys.meta_path.insert(0, Hidden(only_in_test_all()))
