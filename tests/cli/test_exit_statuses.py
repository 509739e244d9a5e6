"""One table of exit statuses holds for all programs: protocol_specs/clients/protocol.md.

Here are the programs that this process can run. What a whole process does, or what needs engines,
is tried beside the program: test_train.py, test_play.py, arena/test_run.py,
board/server/test_board.py, gtp/analysis/test_pipes.py, and for the engine gtp/wire/test_wire.py.
Wrong options: test_arguments.py.
"""

import errno
import io
import os
import signal
import sys
from collections.abc import Callable, Sequence

import pytest

from gtp_engine.cli import arena, board, engine, regress
from support.engine_threads import engines_in_threads
from support.starting import ROBBLE
from support.statuses import status_of
from support.thorough import only_if_all

MAIN: dict[str, Callable[[Sequence[str]], int]] = {
    "engine": engine.main,
    "arena": arena.main,
    "regress": regress.main,
    "board": board.main,
}

WORKING = {
    "engine solve": "--game implo --size 3 --all-openings",
    "engine bench": "--game implo --size 2 --what perft --samples 1 --seconds 0.01",
    "engine render": "{record}",
    "engine replay": "{record}",
    "engine review": "{record} --visits 5 --positions 1",
    "engine swap-map": "implo 3 --backend python --visits 50",
    "engine puzzles": "{record} --output {new}",
    "arena check": "--items",
    "regress": "{engine} {transcript}",
}
"""Programs that end by themselves, with arguments that make them write to stdout."""

ON_STDERR = ("engine review",)
"""Those that tell on stderr how they get on: a signal comes when they do."""

MISSING = {
    "engine": "--weights {missing} --game pilo",
    "engine render": "{missing}",
    "engine replay": "{missing}",
    "engine review": "{missing} -o {new}",
    "engine solve": "--check {missing}",
    "engine puzzles": "{missing} --output {new}",
    "engine bench": "--game implo --size 5 --what evaluations --weights {missing}",
    "engine swap-map": "implo 3 --output {missing}/map",
    "engine train": "pilo --weights {missing} --output {new} --hours 1",
    "arena run": "{missing}",
    "arena report": "{missing}",
    "arena merge": "{missing} {missing}2 --into {new}",
    "arena export": "{missing} --csv -",
    "arena check": "{missing}",
    "arena conformance": "{engine} {missing}",
    "arena tune": "{missing}",
    "arena watch": "{missing} --no-open",
    "regress": "{engine} {missing}",
    "board": "--games {missing} --no-open",
    "engine board": "--games {missing} --no-open",
}
"""Programs with the name of something that does not exist."""

NEED_MORE = ("engine train", "arena tune")
"""Those with packages that the fast part of the suite lacks."""


class Reader(io.RawIOBase):
    """Reads what a program writes, and lets something happen at the first byte."""

    def __init__(self, happens: Callable[[], object]) -> None:
        self._happens = [happens]

    def writable(self) -> bool:
        return True

    def write(self, data) -> int:
        if self._happens:
            self._happens.pop()()
        return len(data)


def stream(happens: Callable[[], object]) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedWriter(Reader(happens)), "utf-8", line_buffering=True)


@pytest.fixture(autouse=True)
def signals_of_a_new_program():
    """A program that leaves SIGTERM alone fails its test, and does not end the suite."""

    def unhandled(number: int, frame: object) -> None:
        raise AssertionError(f"nobody handled signal {number}")

    before = [
        signal.signal(signal.SIGINT, signal.default_int_handler),
        signal.signal(signal.SIGTERM, unhandled),
    ]
    yield
    signal.signal(signal.SIGINT, before[0])
    signal.signal(signal.SIGTERM, before[1])


@pytest.fixture
def run(tmp_path):
    """Runs a program by its name, with arguments in which some files have names."""
    record, transcript = tmp_path / "game.sgf", tmp_path / "some.tst"
    record.write_text("(;GAME[implo]SZ[3]PIE[off];B[B2];W[A1])")
    transcript.write_text("# interrupt\n1 name\n#? [.*]\n")
    files = {
        "record": record,
        "transcript": transcript,
        "new": tmp_path / "new",
        "missing": tmp_path / "missing",
        "engine": ROBBLE,
    }

    def status(program: str, arguments: str) -> int:
        name, *tool = program.split()
        words = [word.format_map(files) for word in arguments.split()]
        return status_of(MAIN[name], [*tool, *words])

    return status


def happens_at(monkeypatch, name: str, happens: Callable[[], object]) -> None:
    monkeypatch.setattr(sys, name, stream(happens))


@pytest.mark.parametrize("program", WORKING)
def test_it_ends_with_0(program, run, capsys):
    assert run(program, WORKING[program]) == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("program", WORKING)
def test_a_signal_ends_it_with_130(program, number, run, monkeypatch, capsys):
    name = "stderr" if program in ON_STDERR else "stdout"
    happens_at(monkeypatch, name, lambda: os.kill(os.getpid(), number))
    assert run(program, WORKING[program]) == 130


def broken() -> None:
    raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("program", WORKING)
def test_a_closed_pipe_ends_it_with_1_and_without_a_word(program, run, monkeypatch, capsys):
    happens_at(monkeypatch, "stdout", broken)
    assert run(program, WORKING[program]) == 1
    assert program in ON_STDERR or capsys.readouterr().err == ""


@pytest.mark.parametrize("program", WORKING)
def test_a_full_disk_ends_it_with_2_and_one_line(program, run, monkeypatch, capsys):
    happens_at(monkeypatch, "stdout", full)
    assert run(program, WORKING[program]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"gtp-{program}: ")


@pytest.mark.parametrize(
    "program", [only_if_all(each) if each in NEED_MORE else each for each in MISSING]
)
def test_a_missing_file_ends_it_with_2_and_one_line(program, run, capsys):
    assert run(program, MISSING[program]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "missing" in told.err and len(told.err.splitlines()) == 1


@pytest.mark.parametrize("program", [each for each in WORKING if "{record}" in WORKING[each]])
def test_a_record_with_a_changed_color_ends_it_with_2(program, run, tmp_path, capsys):
    changed = tmp_path / "changed.sgf"
    changed.write_text("(;GAME[implo]SZ[3]PIE[off];W[B2];W[A1])")
    assert run(program, WORKING[program].replace("{record}", str(changed))) == 2
    told = capsys.readouterr().err
    assert f"cannot load {changed}: line 1, " in told and "Black is to move" in told


@pytest.mark.parametrize(
    ("happens", "status"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGINT), 0),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), 0),
        (broken, 1),
        (full, 2),
    ],
    ids=["SIGINT", "SIGTERM", "a closed pipe", "a full disk"],
)
def test_a_game_in_the_terminal_ends(happens, status, run, monkeypatch, capsys):
    """A signal is its regular end."""
    happens_at(monkeypatch, "stdout", happens)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    with engines_in_threads():
        assert run("engine play", "--game robble --size 3") == status
    assert len(capsys.readouterr().err.splitlines()) == (status == 2)


def test_every_program_is_tried():
    """But for `analyze`, which opens no file, and `play`, which tells it and goes on."""
    tools = {f"engine {name}" for name in engine.TOOLS} | {f"arena {name}" for name in arena.TOOLS}
    tools -= {"engine analyze", "engine play"}
    assert MISSING.keys() == tools | {"engine", "regress", "board"}
    assert WORKING.keys() <= MISSING.keys()
