"""The examples in docstrings, and the page about the package as a library, are executed."""

import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import gtp_engine

PACKAGE = Path(gtp_engine.__file__).parent
PAGE = PACKAGE.parent / "protocol_specs" / "clients" / "library.md"
MODULES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if "\n>>> " in path.read_text() or " >>> " in path.read_text()
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name):
    failed, tried = doctest.testmod(import_module(name))
    assert tried > 0
    assert failed == 0


def test_the_page_about_the_library():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 10
    assert failed == 0


def test_every_offered_name_exists():
    for name in gtp_engine.__all__:
        assert getattr(gtp_engine, name) is not None
    with pytest.raises(AttributeError, match="module gtp_engine has no attribute nothing"):
        _ = gtp_engine.nothing


def test_the_offered_names_are_imported_at_their_first_use():
    shown = (
        "import sys, gtp_engine; print(sum(name.startswith('gtp_engine') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", shown], capture_output=True, text=True)
    assert done.stdout == "1\n"
