"""Boloa beside its cases (boloa.cases): names, sizes, clicks, and what all games have in common."""

from itertools import product
from random import Random

import pytest

from gtp_engine.rules.boloa import GAME, PAWN_AT
from gtp_engine.rules.notation.turns import Unreadable, canonical_clicks
from gtp_engine.rules.points.points import named
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import SWAP_PIECES, Pie, UnplayablePosition
from support.boards import after, objection, picture, position, set_up


def test_b1_two_players():
    assert GAME.color_names == ("Black", "White")


def test_b2_sizes():
    assert GAME.start().size == 9
    assert GAME.start(2).size == 2
    assert GAME.start(19).size == 19
    for size in (1, 20):
        with pytest.raises(ValueError):
            GAME.start(size)


def test_b2_points_off_the_board():
    with pytest.raises(Unreadable):
        after(GAME.start(3), "pD1")


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


def test_no_fields():
    with pytest.raises(UnplayablePosition, match="Boloa has no field seen"):
        set_up("boloa", ". . \n . .", seen="b0")


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


@pytest.mark.parametrize(
    ("text", "chain"),
    [
        (". B . B \n B B . B \n . . . B \n B . . B", "D1 D2 D3 D4"),
        ("B . . . \n B . B . \n B . B B \n B . . B", "A1 A2 A3 A4"),
        (". . . W \n W W . . \n . . . . \n W W W W", "A1 B1 C1 D1"),
        ("W W W W \n . . W . \n . . . . \n W . . W", "A4 B4 C3 C4 D4"),
    ],
)
def test_b16_the_chain_decides_and_no_other_group_at_an_edge(text, chain):
    ended = position("boloa", text)
    assert ended.outcome() is not None
    assert named(ended.decisive()) == chain
