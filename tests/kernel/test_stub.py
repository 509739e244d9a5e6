"""`_kernel.pyi` and the module have the same names and signatures, and the same search options."""

import ast
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import gtp_engine
from gtp_engine.base.option import options
from gtp_engine.search.backends.kernel import NOT_READ
from gtp_engine.search.options import SearchOptions

STUB = Path(gtp_engine.__file__).parent / "kernel" / "_kernel.pyi"

# What the kernel reads beside the options of search/options.py.
NO_OPTIONS = {"seed", "noise"}

# What the bindings say of a value that they make of Python objects.
UNTYPED = ("object", "list")


def parsed(signature: str, defaults: tuple | None) -> ast.FunctionDef:
    """A signature as nanobind keeps it; it has the number of a default where a stub has that."""
    for number, default in enumerate(defaults or ()):
        signature = signature.replace(f"\\{number}", repr(default))
    (function,) = ast.parse(signature + ": ...").body
    assert isinstance(function, ast.FunctionDef)
    return function


def written(function: ast.FunctionDef, module: str) -> tuple[str, str]:
    """The arguments and the type of the result."""
    texts = ast.unparse(function.args), ast.unparse(function.returns)
    arguments, result = (text.replace(f"{module}.", "") for text in texts)
    return arguments.replace("collections.abc.Sequence", "list"), result


def of_module(module: ModuleType) -> Iterator[tuple[str, object]]:
    for name, value in vars(module).items():
        if name.startswith("__"):
            continue
        if hasattr(value, "__nb_signature__"):
            yield name, signature(value, module)
        elif hasattr(value, "_fields"):
            yield name, value._fields
        else:
            for member, inside in vars(value).items():
                if isinstance(inside, property):
                    kind = "changeable" if inside.fset else "read-only"
                    text = inside.fget.__nb_signature__[0][0].replace("def (", f"def {member}(")
                    yield f"{name}.{member}", (kind, ast.unparse(parsed(text, None).returns))
                elif hasattr(inside, "__nb_signature__") and member != "__new__":
                    yield f"{name}.{member}", signature(inside, module)


def signature(function, module: ModuleType) -> tuple[str, str]:
    ((text, _, defaults),) = function.__nb_signature__
    return written(parsed(text, defaults), module.__name__)


def of_stub() -> Iterator[tuple[str, object]]:
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, written(node, "")
        elif isinstance(node, ast.ClassDef):
            fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
            if node.bases:
                yield node.name, tuple(each.target.id for each in fields)
                continue
            for each in fields:
                kind = ("changeable", ast.unparse(each.annotation))
                yield f"{node.name}.{each.target.id}", kind
            for each in node.body:
                if not isinstance(each, ast.FunctionDef):
                    continue
                if each.decorator_list:
                    kind = ("read-only", ast.unparse(each.returns))
                    yield f"{node.name}.{each.name}", kind
                else:
                    yield f"{node.name}.{each.name}", written(each, "")


def test_the_stub_says_what_the_module_has(module):
    stub, built = dict(of_stub()), dict(of_module(module))
    assert stub.keys() == built.keys()
    for name, said in stub.items():
        arguments, result = built[name][0], built[name][-1]
        if result in UNTYPED:
            assert said[0] == arguments, name
        else:
            assert said == built[name], name


def test_the_kernel_has_a_field_for_each_option_that_it_reads(module):
    fields = {name for name in vars(module.SearchOptions) if not name.startswith("__")}
    declared = {each.name for each in options(SearchOptions)}
    assert declared - NOT_READ == fields - NO_OPTIONS
    assert declared > NOT_READ and fields > NO_OPTIONS


def test_the_ranges_of_options_are_the_same_here_and_there(module):
    here = {each.name: (each.values.lowest, each.values.highest) for each in options(SearchOptions)}
    there = {name: (lowest, highest) for name, lowest, highest in module.option_ranges()}
    ranged = {name for name in here if here[name][0] is not None}
    assert there.keys() - NO_OPTIONS == ranged - NOT_READ
    for name in there.keys() - NO_OPTIONS:
        assert there[name] == here[name], name
