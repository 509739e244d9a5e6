"""Boloa, sentence by sentence of protocol_specs/games/boloa.md."""

from itertools import product
from random import Random

import pytest

from gtp_engine.board.color import BLACK, WHITE
from gtp_engine.board.vertex import Vertex
from gtp_engine.notation.clicks import canonical_clicks
from gtp_engine.notation.items import Unreadable
from gtp_engine.rules.boloa import GAME, PAWN_AT, STONE_AT
from gtp_engine.rules.step import PASS, SWAP_PIECES, Pie, UnplayablePosition
from support.boards import after, objection, picture, position, same, set_up, steps

# The game --------------------------------------------------------------------------------------


def test_b1_two_players():
    assert GAME.color_names == ("Black", "White")


def test_b2_the_board_is_empty_at_first():
    assert picture(GAME.start(3)) == same("""
        . . .
        . . .
        . . .
    """)


def test_b2_sizes():
    assert GAME.start().size == 9
    assert GAME.start(2).size == 2
    assert GAME.start(19).size == 19
    for size in (1, 20):
        with pytest.raises(ValueError):
            GAME.start(size)


def test_b2_points_off_the_board():
    assert GAME.start(3).objection(STONE_AT[Vertex.parse("D1")]).rule == "B2"
    assert GAME.start(3).objection(PAWN_AT[Vertex.parse("A4")]).rule == "B2"
    with pytest.raises(Unreadable):
        after(GAME.start(3), "pD1")


def test_b3_bottom_and_top_are_black():
    down = position(
        "boloa",
        """
        . B .
        . B .
        . B .
    """,
        "w",
    )
    across = position(
        "boloa",
        """
        . . .
        B B B
        . . .
    """,
        "w",
    )
    assert down.outcome().winner is BLACK
    assert across.outcome() is None


def test_b3_left_and_right_are_white():
    across = position(
        "boloa",
        """
        . . .
        W W W
        . . .
    """,
    )
    down = position(
        "boloa",
        """
        . W .
        . W .
        . W .
    """,
    )
    assert across.outcome().winner is WHITE
    assert down.outcome() is None


def test_b3_a_corner_belongs_to_both_colors():
    """These chains touch bottom and top, or left and right, at corners only."""
    down = position(
        "boloa",
        """
        B . .
        B . .
        B . .
    """,
        "w",
    )
    across = position(
        "boloa",
        """
        . . .
        . . .
        W W W
    """,
    )
    assert down.outcome().winner is BLACK
    assert across.outcome().winner is WHITE


def test_b4_pieces_never_run_out():
    before = position(
        "boloa",
        """
        b b b
        b . b
        b b b
    """,
    )
    assert {"pB2", "sB2"} <= steps(before)


# Parties ---------------------------------------------------------------------------------------


def test_b5_pawns_side_by_side_are_one_party():
    """A1 breathes through B1, which has an empty neighbor."""
    before = position(
        "boloa",
        """
        . . .
        . . .
        b b .
    """,
        "w",
    )
    assert picture(after(before, "sA2")) == same("""
        . . .
        W . .
        b b .
    """)


def test_b5_a_party_goes_on_from_pawn_to_pawn():
    """Only C1 breathes, two steps from A1."""
    before = position(
        "boloa",
        """
        . . . .
        . . . .
        . B B B
        b b b .
    """,
        "w",
    )
    assert picture(after(before, "sA2")) == same("""
        . . . .
        . . . .
        W B B B
        b b b .
    """)


def test_b5_pawns_on_a_diagonal_are_two_parties():
    """B2 breathes, A1 does not."""
    before = position(
        "boloa",
        """
        . . .
        W b .
        . B .
    """,
    )
    assert picture(after(before, "pA1")) == same("""
        . . .
        W b .
        B B .
    """)


def test_b6_a_party_may_hold_both_colors():
    """The black pawn at A1 breathes through a white one."""
    before = position(
        "boloa",
        """
        . . .
        W . .
        . w .
    """,
    )
    assert picture(after(before, "pA1")) == same("""
        . . .
        W . .
        b w .
    """)


def test_b7_an_empty_point_on_a_diagonal_does_not_help():
    before = position(
        "boloa",
        """
        . . .
        . . .
        b B .
    """,
        "w",
    )
    assert picture(after(before, "sA2")) == same("""
        . . .
        W . .
        B B .
    """)


@pytest.mark.parametrize(
    "last, mover, before",
    [
        ("B3", "w", ". . . \n B b B \n . W ."),
        ("A2", "b", ". W . \n . b B \n . W ."),
        ("C2", "b", ". W . \n B b . \n . W ."),
        ("B1", "w", ". W . \n B b B \n . . ."),
    ],
)
def test_b7_one_empty_neighbor_in_any_direction_is_enough(last, mover, before):
    """The set-up is accepted: B2 is not smothered before its last neighbor is filled."""
    board = position("boloa", before, mover)
    assert picture(after(board, f"s{last}")) == same("""
        . W .
        B B B
        . W .
    """)


# A turn ----------------------------------------------------------------------------------------


def test_b8_black_first_then_by_turns():
    board = GAME.start(3)
    assert board.to_move is BLACK
    board = after(board, "pA1")
    assert board.to_move is WHITE
    board = after(board, "sB2")
    assert board.to_move is BLACK


@pytest.mark.parametrize("word", ["pA1/pC3", "pA1/sC3", "sA1/pC3", "sA1/sC3"])
def test_b8_one_action_a_turn(word):
    assert objection(GAME.start(3), word).rule == "B8"


def test_b8_no_pass():
    assert objection(GAME.start(3), "pass").rule == "B8"
    assert PASS not in GAME.start(3).legal_steps()


def test_b8_every_empty_point_takes_a_pawn_or_a_stone():
    assert steps(GAME.start(2)) == {"pA1", "pA2", "pB1", "pB2", "sA1", "sA2", "sB1", "sB2"}


def test_b9_a_pawn_of_the_own_color():
    board = after(GAME.start(3), "pB2", "pC3")
    assert picture(board) == same("""
        . . w
        . b .
        . . .
    """)


@pytest.mark.parametrize("point", ["A1", "B1", "A3", "B3"])
def test_b9_no_pawn_on_a_piece(point):
    before = position(
        "boloa",
        """
        B W .
        . . .
        b w .
    """,
    )
    assert objection(before, f"p{point}").rule == "B9"


def test_b10_a_stone_of_the_own_color():
    board = after(GAME.start(3), "sB2", "sC3")
    assert picture(board) == same("""
        . . W
        . B .
        . . .
    """)


@pytest.mark.parametrize("point", ["A3", "B3"])
def test_b10_no_stone_on_a_stone(point):
    before = position(
        "boloa",
        """
        B W .
        . . .
        . . .
    """,
    )
    assert objection(before, f"s{point}").rule == "B10"
    assert objection(before, f"s{point}-{point[0]}2").rule == "B10"


@pytest.mark.parametrize(
    "mover, pawn, other", list(product("bw", "bw", ".bw")), ids=lambda letter: letter
)
def test_b11_b12_a_displaced_pawn_goes_to_an_empty_point_or_replaces_a_pawn(mover, pawn, other):
    """Either player displaces a pawn of either color, onto an empty point or any pawn."""
    before = position(
        "boloa",
        f"""
        B . . W
        . . . .
        . {pawn} {other} .
        . . . .
    """,
        mover,
    )
    assert "sB2-C2" in steps(before)
    assert picture(after(before, "sB2-C2")) == same(f"""
        B . . W
        . . . .
        . {mover.upper()} {pawn} .
        . . . .
    """)


@pytest.mark.parametrize(
    "goal, rows",
    [
        ("A2", (". . .", "b W .", ". . .")),
        ("B3", (". b .", ". W .", ". . .")),
        ("C2", (". . .", ". W b", ". . .")),
        ("B1", (". . .", ". W .", ". b .")),
    ],
)
def test_b11_the_pawn_goes_in_any_of_four_directions(goal, rows):
    before = position(
        "boloa",
        """
        . . .
        . b .
        . . .
    """,
        "w",
    )
    assert picture(after(before, f"sB2-{goal}")) == "\n".join(rows)


def test_b11_from_a_corner_two_points_can_be_reached():
    before = position(
        "boloa",
        """
        B . .
        . . .
        . . b
    """,
    )
    displacements = {step for step in steps(before) if "-" in step}
    assert displacements == {"sC1-B1", "sC1-C2"}


def test_b11_the_pawn_must_go_somewhere():
    before = position(
        "boloa",
        """
        . . .
        . w .
        . . .
    """,
    )
    assert objection(before, "sB2").rule == "B11"
    assert objection(before, "sB2-B2").rule == "B11"


@pytest.mark.parametrize("goal", ["A1", "A3", "C1", "C3", "D2"])
def test_b11_not_diagonally_and_not_far(goal):
    before = position(
        "boloa",
        """
        . . . .
        . . . .
        . w . .
        . . . .
    """,
    )
    assert objection(before, f"sB2-{goal}").rule == "B11"


def test_b11_not_onto_a_stone():
    before = position(
        "boloa",
        """
        . W .
        B b .
        . . .
    """,
        "w",
    )
    assert objection(before, "sB2-A2").rule == "B11"
    assert objection(before, "sB2-B3").rule == "B11"
    assert {step for step in steps(before) if "-" in step} == {"sB2-B1", "sB2-C2"}


def test_b11_without_a_pawn_nothing_moves():
    assert objection(GAME.start(3), "sA1-A2").rule == "B11"


def test_b12_only_the_pawn_at_the_goal_is_removed():
    before = position(
        "boloa",
        """
        . b .
        w b w
        . w .
    """,
    )
    assert picture(after(before, "sB2-C2")) == same("""
        . b .
        w B b
        . w .
    """)


# Smothering ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mover", "bw")
@pytest.mark.parametrize("many, few", ["bw", "wb"])
def test_b13_the_majority_gets_the_stones(mover, many, few):
    """Whoever moves, and whichever color has more."""
    before = position(
        "boloa",
        f"""
        . . . .
        . . . .
        W W . B
        {many} {few} {many} B
    """,
        mover,
    )
    stone = many.upper()
    assert picture(after(before, "sC2")) == same(f"""
        . . . .
        . . . .
        W W {mover.upper()} B
        {stone} {stone} {stone} B
    """)


@pytest.mark.parametrize("pawn", "bw")
def test_b13_a_lone_pawn_keeps_its_color(pawn):
    before = position(
        "boloa",
        f"""
        . . .
        B . .
        {pawn} . .
    """,
        "w",
    )
    assert picture(after(before, "sB1")) == same(f"""
        . . .
        B . .
        {pawn.upper()} W .
    """)


def test_b13_several_parties_at_once_each_by_its_own_majority():
    before = position(
        "boloa",
        """
        . . . . .
        . . . . .
        . . . . .
        B B . W W
        B b . w W
    """,
    )
    assert picture(after(before, "sC1")) == same("""
        . . . . .
        . . . . .
        . . . . .
        B B . W W
        B B B W W
    """)


def test_b13_a_party_that_breathes_stays_while_another_is_smothered():
    before = position(
        "boloa",
        """
        . . . .
        . . . .
        W . b .
        b . B .
    """,
    )
    assert picture(after(before, "sB1")) == same("""
        . . . .
        . . . .
        W . b .
        B B B .
    """)


def test_b13_pawns_are_counted_after_the_displacement():
    """Two white pawns against one, but one of the two is removed: a tie, Black's stones."""
    before = position(
        "boloa",
        """
        . . . .
        . . . .
        . B B B
        b w w B
    """,
        "w",
    )
    assert picture(after(before, "sA1-B1")) == same("""
        . . . .
        . . . .
        . B B B
        W B B B
    """)


def test_b13_a_displaced_pawn_is_smothered_where_it_goes():
    before = position(
        "boloa",
        """
        . . .
        W . .
        . w .
    """,
    )
    assert picture(after(before, "sB1-A1")) == same("""
        . . .
        W . .
        W B .
    """)


def test_b9_a_pawn_may_be_smothered_as_it_is_placed():
    before = position(
        "boloa",
        """
        . . .
        W . .
        . B .
    """,
    )
    assert picture(after(before, "pA1")) == same("""
        . . .
        W . .
        B B .
    """)


def test_b14_a_pawn_may_become_a_stone_of_the_opponent_as_it_is_placed():
    before = position(
        "boloa",
        """
        . . . .
        . . . .
        W W . .
        w . B .
    """,
    )
    assert picture(after(before, "pB1")) == same("""
        . . . .
        . . . .
        W W . .
        W W B .
    """)


@pytest.mark.parametrize("mover, stone", ["bW", "wB"])
def test_b14_a_tie_gives_stones_to_the_opponent(mover, stone):
    before = position(
        "boloa",
        """
        . . . .
        . . . .
        W . W .
        b w W .
    """,
        mover,
    )
    assert picture(after(before, "sB2")) == same(f"""
        . . . .
        . . . .
        W {mover.upper()} W .
        {stone} {stone} W .
    """)


@pytest.mark.parametrize("mover, opponent", ["bw", "wb"])
def test_b14_a_tie_in_a_party_without_the_point_just_played(mover, opponent):
    """The displaced pawn closes the party of the other one."""
    stone = opponent.upper()
    before = position(
        "boloa",
        f"""
        . . . . .
        . . . . .
        . . . . .
        . . . {stone} {stone}
        . . {mover} . {opponent}
    """,
        mover,
    )
    assert picture(after(before, "sC1-D1")) == same(f"""
        . . . . .
        . . . . .
        . . . . .
        . . . {stone} {stone}
        . . {mover.upper()} {stone} {stone}
    """)


def test_b14_two_ties_at_once():
    """White fills the last empty neighbor of both parties."""
    before = position(
        "boloa",
        """
        . . . . .
        . . . . .
        B B . B B
        B w . w B
        W b B b W
    """,
        "w",
    )
    assert picture(after(before, "sC2")) == same("""
        . . . . .
        . . . . .
        B B . B B
        B B W B B
        W B B B W
    """)


# Diagonals -------------------------------------------------------------------------------------


def test_b15_no_two_stones_on_a_diagonal_alone():
    before = position(
        "boloa",
        """
        W . .
        . B .
        . . .
    """,
    )
    assert steps(before) == {
        "sA2", "sB1", "sB3", "sC2",
        "pA1", "pA2", "pB1", "pB3", "pC1", "pC2", "pC3",
    }  # fmt: skip


@pytest.mark.parametrize("corner", ["A1", "A3", "C1", "C3"])
def test_b15_in_each_orientation(corner):
    before = position(
        "boloa",
        """
        . . .
        . B W
        . . .
    """,
    )
    assert objection(before, f"s{corner}").rule == "B15"


@pytest.mark.parametrize(
    "before, broken",
    [
        (". . . \n B B . \n . . .", {"C1", "C3"}),
        (". . . \n . B B \n . . .", {"A1", "A3"}),
        (". B . \n . B . \n . . .", {"A1", "C1"}),
        (". . . \n . B . \n . B .", {"A3", "C3"}),
    ],
)
def test_b15_a_third_stone_beside_both_makes_it_legal(before, broken):
    board = position("boloa", before)
    for corner in {"A1", "A3", "C1", "C3"} - broken:
        assert f"s{corner}" in steps(board)
    for corner in broken:
        assert objection(board, f"s{corner}").rule == "B15"


def test_b15_neither_a_pawn_nor_an_enemy_stone_helps():
    before = position(
        "boloa",
        """
        . . .
        W B .
        . b .
    """,
    )
    assert objection(before, "sA1").rule == "B15"


def test_b15_stones_of_different_colors_may_be_on_a_diagonal():
    before = position(
        "boloa",
        """
        . . .
        . B .
        . . .
    """,
        "w",
    )
    assert {"sA1", "sA3", "sC1", "sC3"} <= steps(before)


def test_b15_goes_for_displacing_stones_too():
    before = position(
        "boloa",
        """
        . . .
        . B .
        b . .
    """,
    )
    assert objection(before, "sA1-A2").rule == "B15"
    assert objection(before, "sA1-B1").rule == "B15"


def test_b15_smothering_repairs_a_diagonal():
    """A2 and B1 would be alone; the smothered pawn at A1 becomes the stone beside both."""
    before = position(
        "boloa",
        """
        . . .
        B . .
        b . .
    """,
    )
    assert picture(after(before, "sB1")) == same("""
        . . .
        B . .
        B B .
    """)


def test_b15_smothering_in_the_other_color_repairs_nothing():
    before = position(
        "boloa",
        """
        . . .
        B . .
        w . .
    """,
    )
    assert objection(before, "sB1").rule == "B15"


def test_b15_a_tie_repairs_nothing_for_the_mover():
    """The pawn between B2 and C1 becomes White's on a tie, Black's by majority."""
    tie = position(
        "boloa",
        """
        . . . .
        . . . .
        W B . .
        w b . .
    """,
    )
    majority = position(
        "boloa",
        """
        . . . .
        . . . .
        W B . .
        b b . .
    """,
    )
    assert objection(tie, "sC1").rule == "B15"
    assert picture(after(majority, "sC1")) == same("""
        . . . .
        . . . .
        W B . .
        B B B .
    """)


def broken_pairs(board):
    """Diagonal pairs of one color without a third stone, found on the picture itself."""
    rows = [line.split() for line in picture(board).splitlines()]
    return [
        (row, column, step)
        for row, column, step in product(range(len(rows) - 1), range(len(rows)), (-1, 1))
        if 0 <= column + step < len(rows)
        and (stone := rows[row][column]) in "BW"
        and rows[row + 1][column + step] == stone
        and stone not in (rows[row][column + step], rows[row + 1][column])
    ]


def test_b15_neither_color_ever_has_a_broken_pair():
    """So a pawn, which is never refused, never breaks a diagonal."""
    random = Random(15)
    for _ in range(60):
        board = GAME.start(4)
        while board.outcome() is None:
            board = board.play(random.choice(board.legal_steps()))
            assert not broken_pairs(board)


# The end ---------------------------------------------------------------------------------------


def test_b16_a_chain_wins():
    before = position(
        "boloa",
        """
        . . . B .
        . B B B .
        . . . . .
        . B . . .
        . B . . .
    """,
    )
    assert before.outcome() is None
    assert str(after(before, "sB3").outcome()) == "B+"


def test_b16_white_connects_left_and_right():
    before = position(
        "boloa",
        """
        . . .
        W W .
        . . .
    """,
        "w",
    )
    assert str(after(before, "sC2").outcome()) == "W+"


def test_b16_pawns_are_no_part_of_a_chain():
    before = position(
        "boloa",
        """
        . B .
        . b .
        . B .
    """,
    )
    assert before.outcome() is None
    assert after(before, "sB2-A2").outcome().winner is BLACK


def test_b16_it_takes_one_chain_not_two():
    before = position(
        "boloa",
        """
        . B . .
        . B . .
        . . . .
        . . . B
    """,
    )
    assert before.outcome() is None


def test_b16_smothered_pawns_complete_a_chain():
    before = position(
        "boloa",
        """
        b b b
        b . b
        b b b
    """,
    )
    assert after(before, "pB2").outcome().winner is BLACK


@pytest.mark.parametrize("pawns", ["w w", "b w", "w b"])
def test_b16_the_turn_of_the_opponent_completes_a_chain(pawns):
    """Black moves; the pawns at A1 and B1 turn white by majority or by the tie."""
    before = position(
        "boloa",
        f"""
        . . .
        W . W
        {pawns} W
    """,
    )
    finished = after(before, "sB2")
    assert picture(finished) == same("""
        . . .
        W B W
        W W W
    """)
    assert finished.outcome().winner is WHITE


def test_b16_nothing_is_legal_after_the_end():
    finished = position(
        "boloa",
        """
        . B .
        . B .
        . B .
    """,
        "w",
    )
    assert finished.legal_steps() == ()
    for word in ("pA1", "sA1", "swap", "pass"):
        assert objection(finished, word).rule == "B16"


def test_b16_no_player_is_ever_stuck_and_no_game_is_drawn():
    """All games of size 2: each ends with a winner after 3 to 6 turns."""
    turn, boards, lengths = 0, {GAME.start(2)}, set()
    while boards:
        turn += 1
        boards = {board.play(step) for board in boards for step in board.legal_steps()}
        finished = {board for board in boards if board.outcome()}
        assert all(board.outcome().winner is not None for board in finished)
        boards -= finished
        assert all(board.legal_steps() for board in boards)
        if finished:
            lengths.add(turn)
    assert lengths == {3, 4, 5, 6}


# Pie rule --------------------------------------------------------------------------------------


@pytest.mark.parametrize("piece, swapped", [("p", "w"), ("s", "W")])
def test_b17_swap_pieces_recolors_and_reflects(piece, swapped):
    """C1 goes to A3, on the other side of the diagonal through A1; Black is to move."""
    board = after(GAME.start(3, Pie.PIECES), f"{piece}C1", "swap")
    assert picture(board) == same(f"""
        {swapped} . .
        . . .
        . . .
    """)
    assert board.to_move is BLACK


def test_b17_swap_pieces_keeps_the_distance_to_the_own_edges():
    """Next to Black's bottom edge becomes next to White's left edge."""
    board = after(GAME.start(4, Pie.PIECES), "sB1", "swap")
    assert picture(board) == same("""
        . . . .
        . . . .
        W . . .
        . . . .
    """)


# Set-up ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("to_move", "bw")
@pytest.mark.parametrize(
    "board, reason",
    [
        (". . . \n B . . \n b B .", "A1 is smothered"),
        (". . . \n B B . \n b w B", "A1 B1 is smothered"),
        ("b b b \n b b b \n b b b", "is smothered"),
        (". . . \n . B . \n B . .", "no stone adjacent to both"),
        (". . . \n . B . \n . . B", "no stone adjacent to both"),
        (". . . \n W B . \n . W .", "no stone adjacent to both"),
    ],
)
def test_refused_set_ups(board, reason, to_move):
    """Whoever is to move and whoever's stones they are."""
    with pytest.raises(UnplayablePosition, match=reason):
        set_up("boloa", board, to_move)


def test_no_fields():
    with pytest.raises(UnplayablePosition, match="Boloa has no field seen"):
        set_up("boloa", ". . \n . .", seen="b0")


# Clicks ----------------------------------------------------------------------------------------


def test_clicks():
    """A pawn is any neighbor, a stone the same point again or diagonal, a displacement the goal."""
    before = position(
        "boloa",
        """
        . . .
        . w .
        . . .
    """,
    )
    assert after(before, "C1", "C1") == after(before, "C1", "B2") == after(before, "sC1")
    assert after(before, "C2", "B2") == after(before, "C2", "C3") == after(before, "pC2")
    assert after(before, "B2", "C2") == after(before, "sB2-C2")


@pytest.mark.parametrize("piece", ["pB2", "sB2"])
def test_a_swap_is_two_clicks_on_the_piece(piece):
    board = after(GAME.start(3, Pie.PIECES), piece)
    assert canonical_clicks(board, SWAP_PIECES) == (Vertex.parse("B2"),) * 2
    assert after(board, "B2", "B2") == after(board, "swap")
    assert after(board, "B2", "C3") == after(board, "B2", "A3") == after(board, "swap")


def test_where_only_a_pawn_is_legal_its_point_twice_is_the_pawn():
    before = position(
        "boloa",
        """
        . . .
        . B .
        . . .
    """,
    )
    pawn = after(before, "pA1")
    assert [after(before, "A1", again) for again in ("A1", "A2", "B1")] == [pawn] * 3
    assert objection(before, "A1/B2").rule == "B15"
    pawn_clicks = canonical_clicks(before, PAWN_AT[Vertex.parse("A1")])
    assert pawn_clicks == (Vertex.parse("A1"), Vertex.parse("A2"))
