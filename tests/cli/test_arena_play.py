"""The start of a match: engines begin side by side, and a line tells how many are ready."""

import errno
import io
import os
import re
import sys
from functools import partial

import pytest

from gtp_engine.arena.playing.stopping import StopRequest
from gtp_engine.arena.setup.config import WrongMatch
from gtp_engine.arena.setup.tables import make_match
from gtp_engine.base import stderr, stdout
from gtp_engine.cli import arena_play
from gtp_engine.cli.arena_play import check_programs, identities, print_line, say
from gtp_engine.gtp.client.process import EngineProcess
from support.leftovers import new_mark, until_none
from support.starting import ENGINES, ROBBLE, python_command, robble_command
from support.waiting import PATIENCE, until

# It answers once another engine has started, too, and a third file is there.
MEETING = """
import os, sys, time
engine, here, *there = sys.argv[1:]
open(here, "w").close()
while not all(map(os.path.exists, there)):
    time.sleep(0.01)
os.execv(sys.executable, [sys.executable, engine])
"""


class Written(io.RawIOBase):
    """A file that keeps apart what is written at a time."""

    def __init__(self):
        self.pieces = []

    def writable(self):
        return True

    def write(self, piece):
        self.pieces.append(bytes(piece))
        return len(piece)


class Filling(Written):
    """A file on a disk with room for some bytes."""

    def __init__(self, room):
        super().__init__()
        self.room = room

    def write(self, piece):
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken = super().write(piece[: self.room])
        self.room -= taken
        return taken


def match_of(commands, **options):
    engines = [{"name": name, "command": command} for name, command in commands.items()]
    return make_match({"engines": engines, "boards": ["robble 3"]} | options)


def test_engines_start_side_by_side(tmp_path, monkeypatch):
    """They are ready when one line has told that none of them is."""
    program, one, other, told = (tmp_path / name for name in ("engine.py", "one", "other", "told"))
    program.write_text(MEETING)
    commands = {
        "A": python_command(program, ENGINES / "robble.py", one, other, told),
        "B": python_command(program, ENGINES / "robble.py", other, one, told),
        "C": ROBBLE,
    }
    lines: list[str] = []

    def say(program: str, line: str) -> None:
        lines.append(f"{program}: {line}")
        told.touch()

    monkeypatch.setattr(arena_play, "say", say)
    match = match_of(commands, concurrency=2, starting=PATIENCE)
    found = identities(match, "gtp-arena run", StopRequest(), quiet=0.05)
    assert found.keys() == {"A", "B", "C"}
    assert lines[0] == "gtp-arena run: starting the engines: 0 of 3 are ready"
    ready = [int(re.search(r"(\d) of 3 are ready$", line)[1]) for line in lines]
    assert ready == sorted(set(ready))


def unbuffered(monkeypatch, name, file):
    """Have a stream as with PYTHONUNBUFFERED=1."""
    stream = io.TextIOWrapper(file, "utf-8", write_through=True)
    monkeypatch.setattr(sys, name, stream)
    monkeypatch.setattr(sys, f"__{name}__", stream)


@pytest.mark.parametrize(
    ("name", "provided", "write", "line"),
    [
        ("stdout", stdout, print_line, b"stopped\n"),
        ("stderr", stderr, partial(say, "gtp-arena run"), b"gtp-arena run: stopped\n"),
    ],
)
def test_a_line_is_written_at_once(monkeypatch, name, provided, write, line):
    """Else what Ctrl-C says could stand between a line and its end."""
    written = Written()
    unbuffered(monkeypatch, name, written)
    monkeypatch.setattr(stderr, "_own", None)
    provided.provide()
    write("stopped")
    assert written.pieces == [line]


def test_a_disk_that_fills_breaks_no_line(monkeypatch):
    """Without a buffer Python loses what the system does not take."""
    disk = Filling(room=4)
    unbuffered(monkeypatch, "stdout", disk)
    stdout.provide()
    print_line('{"event": 1}')
    disk.room = 100
    print_line('{"event": 2}')
    assert b"".join(disk.pieces) == b'{"event": 1}\n{"event": 2}\n'


def test_a_program_that_cannot_be_started_is_named_before_anything(tmp_path):
    script = tmp_path / "engine"
    script.touch(mode=0o600)
    for command, told in {
        str(script): f"program {script} may not be executed; check its permissions",
        str(tmp_path): f"program {tmp_path} is a folder",
        "no-such-program": "program no-such-program not found",
    }.items():
        with pytest.raises(WrongMatch, match=f"^engines: B: {re.escape(told)}$"):
            check_programs(match_of({"A": ROBBLE, "B": command}))


@pytest.mark.parametrize(("time", "told"), [("none", []), ("60", ["A"])])
def test_an_engine_that_cannot_be_told_its_clock_is_named_once(capsys, time, told):
    match = match_of({"A": robble_command("timeless"), "B": ROBBLE}, time=time, games=4)
    assert identities(match, "gtp-arena run", StopRequest(), quiet=PATIENCE).keys() == {"A", "B"}
    assert capsys.readouterr().err.splitlines() == [
        f"gtp-arena run: {name}: it has no time_settings, so it is not told its clock, which the"
        " arena keeps"
        for name in told
    ]


JUDGE = """
import sys
for line in sys.stdin:
    number, name, *_ = line.split()
    print(f"={number} {'true' * (name == 'known_command')}", end="\\n\\n", flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the processes")
def test_no_engine_of_the_start_stays(tmp_path):
    """The judge would wait for the whole match, with its net in memory."""
    program, mark = tmp_path / "judge.py", new_mark()
    program.write_text(JUDGE)
    judge = {"judge": python_command(program, mark)}
    match = match_of({"A": ROBBLE, "B": ROBBLE}, adjudication=judge)
    assert identities(match, "gtp-arena run", StopRequest()).keys() == {"A", "B"}
    assert until_none(mark) == []


def test_one_engine_that_cannot_start_ends_the_start_of_the_others(tmp_path):
    """Nobody waits for an engine that loads for an hour if the match will not be played."""
    commands = {"A": robble_command("hang-at-start"), "B": robble_command("crash-at-start")}
    match = match_of(commands, concurrency=2, starting=3600.0)
    with pytest.raises(WrongMatch, match=r"^engines: B: .*\n  rogue: cannot read the weights$"):
        identities(match, "gtp-arena run", StopRequest())


def test_an_engine_that_ends_before_its_first_command_shows_its_log_too(monkeypatch):
    """As it may on a busy machine."""
    start = EngineProcess.start

    async def late(engine: EngineProcess) -> int:
        await start(engine)
        await until(lambda: engine.fault is not None)
        return await start(engine)

    monkeypatch.setattr(EngineProcess, "start", late)
    crashes = robble_command("crash-at-start")
    match = match_of({"A": crashes, "B": crashes}, concurrency=1)
    with pytest.raises(WrongMatch, match=r"^engines: A: .*\n  rogue: cannot read the weights$"):
        identities(match, "gtp-arena run", StopRequest())
