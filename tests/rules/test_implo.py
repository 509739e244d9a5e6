"""Implo beside its cases (implo.cases): names, sizes, clicks, and how turns are written."""

import pytest

from gtp_engine.rules.game import Position
from gtp_engine.rules.implo import GAME, PLACE_AT, RESOLVE_AT
from gtp_engine.rules.notation.position_text import read_position, write_position
from gtp_engine.rules.notation.turns import next_clicks, read_turn, write_turn
from gtp_engine.rules.points.points import named
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import UnplayablePosition
from gtp_engine.rules.turns import legal_turns
from support.boards import after, picture, position, same, set_up, steps

B3 = Vertex.parse("B3")


# Black may resolve two patches in three orders, which lead to two boards.
TWO_WINGS = """
    W W W b
    . . . .
    b b b .
    b b b .
"""


# Black's C1 leaves one patch, and a choice that decides the game.
LAST_TURN = """
    b b b b
    b W b b
    w . . .
    w . . W
"""


TIED_FOR_WHITE = """
    W W b b
    b . W W
    b W b b
    b b b b
"""


BLACK_ON_C1 = """
    . . .
    . . .
    . . B
"""


def implo(text: str, to_move: str = "b", **more: str) -> Position:
    shown = position("implo", text, to_move, **more)
    assert picture(shown) == same(text)
    return shown


def inside_turn(text: str, to_move: str = "b") -> Position:
    return implo(text, to_move, open="yes")


def test_i1_the_players_are_black_and_white():
    assert GAME.color_names == ("Black", "White")


def test_i2_sizes():
    assert GAME.start().size == 8
    assert GAME.recommended == (6, 10)
    assert [GAME.start(size).size for size in (2, 19)] == [2, 19]
    for size in (1, 20):
        with pytest.raises(ValueError):
            GAME.start(size)


def test_i12_any_point_names_the_patch_or_the_group():
    before = inside_turn("""
        . . W
        W b W
        W b b
    """)
    for word in ("A3xA2", "B3xA1", "B3xA2"):
        assert after(before, word) == after(before, "A3xA1") != after(before, "A3xC2")


def test_i12_a_choice_must_be_made():
    assert inside_turn(TIED_FOR_WHITE).objection(RESOLVE_AT[B3]).rule == "I12"


def test_i18_the_turn_lasts_until_no_patch_remains():
    """As a word, B3 names the patch."""
    assert after(implo(TWO_WINGS), "C3").objection(PLACE_AT[B3]).rule == "I18"


def test_i18_three_orders_lead_to_two_boards():
    before = implo(TWO_WINGS)
    boards = [turn.position for turn in legal_turns(before, 100) if str(turn.steps[0]) == "C3"]
    assert len(boards) == 2
    assert set(boards) == {after(before, "C3/D1"), after(before, "C3/A3/A4")}
    assert after(before, "C3/A3/D1") == after(before, "C3/D1")


def refusal(text: str, **more: str) -> str:
    with pytest.raises(UnplayablePosition) as error:
        set_up("implo", text, **more)
    return str(error.value)


def test_set_up_with_an_unknown_field_is_refused():
    assert refusal(BLACK_ON_C1, open="no") == "open cannot be no"
    assert refusal(BLACK_ON_C1, passes="1") == "Implo has no field passes"


def written(position: Position, word: str) -> str:
    """How the engine writes what a word says."""
    return write_turn(position, read_turn(position, (), word).steps)


def test_a_turn_is_written_with_the_lowest_points_and_without_forced_steps():
    assert written(implo(LAST_TURN), "C1/D2xB3/B3") == "C1/B1xB3"
    assert written(implo(TWO_WINGS), "C3/B3/C4/D1") == "C3/A3/A4"
    assert written(implo(TWO_WINGS), "C3/D2/A3/A4") == "C3/D1"


def test_a_group_may_be_named_where_there_is_no_choice():
    assert written(implo(TWO_WINGS), "C3/B3xC4/A4") == "C3/A3/A4"


def test_forced_steps_may_be_left_out_or_written():
    before = implo("""
        W W W
        . . .
        . . B
    """)
    for word in ("B1", "B1/A1", "B1/C2xA3/B3"):
        assert written(before, word) == "B1"
    assert after(before, "B1/C2xA3/B3") == after(before, "B1")


def test_a_turn_in_clicks():
    """A patch by any of its points; then any point of a group, where several are tied."""
    assert after(implo(LAST_TURN), "C1", "D2", "B3") == after(implo(LAST_TURN), "C1/B1xB3")
    assert after(implo(TWO_WINGS), "C3", "B3", "C4") == after(implo(TWO_WINGS), "C3/A3/A4")
    tied = inside_turn(TIED_FOR_WHITE)
    assert after(tied, "B3", "D3") == after(tied, "B3xC3")


def test_which_points_may_be_clicked():
    placed = after(implo(TWO_WINGS), "C3")
    assert named(next_clicks(placed, ())) == "A3 B3 D1 D2 D3"
    assert named(next_clicks(inside_turn(TIED_FOR_WHITE), (B3,))) == "A4 B4 C3 D3"


def test_steps_are_listed_by_the_lowest_point_of_the_patch():
    placed = after(implo(TWO_WINGS), "C3", "A3")
    assert [str(step) for step in placed.legal_steps()] == ["A4", "D1"]


def test_position_text():
    before, text = implo(LAST_TURN), "implo 4 bbbb/bWbb/w.../w..W b pie=off"
    assert write_position(before) == text
    assert read_position(text) == before
    inside, text = after(before, "C1"), "implo 4 bbbb/bWbb/w.../w.BW b pie=off open=yes"
    assert write_position(inside) == text
    assert read_position(text) == inside
    assert steps(read_position(text)) == {"B1xB3", "B1xD1"}


@pytest.mark.parametrize(
    ("text", "reason", "decisive"),
    [
        (
            "b b w w \n W B W B \n b B b W \n B W B W",
            "a group of 1 marker against none after equal groups cancel",
            "A2 C2",
        ),
        (
            "b b W w \n W B B w \n b W w B \n B B W w",
            "a group of 1 marker against none after equal groups cancel",
            "C2 D1",
        ),
        ("b b b w \n W B B w \n B W W W \n W B W B", "a group of 3 markers against 2", "A4 B4 C4"),
    ],
)
def test_i20_the_reason_names_the_size_that_decides(text, reason, decisive):
    """Groups of a size that both have equally often cancel, also where they are bigger."""
    ended = implo(text)
    assert (ended.outcome().reason, named(ended.decisive())) == (reason, decisive)
