"""The engine loads exactly what it wrote, and refuses what is no game of ours."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from gtp_engine.engine.choosing import choose
from gtp_engine.engine.record_loading import CannotLoad, replay
from gtp_engine.engine.record_writing import written
from gtp_engine.rules import games
from gtp_engine.rules.records.sgf import LARGEST_RECORD
from support.driver import Driver
from support.thorough import first_of, given_few_or_many


def state(drive: Driver) -> list:
    """All that a record must keep."""
    queries = ("game-position", "game-status", "game-history", "game-result", "get_komi")
    return [drive(line) for line in queries]


@given_few_or_many(
    15, 40, st.sampled_from(games()), st.integers(2, 6), st.integers(0, 60), st.data()
)
def test_a_game_is_its_record(game, size, count, data):
    """Played by clicks, steps and turns, and broken off anywhere."""
    drive = Driver(game.name, size)
    drive("game-set player random")
    drive("game-set seed 1")
    for _ in range(count):
        session = drive.session
        steps = session.legal_steps()
        if not steps:
            break
        color = session.position.to_move
        match data.draw(st.sampled_from(["step", "step", "step", "genmove", "resign"])):
            case "step":
                session.play(color, str(data.draw(st.sampled_from(steps))))
            case "genmove":
                session.commit(choose(session, color))
            case "resign" if data.draw(st.integers(0, 20)) == 0:
                session.play(color, "resign")
    if drive.session.outcome is not None:
        drive("play w pass")
    again = Driver()
    replay(again.session, written(drive.session).text.encode())
    assert state(again) == state(drive)
    assert written(again.session).text == written(drive.session).text


def test_resigning_inside_a_turn_is_restored():
    """The open turn, the resignation and a pass after it are three turns of the record."""
    drive = Driver("pilo", 3)
    for line in ("play b a1", "play w c1", "play b a1", "play b resign", "play w pass"):
        drive(line)
    assert drive("game-history").splitlines()[2:] == [
        "3 black A1",
        "4 black resign",
        "5 white pass",
    ]
    assert "turn complete" in drive("game-status")
    again = Driver()
    replay(again.session, written(drive.session).text.encode())
    assert state(again) == state(drive)


def test_a_half_done_selection_is_restored(tmp_path):
    drive = Driver("pilo", 3)
    for line in ("komi 7", "play b a1", "play w c1", "play b a1"):
        drive(line)
    path = tmp_path / "game.sgf"
    drive(f"printsgf {path}")
    again = Driver()
    again(f"loadsgf {path}")
    assert state(again) == state(drive)
    again("play b c1")


def test_a_position_set_up_by_hand_is_restored(drive):
    drive("game-position implo 3 .B./BBb/ww. b open=yes")
    drive("play b c1")
    again = Driver()
    replay(again.session, written(drive.session).text.encode())
    assert state(again) == state(drive)


def test_loading_stops_before_a_turn(tmp_path):
    drive = Driver("robble", 5)
    for line in ("play b a1", "play w c3", "play b e5"):
        drive(line)
    path = tmp_path / "game.sgf"
    drive(f"printsgf {path}")
    for number, turns in ((1, 0), (2, 1), (4, 3), (99, 3), ("9" * 5000, 3)):
        drive(f"loadsgf {path} {number}")
        assert f"turns {turns}" in drive("game-status")
    for number in ("0", "-1", "1.5", "x"):
        assert drive.fails(f"loadsgf {path} {number}") == "turn number not a positive integer"
    assert "turns 3" in drive("game-status")


def test_loading_stops_before_a_resignation_that_only_the_result_tells(drive):
    """It then follows the game, like any other turn of the file."""
    text = b"(;GAME[robble]SZ[3]RE[W+R];B[A1];W[B2])"
    for number, turns in ((2, 1), (3, 2), (4, 3), (None, 3)):
        replay(drive.session, text, number)
        assert f"turns {turns}" in drive("game-status")
    replay(drive.session, text, 3)
    again = Driver()
    replay(again.session, written(drive.session).text.encode())
    assert state(again) == state(drive)
    assert again("game-result") == "none"
    drive("play b resign")
    assert "RE[W+R]" in written(drive.session).text


def test_the_record_is_sgf_that_others_read():
    drive = Driver("pilo", 4)
    for line in ("play b b2", "play w swap", "play b resign"):
        drive(line)
    tree = sgf_grammar.parse_sgf_game(written(drive.session).text.encode())
    root, *turns = tree.sequence
    assert root["GAME"] == [b"pilo"]
    assert root["SZ"] == [b"4"]
    assert root["RE"] == [b"W+R"]
    assert [node.get("B") or node.get("W") for node in turns] == [[b"B2"], [b"swap"], [b"resign"]]


def test_our_player_is_named():
    drive = Driver("robble", 3)
    drive("game-set player random")
    drive("genmove b")
    assert "PB[Patchpie random]" in drive("printsgf")


def test_a_reply_on_the_wire_has_no_empty_line(drive):
    drive("play b c4")
    assert "\n\n" not in drive("printsgf").strip()


BAD_FILES = {
    "empty": b"",
    "text": b"hello",
    "binary": bytes(range(256)) * 50,
    "open": b"(;GAME[implo]SZ[6",
    "go": b"(;FF[4]GM[1]SZ[9];B[cc])",
    "other game": b"(;GAME[chess]SZ[6]PIE[off])",
    "size": b"(;GAME[implo]SZ[99]PIE[off])",
    "no size": b"(;GAME[implo];B[A1])",
    "no number": b"(;GAME[implo]SZ[six]PIE[off])",
    "huge number": b"(;GAME[implo]SZ[" + b"9" * 5000 + b"]PIE[off])",
    "foreign digits": "(;GAME[implo]SZ[\u0666]PIE[off])".encode(),
    "underscore": b"(;GAME[implo]SZ[1_0]PIE[off])",
    "pie": b"(;GAME[implo]SZ[6]PIE[apple])",
    "illegal": b"(;GAME[implo]SZ[6]PIE[off];B[A1];W[A1])",
    "unreadable": b"(;GAME[implo]SZ[6]PIE[off];B[zz])",
    "wrong color": b"(;GAME[implo]SZ[6]PIE[off];W[A1])",
    "both colors": b"(;GAME[implo]SZ[6]PIE[off];B[A1]W[B1])",
    "bad start": b"(;GAME[implo]SZ[6]PIE[off]POS[implo 6 ./. b])",
    "other start": b"(;GAME[implo]SZ[6]PIE[off]POS[robble 3 .../.../... b])",
    "nested": b"(;GAME[implo]SZ[6]PIE[off]" * 10_000,
    "brackets": b"(" * 200_000 + b";" + b")" * 200_000,
    "many nodes": b"(;GAME[implo]SZ[6]PIE[off]" + b";B[A1]" * 100_000 + b")",
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_refused_and_changes_nothing(drive, tmp_path, name):
    drive("play b c4")
    before = drive.session.state
    path = tmp_path / "bad.sgf"
    path.write_bytes(BAD_FILES[name])
    assert drive.fails(f"loadsgf {path}") == "cannot load file"
    assert drive.session.state is before
    report = json.loads(drive("game-record_report"))
    assert report["reason"] and not report["done"]


@pytest.mark.parametrize("form", ["off", "sides"])
def test_a_record_without_a_form_of_the_pie_rule_has_the_one_in_force(drive, tmp_path, form):
    path = tmp_path / "written.sgf"
    path.write_bytes(b"(;GAME[robble]SZ[6];B[C3])")
    drive(f"game-pie {form}")
    drive(f"loadsgf {path}")
    assert drive.session.position.pie.value == form
    assert len(drive.session.turns()) == 1


@pytest.mark.parametrize("depth", first_of([5_000, 40_000]))
def test_deep_nesting_is_no_danger(drive, tmp_path, depth):
    path = tmp_path / "deep.sgf"
    path.write_bytes(b"(;GAME[implo]SZ[6]PIE[off]" + b"(;C[x]" * (depth - 1) + b")" * depth)
    drive(f"loadsgf {path}")
    assert "size 6" in drive("game-status")


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_or_loaded(data):
    drive = Driver()
    try:
        replay(drive.session, data)
    except CannotLoad:
        assert drive.session.history() == []


def test_what_is_no_regular_file_is_refused(drive, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    large = tmp_path / "large.sgf"
    with open(large, "wb") as file:
        file.truncate(LARGEST_RECORD + 1)
    for path in (pipe, large, tmp_path, "/dev/zero", "/proc/kmsg", tmp_path / "missing.sgf"):
        assert drive.fails(f"loadsgf {path}") == "cannot load file"


def test_a_failed_write_leaves_no_trace(drive, tmp_path):
    assert drive.fails(f"printsgf {tmp_path}") == "cannot write file"
    assert drive.fails(f"printsgf {tmp_path}/none/game.sgf") == "cannot write file"
    assert drive.fails(f"printsgf {tmp_path}/my game.sgf") == "syntax: printsgf [FILE]"
    assert drive.fails(f"game-printsgf plain {tmp_path}/my game.sgf").startswith("syntax: ")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_written_as_a_user_expects(drive, tmp_path):
    private, protected = tmp_path / "private.sgf", tmp_path / ("a" * 246 + ".sgf")
    for path in (private, protected):
        drive(f"printsgf {path}")
    private.chmod(0o600)
    protected.chmod(0o444)
    drive("play b c4")
    drive(f"printsgf {private}")
    assert private.stat().st_mode & 0o777 == 0o600
    assert "B[C4]" in private.read_text()
    for path in (protected, f"{private}/", f"{tmp_path}/new/"):
        assert drive.fails(f"printsgf {path}") == "cannot write file"
    assert "B[C4]" not in protected.read_text()
    assert len(list(tmp_path.iterdir())) == 2
