"""Fingerprints of programs: they tell engines apart."""

import shlex

import pytest

from gtp_engine.arena.playing.match_player import RunningEngine
from gtp_engine.arena.playing.programs import fingerprint
from gtp_engine.arena.setup.config import Engine
from support.starting import RANDOM, python_command


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "engine"
    path.write_text("#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    return path


def test_a_rebuilt_program_is_another_one(program):
    quoted = shlex.quote(str(program))
    commands = [quoted, f"{quoted} --visits 5", f"nice -n 5 {quoted}", f"sh {quoted}"]
    before = [fingerprint(command) for command in commands]
    assert before == [fingerprint(command) for command in commands]
    program.write_text("#!/bin/sh\nexit 2\n")
    assert all(one != other for one, other in zip(before, map(fingerprint, commands)))


def test_a_script_counts_and_a_log_behind_it_does_not(tmp_path):
    script, log = tmp_path / "engine.py", tmp_path / "engine.log"
    script.write_text("first")
    log.write_text("first")
    command = python_command(script, "--log", log)
    before = fingerprint(command)
    log.write_text("second")
    assert fingerprint(command) == before
    script.write_text("second")
    assert fingerprint(command) != before


@pytest.mark.parametrize(
    "words", [["--config={}"], ["--config", "{}"], ["-human-model", "{}"]], ids=str
)
def test_the_files_of_options_count(tmp_path, words):
    script, file = tmp_path / "engine.py", tmp_path / "strong.txt"
    script.touch()
    file.write_text("first")
    command = python_command(script, *(word.format(file) for word in words))
    before = fingerprint(command)
    file.write_text("second")
    assert fingerprint(command) != before


@pytest.mark.parametrize(
    "words", [["--log={}"], ["--gtp-log", "{}"], ["--visits=5", "{}"]], ids=str
)
def test_what_an_engine_may_write_does_not_count(tmp_path, words):
    script, file = tmp_path / "engine.py", tmp_path / "engine.txt"
    script.touch()
    file.write_text("first")
    command = python_command(script, *(word.format(file) for word in words))
    before = fingerprint(command)
    file.write_text("second")
    assert fingerprint(command) == before


def test_what_is_no_file_is_no_harm(tmp_path):
    for word in ("no-such-program", "/dev/zero", str(tmp_path), "x" * 5000, "a\0b"):
        assert fingerprint(python_command(word)) == fingerprint(python_command("other"))


def test_the_build_of_our_own_engine_counts():
    """Its files are not named by its command."""
    player = RunningEngine(Engine("A", RANDOM))
    try:
        player.greet()
        build = player.tell("game-build")
        assert build.startswith(player.identity.told.split()[-1] + "+")
        assert player.identity.program == fingerprint(player.engine.command, build)
        assert player.identity.program != fingerprint(player.engine.command)
    finally:
        player.close()
