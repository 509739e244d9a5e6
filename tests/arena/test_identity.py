"""Fingerprints of programs: they tell engines apart."""

import re
import shlex
from contextlib import closing
from dataclasses import replace

import pytest

from gtp_engine.arena.playing.identity import fingerprint, used
from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.running_engine import RunningEngine
from gtp_engine.arena.setup.config import Engine
from gtp_engine.arena.values import Board
from gtp_engine.rules.clock import UNLIMITED
from support.starting import RANDOM, engine_command, python_command


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "engine"
    path.write_text("#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    return path


def changes_with(file, command: str) -> bool:
    """Whether what a file contains makes another engine of a command."""
    prints = []
    for content in ("first", "second"):
        file.write_text(content)
        prints.append(fingerprint(command))
    return prints[0] != prints[1]


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
    command = python_command(script, "--log", log)
    assert not changes_with(log, command)
    assert changes_with(script, command)


@pytest.mark.parametrize(
    "words", [["--config={}"], ["--config", "{}"], ["-human-model", "{}"]], ids=str
)
def test_the_files_of_options_count(tmp_path, words):
    script, file = tmp_path / "engine.py", tmp_path / "strong.txt"
    script.touch()
    command = python_command(script, *(word.format(file) for word in words))
    assert changes_with(file, command)


@pytest.mark.parametrize(
    "words", [["--log={}"], ["--gtp-log", "{}"], ["--visits=5", "{}"]], ids=str
)
def test_what_an_engine_may_write_does_not_count(tmp_path, words):
    script, file = tmp_path / "engine.py", tmp_path / "engine.txt"
    script.touch()
    command = python_command(script, *(word.format(file) for word in words))
    assert not changes_with(file, command)


def test_a_log_that_is_the_first_file_does_not_count(tmp_path):
    log = tmp_path / "engine.log"
    assert not changes_with(log, f"no-such-program --log={log}")


def test_the_build_counts_but_not_the_processor():
    build = "1+a\nbackend kernel\nisa v3 v3_vnni\npilo 32x2"
    assert fingerprint("x", build) == fingerprint("x", build.replace("v3_vnni", "v4"))
    assert fingerprint("x", build) != fingerprint("x", build.replace("1+a", "1+b"))
    assert fingerprint("x", build) != fingerprint("x", build.replace("32x2", "64x2"))


def test_what_is_no_file_is_no_harm(tmp_path):
    for word in ("no-such-program", "/dev/zero", str(tmp_path), "x" * 5000, "a\0b"):
        assert fingerprint(python_command(word)) == fingerprint(python_command("other"))


@pytest.mark.parametrize(
    ("build", "words"),
    [
        ("1+a\nbackend kernel\nisa v3 v4\nimplo I\npilo 32x2, six bits",
         "pilo in the kernel, with the net 32x2, six bits"),
        ("1+a\nbackend kernel\nimplo I", "pilo in the kernel, without a net"),
        ("1+a\nbackend python", "pilo in Python, without a net"),
        ("1+a\npilo P", "pilo with the net P"),
        ("1+a\npilo \x1b[2J" + "x" * 100, "pilo with the net [2J" + "x" * 77),
        ("1+a\nimplo I", ""),
        ("1+a", ""),
        ("some other engine\nof\n\nwords", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_what_an_engine_uses_is_told_by_its_build(build, words):
    assert used("pilo", build) == words


def test_what_an_engine_uses_is_asked_after_its_settings():
    """Once for each game; it makes no other engine of it."""
    engine = Engine("A", engine_command(), settings={"backend": "python"})
    pool = EnginePool()
    with closing(pool):
        for game in ("robble", "pilo", "robble"):
            with pool.lent(engine) as player:
                player.new_game(Board(game, 3, "off"), UNLIMITED, 1)
        asked = [line for line in player.evidence.lines if re.match("> .* game-build", line)]
        with pool.lent(replace(engine, restart=True)):
            pass
        ((name, identity),) = pool.identities(["A"])
    assert identity.uses.splitlines() == [
        "pilo in Python, without a net",
        "robble in Python, without a net",
    ]
    assert len(asked) == 3, "at the start and for each game"


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
