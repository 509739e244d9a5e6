"""The kernel, watched: which parts of its interface a program has used.

`_kernel.pyi` says what there is. Each function, each argument, each property and option, and each
named tuple counts, so a program that must use all of them fails when a new one appears.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import gtp_engine

STUB = Path(gtp_engine.__file__).parent / "kernel" / "_kernel.pyi"


class Declared:
    """What the stub declares.

    arguments -- the names of the arguments of each function, and of each class that can be made
    types     -- the type of each argument, as `function(argument)`
    parts     -- all names: functions, `function(argument)`, properties, options, named tuples
    """

    def __init__(self) -> None:
        self.arguments: dict[str, list[str]] = {}
        self.types: dict[str, str] = {}
        self.parts: set[str] = set()
        for node in ast.parse(STUB.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                self._function(node.name, node)
            elif isinstance(node, ast.ClassDef):
                self._class(node)

    def _class(self, node: ast.ClassDef) -> None:
        if node.bases:  # a named tuple
            self.parts.add(node.name)
            return
        for each in node.body:
            if isinstance(each, ast.AnnAssign):
                self.parts.add(f"{node.name}.{ast.unparse(each.target)}")
            elif isinstance(each, ast.FunctionDef) and each.decorator_list:
                self.parts.add(f"{node.name}.{each.name}")
            elif isinstance(each, ast.FunctionDef):
                made = each.name == "__init__"
                self._function(node.name if made else f"{node.name}.{each.name}", each)

    def _function(self, name: str, node: ast.FunctionDef) -> None:
        given = [each for each in node.args.args if each.arg != "self"]
        self.arguments[name] = [each.arg for each in given]
        self.types |= {f"{name}({each.arg})": ast.unparse(each.annotation) for each in given}
        self.parts |= {name, *(f"{name}({each.arg})" for each in given)}


class WatchedKernel:
    """A core of the kernel, or an object of it; whatever is used of it is noted in `used`."""

    def __init__(self, thing: Any, declared: Declared, used: set[str], name: str = "") -> None:
        own = {"_thing": thing, "_declared": declared, "_used": used, "_name": name}
        self.__dict__.update(own)

    def __getattr__(self, member: str) -> Any:
        name = f"{self._name}.{member}" if self._name else member
        if name in self._declared.arguments:
            return lambda *given, **named: self._call(name, given, named)
        self._used.add(name)
        return getattr(self._thing, member)

    def __setattr__(self, member: str, value: Any) -> None:
        self._used.add(f"{self._name}.{member}")
        setattr(self._thing, member, value)

    def _call(self, name: str, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        told = [*self._declared.arguments[name][: len(given)], *named]
        function = getattr(self._thing, name.rpartition(".")[2])
        result = function(*map(_bare, given), **{key: _bare(value) for key, value in named.items()})
        self._used.update((name, *(f"{name}({each})" for each in told)))
        self._used.update(_named_tuples(result))
        kind = type(result).__name__
        if kind in self._declared.arguments:
            return WatchedKernel(result, self._declared, self._used, kind)
        return result


def watched(core: ModuleType) -> tuple[WatchedKernel, Declared, set[str]]:
    """A core of the kernel, what its stub declares, and what is used of it from now on."""
    declared, used = Declared(), set()
    return WatchedKernel(core, declared, used), declared, used


def _bare(value: Any) -> Any:
    return value.__dict__["_thing"] if isinstance(value, WatchedKernel) else value


def _named_tuples(result: Any) -> Iterator[str]:
    """The named tuples in a result: itself, the first one of a list, those in its fields."""
    if isinstance(result, list):
        yield from _named_tuples(result[0] if result else None)
    elif hasattr(result, "_fields"):
        yield type(result).__name__
        for each in result:
            yield from _named_tuples(each)
