"""How options are declared, and that each declared option is read somewhere."""

import ast
import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import gtp_engine
from gtp_engine.arena.setup.config import (
    Adjudicating,
    Engine,
    Match,
    Openings,
    SequentialTest,
    TuneConfig,
)
from gtp_engine.base import option
from gtp_engine.base.option import any_text, choice, integers, numbers, options, or_auto, switch
from gtp_engine.engine.settings import Settings
from gtp_engine.learn.plan import Plan
from gtp_engine.search.options import SearchOptions

PACKAGE = Path(gtp_engine.__file__).parent
TABLES = (Match, Engine, Openings, Adjudicating, SequentialTest, TuneConfig)
DECLARING = (SearchOptions, Settings, Plan, *TABLES)


def test_the_example_of_a_declaration():
    failed, tried = doctest.testmod(option)
    assert tried > failed == 0


@pytest.mark.parametrize(
    ("values", "text", "value"),
    [
        (integers(1, 5), "3", 3),
        (integers(), "-7", -7),
        (numbers(0, 1), ".5", 0.5),
        (numbers(0, 1), "1e-3", 0.001),
        (or_auto(integers(1, 256)), "AUTO", None),
        (or_auto(integers(1, 256)), "256", 256),
        (choice("one", "every"), "Every", "every"),
        (any_text(), "A file", "A file"),
    ],
    ids=str,
)
def test_what_is_read(values, text, value):
    assert values.parse(text) == value


@pytest.mark.parametrize(
    ("values", "text"),
    [
        *((integers(1, 5), text) for text in ("", "0", "6", "1.0", "1_0", "\u0663", "9" * 400)),
        *((numbers(0, 1), text) for text in ("nan", "inf", "1e99", "0x1", "-0.1", ".", "1,5")),
        (or_auto(integers(1, 256)), "0"),
        (choice("one", "every"), "on"),
        (any_text("a file", shortest=1), ""),
    ],
    ids=str,
)
def test_what_is_refused_in_one_sentence(values, text):
    with pytest.raises(ValueError, match=f"^expected {re.escape(values.name)}, got: ") as refused:
        values.parse(text)
    assert len(str(refused.value)) < 100


# Kernel files that only declare, bind and check the options.
NOT_READING = {"options.hpp", "bindings.cpp", "arguments.cpp"}


class Names(NamedTuple):
    """What a file of the package says of names, without leading underscores.

    typed    -- the words of the annotation of each parameter, variable and function
    assigned -- names with the function whose result they get: `own` and `tuned`
    read     -- attributes with the name before them: `plan` and `rate` of `self._plan.rate`
    """

    typed: dict[str, set[str]]
    assigned: set[tuple[str, str]]
    read: set[tuple[str, str]]


def last_word(node: ast.AST | None) -> str:
    """The last identifier of an expression: `plan` of `self._plan`, `tuned` of `tuned(...)`."""
    match node:
        case ast.Name(word) | ast.Attribute(attr=word) | ast.Constant(str(word)):
            return word.lstrip("_")
        case ast.Call(func=called):
            return last_word(called)
    return ""


def names_in(tree: ast.Module) -> Names:
    found = Names({}, set(), set())
    for node in ast.walk(tree):
        match node:
            case (
                ast.arg(arg=name, annotation=ast.AST() as said)
                | ast.AnnAssign(target=ast.Name(name), annotation=said)
                | ast.FunctionDef(name=name, returns=ast.AST() as said)
            ):
                words = set(map(last_word, ast.walk(said)))
                found.typed.setdefault(name.lstrip("_"), set()).update(words)
            case ast.Assign(targets=[target], value=ast.Call() as call):
                found.assigned.add((last_word(target), last_word(call)))
            case ast.Attribute(value=before, attr=name, ctx=ast.Load()):
                found.read.add((last_word(before), name))
    return found


@cache
def package() -> dict[str, Names]:
    """The names of each module of the package."""
    paths = {path.relative_to(PACKAGE.parent): path for path in PACKAGE.rglob("*.py")}
    return {
        ".".join(name.with_suffix("").parts): names_in(ast.parse(path.read_text()))
        for name, path in paths.items()
    }


def reads(kind: type) -> Iterator[str]:
    """The fields of a class that the package reads, in Python or in the kernel.

    A name stands for an instance where it has that type. In a file that does not say its type it
    stands for one if some other file says so.
    """
    typed = {
        name
        for names in package().values()
        for name, words in names.typed.items()
        if kind.__name__ in words
    }
    for module, names in package().items():
        here = {name for name, words in names.typed.items() if kind.__name__ in words}
        here |= {name for name, by in names.assigned if by in typed | {kind.__name__}}
        here |= {"self"} if module == kind.__module__ else set()
        others = names.typed.keys() | {name for name, _ in names.assigned}
        for before, attribute in names.read:
            if before in here | (typed - others):
                yield attribute
    if kind.__name__ == SearchOptions.__name__:
        for path in [*PACKAGE.glob("kernel/**/*.hpp"), *PACKAGE.glob("kernel/**/*.cpp")]:
            if path.name not in NOT_READING:
                yield from re.findall(r"options_?\.(\w+)", path.read_text())


def unread(kind: type) -> set[str]:
    """The options that a class declares and nobody reads."""
    inherited = {each for base in kind.__bases__ if base in DECLARING for each in options(base)}
    return {each.name for each in set(options(kind)) - inherited} - set(reads(kind))


@pytest.mark.parametrize("kind", DECLARING, ids=lambda kind: kind.__name__)
def test_every_option_is_read(kind):
    assert options(kind) and unread(kind) == set()


@pytest.mark.parametrize("kind", DECLARING, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("name", ["friction", "title", "json"])
def test_an_option_that_nobody_reads_is_noticed(kind, name):
    """Others have something of the name, such as the options of a program."""
    more = {name: switch(False, "no effect"), "__annotations__": {name: bool}}
    planted = type(kind.__name__, (kind,), {**more, "__module__": kind.__module__})
    assert unread(dataclass(frozen=True)(planted)) == {name}


def test_every_setting_of_the_page_is_read():
    page = PACKAGE / "engine" / "page"
    declared = re.search(r"SETTINGS = {\n(.*?)\n};", (page / "prefs.js").read_text(), re.DOTALL)
    names = re.findall(r"^  (\w+): {", declared[1], re.MULTILINE)
    code = "".join(path.read_text() for path in page.glob("*.js"))
    assert len(names) > 4
    assert [name for name in names if not re.search(rf"\w\.{name}\b", code)] == []
