"""`gtp-engine review`, as a user calls it."""

import pytest

from gtp_engine.cli import review as tool
from gtp_engine.cli.engine import main
from support.driver import Driver
from support.replays import game_on, pieces_on, turns_on
from support.statuses import status_of

# On 3x3 the middle loses, if White does not swap; White's answer gives the win back.
LINES = ("game-pie off", "game-select implo 3", "play b b2", "play w a1")


@pytest.fixture
def record(tmp_path):
    drive = Driver()
    for line in LINES:
        drive(line)
    path = tmp_path / "game.sgf"
    drive(f"printsgf {path}")
    return path


def interrupt_after(monkeypatch, tool, results):
    """Press Ctrl-C as soon as a tool has got so many results."""
    found, left = tool.result_of, [results]

    def result_of(future, assessors, interrupt):
        if not left[0]:
            interrupt.set()
        left[0] -= 1
        return found(future, assessors, interrupt)

    monkeypatch.setattr(tool, "result_of", result_of)


def test_the_page_marks_the_turns_that_cost_much(record, tmp_path, capsys):
    output = tmp_path / "review.html"
    assert main(["review", str(record), "-o", str(output), "--visits", "2000"]) == 0
    page = output.read_text()
    game, (start, *turns) = game_on(page), turns_on(page)
    assert [turn["loss"] for turn in turns] == [1.0, 1.0]
    assert [moment["chance"] for moment in (start, *turns)] == [1.0, 0.0, 1.0]
    assert all(moment["proven"] for moment in (start, *turns))
    blunder = turns[0]
    assert blunder["why"][0] == f"{blunder['best']} wins, but B2 loses"
    better = game["nodes"][blunder["better"]]
    assert (better["parent"], better["instead"]) == (start["id"], blunder["id"])
    assert better["word"] == blunder["best"] and better["listed"]
    assert pieces_on(page, better["id"]) == {better["word"]: "black stone"}
    (candidate,) = game["frames"]["0"]["turns"]
    assert (candidate["turn"], candidate["proven"]) == (blunder["best"], 1.0)
    assert "Every turn was searched with 2,000 visits" in game["hello"]["reviewed"]
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "gtp-engine review: 1 of 2: Black B2, cost 100.0%"
    assert len(told) == 2


def test_a_replay_has_no_review(record, tmp_path):
    output = tmp_path / "game.html"
    assert main(["replay", str(record), "-o", str(output)]) == 0
    game = game_on(output.read_text())
    assert game["hello"]["reviewed"] == "" and game["frames"] == {}
    assert all("best" not in node for node in game["nodes"])


def test_what_cannot_be_reviewed_is_one_sentence(record, tmp_path, capsys):
    other, bare = tmp_path / "other.sgf", tmp_path / "bare.sgf"
    other.write_text("(;GM[1]SZ[9];B[aa])")
    Driver("implo", 3)(f"printsgf {bare}")
    for arguments in (
        ["no-such-file.sgf"],
        [str(other)],
        [str(bare)],
        [str(record), "--visits", "few"],
        [str(record), "--visits", "10", "-o", str(tmp_path / "missing" / "page.html")],
        [str(record), str(record)],
        [str(record), "--cluster", "somewhere", "--positions", "2"],
    ):
        assert status_of(main, ["review", *arguments]) == 2
        *_, error = capsys.readouterr().err.splitlines()
        assert error.startswith("gtp-engine review: ")


def test_an_interrupt_leaves_a_page_of_what_was_found(record, tmp_path, monkeypatch):
    interrupt_after(monkeypatch, tool, 2)
    output = tmp_path / "review.html"
    assert main(["review", str(record), "-o", str(output), "--visits", "50"]) == 130
    page = output.read_text()
    assert ["best" in turn for turn in turns_on(page)] == [False, True, False]
    assert "The first 1 of 2 turns were searched" in game_on(page)["hello"]["reviewed"]


def test_the_position_after_a_swap_of_sides_is_shown(tmp_path):
    drive = Driver("robble", 3)
    for line in ("game-pie sides", "play b b2", "play w swap-sides", "play w a1"):
        drive(line)
    record, output = tmp_path / "game.sgf", tmp_path / "review.html"
    drive(f"printsgf {record}")
    assert main(["review", str(record), "-o", str(output), "--visits", "50"]) == 0
    turns = turns_on(output.read_text())
    assert [turn["exchanged"] for turn in turns] == [False, False, True, True]
