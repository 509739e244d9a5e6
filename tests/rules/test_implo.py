"""Implo, sentence by sentence: the numbers are those of protocol_specs/games/implo.md.

Where a picture is a position inside a turn (open="yes"), the color to move has placed its
stone. Markers (b, w) make good walls: they are neither empty nor stones.
"""

import pytest

from gtp_engine.board.color import BLACK, WHITE
from gtp_engine.board.points import named
from gtp_engine.board.vertex import Vertex
from gtp_engine.notation.clicks import next_clicks
from gtp_engine.notation.position_text import read_position, write_position
from gtp_engine.notation.turns import read_turn, write_turn
from gtp_engine.rules.game import Position
from gtp_engine.rules.implo import GAME, PLACE_AT, RESOLVE_AT
from gtp_engine.rules.step import Pie, UnplayablePosition
from gtp_engine.rules.turns import legal_turns
from support.boards import after, objection, picture, position, same, set_up, steps

B3, C3 = Vertex.parse("B3"), Vertex.parse("C3")


def implo(text: str, to_move: str = "b", **more: str) -> Position:
    shown = position("implo", text, to_move, **more)
    assert picture(shown) == same(text)
    return shown


def inside_turn(text: str, to_move: str = "b") -> Position:
    return implo(text, to_move, open="yes")


def result(text: str, to_move: str = "b") -> str:
    """The result of a finished game; `to_move` is the color that did not make the last move."""
    outcome = implo(text, to_move).outcome()
    assert outcome is not None
    return str(outcome)


# Black may resolve two patches in three orders, which lead to two boards: see I17 and I18.
TWO_WINGS = """
    W W W b
    . . . .
    b b b .
    b b b .
"""

# Black's C1 leaves one patch, and a choice that decides the game: see I22.
LAST_TURN = """
    b b b b
    b W b b
    w . . .
    w . . W
"""


# The game ----------------------------------------------------------------------------------


def test_i1_the_players_are_black_and_white():
    assert GAME.color_names == ("Black", "White")


def test_i2_the_board_is_square_and_empty_at_first():
    assert picture(GAME.start(3)) == same("""
        . . .
        . . .
        . . .
    """)


def test_i2_sizes():
    assert GAME.start().size == 8
    assert GAME.recommended == (6, 10)
    assert [GAME.start(size).size for size in (2, 19)] == [2, 19]
    for size in (1, 20):
        with pytest.raises(ValueError):
            GAME.start(size)


def test_i2_a_stone_off_the_board():
    assert GAME.start(2).objection(PLACE_AT[C3]).rule == "I2"


def test_i3_stones_never_run_out():
    """Black's 356th stone; the four points left are a patch, and cost that whole group."""
    before = implo("B " * 14 + ". . . . .\n" + ("B " * 19 + "\n") * 17 + "B " * 18 + "w")
    later = after(before, "P19")
    empty = (". " * 19 + "\n") * 17 + ". " * 18
    assert picture(later) == same(". " * 15 + "b b b b\n" + empty + "w")


def test_i3_markers_never_run_out():
    """Black's markers become 359, and White gets one where the stone was."""
    full = ("b " * 19 + "\n") * 17 + "b " * 18 + "w"
    later = after(implo("b " * 14 + ". . . . .\n" + full), "P19")
    assert picture(later) == same("b " * 14 + "w b b b b\n" + full)


# Words -------------------------------------------------------------------------------------


def test_i4_a_stone_diagonally_next_to_a_patch_is_not_adjacent():
    before = inside_turn("""
        B w w
        w . w
        w w B
    """)
    assert picture(after(before, "B2")) == same("""
        B w w
        w w w
        w w B
    """)


def test_i5_a_marker_is_in_no_group_of_stones():
    """With its markers the stone at A2 would be in a group of four, and B2 Black's."""
    before = inside_turn(
        """
        b b b
        B . W
        w w W
        """,
        to_move="w",
    )
    assert picture(after(before, "B2")) == same("""
        b b b
        B w b
        w w b
    """)


def test_i5_stones_of_both_colors_are_in_no_common_group():
    """The stone at A2 alone against two white ones, although it touches a white one."""
    before = inside_turn(
        """
        W b b
        B . W
        w w W
        """,
        to_move="w",
    )
    assert picture(after(before, "B2")) == same("""
        W b b
        B w b
        w w b
    """)


def test_i5_diagonal_neighbors_are_in_no_common_group():
    """A3 and B2 are two groups of one: C2 is White's. With a tie it would be Black's."""
    before = inside_turn(
        """
        B w w
        w B .
        w W W
        """,
        to_move="w",
    )
    assert picture(after(before, "C2")) == same("""
        B w w
        w b w
        w b b
    """)


def test_i5_black_and_white_markers_are_different_groups():
    """Black's groups are 3 and 1, White's 3."""
    assert (
        result("""
        b b b
        w w w
        b W W
    """)
        == "B+"
    )


def test_i6_the_size_is_that_of_one_group_not_of_all_together():
    """Two black groups of one against one white group of two: B2 is White's."""
    before = inside_turn(
        """
        b B b
        B . W
        b b W
        """,
        to_move="w",
    )
    assert picture(after(before, "B2")) == same("""
        b B b
        B w b
        b b b
    """)


def test_i7_all_connected_empty_points_are_one_territory():
    before = inside_turn("""
        . . b
        b . .
        b b b
    """)
    assert steps(before) == {"A3"}
    assert picture(after(before, "C2")) == same("""
        w w b
        b w w
        b b b
    """)


def test_i7_diagonal_empty_points_are_different_territories():
    before = inside_turn("""
        . b b
        b . b
        b b b
    """)
    assert steps(before) == {"A3", "B2"}


def test_i8_five_points_are_no_patch_but_four_are():
    before = implo("""
        W W B
        . . .
        . . .
    """)
    five = after(before, "A1")
    assert picture(five) == same("""
        W W B
        . . .
        B . .
    """)
    assert five.to_move is WHITE and not five.open
    four = after(five, "A2/A2xA1")
    assert picture(four) == same("""
        b b B
        b w w
        b w w
    """)


def test_i9_the_owner_has_the_biggest_adjacent_group():
    """Black's group of two owns B1; White's group of three touches only the next patch."""
    before = inside_turn("""
        W W W
        B b w
        B . W
    """)
    assert picture(after(before, "B1")) == same("""
        w w w
        w b w
        w b W
    """)


@pytest.mark.parametrize(
    "placer, later",
    [
        (
            "b",
            """
            b b b
            B w w
            w w w
            """,
        ),
        (
            "w",
            """
            b b b
            b b W
            w w w
            """,
        ),
    ],
)
def test_i10_a_tie_goes_to_the_opponent_of_who_placed_the_last_stone(placer, later):
    before = inside_turn(
        """
        b b b
        B . W
        w w w
        """,
        to_move=placer,
    )
    assert picture(after(before, "B2")) == same(later)


@pytest.mark.parametrize("placer, marker", [("b", "w"), ("w", "b")])
def test_i10_without_adjacent_stones_too(placer, marker):
    before = inside_turn(
        """
        b b b
        w . b
        w w w
        """,
        to_move=placer,
    )
    assert picture(after(before, "B2")) == same(f"""
        b b b
        w {marker} b
        w w w
    """)


def test_i11_markers_on_every_point_and_the_owners_biggest_group_goes():
    """Not the smaller group at B1, and not White's; its two points are White's by I10."""
    before = inside_turn("""
        B B w
        . . W
        b B b
    """)
    assert picture(after(before, "A2")) == same("""
        w w w
        b b W
        b B b
    """)


def test_i11_after_a_tie_the_group_of_the_owner_goes():
    """Two groups of one: White owns A1, and only White loses a stone."""
    before = inside_turn("""
        b b b
        B w w
        . W b
    """)
    assert picture(after(before, "A1")) == same("""
        b b b
        B w w
        w w b
    """)


TIED_FOR_WHITE = """
    W W b b
    b . W W
    b W b b
    b b b b
"""


def test_i12_the_resolver_chooses_among_the_opponents_tied_groups():
    """Black removes one of two white groups; its points come to White by I10."""
    before = inside_turn(TIED_FOR_WHITE, to_move="b")
    assert steps(before) == {"B3xA4", "B3xC3"}
    assert picture(after(before, "B3xA4")) == same("""
        w w b b
        b w W W
        b W b b
        b b b b
    """)
    assert picture(after(before, "B3xC3")) == same("""
        W W b b
        b w w w
        b W b b
        b b b b
    """)


def test_i12_the_resolver_chooses_among_own_tied_groups():
    """White removes one of its groups; its points come to Black by I10."""
    before = inside_turn(TIED_FOR_WHITE, to_move="w")
    assert steps(before) == {"B3xA4", "B3xC3"}
    assert picture(after(before, "B3xC3")) == same("""
        W W b b
        b w b b
        b W b b
        b b b b
    """)


def test_i12_any_point_names_the_patch_or_the_group():
    before = inside_turn("""
        . . W
        W b W
        W b b
    """)
    assert steps(before) == {"A3xA1", "A3xC2"}
    for word in ("A3xA2", "B3xA1", "B3xA2"):
        assert after(before, word) == after(before, "A3xA1") != after(before, "A3xC2")


def test_i12_a_choice_must_be_made():
    assert inside_turn(TIED_FOR_WHITE).objection(RESOLVE_AT[B3]).rule == "I12"


@pytest.mark.parametrize("word", ["B3xB2", "B3xA3", "B3xD1"])
def test_i11_only_a_biggest_group_can_be_removed(word):
    assert objection(inside_turn(TIED_FOR_WHITE), word).rule == "I11"


def test_i13_without_adjacent_group_none_is_removed():
    before = inside_turn("""
        W w B
        w . w
        B w W
    """)
    assert picture(after(before, "B2")) == same("""
        W w B
        w w w
        B w W
    """)


def test_i14_the_resolver_need_not_be_the_owner():
    """Black resolves two patches, both White's: by its group of three, and by I10."""
    before = implo("""
        W W W
        . . .
        . . b
    """)
    assert picture(after(before, "B1")) == same("""
        w w w
        w w w
        w B b
    """)


# A turn ------------------------------------------------------------------------------------


def test_i15_black_begins_and_turns_alternate():
    start = GAME.start(4)
    assert start.to_move is BLACK
    assert after(start, "A1").to_move is WHITE
    assert after(start, "A1", "B2").to_move is BLACK


def test_i15_a_turn_is_one_stone_and_never_a_pass():
    assert objection(GAME.start(4), "A1/B2").rule == "I15"
    assert objection(GAME.start(4), "pass").rule == "I15"


def test_i15_a_turn_goes_on_in_parts_with_the_same_color():
    middle = after(implo(TWO_WINGS), "C3")
    assert middle.to_move is BLACK and middle.open
    assert after(middle, "D1").to_move is WHITE


def test_i16_a_stone_of_the_own_color_on_any_empty_point():
    before = implo(
        """
        b W B
        w . .
        . . .
        """,
        to_move="w",
    )
    assert steps(before) == {"B2", "C2", "A1", "B1", "C1"}


def test_i16_the_stone_has_the_color_of_the_mover():
    before = implo(
        """
        . . .
        . B .
        . . .
        """,
        to_move="w",
    )
    assert picture(after(before, "C1")) == same("""
        . . .
        . B .
        . . W
    """)


@pytest.mark.parametrize("occupied", ["A3", "B3", "C3", "A2"])
def test_i16_not_on_an_occupied_point(occupied):
    before = implo("""
        b W B
        w . .
        . . .
    """)
    assert objection(before, occupied).rule == "I16"


def test_i16_a_turn_does_not_begin_with_resolving():
    assert objection(GAME.start(2), "A1xB1").rule == "I16"


def test_i17_any_single_patch_may_be_resolved():
    """The other one stays; the removal of White's group has made a new one above."""
    placed = after(implo(TWO_WINGS), "C3")
    assert picture(placed) == same("""
        W W W b
        . . B .
        b b b .
        b b b .
    """)
    assert steps(placed) == {"A3", "D1"}
    resolved = after(placed, "A3")
    assert picture(resolved) == same("""
        . . . b
        w w B .
        b b b .
        b b b .
    """)
    assert steps(resolved) == {"A4", "D1"}


def test_i17_only_a_patch_can_be_resolved():
    assert objection(after(implo(TWO_WINGS), "C3"), "C3").rule == "I17"
    assert objection(after(implo(TWO_WINGS), "C3"), "A4").rule == "I17"


def test_i17_a_territory_of_five_cannot_be_resolved():
    before = inside_turn("""
        . B . b
        b b . b
        b b . .
        . b b .
    """)
    assert steps(before) == {"A1", "A4"}
    assert objection(before, "C4").rule == "I17"


def test_i18_without_a_patch_nothing_is_resolved():
    later = after(GAME.start(4), "B2")
    assert later.to_move is WHITE and not later.open
    assert picture(later) == same("""
        . . . .
        . . . .
        . B . .
        . . . .
    """)


def test_i18_the_turn_lasts_until_no_patch_remains():
    placed = after(implo(TWO_WINGS), "C3")
    assert placed.objection(PLACE_AT[B3]).rule == "I18"
    assert objection(placed, "pass").rule == "I15"


def test_i18_the_order_of_resolving_matters():
    """Resolving A3 merges B3 with C3, where White is the owner, and the other way round."""
    before = inside_turn(
        """
        . B .
        w b W
        w b b
        """,
        to_move="w",
    )
    assert steps(before) == {"A3", "C3"}
    assert picture(after(before, "A3")) == same("""
        b w w
        w b b
        w b b
    """)
    assert picture(after(before, "C3")) == same("""
        b b b
        w b W
        w b b
    """)


def test_i18_three_orders_lead_to_two_boards():
    before = implo(TWO_WINGS)
    white_above = same("""
        w w w b
        w w w b
        b b b b
        b b b b
    """)
    black_above = same("""
        b b b b
        w w w w
        b b b w
        b b b w
    """)
    assert picture(after(before, "C3/D1")) == white_above
    assert picture(after(before, "C3/A3/D1")) == white_above
    assert picture(after(before, "C3/A3/A4")) == black_above
    boards = [
        picture(turn.position) for turn in legal_turns(before, 100) if str(turn.steps[0]) == "C3"
    ]
    assert sorted(boards) == sorted([white_above, black_above])


def test_i18_a_chain_of_new_patches():
    """B4 is Black's and costs B2-B3; these are White's and cost C2-C3-D3, and so on."""
    before = inside_turn("""
        b . b b
        b B W W
        b B W b
        b b B b
    """)
    assert picture(after(before, "B4")) == same("""
        b b b b
        b w b b
        b w b b
        b b w b
    """)


def test_i18_a_removal_may_merge_patches():
    before = inside_turn("""
        . B . b
        b b b b
        b b b b
        b b b .
    """)
    assert steps(before) == {"A4", "C4", "D1"}
    later = after(before, "A4")
    assert picture(later) == same("""
        b . . b
        b b b b
        b b b b
        b b b .
    """)
    assert steps(later) == {"B4", "D1"}


def test_i18_a_removal_may_open_a_patch_up():
    """A group of four and D4 make a territory of five: the turn is over."""
    before = inside_turn(
        """
        . B B .
        b B B b
        b b b b
        b b b w
        """,
        to_move="w",
    )
    assert steps(before) == {"A4", "D4"}
    later = after(before, "A4")
    assert picture(later) == same("""
        b . . .
        b . . b
        b b b b
        b b b w
    """)
    assert later.to_move is BLACK and not later.open


# The end -----------------------------------------------------------------------------------


def test_i19_the_game_ends_when_a_turn_leaves_no_empty_point():
    over = after(implo(LAST_TURN), "C1/B1xB3")
    assert over.outcome() is not None
    assert steps(over) == set()
    assert objection(over, "A1").rule == "I19"


def test_i19_not_while_points_are_empty():
    assert implo(LAST_TURN).outcome() is None
    assert after(GAME.start(4), "A1").outcome() is None


def test_i19_not_inside_a_turn():
    assert after(implo(LAST_TURN), "C1").outcome() is None


def test_i19_on_2x2_the_first_turn_is_the_last():
    """Three markers for Black, whose stone goes; the point left by it is White's (I10)."""
    over = after(GAME.start(2), "A2")
    assert picture(over) == same("""
        w b
        b b
    """)
    assert str(over.outcome()) == "B+"


def test_i20_the_biggest_marker_group_wins():
    """One black group of three against three white groups of two, and more white stones."""
    assert (
        result("""
        b b b W
        w w W w
        W B W w
        w w B B
    """)
        == "B+"
    )


def test_i20_the_number_of_groups_of_the_largest_size_decides():
    """Two groups of five against one; White has five single markers and more stones."""
    assert (
        result("""
        b b b b b
        w w w w w
        b b b b b
        w W w B w
        W w B w W
    """)
        == "B+"
    )


def test_i20_equally_many_groups_of_a_size_do_not_count():
    """Three against three, then one black single against none; White has more stones."""
    assert (
        result("""
        b b b
        w w w
        b W W
    """)
        == "B+"
    )


def test_i20_the_larger_of_two_unequal_sizes_decides():
    """Fours are equal; Black has a group of three more, White two of two and a single more."""
    assert (
        result("""
        b b b b W
        w w w w W
        b b b W w
        W W W w W
        w w W w B
    """)
        == "B+"
    )


def test_i21_equal_marker_groups_then_more_stones_win():
    assert (
        result("""
        b b b
        w w w
        W B W
    """)
        == "W+"
    )
    assert (
        result("""
        b b b
        w w w
        B W B
    """)
        == "B+"
    )


@pytest.mark.parametrize("next_color, winner", [("b", "B+"), ("w", "W+")])
def test_i22_with_equal_stones_too_the_last_mover_loses(next_color, winner):
    """The color that would be next did not make the last move."""
    assert (
        result(
            """
        b w
        B W
        """,
            to_move=next_color,
        )
        == winner
    )


def test_i22_or_i20_by_choice():
    """Black makes the last move, so that equal markers and stones are a loss."""
    before = implo(LAST_TURN)
    lost, won = after(before, "C1/B1xB3"), after(before, "C1/B1xD1")
    assert picture(lost) == same("""
        b b b b
        b w b b
        w w w w
        w w B W
    """)
    assert str(lost.outcome()) == "W+"
    assert picture(won) == same("""
        b b b b
        b W b b
        w w w w
        w w w b
    """)
    assert str(won.outcome()) == "B+"


# The swap ----------------------------------------------------------------------------------


BLACK_ON_C1 = """
    . . .
    . . .
    . . B
"""


def test_i23_swap_of_the_pieces():
    """Black's stone becomes White's, and Black moves."""
    before = after(GAME.start(3, Pie.PIECES), "C1")
    assert before == implo(BLACK_ON_C1, to_move="w", pie="pieces")
    assert steps(before) == {"A1", "A2", "A3", "B1", "B2", "B3", "C2", "C3", "swap"}
    later = after(before, "swap")
    assert picture(later) == same("""
        . . .
        . . .
        . . W
    """)
    assert later.to_move is BLACK


def test_i23_no_swap_when_the_first_turn_ended_the_game():
    assert objection(after(GAME.start(2, Pie.PIECES), "A1"), "swap").rule == "I19"


# Set-ups and clicks ------------------------------------------------------------------------


def refusal(text: str, **more: str) -> str:
    with pytest.raises(UnplayablePosition) as error:
        set_up("implo", text, **more)
    return str(error.value)


def test_set_up_with_an_unresolved_patch_outside_of_a_turn_is_refused():
    text = """
        b W b
        . . w
        B b b
    """
    assert refusal(text) == "the patch A2 B2 is unresolved outside of a turn (I18)"
    assert implo(text, open="yes").open


def test_set_up_of_an_open_turn_without_a_patch_is_refused():
    assert refusal(BLACK_ON_C1, open="yes") == "an open turn needs a patch to resolve (I18)"
    full = """
        b w
        B W
    """
    assert refusal(full, open="yes") == "an open turn needs a patch to resolve (I18)"


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
