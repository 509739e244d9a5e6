"""Matches as TOML and as flags: accepted and rejected values, and changes of the match."""

import argparse
import re
import shlex
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from gtp_engine.arena.playing.openings import book
from gtp_engine.arena.setup.config import TABLES, Match, Openings, WrongMatch
from gtp_engine.arena.setup.tables import (
    differences,
    make_match,
    read_match,
    restore_match,
    write_match,
)
from gtp_engine.arena.values import Board
from gtp_engine.base.option import options
from gtp_engine.cli.arena_options import add_anchors, add_match_options, run_tables

TOML = """
boards = ["implo 6", "robble"]
format = "gauntlet"
games = 20
time = "60+0.5"

[openings]
source = "random"
turns = 3

[[engines]]
name = "new"
command = "bin/gtp-engine"
settings = { visits = 200, seed = "{seed}" }

[[engines]]
name = "old"
command = "old/gtp-engine --visits 100"
time = "30+0.5"

[[engines]]
name = "weak"
command = "weak-engine"
environment = { OMP_NUM_THREADS = "1" }
"""

TWO = [{"name": "A", "command": "a"}, {"name": "B", "command": "b"}]


def flags(*words: str, file: Path | None = None) -> dict:
    parser = argparse.ArgumentParser()
    add_match_options(parser)
    add_anchors(parser)
    return run_tables(parser.parse_args(words), {} if file is None else read_match(file))


@pytest.fixture
def toml(tmp_path):
    path = tmp_path / "match.toml"
    path.write_text(TOML)
    return path


def test_a_file(toml):
    match = make_match(read_match(toml))
    assert list(match.played_boards()) == [
        Board("implo", 6, "pieces"),
        Board("robble", 7, "pieces"),
    ]
    names = [(first.name, second.name) for first, second in match.pairings()]
    assert names == [("new", "old"), ("new", "weak")]
    assert [match.control(engine).main for engine in match.engines] == [60, 30, 60]
    assert restore_match(write_match(match)) == match


def test_flags_go_before_the_file(toml):
    words = ["--games", "4", "--visits", "50", "--turns", "1", "--pie", "off", "--anchor", "weak=5"]
    tables = flags(*words, file=toml)
    match = make_match(tables)
    assert (match.games, match.pie, match.openings.turns) == (4, "off", 1)
    settings = [engine.settings for engine in match.engines]
    assert settings == [{"visits": "50", "seed": "{seed}"}, {"visits": "50"}, {"visits": "50"}]


def test_flags_alone():
    words = ["--game", "pilo", "--size", "6", "--engine", "A=x --option=1", "--engine", "B=y"]
    match = make_match(flags(*words, "--sprt", "0", "30", "--openings", "some.txt"))
    assert match.boards == ("pilo 6",)
    assert match.engines[0].command == "x --option=1"
    assert (match.sprt.elo0, match.sprt.elo1, match.sprt.model) == (0, 30, "normalized")
    assert (match.openings.source, match.openings.file) == ("file", "some.txt")
    assert match.games > 1000


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"engines": TWO[:1]}, "engines: a match needs at least two"),
        ({"engines": TWO * 2}, "engines: two engines are named A"),
        ({"engines": [*TWO, {"name": "C", "command": " "}]}, "engines: C has no command"),
        ({"engines": [*TWO, {"name": "C"}]}, "engines C: command is missing"),
        (
            {"engines": [*TWO, {"name": 3, "command": "c"}]},
            "engines 3, name: expected text, got 3",
        ),
        ({"engines": [*TWO, 5]}, "engines 3: expected object with name, command, "),
        ({"engines": [*TWO, {"command": "c"}]}, "engines 3: name is missing"),
        ({"engines": {}}, "engines: expected array of object with name, command, "),
        (
            {"engines": [*TWO, {"name": "C", "command": "c", "memory": "1"}]},
            'engines C, memory: expected integer 1..16777216, got "1"',
        ),
        (
            {"engines": [*TWO, {"name": "C", "command": "c", "settings": {"visits": []}}]},
            "engines C, settings, visits: expected text or integer or number, got []",
        ),
        (
            {"engines": [*TWO, {"name": "C", "command": "c", "comand": 3}]},
            'engines C: there is no key "comand"; did you mean command?',
        ),
        (
            {"engines": [*TWO, {"name": "C", "command": "c", "setup": ["a\nquit"]}]},
            "engines: C: expected one line of text, got: 'a\\nquit'",
        ),
        ({"boards": ["chess 8"]}, "boards: there is no game chess: boloa implo pilo robble"),
        ({"boards": ["implo 1"]}, "boards: Implo is played on sizes 2 to 19"),
        ({"boards": ["implo six"]}, "boards: expected a game and a size, got: implo six"),
        ({"boards": [""]}, "boards: there is no game : boloa implo pilo robble"),
        ({"boards": []}, "boards: at least one is needed"),
        ({"boards": ["implo 3 4"]}, "boards: expected a game and a size, got: implo 3 4"),
        ({"boards": ["implo 8", "implo"]}, "boards: implo 8 is listed twice"),
        ({"time": "0.0001"}, "time: 0.0001 leaves no time"),
        ({"games": 7}, "games: the number must be even, so that colors are balanced"),
        ({"games": 0}, "games: expected integer 2..10000000, got 0"),
        ({"games": "many"}, 'games: expected integer 2..10000000, got "many"'),
        ({"openings": 3}, "openings: expected object with source, file, "),
        ({"pie": "cake"}, 'pie: expected pieces|sides|off, got "cake"'),
        ({"pie": "piece"}, 'got "piece"; did you mean pieces?'),
        (
            {"openings": {"source": "randon"}},
            'openings, source: expected none|file|random, got "randon"; did you mean random?',
        ),
        ({"anchors": {"a": 1}}, "anchors: no engine is named a"),
        ({"anchors": {"A": "x"}}, 'anchors, A: expected number, got "x"'),
        ({"anchors": {"A": float("nan")}}, "anchors, A: expected number, got NaN"),
        ({"margin": float("inf")}, "margin: expected number 0..3600, got Infinity"),
        ({"games": True}, "games: expected integer 2..10000000, got true"),
        ({"anchors": {"A": 1e6}}, "anchors: A: expected number -100000..100000, got: 1000000.0"),
        (
            {"anchors": {"A": 1}, "tune": {"settings": {"visits": "1..5"}}},
            "anchors: a tuning has no ratings",
        ),
        (
            {"time": "fast"},
            "time: fast is not a time control such as none, 60, 60+0.5, 60+30/5, 1/1",
        ),
        ({"time": ""}, "time: an empty text is not a time control such as none, 60, "),
        (
            {"engines": [*TWO[:1], {"name": "B", "command": "b", "time": ""}]},
            "time: an empty text is not a time control such as none, 60, ",
        ),
        ({"time": "0"}, "time: 0 leaves no time"),
        (
            {"openings": {"source": "file"}},
            "openings: `file` is needed with the source `file`, and only there",
        ),
        (
            {"adjudication": {"resign": 0.02}, "comments": False},
            "adjudication: resign needs comments, which contain the chances",
        ),
        (
            {"adjudication": {"resign": 0.6}},
            "adjudication, resign: expected number 0..0.5, got 0.6",
        ),
        (
            {"engines": [*TWO, {"name": "judge of results", "command": "c"}]},
            "engines: the name judge of results is reserved for the adjudicator",
        ),
        (
            {"openings": {"source": "random", "balance": 2}},
            "openings, balance: expected number 0..0.5, got 2",
        ),
        ({"openings": {"judge": "j"}}, "openings: judge needs a random source"),
        (
            {"openings": {"source": "file", "file": "f", "turns": 5}},
            "openings: turns needs a random source",
        ),
        (
            {"openings": {"source": "random", "balance": 0.2}},
            "openings: balance needs a judge",
        ),
        ({"adjudication": {"resign_turns": 5}}, "adjudication: resign_turns needs resign"),
        ({"adjudication": {"resign_both": True}}, "adjudication: resign_both needs resign"),
        ({"adjudication": {"judge_seconds": 5}}, "adjudication: judge_seconds needs a judge"),
        ({"sprt": {"elo0": 5, "elo1": 5}}, "sprt: elo0 must be below elo1"),
        ({"sprt": {"elo0": 0, "elo1": 5, "alpha": 1}}, "sprt: alpha and beta"),
        (
            {"sprt": {"elo0": 0, "elo1": 5}, "engines": [*TWO, {"name": "C", "command": "c"}]},
            "sprt: a sequential test needs exactly two engines",
        ),
        ({"board": ["implo"]}, 'there is no key "board"; did you mean boards?'),
        ({"sprt": {"elo0": 0}}, "sprt: elo1 is missing"),
    ],
    ids=str,
)
def test_what_is_no_match(change, told):
    with pytest.raises(WrongMatch) as refused:
        make_match({"engines": TWO} | change)
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--engine", "bin/gtp-engine"], "--engine takes NAME=COMMAND, not bin/gtp-engine"),
        (["--size", "5"], "--size needs --game"),
        (["--size", "0"], "--size needs --game"),
        (["--alpha", "0.1"], "--alpha, --beta and --model need --sprt"),
        (["--game", "implo", "--board", "pilo"], "--board cannot be used with --game or --size"),
        (["--set", "visits"], "--set takes KEY=VALUE, not visits"),
        (["--anchor", "2000"], "--anchor takes NAME=ELO, not 2000"),
        (["--anchor", "A=much"], "--anchor takes NAME=ELO, not A=much"),
        (["--anchor", "A=inf"], "--anchor takes NAME=ELO, not A=inf"),
    ],
    ids=str,
)
def test_wrong_flags(words, told):
    with pytest.raises(WrongMatch) as refused:
        flags(*words)
    assert str(refused.value) == told


def test_a_named_game_is_used_or_refused():
    assert flags("--game", "")["boards"] == [""]
    with pytest.raises(WrongMatch, match="^boards: "):
        make_match({"engines": TWO, **flags("--game", "")})


def test_broken_toml(tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text("games = = 4")
    with pytest.raises(WrongMatch, match="broken.toml: "):
        read_match(path)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("games = " + "9" * 5000, "limit"),
        ("games = " + "9" * 4000, r"games: expected integer 2\.\.10000000, got -?9{59,60}\.\.\."),
        ("games = -" + "9" * 400, r"games: expected integer 2\.\.10000000, got -?9{59,60}\.\.\."),
        ("games = " + "[" * 20_000, "."),
        ("seed = 1979-05-27", 'seed: expected integer, got "1979-05-27"$'),
        ("anchors.A = " + "9" * 400, r"anchors, A: expected number, got 9{60}\.\.\.$"),
        ("x" * 1000 + " = 1", '^there is no key "x{40}"; there are engines, boards, '),
        ("games = 2\n# \xff", r"match.toml, line 2: this is not UTF-8; save the file as UTF-8$"),
    ],
    ids=[
        *("5000 digits", "4000 digits", "negative", "brackets"),
        *("a date", "no number of the processor", "a long key", "no text"),
    ],
)
def test_files_that_no_author_writes(tmp_path, content, told):
    path = tmp_path / "match.toml"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(WrongMatch, match=told) as refused:
        make_match({"engines": TWO} | read_match(path))
    assert len(str(refused.value)) < 300


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_files_without_an_end(tmp_path):
    with pytest.raises(OSError, match="/dev/zero is larger than"):
        read_match(Path("/dev/zero"))
    with pytest.raises(OSError, match="/dev/zero is larger than"):
        book(Openings("file", "/dev/zero"), 1)
    with pytest.raises(OSError, match="is not a regular file"):
        read_match(tmp_path)


def test_given_ratings_may_change_and_are_kept():
    before = make_match({"engines": TWO, "anchors": {"A": 100}})
    now = make_match({"engines": TWO, "anchors": {"B": 2000.5}})
    assert differences(before, now) == []
    assert restore_match(write_match(now)).anchors == {"B": 2000.5}
    assert now.anchored({"A": -7}).anchors == {"B": 2000.5, "A": -7}
    with pytest.raises(WrongMatch, match="no engine is named older; did you mean old"):
        make_match({"engines": [*TWO, {"name": "old", "command": "c"}]}).anchored({"older": 1})


def test_more_games_are_the_same_match():
    before = make_match({"engines": TWO, "games": 10, "concurrency": 1})
    now = make_match({"engines": TWO, "games": 40, "concurrency": 8, "start": 5})
    assert differences(before, now) == []


def test_the_order_of_engines_makes_another_match():
    before, now = make_match({"engines": TWO}), make_match({"engines": TWO[::-1]})
    assert differences(before, now) == ["order of engines: A, B before, B, A now"]


C = {"name": "C", "command": "c"}


@pytest.mark.parametrize("engines", [[*TWO, C], [C, *TWO], [TWO[0], C, TWO[1]]], ids=str)
def test_engines_may_be_added_to_a_match_that_was_played(engines):
    before, now = make_match({"engines": TWO}), make_match({"engines": engines})
    assert differences(before, now) == []
    assert differences(now, before)  # but none may be left out
    slips = [{**engine, "command": "x"} if engine["name"] == "A" else engine for engine in engines]
    assert differences(before, make_match({"engines": slips})) == [
        "engines.A.command: a before, x now"
    ]


def test_nobody_joins_a_tuning():
    tune = {"tune": {"settings": {"visits": "1..5"}}}
    before, now = (make_match({"engines": each, **tune}) for each in (TWO, [*TWO, C]))
    assert "order of engines: A, B before, A, B, C now" in differences(before, now)


def test_who_meets_whom_may_change():
    before = make_match({"engines": [*TWO, C]})
    assert differences(before, make_match({"engines": [*TWO, C], "format": "gauntlet"})) == []


def test_differences_are_told_one_by_one():
    before = make_match({"engines": TWO})
    other = [{"name": "A", "command": "a --fast"}, TWO[1]]
    now = make_match({"engines": other, "time": "1/1", "openings": {"source": "random"}})
    assert differences(before, now) == [
        "engines.A.command: a before, a --fast now",
        "openings.source: default before, random now",
        "time: default before, 1/1 now",
    ]


def test_the_examples_in_the_documents_are_matches():
    (toml,) = re.findall(r"```toml\n(.*?)```", page("protocol_specs/matches/arena.md"), re.DOTALL)
    tables = tomllib.loads(toml)
    assert set(tables) | {"tune"} == {field.name for field in fields(Match)}
    assert make_match(tables).engines[1].restart
    (command,) = re.findall(r"gtp-arena run (--.*\\\n.*)", page("protocol_specs/matches/arena.md"))
    tables = flags(*shlex.split(command.replace("\\\n", " ")))
    assert make_match(tables).concurrency == 2


def test_every_option_of_a_table_is_in_the_documents():
    (toml,) = re.findall(r"```toml\n(.*?)```", page("protocol_specs/matches/arena.md"), re.DOTALL)
    tables = tomllib.loads(toml)
    for name, table in TABLES.items():
        shown = tables if name is None else tables.get(name, {})
        assert name == "tune" or {each.name for each in options(table)} <= set(shown)


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, each) for name, table in TABLES.items() if name != "tune" for each in options(table)],
    ids=lambda part: getattr(part, "flag", part),
)
def test_every_flag_is_the_option_of_its_table(name, value):
    if isinstance(value.default, bool):
        words, told = [f"--no-{value.flag}"], False
    else:
        text = next(iter(value.values.words), "2" if value.values.highest != 0.5 else "0.5")
        text = "0.5" if value.values.highest == 1 else text
        words, told = [f"--{value.flag}", text], value.values.parse(text)
    extra = ["--sprt", "0", "5"] if name == "sprt" else []
    tables = flags(*words, *extra)
    assert (tables if name is None else tables[name])[value.name] == told


def page(name: str) -> str:
    return (Path(__file__).parents[2] / name).read_text()
