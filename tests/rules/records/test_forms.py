"""Records in three forms: each restores the game, and other programs can show the last two."""

import re
from pathlib import Path

import pytest
from hypothesis import strategies as st
from sgfmill import sgf

from gtp_engine.engine.choosing import choose
from gtp_engine.engine.record_loading import CannotLoad, replay
from gtp_engine.engine.record_writing import Form, written
from gtp_engine.rules import games
from support.driver import Driver
from support.showing import Viewer, expected, without_circles
from support.thorough import given_few_or_many
from support.versions import happened

SPECIFICATION = Path(__file__).parents[3] / "protocol_specs" / "clients" / "records.md"


def state(drive: Driver) -> list:
    """All that a record must keep; random games are played anew."""
    queries = ("game-position", "game-status", "game-history", "game-result", "get_komi")
    told, _, _ = drive("gomill-explain_last_move").partition("; in random games")
    return [*(drive(line) for line in queries), told]


def restored(drive: Driver, form: Form) -> Driver:
    again = Driver()
    replay(again.session, written(drive.session, form).text.encode())
    return again


def boards(text: str) -> list[str]:
    """What sgfmill reads in each node, painted."""
    record = sgf.Sgf_game.from_string(text)
    size = record.get_size()
    viewer = Viewer(size)

    def points(found):
        return [(column, size - 1 - row) for row, column in found]

    painted = []
    for node in record.get_main_sequence():
        black, white, empty = node.get_setup_stones()
        marks = {name: points(node.get(name)) for name in _MARKS if node.has_property(name)}
        named = node.get("LB") if node.has_property("LB") else []
        labels = {points([point])[0]: label for point, label in named}
        stones = {"AB": points(black), "AW": points(white), "AE": points(empty)}
        painted.append(viewer.show(stones, marks, labels))
    return painted


_MARKS = ("CR", "MA", "SQ", "TR")


@st.composite
def sessions(draw, largest=6) -> Driver:
    """A game of steps, clicks and searched turns, broken off anywhere."""
    drive = Driver(draw(st.sampled_from([game.name for game in games()])))
    drive(f"game-pie {draw(st.sampled_from(['pieces', 'sides', 'off']))}")
    drive(f"boardsize {draw(st.integers(2, largest))}")
    drive("komi 6.5")
    for line in ("game-set seed 1", "game-set visits 4", "game-set backend python"):
        drive(line)
    session = drive.session
    for _ in range(draw(st.integers(0, 40))):
        steps = session.legal_steps()
        if not steps:
            break
        color = session.position.to_move
        if draw(st.integers(0, 9)):
            word = str(draw(st.sampled_from(steps)))
            clicked = re.match("[sp]?([A-Z][0-9]+)", word)
            if clicked and draw(st.integers(0, 9)) == 0:
                word = clicked[1]
            if session.explain(color, word) is None:
                session.play(color, word)
        else:
            session.commit(choose(session, color))
    if draw(st.integers(0, 9)) == 0 and session.outcome is None:
        session.play(session.position.to_move, "resign")
    return drive


@pytest.mark.parametrize("form", [Form.PLAIN, Form.DISPLAY])
@given_few_or_many(12, 24, sessions())
def test_plain_and_display_records_restore_everything(form, drive):
    if drive.session.outcome is not None:
        drive("play w pass")
    again = restored(drive, form)
    assert state(again) == state(drive)
    for each in Form:
        assert written(again.session, each).text == written(drive.session, each).text


@given_few_or_many(15, 30, sessions())
def test_a_record_of_clicks_restores_the_game(drive):
    assert state(restored(drive, Form.CLICKS)) == state(drive)


@given_few_or_many(15, 30, sessions())
def test_what_a_viewer_shows_is_the_board_after_each_turn(drive):
    assert_shown(drive)


def test_a_viewer_shows_a_whole_game_of_any_game(any_game):
    drive = Driver(any_game.name, 4)
    for line in ("game-set player random", "game-set seed 1", "game-pie off"):
        drive(line)
    while drive.session.outcome is None:
        drive(f"genmove {drive.session.position.to_move}")
    assert_shown(drive)


def assert_shown(drive: Driver) -> None:
    """Each node of the display form shows the board after its turn; the game is taken back."""
    session = drive.session
    shown = boards(written(session, Form.DISPLAY).text)
    assert len(shown) == 1 + len(session.turns())
    for number, board in reversed(list(enumerate(shown))):
        while len(session.turns()) > number:
            drive("undo")
        assert without_circles(board) == expected(drive("game-board"), session.game.look)


def display(game: str, size: int, *lines: str) -> list[str]:
    drive = Driver(game, size)
    for line in lines:
        drive(line)
    return boards(written(drive.session, Form.DISPLAY).text)


def test_a_marker_is_a_stone_with_a_square_and_the_last_turn_has_circles():
    lines = ("play b b2", "play w swap", "play b a1", "play w b1", "play b a2", "play w c2/c1")
    assert display("implo", 3, *lines)[5:] == [
        ". . .\nXo O .\nX O .",
        ". . .\nX . o\nX . O#",
    ]


def test_a_pawn_has_a_triangle():
    assert display("boloa", 3, "play b pb2", "play w sa3")[1:] == [
        ". . .\n. X^ .\n. . .",
        "Oo . .\n. X^ .\n. . .",
    ]


def test_a_stack_has_its_height_and_a_block_is_a_cross():
    lines = ("play b a1", "play w c1", "play b a1-c1")
    assert display("pilo", 3, *lines)[2:] == [
        ". . .\n. . .\nX . Oo",
        ". . .\n. . .\n+ . X2",
    ]


def test_a_position_set_up_is_shown_from_the_start():
    assert display("implo", 3, "game-position implo 3 .B./BBb/ww. b open=yes") == [
        ". X .\nX X X#\nO# O# ."
    ]


def nodes(drive: Driver, form: Form) -> list[sgf.Node]:
    return sgf.Sgf_game.from_string(written(drive.session, form).text).get_main_sequence()


def test_clicks_are_moves_of_go_with_who_is_next():
    """A capture is two clicks, a swap is one on Black's piece, forced steps are none."""
    drive = Driver("pilo", 3)
    for line in ("play b a1", "play w swap", "play b c1", "play w a1-c1", "play b b2"):
        drive(line)
    moves = [(*node.get_move(), node.get("PL")) for node in nodes(drive, Form.CLICKS)[1:]]
    assert moves == [
        ("b", (0, 0), "w"),
        ("w", (0, 0), "b"),
        ("b", (0, 2), "w"),
        ("w", (0, 0), "w"),
        ("w", (0, 2), "b"),
        ("b", (1, 1), "w"),
    ]


@pytest.mark.parametrize("word", ["resign", "timeout"])
def test_an_early_end_stays_the_end_beside_a_variation(word):
    """No click says it: the first variation would be the game."""
    drive = Driver("robble", 5)
    file = b"(;FF[4]GAME[robble]SZ[5]PIE[off];B[A1];W[C3];B[E5];W[A5])"
    replay(drive.session, file, 2)
    drive(f"play w {word}")
    again = restored(drive, Form.CLICKS)
    assert again("game-history").splitlines() == ["1 black A1", f"2 white {word}"]
    assert again("game-result") == drive("game-result")
    assert "(;)" in written(drive.session, Form.CLICKS).text
    replay(drive.session, file)
    drive(f"play b {word}")
    assert "(;)" not in written(drive.session, Form.CLICKS).text, "nothing is beside it"


OF_PEOPLE = {
    "the circle of the turn": ("robble 3 .../.../... b", "B2", "CR[bb]"),
    "a cross on a block": ("pilo 3 W1../.B2./x.. b", "C1", "MA[ac]"),
    "the height of a stack": ("pilo 3 W1../.B2./x.. b", "C1", "LB[bb:2]"),
    "a mark of another": ("robble 3 .../.../... b", "B2", "CR[aa]"),
}


@pytest.mark.parametrize("name", OF_PEOPLE)
def test_a_mark_of_a_person_that_equals_one_of_the_form_stays(name):
    position, word, mark = OF_PEOPLE[name]
    head = f"(;GAME[{position.split()[0]}]SZ[3]PIE[off]POS[{position}]"
    drive = Driver()
    replay(drive.session, f"{head}{mark};B[{word}]{mark}C[here])".encode())
    again = restored(drive, Form.DISPLAY)
    text = written(again.session).text
    assert text == written(drive.session).text
    assert text.count(mark) == 2
    assert written(again.session, Form.DISPLAY).text == written(drive.session, Form.DISPLAY).text


def test_a_pass_is_a_pass():
    drive = Driver("pilo", 2)
    drive("game-set player random")
    drive("game-set seed 1")
    while drive.session.outcome is None:
        drive(f"genmove {drive.session.position.to_move}")
    drive("play b pass")
    *_, last = nodes(drive, Form.CLICKS)
    assert last.get_move() == ("b", None)
    assert state(restored(drive, Form.CLICKS)) == state(drive)


def test_records_for_others_do_not_say_game():
    """GoGui takes GAME for an old name of GM, and then finds no game of Go."""
    drive = Driver("robble", 3)
    assert "GAME[robble]" in written(drive.session).text
    for form in (Form.DISPLAY, Form.CLICKS):
        assert "GAME" not in written(drive.session, form).text
        assert "RU[robble]" in written(drive.session, form).text


def test_what_was_found_is_told_and_kept():
    drive = Driver("pilo", 4)
    for line in ("game-set seed 1", "game-set visits 30", "genmove b"):
        drive(line)
    told = drive("gomill-explain_last_move")
    found, _, guessed = told.rpartition("; ")
    chance = r"(Blue|Orange) wins [0-9]+\.[0-9]%, 3[0-3] visits,( [A-D1-4-]+)+"
    assert re.fullmatch(rf"{chance}; Orange may swap, so the most even turn is best", found)
    assert guessed.startswith("in random games")
    for form in Form:
        text = written(drive.session, form).text
        assert found in text
        assert f"WHY[{found.partition('; ')[2]}]" in text.replace("\n", " ")
        assert re.search(r"SBKV\[[0-9]+\.[0-9]{2}\]", text)
        assert restored(drive, form)("gomill-explain_last_move") == told


# As GoGui 1.6.0 writes: no game, and whatever stood in the nodes besides.
GOGUI = "(;FF[4]CA[UTF-8]AP[GoGui:1.6.0]SZ[3]\nPB[Me]RE[B+Resign]"


def loaded(game: str, text: str) -> Driver:
    drive = Driver(game, 5)
    replay(drive.session, text.encode())
    return drive


def test_what_gogui_saves_is_of_the_game_in_progress():
    clicks = ";B[ac]PL[W];W[cc]PL[B]\n;B[ac]PL[B];B[cc]PL[W])"
    assert loaded("pilo", GOGUI + clicks)("game-history").splitlines() == [
        "1 black A1",
        "2 white C1",
        "3 black A1-C1",
        "4 white resign",
    ]
    assert "A1" in loaded("robble", GOGUI + ";B[ac]PL[W])")("game-history")


def test_passes_that_wait_for_an_open_turn_are_nothing():
    """gogui-twogtp alternates colors: White passes while Black is half way through a capture."""
    record = "(;AP[gogui-twogtp:1.6.0]SZ[3];B[ac];W[cc];B[ac];W[];B[cc];W[tt])"
    with pytest.raises(CannotLoad, match="P17"):
        loaded("pilo", record)
    played = loaded("pilo", record.replace("W[tt]", ""))
    assert played("game-history").splitlines()[2:] == ["3 black A1-C1"]


@pytest.mark.parametrize("said", ["w pass", "w pass,b a3,b c1", "b a3,w pass,b c1"])
def test_the_pass_of_a_color_that_waits_is_in_no_turn_of_a_record(said):
    """It is an entry of the history without effect, wherever it stands in the turn."""
    setup = ("game-set moves clicks", "game-position implo 3 .B./BBb/ww. b open=yes")
    waited, straight = Driver(), Driver()
    for line in (*setup, *(f"play {word}" for word in said.split(","))):
        waited(line)
        if "pass" not in line:
            straight(line)
    assert state(waited) == state(straight)
    for form in (Form.PLAIN, Form.DISPLAY):
        assert state(restored(waited, form)) == state(straight)


def test_the_pass_of_a_color_that_waits_keeps_its_place_in_the_file():
    """What follows in the file stays a variation, or is played again."""
    text = "(;DT[2020-01-01]GAME[pilo]PIE[off]RE[W+R]SZ[4];B[B2];W[D2];B[B2];B[B2-D2])"
    waited, straight = loaded("pilo", text), loaded("pilo", text)
    for line in ("game-set moves clicks", "undo", "play w pass", "play b b2-d2"):
        waited(line)
        if "pass" not in line:
            straight(line)
        for form in Form:
            assert written(waited.session, form).text == written(straight.session, form).text
            assert state(restored(waited, form)) == state(straight)


def test_turns_of_clicks_are_counted_as_turns():
    drive = Driver("pilo", 3)
    text = (GOGUI + ";B[ac];W[cc];B[ac];B[cc];W[bb])").encode()
    for number, turns in ((1, 0), (3, 2), (4, 3), (5, 4), (6, 4)):
        replay(drive.session, text, number)
        assert f"turns {turns}" in drive("game-status")


def test_a_result_is_believed_of_who_could_give_up_only():
    assert "White resigned" in loaded("robble", GOGUI + ";B[aa])")("game-result")
    late = GOGUI.replace("Resign", "Time")
    assert loaded("robble", late + ";B[aa])")("game-result") == "B+T White lost on time"
    assert loaded("robble", GOGUI + ";B[aa];W[bb])")("game-result") == "none"


def test_variations_are_left_out():
    text = GOGUI + "(;B[ac](;W[cc])(;W[bb]))(;B[bb]))"
    assert loaded("robble", text)("game-history").splitlines()[1] == "2 white C1"


STRANGERS = {
    "go by another program": "(;FF[4]GM[1]AP[CGoban:3]SZ[9];B[cc])",
    "go with captures by gogui": "(;AP[GoGui:1.6.0]SZ[5];B[aa];W[ab];B[aa])",
    "setup stones by gogui": "(;AP[GoGui:1.6.0]SZ[5]AB[aa];W[ab])",
    "rules of go": "(;RU[Chinese]SZ[5]PIE[off];B[aa])",
    "clicks and nonsense": "(;RU[implo]SZ[5]PIE[off];B[aaa])",
}


@pytest.mark.parametrize("name", STRANGERS)
def test_other_files_are_refused_and_change_nothing(drive, name):
    drive("play b c4")
    before = drive.session.state
    with pytest.raises(CannotLoad):
        replay(drive.session, STRANGERS[name].encode())
    assert drive.session.state is before


def test_a_game_set_up_has_no_clicks(drive, tmp_path):
    drive("game-position implo 3 .B./BBb/ww. b open=yes")
    path = tmp_path / "game.sgf"
    message = "the game began with a position set up"
    assert drive.fails(f"game-printsgf clicks {path}") == message
    assert not path.exists()


def test_a_controller_may_describe_the_game(drive, tmp_path):
    path = tmp_path / "game.sgf"
    drive("play b c4")
    drive(rf"gomill-savesgf {path} EV=The\_big\\one\_] RE=W+R pb=me")
    root = sgf.Sgf_game.from_bytes(path.read_bytes()).get_root()
    assert root.get("EV") == r"The big\one ]"
    assert root.get("PB") == "me"
    again = Driver()
    again(f"loadsgf {path}")
    assert again("game-history") == "1 black C4"


def test_the_records_of_the_specification_are_what_we_write():
    """Each block restores the game, and is what its form gives again."""
    blocks = re.findall(r"```sgf\n(.*?)```", SPECIFICATION.read_text(), re.DOTALL)
    for block in blocks:
        drive = Driver()
        replay(drive.session, block.encode())
        for form, specified in zip(Form, blocks, strict=True):
            assert happened(specified, written(drive.session, form).text)
