"""Robble, sentence by sentence of protocol_specs/games/robble.md."""

import pytest

from gtp_engine.board.color import BLACK, WHITE
from gtp_engine.board.vertex import Vertex
from gtp_engine.notation.items import Unreadable
from gtp_engine.rules.content import Content
from gtp_engine.rules.robble import GAME, PLACE_AT
from gtp_engine.rules.step import PASS, Pie, UnplayablePosition
from support.boards import after, objection, picture, position, same, set_up, steps

# The game --------------------------------------------------------------------------------------


def test_r1_two_players():
    assert GAME.color_names == ("Black", "White")


def test_r2_the_board_is_empty_at_first():
    assert picture(GAME.start(3)) == same("""
        . . .
        . . .
        . . .
    """)


def test_r2_sizes():
    assert GAME.start().size == 7
    assert GAME.recommended == (5, 9)
    assert GAME.start(2).size == 2
    assert GAME.start(19).size == 19
    for size in (1, 20):
        with pytest.raises(ValueError):
            GAME.start(size)


def test_r2_squares_off_the_board():
    assert GAME.start(3).objection(PLACE_AT[Vertex.parse("D1")]).rule == "R2"
    assert GAME.start(3).objection(PLACE_AT[Vertex.parse("A4")]).rule == "R2"
    with pytest.raises(Unreadable):
        after(GAME.start(3), "D1")


@pytest.mark.parametrize("size", [2, 3])
def test_r2_below_4x4_the_board_is_never_full(size):
    """All boards that any sequence of turns leads to, with the history left out."""
    new = known = {GAME.start(size)}
    while new:
        played = {board.play_unchecked(step) for board in new for step in board.candidates()}
        new = {
            GAME.set_up(Content(size, board.layers(), board.to_move)) for board in played
        } - known
        known = known | new
    assert len(known) > 10
    assert all(board.empty for board in known)


def test_r3_stones_never_run_out():
    before = position(
        "robble",
        """
        B B B
        B W B
        B B .
    """,
    )
    assert steps(before) == {"C1"}


def test_r4_diagonal_and_distant_stones_are_not_adjacent():
    before = position(
        "robble",
        """
        W . B . W
        . B . W .
        B . . . W
        . W . B .
        B . W . B
    """,
    )
    assert picture(after(before, "C3")) == same("""
        W . B . W
        . B . W .
        B . B . W
        . W . B .
        B . W . B
    """)


def test_r5_a_diagonal_does_not_make_a_group():
    """White has a group of 3, Black only two of 2; diagonally Black would have one of 4."""
    full = position(
        "robble",
        """
        B W B
        W W B
        B B W
    """,
    )
    assert full.outcome().winner is WHITE


def test_r6_the_size_of_a_group_is_its_number_of_stones():
    """The square has 4 stones, the longer and wider bend 5."""
    full = position(
        "robble",
        """
        B B W
        B B W
        W W W
    """,
    )
    assert full.outcome().winner is WHITE


# A turn ----------------------------------------------------------------------------------------


def test_r7_black_first_then_by_turns():
    board = GAME.start(3)
    assert board.to_move is BLACK
    board = after(board, "A1")
    assert board.to_move is WHITE
    board = after(board, "C3")
    assert board.to_move is BLACK


def test_r7_one_stone_a_turn():
    assert objection(GAME.start(3), "A1/B2").rule == "R7"


def test_r7_no_pass():
    assert objection(GAME.start(3), "pass").rule == "R7"
    assert PASS not in GAME.start(3).legal_steps()


def test_r8_a_stone_of_the_own_color():
    assert picture(after(GAME.start(3), "B2", "C3")) == same("""
        . . W
        . B .
        . . .
    """)


def test_r8_any_empty_square_and_no_other():
    before = position(
        "robble",
        """
        W . B
        . B .
        W W .
    """,
    )
    assert steps(before) == {"A2", "B3", "C1", "C2"}
    assert objection(before, "A3").rule == "R8"
    assert objection(before, "C3").rule == "R8"


@pytest.mark.parametrize("mover, stone", ["bB", "wW"])
def test_r9_stones_move_to_the_empty_square_behind_them(mover, stone):
    """In all four directions at once, own stones too."""
    before = position(
        "robble",
        """
        . . . . .
        . . B . .
        . W . B .
        . . W . .
        . . . . .
    """,
        mover,
    )
    assert picture(after(before, "C3")) == same(f"""
        . . B . .
        . . . . .
        W . {stone} . B
        . . . . .
        . . W . .
    """)


def test_r9_a_moved_stone_does_not_push_on():
    """It stops after one square, now beside stones that stay where and what they are."""
    before = position(
        "robble",
        """
        . . . . .
        . . . . .
        . . B . .
        . . W . .
        . W . B .
    """,
    )
    assert picture(after(before, "A1")) == same("""
        . . . . .
        . . . . .
        . . B . .
        . . W . .
        B . W B .
    """)


def test_r9_a_chain_is_not_pushed():
    """Behind B1 stands a stone: B1 is flipped (R11), nothing moves."""
    before = position(
        "robble",
        """
        . . . .
        . . . .
        . . . .
        . W W .
    """,
    )
    assert picture(after(before, "A1")) == same("""
        . . . .
        . . . .
        . . . .
        B B W .
    """)


@pytest.mark.parametrize("mover, stone", ["bB", "wW"])
def test_r10_stones_at_the_edge_behind_them_are_removed(mover, stone):
    """In all four directions at once, own stones too."""
    before = position(
        "robble",
        """
        . W .
        B . W
        . B .
    """,
        mover,
    )
    assert picture(after(before, "B2")) == same(f"""
        . . .
        . {stone} .
        . . .
    """)


def test_r10_an_edge_beside_a_stone_does_not_matter():
    """B1 stands at the bottom edge, but behind it, seen from A1, is an empty square."""
    before = position(
        "robble",
        """
        . . .
        . . .
        . W .
    """,
    )
    assert picture(after(before, "A1")) == same("""
        . . .
        . . .
        B . W
    """)


@pytest.mark.parametrize(
    "first, second", [("T19", "S19"), ("T19", "T18"), ("A1", "B1"), ("A1", "A2"), ("A19", "A18")]
)
def test_r10_on_the_largest_board(first, second):
    board = after(GAME.start(19), first, second)
    assert picture(board).split().count(".") == 19 * 19 - 1
    assert board.stones[BLACK] == 0


@pytest.mark.parametrize("mover, stone", ["bB", "wW"])
def test_r11_stones_before_a_stone_change_color(mover, stone):
    """In all four directions at once, to the color they did not have; those behind stay."""
    before = position(
        "robble",
        """
        . . W . .
        . . B . .
        B W . B B
        . . W . .
        . . B . .
    """,
        mover,
    )
    assert picture(after(before, "C3")) == same(f"""
        . . W . .
        . . W . .
        B B {stone} W B
        . . B . .
        . . B . .
    """)


def test_r9_r10_r11_together():
    """B3 is pushed, A2 and B1 are removed, C2 is flipped."""
    before = position(
        "robble",
        """
        . . . .
        . B . .
        W . W B
        . B . .
    """,
    )
    assert picture(after(before, "B2")) == same("""
        . B . .
        . . . .
        . B B B
        . . . .
    """)


# The end ---------------------------------------------------------------------------------------


def test_r12_the_game_ends_when_the_board_is_full():
    before = position(
        "robble",
        """
        B B B W
        B B W W
        W B W W
        . W W W
    """,
    )
    assert before.outcome() is None
    finished = after(before, "A1")
    assert picture(finished) == same("""
        B B B W
        B B W W
        B B W W
        B B W W
    """)
    assert str(finished.outcome()) == "B+"


def test_r12_nothing_is_legal_after_the_end():
    full = position(
        "robble",
        """
        B B
        B W
    """,
    )
    assert full.legal_steps() == ()
    for word in ("A1", "swap", "pass"):
        assert objection(full, word).rule == "R12"


def test_r12_one_empty_square_is_enough_to_go_on():
    before = position(
        "robble",
        """
        B B B
        B . B
        B B B
    """,
        "w",
    )
    assert before.outcome() is None
    assert picture(after(before, "B2")) == same("""
        B . B
        . W .
        B . B
    """)


def test_r13_groups_of_equal_size_cancel():
    """3 cancels 3; White's 2 is bigger than Black's 1."""
    full = position(
        "robble",
        """
        B B W
        W B W
        W W B
    """,
    )
    assert full.outcome().winner is WHITE


@pytest.mark.parametrize("twice, once", ["BW", "WB"])
def test_r13_each_group_cancels_one_other(twice, once):
    """Two groups of 3 against one: one is left over."""
    full = position(
        "robble",
        f"""
        {twice} {twice} {twice}
        {once} {once} {once}
        {twice} {twice} {twice}
    """,
    )
    assert full.outcome().winner is (BLACK if twice == "B" else WHITE)


def test_r13_groups_of_one_color_do_not_cancel_each_other():
    """Black has two groups of 3, White three of 1."""
    full = position(
        "robble",
        """
        B B W
        B W B
        W B B
    """,
    )
    assert full.outcome().winner is BLACK


def test_r14_the_biggest_group_left_wins():
    """Black: 5 and 4, White: 5 and 2. The groups of 5 cancel."""
    full = position(
        "robble",
        """
        B B B W
        B W W W
        W B W B
        W B B B
    """,
    )
    assert full.outcome().winner is BLACK
    assert full.outcome().winner_rule == "R14"


def test_r14_many_small_groups_do_not_beat_a_big_one():
    """White has one group of 4, Black five of 1."""
    full = position(
        "robble",
        """
        B W B
        W W W
        B W B
    """,
    )
    assert full.outcome().winner is WHITE


@pytest.mark.parametrize("to_move, winner", [("b", BLACK), ("w", WHITE)])
def test_r15_when_all_cancel_the_last_mover_loses(to_move, winner):
    """Two groups of 1 each; the last stone was placed by the color that is not to move."""
    full = position(
        "robble",
        """
        B W
        W B
    """,
        to_move,
    )
    assert full.outcome().winner is winner
    assert full.outcome().winner_rule == "R15"


@pytest.mark.parametrize(
    "mover, own, other, result", [("b", "B", "W", "W+"), ("w", "W", "B", "B+")]
)
def test_r15_played_to_the_end(mover, own, other, result):
    """The last stone, at A1, makes it 8 against 8."""
    before = position(
        "robble",
        f"""
        {own} {own} {other} {other}
        {own} {own} {other} {other}
        {other} {own} {other} {other}
        . {other} {other} {other}
    """,
        mover,
    )
    finished = after(before, "A1")
    assert picture(finished) == same(f"""
        {own} {own} {other} {other}
        {own} {own} {other} {other}
        {own} {own} {other} {other}
        {own} {own} {other} {other}
    """)
    assert str(finished.outcome()) == result


# Repetition ------------------------------------------------------------------------------------


def test_r16_the_third_appearance_is_a_draw_not_the_second():
    """Each stone removes the other: B at A1 with White to move comes after turns 1, 3 and 5."""
    first = after(GAME.start(2), "A1")
    second = after(first, "B1", "A1")
    third = after(second, "B1", "A1")
    for board in (first, second, third):
        assert board.to_move is WHITE
        assert picture(board) == same("""
            . .
            B .
        """)
    assert first.outcome() is second.outcome() is after(second, "B1").outcome() is None
    assert str(third.outcome()) == "0"
    assert third.legal_steps() == ()


def test_r16_appearances_with_the_other_color_to_move_do_not_count():
    """The board below comes with Black to move after turns 6 and 12, with White after 3 and 9."""
    board, met = GAME.start(2), []
    for word in ["A2", "B2", "A1", "B1", "A1", "B2", "A2", "B2", "A1", "B1", "A1", "B2"]:
        board = after(board, word)
        assert board.outcome() is None
        if picture(board) == same("""
            . W
            B .
        """):
            met.append(board.to_move.letter)
    assert met == ["w", "b", "w", "b"]
    assert str(after(board, "A2").outcome()) == "0"


def test_r16_on_3x3():
    board = after(GAME.start(3), "A1", "B1", "A1")
    assert picture(board) == same("""
        . . .
        . . .
        B . W
    """)
    board = after(board, "B1", "A1")
    assert board.outcome() is None
    board = after(board, "B1")
    assert picture(board) == same("""
        . . .
        . . .
        . W .
    """)
    assert str(board.outcome()) == "0"
    assert objection(board, "A1").rule == "R16"


@pytest.mark.parametrize("pie, swap", [("pieces", "swap"), ("sides", "swap-sides")])
def test_r16_a_swap_is_no_appearance(pie, swap):
    """The lone stone at A1 has appeared once after the swap: it takes two more."""
    swapped = after(GAME.start(2, Pie(pie)), "A1", swap)
    second = after(swapped, "B1", "A1")
    assert second.stones == swapped.stones
    assert second.outcome() is None
    assert after(second, "B1").outcome() is None
    assert str(after(second, "B1", "A1").outcome()) == "0"


def test_r16_a_position_remembers_what_was_seen():
    """A1 alone is 1000 to the base 3, `r` to the base 32; White's B1 alone is 20, `6`."""
    board = after(GAME.start(2), "A1", "B1", "A1")
    assert board.fields() == {"seen": "wr,b6"}
    assert GAME.start(2).fields() == after(GAME.start(2), "A1").fields() == {}


@pytest.mark.parametrize("seen, result", [("wr,b6,wr,b6", "0"), ("wr,b6", "None")])
def test_r16_a_set_up_counts_what_was_seen(seen, result):
    board = position(
        "robble",
        """
        . .
        B .
    """,
        "w",
        seen=seen,
    )
    assert str(board.outcome()) == result


# Pie rule --------------------------------------------------------------------------------------


def test_r17_swap_pieces_recolors_the_stone_where_it_is():
    board = after(GAME.start(3, Pie.PIECES), "C1", "swap")
    assert picture(board) == same("""
        . . .
        . . .
        . . W
    """)
    assert board.to_move is BLACK


@pytest.mark.parametrize("pie, swap", [("pieces", "swap"), ("sides", "swap-sides")])
def test_r17_not_when_one_stone_is_left_later(pie, swap):
    """White's first stone removed Black's, and Black's second removed it: one black stone."""
    board = after(GAME.start(2, Pie(pie)), "A1", "B1", "A1")
    assert objection(board, swap).rule == "R17"


# Set-up ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "seen, reason",
    [
        ("wr,b6,wr,b6,wr", "third appearance"),
        ("x4", "seen cannot be x4"),
        ("b!", "seen cannot be b!"),
        ("b", "seen cannot be b"),
        ("b01", "seen cannot be b01"),
        ("b2h", "b2h, which is not a position"),
        ("wr,,b6", "seen cannot be wr,,b6"),
        (",".join(["b1"] * 20_001), "seen lists 20001 positions, more than 20000"),
    ],
)
def test_refused_appearances(seen, reason):
    """2h to the base 32 is 81, one more than the last board of size 2."""
    with pytest.raises(UnplayablePosition, match=reason):
        set_up("robble", ". W \n . .", "b", seen=seen)


def test_the_last_board_of_a_size_is_an_appearance():
    board = position("robble", ". W \n . .", "b", seen="b2g")
    assert board.fields() == {"seen": "b2g"}


def test_unknown_fields_are_refused():
    with pytest.raises(UnplayablePosition, match="Robble has no field passes"):
        set_up("robble", ". . \n . .", passes="1")


def test_a_position_seen_before_has_no_swap_ahead():
    with pytest.raises(UnplayablePosition, match="before White's first turn"):
        set_up("robble", ". . \n B .", "w", "pieces", seen="wr,b6")
