"""`gtp-engine puzzles`, as a user calls it."""

import json

import pytest

from gtp_engine.cli.engine import main
from gtp_engine.engine.tasks import puzzle
from gtp_engine.engine.tasks.puzzle import read_puzzles
from gtp_engine.rules import find_game
from gtp_engine.search.backends.kernel import kernel_built

FIND = ["puzzles", "--game", "robble", "--size", "5"]

pytestmark = pytest.mark.skipif(not kernel_built(), reason="the search in Python is slow")


def test_a_run_goes_on_where_it_was_killed(tmp_path, capsys):
    output = tmp_path / "found"
    assert main([*FIND, "--games", "1", "--output", str(output)]) == 0
    first = output.read_text()
    assert main([*FIND, "--games", "2", "--output", str(output)]) == 0
    assert output.read_text().startswith(first) and len(output.read_text().splitlines()) == 2
    assert main([*FIND, "--games", "2", "--output", str(output)]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in shown] == [
        "self-play robble 5, seed 1, game 1",
        "self-play robble 5, seed 1, game 2",
    ]
    assert main(["puzzles", "--select", str(output)]) == 0
    selected = read_puzzles(capsys.readouterr().out)
    found = [each for line in first.splitlines() for each in json.loads(line)["puzzles"]]
    assert found and {each["id"] for each in found} <= {each.id for each in selected}


def test_the_games_of_files_are_searched(tmp_path, capsys):
    """Each once, by its content: another game may be in a file of the same name."""
    output, names = tmp_path / "found", []
    for folder, turns in (("one", "B[sA1];W[sA2]"), ("other", "B[sB2];W[sA2]")):
        game = tmp_path / folder / "game.sgf"
        game.parent.mkdir()
        game.write_text(f"(;FF[4]GAME[boloa]SZ[3]PIE[off];{turns})")
        for _ in range(2):
            assert main(["puzzles", str(game), "--output", str(output)]) == 0
        (told,) = capsys.readouterr().out.splitlines()
        names.append(told.partition(":")[0])
    assert [json.loads(line)["source"] for line in output.read_text().splitlines()] == names
    assert names[0] != names[1] and all(name.startswith("game.sgf ") for name in names)


def test_a_claim_that_does_not_hold_is_told(tmp_path, capsys, monkeypatch):
    game = find_game("robble")
    one, other = puzzle.shipped(game)[:2]
    wrong = one._replace(turns=other.turns if one.turns != other.turns else ("E5",))
    monkeypatch.setattr("gtp_engine.cli.puzzles.shipped", lambda game: (wrong, other))
    assert main(["puzzles", "--game", "robble", "--check"]) == 1
    told, proven = capsys.readouterr().out.splitlines()
    assert told.startswith(f"{one.id}: ") and proven == f"{other.id}: {other.kind}, 2 of 2"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("x", "found, line 1 is not a searched game: not JSON: expecting value at column 1"),
        (
            '{"source": "a", "puzzles": [{"id": 1}]}',
            "found, line 1 is not a searched game: puzzles 1: position is missing",
        ),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path, capsys, monkeypatch, line, why):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "found").write_text(f"{line}\n")
    assert main(["puzzles", "--select", "found"]) == 2
    assert why in capsys.readouterr().err


def test_an_output_is_needed_and_names_are_checked(capsys):
    for options, why in ((FIND, "--output FILE is missing"), (["puzzles", "--game", "go"], "go")):
        with pytest.raises(SystemExit):
            main(options)
        assert why in capsys.readouterr().err
