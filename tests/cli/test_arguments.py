"""Every program checks its arguments without a third-party package."""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

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

TRAIN = "engine train pilo --hours 1 --output new"

WRONG = {
    "engine --size 99": "gtp-engine: Implo is played on sizes 2 to 19",
    "engine --level 99": "gtp-engine: argument --level: expected ",
    f"{TRAIN} --weights none": "gtp-engine train: none does not exist",
    f"{TRAIN} --sizes 6-": "gtp-engine train: argument --sizes: not a list of sizes: 6-",
    f"{TRAIN} --learn-from /none": "gtp-engine train: /none: No such file or directory",
    f"{TRAIN} --output /dev/null": "gtp-engine train: /dev/null is no folder",
    "arena run --engine x": "gtp-arena run: --engine takes NAME=COMMAND, not x",
    "arena export match.db": "gtp-arena export: one of --sgf DIR, ",
    "arena check": "gtp-arena check: the following arguments are required: ENGINE",
    "engine render a.sgf -o a.pdf": "gtp-engine render: the name of a picture must end in ",
}


def helps(program: str) -> str:
    return f"{program} --help"


def mistyped(program: str) -> str:
    words, _ = RIGHT.get(program, ("run", ()))
    return f"{program} {words} --levle 3"


def right(program: str) -> str:
    return f"{program} {RIGHT[program][0]}"


PROGRAMS = [*RIGHT, "arena"]
LINES = [*map(helps, PROGRAMS), *map(mistyped, PROGRAMS), *map(right, RIGHT), *WRONG]


class Said(NamedTuple):
    """What a program did with a command line; `extras` are those that it needs if it ran."""

    status: int
    stdout: str
    stderr: str
    extras: list[str]


CHECK = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
sys.path.insert(0, sys.argv[1])
from gtp_engine.cli.parser import needed_extras

def check(program, *words):
    stdout, stderr, status, extras = io.StringIO(), io.StringIO(), 0, ()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        try:
            extras = needed_extras(f"gtp_engine.cli.{program}", words)
        except SystemExit as end:
            status = end.code or 0
    return status, stdout.getvalue(), stderr.getvalue(), extras

print(json.dumps([check(*line.split()) for line in json.load(sys.stdin)]))
"""


@pytest.fixture(scope="module")
def said() -> dict[str, Said]:
    """What programs say of all command lines, in one Python without packages."""
    command = [sys.executable, "-S", "-I", "-c", CHECK, str(ROOT)]
    sent = json.dumps(LINES)
    done = subprocess.run(command, input=sent, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return {line: Said(*found) for line, found in zip(LINES, json.loads(done.stdout), strict=True)}


def test_every_program_is_here():
    subcommands = {f"engine {name}" for name in engine.TOOLS}
    subcommands |= {f"arena {name}" for name in arena.TOOLS}
    assert RIGHT.keys() == {"engine", "regress", "board"} | subcommands


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_help_needs_no_package(program, said):
    done = said[helps(program)]
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: gtp-{program}")


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_wrong_option_is_one_sentence(program, said):
    done = said[mistyped(program)]
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr.startswith(f"gtp-{program}") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("program", RIGHT)
def test_right_arguments_are_accepted(program, said):
    assert said[right(program)] == Said(0, "", "", RIGHT[program][1])


@pytest.mark.parametrize("line", WRONG)
def test_wrong_values_are_one_sentence(line, said):
    done = said[line]
    assert done.status == 2
    assert done.stderr.startswith(WRONG[line]) and done.stderr.count("\n") == 1


LOADED = """
import sys
sys.path.insert(0, sys.argv[1])
from gtp_engine.cli.parser import needed_extras
try:
    needed_extras("gtp_engine.cli.arena", ["run", "--engien", "x"])
except SystemExit:
    print(*(name for name in sys.modules if name.startswith("gtp_engine.")))
"""


def test_a_mistyped_option_of_a_match_loads_no_search():
    command = [sys.executable, "-S", "-I", "-c", LOADED, str(ROOT)]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    folders = {name.split(".")[1] for name in loaded}
    assert "cli" in folders
    assert not folders & {"engine", "records", "search", "commands"}
