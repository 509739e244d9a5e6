"""The engine under Node is a GTP engine as the program is: lines, ends, statuses, what it hears."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_engine.gtp.commands import registry
from gtp_engine.rules import games
from support.starting import running
from support.thorough import thorough
from support.waiting import PATIENCE, wait_until

pytestmark = thorough

NAMES = [game.name for game in games()]
LONG = 4 * PATIENCE

# What differs from run to run.
VOLATILE = re.compile(r"seconds [\d.]+|score(Mean|Lead|Stdev) \S+|\+[0-9a-f]{8}")


def talk(words: list[str], text: str, **more) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, input=text, text=True, capture_output=True, timeout=LONG, **more)


def program(*options: str) -> list[str]:
    return [sys.executable, "-P", "-m", "gtp_engine", *options]


@pytest.mark.parametrize("name", NAMES)
def test_a_dialogue_is_that_of_the_program(engine, name):
    options = ["--game", name, "--size", "6", "--seed", "3", "--visits", "500"]
    lines = ["name", "protocol_version", "list_commands", "known_command play", "nonsense"]
    lines += ["play b pass", "genmove b", "kata-search_analyze w", "genmove w", "7 showboard"]
    lines += ["game-view", "game-perft 2", "undo", "undo", "loadsgf none.sgf", "printsgf"]
    lines += ["boardsize 3", "game-solve", "game-set hash_mb 8", "kata-get-rules", "8 quit"]
    text = "".join(f"{line}\n" for line in lines)
    ours, theirs = (talk([*words, *options], text) for words in (engine, program()))
    assert ours.returncode == theirs.returncode == 0, ours.stderr
    assert VOLATILE.sub("", ours.stdout) == VOLATILE.sub("", theirs.stdout)


def test_each_command_has_its_help(engine):
    text = "".join(f"help {command.name}\n" for command in registry())
    ours, theirs = (talk(words, text) for words in (engine, program()))
    assert ours.stdout == theirs.stdout
    assert ours.returncode == theirs.returncode == 0


@pytest.mark.parametrize("name", NAMES)
def test_it_passes_all_cases_of_conformance(engine, name):
    words = [sys.executable, "-P", "-m", "gtp_engine.cli.arena", "conformance", "--seconds", "60"]
    cases = f"protocol_specs/clients/conformance/{name}.jsonl"
    done = talk([*words, " ".join(engine), cases], "")
    assert done.returncode == 0, done.stdout
    assert " 0 failed" in done.stdout


def test_it_passes_the_check_of_the_arena(engine):
    words = [sys.executable, "-P", "-m", "gtp_engine.cli.arena", "check", "--games", "1"]
    done = talk([*words, "--seconds", "60", " ".join([*engine, "--visits", "20"])], "")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("text", ["name", "name\n", "name\nquit\nname\n", "\ufeffname\n"])
def test_it_ends_with_status_0(engine, text):
    done = talk(engine, text)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("= Patchpie\n\n")


def test_a_wrong_option_has_a_sentence_and_status_2(engine):
    for options in (["--gaem", "implo"], ["--game", "chess"], ["solve"]):
        done = talk([*engine, *options], "name\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("gtp-engine") and done.stderr.count("\n") == 1


def test_help_and_version_are_on_stdout(engine):
    assert talk([*engine, "--version"], "").stdout == talk(program("--version"), "").stdout
    assert talk([*engine, "--help"], "").stdout.startswith("usage: gtp-engine")


@pytest.fixture
def running_engine(engine):
    """Starts the engine; its stdin and stdout are text without a buffer for lines."""
    options = ["--game", "robble", "--size", "7", "--seconds", "1000"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 1}
    with running([*engine, *options], text=True, **pipes) as process:
        yield process


def ask(process, line: str) -> None:
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_inside_a_search(running_engine, number):
    ask(running_engine, "kata-analyze 1")
    assert running_engine.stdout.readline() == "=\n"
    assert running_engine.stdout.readline().startswith("info")
    running_engine.send_signal(number)
    assert running_engine.wait(PATIENCE) == 0


def test_it_ends_when_nobody_reads_stdout(running_engine):
    running_engine.stdout.close()
    ask(running_engine, "name")
    assert running_engine.wait(PATIENCE) == 0


# Begins a search without an end, closes the engine's stdin, and says that it has.
CLIENT = """
import subprocess, sys
pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
engine = subprocess.Popen(sys.argv[1:], **pipes)
engine.stdin.write(b"name\\ngenmove b\\n")
engine.stdin.close()
engine.stdout.readline()
print(engine.pid, flush=True)
engine.wait()
"""


def test_it_ends_when_its_client_has_died(engine):
    """The other end of its stdout is closed, but it has nothing to write there."""
    words = [*engine, "--game", "robble", "--size", "7", "--seconds", "1000", "--pie", "off"]
    with running([sys.executable, "-c", CLIENT, *words], stdout=subprocess.PIPE) as client:
        number = int(client.stdout.readline())
        client.kill()
    try:
        wait_until(lambda: not lives(number), "the engine ends")
    finally:
        if lives(number):
            os.kill(number, signal.SIGKILL)


def lives(number: int) -> bool:
    """Whether there is a process; one that has ended may wait for somebody to take note of it."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_client_that_has_closed_stdin_gets_an_answer_that_takes_long(engine):
    options = ["--game", "robble", "--size", "7", "--seconds", "4", "--pie", "off"]
    done = talk([*engine, *options], "genmove b\n")
    assert done.returncode == 0 and done.stdout.startswith("= "), done.stderr


def test_an_analysis_ends_at_the_next_line(running_engine):
    ask(running_engine, "1 kata-analyze 1")
    assert running_engine.stdout.readline() == "=1\n"
    assert running_engine.stdout.readline().startswith("info")
    ask(running_engine, "2 name")
    while (line := running_engine.stdout.readline()).startswith("info"):
        pass
    assert line == "\n"
    assert running_engine.stdout.readline() == "=2 Patchpie\n"


@pytest.mark.parametrize("command", ["genmove b", "game-solve"])
def test_a_search_without_an_end_is_interrupted(running_engine, command):
    ask(running_engine, "komi 0")
    assert running_engine.stdout.readline() == "=\n"
    ask(running_engine, f"1 {command}")
    ask(running_engine, "# interrupt")
    ask(running_engine, "2 name")
    text = ""
    while "=2 Patchpie\n" not in text:
        text += running_engine.stdout.readline()
    assert "\n=1 " in text


def test_requests_in_json_are_answered(engine):
    request = {"id": "a", "game": "robble", "boardXSize": 5, "boardYSize": 5, "maxVisits": 100}
    lines = [request, {"id": "v", "action": "query_version"}, {"id": "bad", "game": "chess"}]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    done = talk([*engine, "analyze"], text)
    found = {each["id"]: each for each in map(json.loads, done.stdout.splitlines())}
    assert done.returncode == 0, done.stderr
    assert found["a"]["rootInfo"]["visits"] >= 100
    assert "version" in found["v"] and "error" in found["bad"]
    assert "ready to begin handling requests" in done.stderr


def test_files_are_those_of_the_machine(engine, tmp_path):
    text = 'play b b2\nprintsgf game.sgf\nclear_board\nloadsgf "{}/game.sgf"\ngame-to_move\n'
    done = talk([*engine, "--game", "robble"], text.format(tmp_path), cwd=tmp_path)
    assert done.stdout.split() == ["=", "=", "=", "=", "=", "white"], done.stderr
    assert "B2" in (tmp_path / "game.sgf").read_text()
