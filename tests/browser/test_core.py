"""The kernel behind bytes has the names and signatures of `_kernel.pyi`, and so has its bridge."""

import ast
import re
from pathlib import Path

import gtp_engine
from gtp_engine.browser import core

PACKAGE = Path(gtp_engine.__file__).parent
STUB = PACKAGE / "kernel" / "_kernel.pyi"
OPTIONS = PACKAGE / "kernel" / "mcts" / "options.hpp"
CALLS = PACKAGE / "kernel" / "api" / "byte_calls.cpp"

# What a host does itself, and what no module of a game is there for.
NOT_CALLED = {"end_if_deaf", "add_game", "memory_mb", "SearchOptions"}


def declared(path: Path) -> dict[str, str]:
    """What a file declares in public: functions, methods, properties, fields, and their types."""
    found: dict[str, str] = {}
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = signature(node)
        elif isinstance(node, ast.ClassDef) and node.name not in ("Calls", "_Object"):
            found[node.name] = ""
            for each in node.body:
                if isinstance(each, ast.FunctionDef):
                    found[f"{node.name}.{each.name}"] = signature(each)
                elif isinstance(each, ast.AnnAssign):
                    name = f"{node.name}.{ast.unparse(each.target)}"
                    found[name] = ast.unparse(each.annotation)
    ours = ("connect", "between_slices")
    return {
        name: text for name, text in found.items() if not name.startswith("_") and name not in ours
    }


def signature(function: ast.FunctionDef) -> str:
    decorators = [ast.unparse(each) for each in function.decorator_list]
    text = f"{decorators} {ast.unparse(function.args)} -> {ast.unparse(function.returns)}"
    return text.replace("'Net'", "Net")


def test_the_bridge_declares_what_the_stub_declares():
    assert declared(Path(core.__file__)) == declared(STUB)


def test_the_kernel_takes_each_call_of_the_stub_and_no_other():
    names = {
        name.removesuffix(".__init__")
        for name, text in declared(STUB).items()
        if text and name not in NOT_CALLED and not name.startswith("SearchOptions.")
    }
    fields = {f"{kind}.{field}" for kind, field in fields_of_tuples()}
    table = CALLS.read_text().partition("calls()")[2].partition("return all;")[0]
    called = set(re.findall(r'\{"([\w.]+)",', table))
    made = {name for name in called if name.endswith(".delete")}
    assert called - made == names - fields
    assert made == {f"{name}.delete" for name in called if name[0].isupper() and "." not in name}


def test_the_bridge_makes_each_call():
    made = set()
    for node in ast.parse(Path(core.__file__).read_text()).body:
        owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for each in ast.walk(node):
            if isinstance(each, ast.Call) and each.args:
                called, first = ast.unparse(each.func), each.args[0]
                if called in ("_call", "self._call", "_request") and isinstance(
                    first, ast.Constant
                ):
                    made.add(f"{owner}{first.value}" if called == "self._call" else first.value)
    table = CALLS.read_text().partition("calls()")[2].partition("return all;")[0]
    called = {name for name in re.findall(r'\{"([\w.]+)",', table) if not name.endswith(".delete")}
    assert made == called


def fields_of_tuples():
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.ClassDef) and node.bases:
            for each in node.body:
                if isinstance(each, ast.AnnAssign):
                    yield node.name, ast.unparse(each.target)


def test_the_kernel_takes_each_option_of_a_search():
    fields = {name for name in vars(core.SearchOptions) if not name.startswith("_")}
    assert set(re.findall(r'(?:Field|Ranged)\{"(\w+)",', OPTIONS.read_text())) == fields
