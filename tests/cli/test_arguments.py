"""Every program checks its arguments without a third-party package."""

import subprocess
import sys
from pathlib import Path

import pytest

import gtp_engine
from gtp_engine.cli import arena, engine

ROOT = Path(gtp_engine.__file__).parents[1]

# For each program and subcommand arguments that are right, and the extras that they need.
RIGHT = {
    "engine": ("--game pilo --size 6 --level 3", []),
    "regress": ("ENGINE some.tst", []),
    "board": ("--port 0", ["web"]),
    "engine board": ("--size 6", ["web"]),
    "engine play": ("--game pilo", []),
    "engine bench": ("--seconds 1", []),
    "engine render": ("game.sgf -o game.png", ["png"]),
    "engine replay": ("game.sgf", []),
    "engine review": ("game.sgf --seconds 1", []),
    "engine analyze": ("--positions 2 -quit-without-waiting", []),
    "engine puzzles": ("--game robble --check", []),
    "engine solve": ("--game robble --size 3", []),
    "engine swap-map": ("implo 6", []),
    "engine train": ("pilo --hours 1 --output folder", ["train"]),
    "arena run": ("--engine A=a --engine B=b --cluster c", ["arena", "cluster"]),
    "arena report": ("match.db --html page.html", ["arena", "report"]),
    "arena merge": ("a.db b.db --into c.db", ["arena"]),
    "arena export": ("match.db --csv -", ["arena"]),
    "arena check": ("ENGINE", []),
    "arena conformance": ("ENGINE cases.jsonl", ["arena"]),
    "arena tune": ("--engine A=a --tune visits=1..5", ["arena", "tune"]),
    "arena watch": ("match.db", ["arena", "web"]),
}

CODE = """
import sys
sys.path.insert(0, sys.argv[1])
from gtp_engine.cli.parser import needed_extras
print(*needed_extras(f"gtp_engine.cli.{sys.argv[2]}", sys.argv[3:]))
"""


def bare(*words: str) -> subprocess.CompletedProcess[str]:
    """What a Python without packages says of a command line."""
    command = [sys.executable, "-S", "-I", "-c", CODE, str(ROOT), *words]
    return subprocess.run(command, capture_output=True, text=True)


def test_every_program_is_here():
    subcommands = {f"engine {name}" for name in engine.TOOLS}
    subcommands |= {f"arena {name}" for name in arena.TOOLS}
    assert RIGHT.keys() == {"engine", "regress", "board"} | subcommands


@pytest.mark.parametrize("program", [*RIGHT, "arena"])
def test_the_help_needs_no_package(program):
    done = bare(*program.split(), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: gtp-{program}")


@pytest.mark.parametrize("program", [*RIGHT, "arena"])
def test_a_wrong_option_is_one_sentence(program):
    words, _ = RIGHT.get(program, ("run", ()))
    done = bare(*program.split(), *words.split(), "--levle", "3")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"gtp-{program}") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("program", RIGHT)
def test_right_arguments_are_accepted(program):
    words, extras = RIGHT[program]
    done = bare(*program.split(), *words.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == extras


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("engine --size 99", "gtp-engine: Implo is played on sizes 2 to 19"),
        ("engine --level 99", "gtp-engine: argument --level: expected "),
        ("arena run --engine x", "gtp-arena run: --engine takes NAME=COMMAND, not x"),
        ("arena export match.db", "gtp-arena export: one of --sgf DIR, "),
        ("arena check", "gtp-arena check: the following arguments are required: ENGINE"),
        ("engine render a.sgf -o a.pdf", "gtp-engine render: the name of a picture must end in "),
    ],
)
def test_wrong_values_are_one_sentence(command, told):
    done = bare(*command.split())
    assert done.returncode == 2
    assert done.stderr.startswith(told) and done.stderr.count("\n") == 1


def test_a_mistyped_option_of_a_match_loads_no_search():
    shown = "print(*(name for name in sys.modules if name.startswith('gtp_engine.')))"
    code = f"{CODE.replace('print(*', 'try: print(*')}except SystemExit: {shown}"
    command = [sys.executable, "-S", "-I", "-c", code, str(ROOT), "arena", "run", "--engien", "x"]
    loaded = subprocess.run(command, capture_output=True, text=True).stdout.split()
    folders = {name.split(".")[1] for name in loaded}
    assert "cli" in folders
    assert not folders & {"engine", "records", "search", "commands"}
