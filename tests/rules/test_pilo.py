"""Pilo, sentence by sentence: the numbers are those of protocol_specs/games/pilo.md.

In the pictures B1 is a blue stack of height 1, W2 an orange one of height 2, # a block.
Finished positions mostly have blue stacks of height 1 and orange ones of height 2, so that
nobody can capture.
"""

import pytest

from gtp_engine.board.color import BLACK, WHITE, Color
from gtp_engine.board.points import lowest, named
from gtp_engine.board.vertex import Vertex
from gtp_engine.notation.clicks import next_clicks
from gtp_engine.notation.position_text import read_position, write_position
from gtp_engine.rules.game import Position
from gtp_engine.rules.pilo import GAME, PLACE_AT
from gtp_engine.rules.step import Pie, UnplayablePosition
from support.boards import after, objection, picture, position, same, set_up, steps

C3 = Vertex.parse("C3")


def pilo(text: str, to_move: str = "b", **more: str) -> Position:
    shown = position("pilo", text, to_move, **more)
    assert picture(shown) == same(text)
    return shown


def captures(position: Position) -> set[str]:
    return {token for token in steps(position) if "-" in token}


def patches(position: Position) -> dict[str, tuple[int, Color | None]]:
    """Size and owner of each patch, by its lowest square."""
    return {
        str(lowest(patch)): (patch.bit_count(), position.owner(patch))
        for patch in position.patches()
    }


def result(text: str, to_move: str = "b") -> str:
    """The result of a game that ended with two passes, so that `to_move` passed before the last."""
    outcome = pilo(text, to_move, passes="2").outcome()
    assert outcome is not None
    return str(outcome)


# Orange must pass: C1 has a higher enemy to its left, and A1 is behind that one. Blue can
# jump over its own stack: A1-C1. That gives Orange a capture, C2-C1.
PASS_BEFORE_CAPTURES = """
    #  B1 B1
    B1 B2 #
    W2 W1 W1
"""


# The game ----------------------------------------------------------------------------------


def test_p1_the_players_are_blue_and_orange():
    assert GAME.color_names == ("Blue", "Orange")


def test_p2_the_board_is_square_and_empty_at_first():
    assert picture(GAME.start(3)) == same("""
        . . .
        . . .
        . . .
    """)


def test_p2_sizes():
    assert GAME.start().size == 8
    assert GAME.recommended == (6, 10)
    assert [GAME.start(size).size for size in (2, 19)] == [2, 19]
    for size in (1, 20):
        with pytest.raises(ValueError):
            GAME.start(size)


def test_p2_a_disk_off_the_board():
    assert GAME.start(2).objection(PLACE_AT[C3]).rule == "P2"


def test_p3_disks_never_run_out():
    """As many as can have been placed: one for each of sixteen squares."""
    before = pilo("""
        B4 W4 #  #
        #  #  #  #
        #  #  #  #
        #  #  #  #
    """)
    assert picture(after(before, "A4-B4")) == same("""
        #  B5 #  #
        #  #  #  #
        #  #  #  #
        #  #  #  #
    """)


def test_p3_blocks_never_run_out():
    """Blue's last capture leaves the 360th block."""
    blocks = ("# " * 19 + "\n") * 18
    before = pilo(blocks + "# " * 17 + "B1 W1")
    assert picture(after(before, "S1-T1")) == same(blocks + "# " * 18 + "B2")


# Words -------------------------------------------------------------------------------------


def test_p4_a_stack_moves_as_a_whole():
    before = pilo("""
        B3 .  W3
        #  #  #
        #  #  #
    """)
    assert picture(after(before, "A3-C3")) == same("""
        #  .  B4
        #  #  #
        #  #  #
    """)


def test_p5_the_height_is_the_number_of_disks():
    """Each capture makes a stack one higher, which can then capture just that height."""
    before = pilo("""
        W1 W2 W3 #
        B1 .  .  .
        #  .  .  .
        #  #  .  .
    """)
    assert captures(before) == {"A3-A4"}
    two = after(before, "A3-A4", "C1")
    assert captures(two) == {"A4-B4"}
    three = after(two, "A4-B4", "D1")
    assert captures(three) == {"B4-C4"}
    assert picture(after(three, "B4-C4")) == same("""
        #  #  B4 #
        #  .  .  .
        #  .  .  .
        #  #  W1 W1
    """)


def test_p6_a_group_is_of_one_color_whatever_the_heights_and_never_diagonal():
    """Blue's two squares are one group; Orange's two touch only diagonally."""
    assert patches(
        pilo("""
            B1 B3 W2
            #  W2 #
            #  #  #
        """)
    ) == {"A3": (4, BLACK)}


def test_p7_a_patch_is_bounded_by_blocks_and_does_not_go_on_diagonally():
    assert patches(
        pilo("""
            B3 #  .
            #  W2 .
            .  #  #
        """)
    ) == {"A3": (1, BLACK), "B2": (3, WHITE), "A1": (1, None)}


def test_p8_a_patch_may_hold_several_groups_and_empty_squares():
    assert patches(
        pilo("""
            B1 .  W1
            .  #  .
            W1 .  B2
        """)
    ) == {"A1": (8, None)}


def test_p9_sizes_count_squares_and_not_disks():
    """Two orange disks on two squares against three blue ones on one."""
    assert (
        result("""
        B3 W1 W1
        #  #  #
        B1 W2 #
    """)
        == "W+3"
    )


# A turn ------------------------------------------------------------------------------------


def test_p10_blue_begins_and_turns_alternate():
    start = GAME.start(3)
    assert start.to_move is BLACK
    assert after(start, "A1").to_move is WHITE
    assert after(start, "A1", "B1").to_move is BLACK


def test_p10_a_turn_is_one_board_play():
    assert objection(GAME.start(3), "A1/B1").rule == "P10"


def test_p11_a_disk_on_an_empty_square():
    before = pilo("""
        .  #
        B1 W2
    """)
    assert steps(before) == {"A2"}
    assert picture(after(before, "A2")) == same("""
        B1 #
        B1 W2
    """)


def test_p11_the_disk_has_the_color_of_the_mover():
    before = pilo(
        """
        .  #
        B1 W2
        """,
        to_move="w",
    )
    assert picture(after(before, "A2")) == same("""
        W1 #
        B1 W2
    """)


@pytest.mark.parametrize("occupied", ["A1", "B1", "B2"])
def test_p11_not_on_a_stack_or_a_block(occupied):
    before = pilo("""
        .  #
        B1 W2
    """)
    assert objection(before, occupied).rule == "P11"


def test_p12_captures_in_four_directions_over_any_distance():
    before = pilo("""
        .  .  W1 .  .
        .  B1 .  .  .
        W1 .  B1 W1 .
        .  B1 .  .  B1
        .  .  W1 .  .
    """)
    assert captures(before) == {"C3-C5", "C3-A3", "C3-D3", "C3-C1"}
    assert picture(after(before, "C3-C5")) == same("""
        .  .  B2 .  .
        .  B1 .  .  .
        W1 .  #  W1 .
        .  B1 .  .  B1
        .  .  W1 .  .
    """)
    assert picture(after(before, "C3-A3")) == same("""
        .  .  W1 .  .
        .  B1 .  .  .
        B2 .  #  W1 .
        .  B1 .  .  B1
        .  .  W1 .  .
    """)
    assert picture(after(before, "C3-D3")) == same("""
        .  .  W1 .  .
        .  B1 .  .  .
        W1 .  #  B2 .
        .  B1 .  .  B1
        .  .  W1 .  .
    """)
    assert picture(after(before, "C3-C1")) == same("""
        .  .  W1 .  .
        .  B1 .  .  .
        W1 .  #  W1 .
        .  B1 .  .  B1
        .  .  B2 .  .
    """)


MOVES = """
    B1 .  W2
    .  W1 B1
    B1 .  #
"""


def test_p12_only_an_enemy_stack_of_the_same_height():
    assert captures(pilo(MOVES)) == {"C2-B2"}


@pytest.mark.parametrize(
    "move, reason",
    [
        ("A3-C3", "A3 has height 1, C3 has height 2"),
        ("A3-B2", "B2 is not in a straight line with A3"),
        ("A3-B3", "Orange has no stack on B3"),
        ("A3-A1", "Orange has no stack on A1"),
        ("A3-A3", "Orange has no stack on A3"),
        ("B2-C2", "Blue has no stack on B2"),
        ("A2-B2", "Blue has no stack on A2"),
    ],
)
def test_p12_other_moves_are_illegal(move, reason):
    assert objection(pilo(MOVES), move)[:2] == ("P12", reason)


OBSTACLES = """
    B1 #  W1
    B1 W2 W1
    B1 W1 W1
"""


def test_p13_blocks_and_enemy_stacks_stop_a_move():
    assert captures(pilo(OBSTACLES)) == {"A1-B1"}


@pytest.mark.parametrize(
    "move, obstacle",
    [
        ("A3-C3", "a block on B3"),
        ("A2-C2", "Orange's stack on B2"),
        ("A1-C1", "Orange's stack on B1"),
    ],
)
def test_p13_they_are_not_jumped(move, obstacle):
    assert str(objection(pilo(OBSTACLES), move)) == f"P13: {obstacle} is in the way"


def test_p13_the_nearest_obstacle_is_told():
    line = pilo("""
        W2 B1 #  W1 B2
        .  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .
        #  .  .  .  .
    """)
    assert objection(line, "E5-A5")[:2] == ("P13", "Orange's stack on D5 is in the way")
    assert objection(line, "B5-D5")[:2] == ("P13", "a block on C5 is in the way")


def test_p14_the_enemy_goes_a_disk_is_added_and_a_block_stays_behind():
    before = pilo(
        """
        .  W2 #
        .  .  #
        B1 B2 W1
        """,
        to_move="w",
    )
    assert after(before, "B3-B1") == pilo("""
        .  #  #
        .  .  #
        B1 W3 W1
    """)


def test_p15_own_stacks_of_any_height_are_jumped():
    before = pilo("""
        B1 B3 B1 .  W1
        #  #  #  .  .
        .  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .
    """)
    assert captures(before) == {"A5-E5", "C5-E5"}
    assert picture(after(before, "A5-E5")) == same("""
        #  B3 B1 .  B2
        #  #  #  .  .
        .  .  .  .  .
        .  .  .  .  .
        .  .  .  .  .
    """)


def test_p16_without_a_board_play_a_pass_is_the_only_turn():
    before = pilo(PASS_BEFORE_CAPTURES, to_move="w")
    assert steps(before) == {"pass"}
    assert objection(before, "A1").rule == "P11"
    later = after(before, "pass")
    assert picture(later) == same(PASS_BEFORE_CAPTURES)
    assert later.to_move is BLACK


def test_p17_no_pass_while_a_square_is_empty():
    before = pilo("""
        .  #
        B1 W2
    """)
    assert objection(before, "pass").rule == "P17"


def test_p17_no_pass_while_there_is_a_capture():
    before = pilo(PASS_BEFORE_CAPTURES, to_move="b")
    assert steps(before) == {"B3-B1"}
    assert objection(before, "pass").rule == "P17"


# The end -----------------------------------------------------------------------------------


def test_p18_after_a_pass_and_a_capture_the_game_goes_on():
    first = after(pilo(PASS_BEFORE_CAPTURES, to_move="w"), "pass", "B3-B1")
    assert picture(first) == same("""
        #  #  B1
        B1 B2 #
        W2 B2 W1
    """)
    assert steps(first) == {"A1-B1"}
    second = after(first, "A1-B1")
    assert picture(second) == same("""
        #  #  B1
        B1 B2 #
        #  W3 W1
    """)
    assert steps(second) == {"pass"}
    assert after(second, "pass").outcome() is None


def test_p18_two_passes_in_succession_end_the_game():
    before = pilo("""
        B2 #
        #  W2
    """)
    assert before.outcome() is None
    assert after(before, "pass").outcome() is None
    over = after(before, "pass", "pass")
    assert over.outcome() is not None
    assert steps(over) == set()
    assert objection(over, "pass").rule == "P18"


def test_p19_groups_of_equal_size_cancel():
    """Two against two; what is left is one blue group of one."""
    assert (
        result("""
        B1 B1 #
        W3 W2 #
        #  B1 #
    """)
        == "B+5"
    )


def test_p19_groups_cancel_in_pairs():
    """Two blue groups of two against one, and three orange groups of one: Blue's two is left."""
    assert (
        result("""
        B1 B1 W3 #
        W2 W2 B1 #
        #  #  B1 W2
        #  #  W2 #
    """)
        == "B+9"
    )


def test_p19_groups_in_different_patches_do_not_cancel():
    """Else Orange would own the upper patch, and nobody the lower one."""
    assert (
        result("""
        B1 B1 W3
        #  #  #
        W1 W2 #
    """)
        == "B+1"
    )


def test_p20_the_biggest_group_left_owns_the_patch():
    """Three blue squares in one group against four orange ones in two."""
    assert (
        result("""
        B2 B2 B2 W1
        W1 W3 #  W3
        #  #  #  #
        #  #  #  #
    """)
        == "B+7"
    )


def test_p21_a_patch_that_cancels_to_nothing_is_nobodys():
    """Only the one square at A1 counts."""
    assert (
        result("""
        B1 W3 #
        #  #  #
        B3 #  #
    """)
        == "B+1"
    )


def test_p22_the_higher_score_wins():
    """Three squares of Blue's against two, then two against three."""
    assert (
        result("""
        B1 B1 B1
        #  #  #
        W3 W2 #
    """)
        == "B+1"
    )
    assert (
        result("""
        B1 B1 #
        #  #  #
        W3 W2 W1
    """)
        == "W+1"
    )


def test_p23_the_score_is_the_sum_of_all_squares_of_the_owned_patches():
    """Orange: four squares, with the blue one, and one. Blue: one."""
    assert (
        result("""
        W2 W2 B1 #
        W2 #  #  B4
        #  W1 #  #
        #  #  #  #
    """)
        == "W+4"
    )


@pytest.mark.parametrize("mover, winner", [("b", "B+"), ("w", "W+")])
def test_p24_in_a_tie_the_last_board_play_loses(mover, winner):
    """The mover did not make it, and both pass now."""
    before = pilo(
        """
        B2 #
        #  W2
        """,
        to_move=mover,
    )
    assert str(after(before, "pass", "pass").outcome()) == winner


def test_p24_after_a_pass_in_mid_game():
    """One square each, which cancel: 0 to 0, and Orange made the last board play."""
    before = pilo(
        """
        #  #  #
        #  #  W3
        B2 B1 W2
        """,
        to_move="w",
    )
    over = after(before, "pass", "A1-C1", "C2-C1", "pass", "pass")
    assert str(over.outcome()) == "B+"


def test_p24_a_whole_game_that_ends_in_a_tie():
    """One square each; Orange's capture is the last board play."""
    full = after(GAME.start(2), "A1", "B1", "A2", "B2")
    assert picture(full) == same("""
        B1 W1
        B1 W1
    """)
    last_play = after(full, "A2-B2", "B1-A1")
    assert picture(last_play) == same("""
        #  B2
        W2 #
    """)
    assert str(after(last_play, "pass", "pass").outcome()) == "B+"


# The swap ----------------------------------------------------------------------------------


BLUE_ON_C1 = """
    .  .  .
    .  .  .
    .  .  B1
"""


def test_p25_swap_of_the_pieces():
    """Blue's disk becomes orange, and Blue plays."""
    before = after(GAME.start(3, Pie.PIECES), "C1")
    assert before == pilo(BLUE_ON_C1, to_move="w", pie="pieces")
    assert steps(before) == {"A1", "A2", "A3", "B1", "B2", "B3", "C2", "C3", "swap"}
    later = after(before, "swap")
    assert picture(later) == same("""
        .  .  .
        .  .  .
        .  .  W1
    """)
    assert later.to_move is BLACK


# Set-ups and clicks ------------------------------------------------------------------------


def refusal(text: str, **more: str) -> str:
    with pytest.raises(UnplayablePosition) as error:
        set_up("pilo", text, **more)
    return str(error.value)


CANNOT_HAVE_PASSED = "a player with a board play cannot have passed (P17)"


def test_set_up_after_a_pass():
    """Orange had no play, but Blue has one."""
    text = PASS_BEFORE_CAPTURES
    assert pilo(text, to_move="b", passes="1") == after(pilo(text, to_move="w"), "pass")
    assert refusal(text, to_move="w", passes="1") == CANNOT_HAVE_PASSED
    assert refusal(text, to_move="b", passes="2") == CANNOT_HAVE_PASSED
    assert refusal(text, to_move="w", passes="2") == CANNOT_HAVE_PASSED


@pytest.mark.parametrize("passes", ["1", "2"])
def test_set_up_after_a_pass_with_an_empty_square_is_refused(passes):
    assert refusal(BLUE_ON_C1, passes=passes) == CANNOT_HAVE_PASSED


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
    "text, reason",
    [
        ("B3 # # \n . . . \n . . .", "such heights need 4 filled squares, not 3"),
        ("# # # \n # # # \n # # B1", "such heights need 1 filled squares, not 9"),
        ("B2 . \n . .", "such heights need 2 filled squares, not 1"),
    ],
)
def test_set_up_of_heights_that_no_placings_explain_is_refused(text, reason):
    """A stack of height 3 took four disks, each on a square of its own, and left three blocks."""
    assert reason in refusal(text, to_move="w")
    assert captures(pilo("B3 # # #\n. . . .\n. . . .\n. . . .")) == set()
    assert set_up("pilo", "B3 # # #\n. . . .\n. . . .\n. . . .", "w")


@pytest.mark.parametrize(
    "text, to_move, reason",
    [
        ("# B2 \n . .", "b", "Orange made the last board play and has no stack (P14)"),
        (". . \n . .", "w", "the first turn is Blue's (P10)"),
        ("W1 W1 \n . .", "b", "0 and 2 disks cannot have been placed in turn"),
        ("B1 W1 \n . W1", "w", "1 and 2 disks cannot have been placed in turn"),
    ],
)
def test_set_up_against_the_order_of_turns_is_refused(text, to_move, reason):
    assert refusal(text, to_move=to_move) == reason


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
