"""`gtp-engine solve`, as a user calls it."""

import json
import signal
import subprocess
import sys

import pytest

from gtp_engine.cli.engine import main
from gtp_engine.search.backends.choose import KERNEL, PYTHON
from gtp_engine.search.backends.kernel import kernel_built
from support.starting import running
from support.statuses import status_of

BACKENDS = [PYTHON, KERNEL] if kernel_built() else [PYTHON]
BOLOA_2 = ["solve", "--game", "boloa", "--size", "2"]
IMPLO_3 = ["solve", "--game", "implo", "--size", "3"]


def records(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_board_is_solved(backend, capsys):
    assert main([*BOLOA_2, "--backend", backend]) == 0
    line = capsys.readouterr().out
    assert line.startswith("boloa 2: black wins, ")
    assert " positions, " in line and ": pA1 " in line


@pytest.mark.parametrize("backend", BACKENDS)
def test_all_openings_tell_who_should_swap(backend, capsys):
    assert main([*BOLOA_2, "--all-openings", "--backend", backend]) == 0
    pawn, stone, swap = capsys.readouterr().out.splitlines()
    assert pawn.startswith("boloa 2: pA1 (4 alike): black wins, ")
    assert stone.startswith("boloa 2: sA1 (4 alike): white wins, ")
    assert swap == "with a swap: white wins"


def test_records_for_programs(capsys):
    assert main([*BOLOA_2, "--opening", "sb2", "--json"]) == 0
    (record,) = records(capsys.readouterr().out)
    assert (record["opening"], record["value"], record["result"]) == ("sb2", 0.0, "white wins")
    assert record["line"] and record["positions"] > 0


def test_an_opening_that_ends_the_game_cannot_be_swapped(capsys):
    assert main(["solve", "--game", "implo", "--size", "2", "--all-openings"]) == 0
    assert capsys.readouterr().out.endswith("with a swap: black wins, as A1 ends the game\n")


def test_the_position_of_a_file(tmp_path, capsys):
    game = tmp_path / "game.sgf"
    game.write_text("(;FF[4]GAME[boloa]SZ[2]PIE[off];B[sA1];W[pA2])")
    assert main(["solve", "--file", str(game), "--turn", "1"]) == 0
    assert capsys.readouterr().out.startswith("boloa 2: white wins")
    assert main(["solve", "--file", str(game)]) == 0


def test_not_solved_is_said_and_shows_in_the_status(capsys):
    assert main(["solve", "--game", "pilo", "--size", "9", "--seconds", "0.05"]) == 1
    assert capsys.readouterr().out.startswith("pilo 9: not solved, ")


def test_results_in_a_file_are_not_found_again(tmp_path, capsys):
    output = tmp_path / "results"
    options = [*IMPLO_3, "--all-openings", "--json", "--output", str(output)]
    assert main(options) == 0
    first = capsys.readouterr().out
    assert output.read_text() == first
    lines = first.splitlines(keepends=True)
    assert len(lines) == 3
    known = lines[0].replace('"seconds": ', '"seconds": 9')
    output.write_text(known + lines[2])
    assert main(options) == 0
    again = records(capsys.readouterr().out)
    assert again[0] == json.loads(known)
    assert [record["opening"] for record in again] == ["A1", "A2", "B2"]
    assert [record["opening"] for record in records(output.read_text())] == ["A1", "B2", "A2"]


def test_the_result_of_another_position_is_not_taken(tmp_path, capsys):
    output, one, other = (tmp_path / name for name in ("results", "one.sgf", "other.sgf"))
    one.write_text("(;FF[4]GAME[implo]SZ[3]PIE[off];B[B2];W[A1])")
    other.write_text("(;FF[4]GAME[implo]SZ[3]PIE[off];B[A1];W[B2])")
    refusal = f"line 1 of {output} is not a result of this task"
    old = '{"game": "implo", "size": 3, "result": "", "value": 1.0, "line": [], "positions": 1,'
    for record in ("", f'{old} "seconds": 0.0}}\n'):  # the second is of an earlier version
        output.write_text(record)
        for file, status in ((one, 2 if record else 0), (other, 2)):
            assert main(["solve", "--file", str(file), "--output", str(output)]) == status
            assert (refusal in capsys.readouterr().err) == (status == 2)
    assert main([*IMPLO_3, "--output", str(output)]) == 0  # and it is still taken for the board
    assert main(["solve", "--file", str(one), "--output", str(tmp_path / "new")]) == 0
    known = (tmp_path / "new").read_text()
    assert main(["solve", "--file", str(one), "--output", str(tmp_path / "new")]) == 0
    assert (tmp_path / "new").read_text() == known


@pytest.mark.parametrize(
    "content", ["nonsense\n", "{}\n", "[1, 2]\n", '{"game": "implo", "size": 3, "opening": "A1"}\n']
)
def test_a_file_of_anything_else_is_refused_and_stays_as_it_is(content, tmp_path, capsys):
    output = tmp_path / "results"
    output.write_text(content)
    assert main([*IMPLO_3, "--all-openings", "--output", str(output)]) == 2
    printed = capsys.readouterr()
    assert (printed.out, len(printed.err.splitlines())) == ("", 1)
    assert f"line 1 of {output} is not a result of this task" in printed.err
    assert output.read_text() == content


@pytest.mark.skipif(not kernel_built(), reason="only the kernel makes certificates")
@pytest.mark.parametrize(
    ("record", "turn", "told"),
    [
        (
            "(;GAME[implo]SZ[3];B[B2];W[A1])",
            "1",
            "White may still swap: write PIE[off] into the file, or choose a later --turn",
        ),
        (
            "(;GAME[pilo]SZ[3];B[B2];W[A1])",
            "0",
            "Orange may still swap: write PIE[off] into the file, or choose a later --turn",
        ),
        ("(;GAME[implo]SZ[5];B[B2];W[A1])", "1", "boards are too large from 5x5 on"),
        ("(;GAME[robble]SZ[3];B[B2];W[A1])", "1", "a result in Robble can depend on earlier"),
        ("(;GAME[robble]SZ[3]PIE[off];B[B2];W[A1])", "1", "a result in Robble can depend on"),
    ],
)
def test_a_certificate_of_a_position_without_one_is_refused_with_what_helps(
    record, turn, told, tmp_path, capsys
):
    game, proof = tmp_path / "game.sgf", tmp_path / "proof"
    game.write_text(record)
    options = ["solve", "--file", str(game), "--certificate", str(proof)]
    assert main([*options, "--turn", turn]) == 2
    assert f"no certificates for such a position: {told}" in capsys.readouterr().err
    assert not proof.exists()
    if "PIE[off]" in told:
        assert main([*options, "--turn", "2"]) == 0
        game.write_text(record.replace("SZ[3]", "SZ[3]PIE[off]"))
        assert main([*options, "--turn", turn]) == 0


@pytest.mark.parametrize(
    "options, complaint",
    [
        (["--game", "chess"], "there is no game chess: boloa implo pilo robble"),
        (["--size", "20"], "2 to 19"),
        (["--opening", "z9"], "z9 is not a first turn"),
        (["--size", "3", "--opening", "d4"], "d4 is not a first turn"),
        (["--file", "no-such.sgf"], "no-such.sgf"),
        (["--file", "no-such.sgf", "--size", "3"], "--file excludes --game, --size and --opening"),
        (["--size", "2", "--all-openings", "--opening", "Z9"], "--all-openings excludes --opening"),
        (["--file", "/dev/zero"], "/dev/zero is not a regular file"),
        (["--output", "/dev/zero"], "/dev/zero is not a regular file"),
        (["--check", "no-such"], "no-such does not exist"),
        (["--check", "/dev/zero"], "/dev/zero is not a regular file"),
        (["--check", "no-such", "--size", "3"], "--check is for a file alone"),
        (["--check", "no-such", "--table", "x"], "--check is for a file alone"),
        (["--hash_mb", "0"], "--hash-mb: expected integer 1..65536"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(options, complaint, capsys):
    assert status_of(main, ["solve", *options]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("gtp-engine solve: ")
    assert complaint in printed.err
    assert len(printed.err.splitlines()) == 1


def test_control_c_ends_it_with_what_it_has(tmp_path):
    """The first result is known, so it is printed at once; the second takes minutes."""
    output = tmp_path / "results"
    known = {"game": "boloa", "size": 4, "opening": "pA1", "result": "black wins", "value": 1.0}
    known |= {"line": [], "positions": 1, "seconds": 0.0}
    output.write_text(json.dumps(known) + "\n")
    command = [sys.executable, "-m", "gtp_engine", "solve", "--game", "boloa", "--size", "4"]
    command += ["--all-openings", "--json", "--output", str(output)]
    with running(command, stdout=subprocess.PIPE, text=True) as process:
        assert json.loads(process.stdout.readline()) == known
        process.send_signal(signal.SIGINT)
        rest = records(process.stdout.read())
        assert process.wait() == 130
    assert [record["value"] for record in rest] in ([], [None])
    assert records(output.read_text()) == [known]
