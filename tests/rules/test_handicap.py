"""Extra turns of Black at the start: positions that can be set up, and play that can go on."""

import pytest

from gtp_engine.rules import find_game, games
from gtp_engine.rules.notation.position_text import read_position, write_position
from gtp_engine.rules.points.color import WHITE
from gtp_engine.rules.points.points import vertices
from gtp_engine.rules.setups import extra_turns, handicapped
from gtp_engine.rules.step import Pie, UnplayablePosition
from support.boards import picture, same, set_up
from support.playing import random_game

WITH = [game.name for game in games() if game.handicap]


def test_black_has_one_piece_more_than_extra_turns():
    start = handicapped(find_game("implo"), 7, 2)
    assert (start.to_move, start.pie) == (WHITE, Pie.OFF)
    assert picture(start) == same(
        """
        . . . . . . .
        . . . . . . .
        . . . . B . .
        . . . . . . .
        . . B . B . .
        . . . . . . .
        . . . . . . .
        """
    )


@pytest.mark.parametrize(
    ("size", "points"),
    {
        5: "D4 B2 D2 B4 C3",
        6: "E5 B2 E2 B5 D4",
        7: "E5 C3 E3 C5 D4",
        8: "F6 C3 F3 C6 E5",
        12: "K10 C3 K3 C10 G7",
        13: "K10 D4 K4 D10 G7",
        19: "Q16 D4 Q4 D16 K10",
    }.items(),
)
def test_the_points_of_each_size_in_their_order(size, points):
    """As on a board of Go: two opposite corners, the other two, the middle."""
    for name in WITH:
        game = find_game(name)
        for extra in range(1, game.handicap + 1):
            expected = sorted(points.split()[: extra + 1])
            found = handicapped(game, size, extra).occupied()
            assert sorted(map(str, vertices(found))) == expected


@pytest.mark.parametrize("name", WITH)
@pytest.mark.parametrize("size", [5, 6, 8, 13, 19])
def test_every_handicap_is_a_position_that_can_be_written_and_read(name, size):
    game = find_game(name)
    for extra in range(1, game.handicap + 1):
        start = handicapped(game, size, extra)
        assert start.occupied().bit_count() == extra + 1
        assert read_position(write_position(start)) == start
        assert extra_turns(start) == extra
        assert start.outcome() is None and start.legal_steps()


@pytest.mark.parametrize("name", WITH)
def test_positions_of_a_game_with_a_handicap_can_be_set_up(name, rng):
    for _ in range(5):
        for position, _ in random_game(handicapped(find_game(name), 5, 4), rng):
            assert read_position(write_position(position)) == position
            assert extra_turns(position) in (0, 4)


@pytest.mark.parametrize(
    ("name", "size", "extra", "reason"),
    [
        ("robble", 7, 1, "Robble has no handicap"),
        ("pilo", 4, 1, "Pilo has a handicap of 1 to 4 turns, from size 5 on"),
        ("pilo", 8, 0, "handicap of 1 to 4"),
        ("pilo", 8, 5, "handicap of 1 to 4"),
        ("pilo", 20, 1, "sizes 2 to 19"),
    ],
)
def test_what_is_no_handicap(name, size, extra, reason):
    with pytest.raises(UnplayablePosition, match=reason):
        handicapped(find_game(name), size, extra)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_the_usual_start_has_no_extra_turns(game):
    assert extra_turns(game.start()) == 0
    assert extra_turns(game.start(2)) == 0


@pytest.mark.parametrize("name", WITH)
def test_black_may_be_ahead_by_the_handicap_and_not_by_more(name):
    """Whoever has placed the last piece: Black is at most one further ahead after an own turn."""
    game = find_game(name)
    columns = "ABCDEFGHJ"
    piece = {"implo": "{}", "pilo": "{}1"}[name]
    for black in range(1, 9):
        for white in range(1, 4):
            rows = [["."] * 9 for _ in columns]
            for row, (sign, count) in enumerate((("B", black), ("W", white))):
                for column in range(count):
                    rows[4 * row][column] = piece.format(sign)
            text = "\n".join(map(" ".join, rows))
            for to_move, least, most in (("w", 0, 1), ("b", -1, 0)):
                fits = least <= black - white <= most + game.handicap
                if fits:
                    set_up(name, text, to_move)
                    continue
                with pytest.raises(UnplayablePosition, match="cannot have been placed in turn"):
                    set_up(name, text, to_move)
