"""What a command names is used, or refused in one line before the work begins."""

import pytest

from gtp_engine.cli import board
from gtp_engine.cli.engine import main
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.weights import shipped
from support.driver import Driver
from support.statuses import status_of

needs_kernel = pytest.mark.skipif(not kernel_built(), reason="needs the kernel")

PILO, BOLOA = str(shipped("pilo")), str(shipped("boloa"))
BENCH = ["bench", "--game", "pilo", "--size", "3", "--samples", "1", "--seconds", "0.01"]
IMPLO = ["--game", "implo", "--size", "3", "--opening", "A1"]


@needs_kernel
@pytest.mark.parametrize(
    "words, complaint",
    [
        (["swap-map", "pilo", "3", "--visits", "9", "--weights", BOLOA], "is for boloa"),
        (
            ["swap-map", "pilo", "3", "--visits", "9", "--weights", PILO, "--backend", "python"],
            "the search in Python has no learned evaluation",
        ),
        ([*BENCH, "--what", "search", "--weights", BOLOA], "is for boloa"),
        ([*BENCH, "--what", "evaluations", "--weights", PILO, BOLOA], "is for boloa"),
        (
            [*BENCH, "--what", "search", "--weights", PILO, "--backend", "python"],
            "the search in Python has no learned evaluation",
        ),
    ],
)
def test_a_net_that_would_not_be_used_is_refused(words, complaint, capsys):
    assert status_of(main, words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1) and complaint in err


@pytest.mark.parametrize("name", ["missing/page.html", "n" * 300, "folder/"])
def test_a_file_that_cannot_be_written_is_told_before_a_review(name, tmp_path, capsys):
    (tmp_path / "folder").write_text("no folder")
    record = tmp_path / "game.sgf"
    game = Driver("implo", 3)
    game("play b a1")
    game(f"printsgf {record}")
    output = f"{tmp_path}/{name}"
    assert status_of(main, ["review", str(record), "--visits", "9", "-o", output]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1) and str(tmp_path) in err


@needs_kernel
@pytest.mark.parametrize("name", ["missing/proof", "n" * 300, ""])
def test_a_certificate_that_cannot_be_written_is_told_before_it_is_sought(name, tmp_path, capsys):
    assert status_of(main, ["solve", *IMPLO, "--certificate", f"{tmp_path}/{name}"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1) and str(tmp_path) in err


def test_an_engine_that_cannot_be_started_is_told_before_a_game(tmp_path, capsys):
    (tmp_path / "notes").write_text("no program")
    for command, told in (
        ("no-such", "no-such not found"),
        (str(tmp_path), "is a folder"),
        (f"{tmp_path}/notes --level 1", "may not be executed"),
    ):
        assert status_of(main, ["play", "--engine", command]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1) and told in err


@pytest.mark.parametrize("words", [["--level", "99"], ["--level", "0"]])
@pytest.mark.parametrize("program", ["play", "board"])
def test_a_level_that_our_engine_does_not_have_is_refused(program, words, capsys):
    ours = {"play": (main, ["play", *words]), "board": (board.main, words)}
    assert status_of(*ours[program]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1) and "--level" in err


@pytest.mark.parametrize("command", ["replay", "review", "render"])
@pytest.mark.parametrize("link", [False, True])
def test_an_output_that_is_the_input_is_refused(command, link, tmp_path, capsys):
    """The page would replace the game."""
    record = tmp_path / "game.svg"
    game = Driver("implo", 3)
    game("play b a1")
    game(f"printsgf {record}")
    before, output = record.read_bytes(), record
    if link:
        output = tmp_path / "page.svg"
        output.symlink_to(record)
    assert status_of(main, [command, str(record), "-o", str(output)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1) and "it is read, too" in err
    assert record.read_bytes() == before


def test_a_table_and_a_certificate_are_two_files(tmp_path, capsys):
    words = ["--table", f"{tmp_path}/proof", "--certificate", f"{tmp_path}/./proof"]
    assert status_of(main, ["solve", *IMPLO, *words]) == 2
    assert "is the same file as" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["solve", *IMPLO, "--turn", "3"], "--turn is for --file"),
        (["solve", *IMPLO, "--save-every", "5"], "--save-every is for --table"),
        (["render", "game.sgf", "--visits", "5"], "--visits is for --heat"),
        (["render", "game.sgf", "--hash-mb", "5"], "--hash-mb is for --heat"),
        (["render", "game.sgf", "--width", "500"], "--width is for a PNG"),
        (["swap-map", "pilo", "3", "--deep", "5"], "--deep is for --closest"),
        (["puzzles", "--check", "--game", "robble", "--size", "4"], "--check proves the puzzles"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_an_option_that_would_have_no_effect_is_refused(words, told, capsys):
    assert status_of(main, words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1) and told in err
