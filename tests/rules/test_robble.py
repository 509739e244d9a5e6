"""Robble beside its cases (robble.cases): names, sizes, and what a position remembers."""

import pytest

from gtp_engine.rules.content import Content
from gtp_engine.rules.notation.turns import Unreadable
from gtp_engine.rules.robble import GAME
from gtp_engine.rules.step import UnplayablePosition
from support.boards import after, position, set_up
from support.thorough import first_of


def test_r1_two_players():
    assert GAME.color_names == ("Black", "White")


def test_r2_sizes():
    assert GAME.start().size == 7
    assert GAME.recommended == (5, 9)
    assert GAME.start(2).size == 2
    assert GAME.start(19).size == 19
    for size in (1, 20):
        with pytest.raises(ValueError):
            GAME.start(size)


def test_r2_squares_off_the_board():
    with pytest.raises(Unreadable):
        after(GAME.start(3), "D1")


@pytest.mark.parametrize("size", first_of([2, 3]))
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


def test_r16_a_position_remembers_what_was_seen():
    """A1 alone is 1000 to the base 3, `r` to the base 32; White's B1 alone is 20, `6`."""
    board = after(GAME.start(2), "A1", "B1", "A1")
    assert board.fields() == {"seen": "wr,b6"}
    assert GAME.start(2).fields() == after(GAME.start(2), "A1").fields() == {}


@pytest.mark.parametrize(
    "seen, reason",
    [
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
