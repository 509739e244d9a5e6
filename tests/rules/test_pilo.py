"""Pilo beside its cases (pilo.cases): names, sizes, clicks, and what decided a game."""

import pytest

from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import read_position, write_position
from gtp_engine.rules.notation.turns import next_clicks
from gtp_engine.rules.pilo import GAME
from gtp_engine.rules.points.points import named
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import UnplayablePosition
from support.boards import after, picture, position, same, set_up

# Orange must pass: C1 has a higher enemy to its left, and A1 is behind that one.
PASS_BEFORE_CAPTURES = """
    #  B1 B1
    B1 B2 #
    W2 W1 W1
"""


MOVES = """
    B1 .  W2
    .  W1 B1
    B1 .  #
"""


BLUE_ON_C1 = """
    .  .  .
    .  .  .
    .  .  B1
"""


def pilo(text: str, to_move: str = "b", **more: str) -> Position:
    shown = position("pilo", text, to_move, **more)
    assert picture(shown) == same(text)
    return shown


def test_p1_the_players_are_blue_and_orange():
    assert GAME.color_names == ("Blue", "Orange")


def test_p2_sizes():
    assert GAME.start().size == 8
    assert GAME.recommended == (6, 10)
    assert [GAME.start(size).size for size in (2, 19)] == [2, 19]
    for size in (1, 20):
        with pytest.raises(ValueError):
            GAME.start(size)


def refusal(text: str, **more: str) -> str:
    with pytest.raises(UnplayablePosition) as error:
        set_up("pilo", text, **more)
    return str(error.value)


def test_set_up_with_an_unknown_field_is_refused():
    assert refusal(BLUE_ON_C1, passes="3") == "passes cannot be 3"
    assert refusal(BLUE_ON_C1, open="yes") == "Pilo has no field open"


@pytest.mark.parametrize("word", ["B0", "B", "B100", "X1"])
def test_set_up_of_no_such_stack_is_refused(word):
    assert read_position("pilo 2 B1./.. w").layers() == {"B1": 1 << Vertex.parse("A2")}
    with pytest.raises(ValueError):
        read_position(f"pilo 2 {word}./.. w")


def test_a_capture_in_clicks():
    before = pilo(MOVES)
    assert after(before, "C2", "B2") == after(before, "C2-B2") != after(before, "B1")


def test_which_squares_may_be_clicked():
    """Empty squares, stacks that can capture; then what such a stack can capture."""
    assert named(next_clicks(pilo(MOVES), ())) == "A2 B1 B3 C2"
    assert named(next_clicks(pilo(MOVES), (Vertex.parse("C2"),))) == "B2"


def test_position_text():
    before, text = pilo(PASS_BEFORE_CAPTURES, to_move="w"), "pilo 3 xB1B1/B1B2x/W2W1W1 w pie=off"
    assert write_position(before) == text
    assert read_position(text) == before
    passed, text = after(before, "pass"), "pilo 3 xB1B1/B1B2x/W2W1W1 b pie=off passes=1"
    assert write_position(passed) == text
    assert read_position(text) == passed


@pytest.mark.parametrize(
    "text, expected",
    [
        ("pilo 3 xW1B2/B3xx/W1xB1 b passes=2", "C1"),
        ("pilo 3 W1W1x/W2xB2/xB1B2 w passes=2", ""),
    ],
)
def test_what_decided_a_game_is_the_winners_patches(text, expected):
    """P19 to P23; nothing on the board decides a tie (P24)."""
    assert named(read_position(text).decisive()) == expected


@pytest.mark.parametrize(
    ("to_move", "passes", "fits"),
    [("w", "0", True), ("b", "1", True), ("w", "2", True)]
    + [("b", "0", False), ("w", "1", False), ("b", "2", False)],
)
def test_set_up_after_passes_the_last_board_play_has_left_a_stack(to_move, passes, fits):
    """Only Blue has stacks, so Blue made the last board play; then Orange passed, then Blue."""
    text, fields = "B2 # \n # B2", {} if passes == "0" else {"passes": passes}
    if fits:
        assert set_up("pilo", text, to_move=to_move, **fields).to_move.letter == to_move
        return
    with pytest.raises(UnplayablePosition, match="made the last board play and has no stack"):
        set_up("pilo", text, to_move=to_move, **fields)
