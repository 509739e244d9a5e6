"""The swap. Games differ only in where the image of a piece lies."""

import re

import pytest
from boards import after, objection, picture, same, set_up, steps

from gtp_engine.board.color import BLACK, WHITE
from gtp_engine.board.points import bit
from gtp_engine.board.vertex import Vertex
from gtp_engine.notation.clicks import canonical_clicks
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.step import Pie, UnplayablePosition
from gtp_engine.rules.turns import legal_turns

BLACK_ON_C1 = """
    . . .
    . . .
    . . B
"""

forms = pytest.mark.parametrize("pie, swap", [("pieces", "swap"), ("sides", "swap-sides")])


@pytest.fixture
def game(any_game):
    """Also one that no header of the kernel has."""
    return any_game


def shown(game: Game, board: str) -> str:
    """A picture with the game's own words for pieces that are just placed."""
    black, white = game.look.plain
    return re.sub("[BW]", lambda found: {"B": black, "W": white}[found[0]], board)


def before_swap(game: Game, pie: str) -> Position:
    return set_up(game.name, shown(game, BLACK_ON_C1), "w", pie)


def first_turns(game: Game, size: int, pie: str) -> list[Position]:
    """The positions after each of Black's first turns."""
    turns = legal_turns(game.start(size, Pie(pie)), 1000)
    assert turns
    return [turn.position for turn in turns]


@forms
@pytest.mark.parametrize("size", [2, 3, 4])
def test_white_may_swap_after_each_first_turn_but_one_that_ends_the_game(game, pie, swap, size):
    for first in first_turns(game, size, pie):
        end = first.outcome()
        assert (swap in steps(first)) == (end is None)
        assert [str(step) for step in first.swaps()] == ([swap] if end is None else [])
        if end is not None:
            assert objection(first, swap) == end.objection(first.decisive())


def test_with_the_pieces_blacks_piece_becomes_whites(game):
    """It goes where the colors' mirror of the game has it, and Black is to move."""
    later = after(before_swap(game, "pieces"), "swap")
    there = game.color_mirror.of_points(bit(Vertex.parse("C1")), 3)
    assert later.layers() == {game.look.plain[WHITE]: there}
    assert later.to_move is BLACK


def test_with_the_sides_the_board_stays(game):
    """So does the color to move: the players exchange colors."""
    later = after(before_swap(game, "sides"), "swap-sides")
    assert picture(later) == same(shown(game, BLACK_ON_C1))
    assert later.to_move is WHITE


@pytest.mark.parametrize("size", [3, 5])
def test_both_forms_are_the_same_game(game, size):
    """After swap-sides play goes on as if there were no pie, after swap in the mirror of that."""
    plain = first_turns(game, size, "off")
    sides = [after(first, "swap-sides") for first in first_turns(game, size, "sides")]
    pieces = [after(first, "swap") for first in first_turns(game, size, "pieces")]
    assert sides == plain
    assert [each.mirrored() for each in pieces] == plain
    for each in pieces:
        assert {word[0] for word in each.layers()} <= {"W", "w"}


@forms
@pytest.mark.parametrize("swapped", [False, True])
def test_only_on_whites_first_turn(game, pie, swap, swapped, rng):
    for _ in range(10):
        at = game.start(4, Pie(pie))
        assert objection(at, swap).rule == game.citations.pie
        first = rng.choice(first_turns(game, 4, pie))
        others = [step for step in first.legal_steps() if step not in first.swaps()]
        at = after(first, swap) if swapped else first.play(rng.choice(others))
        for _ in range(5):
            if at.outcome() is not None:
                break
            assert not {"swap", "swap-sides"} & steps(at)
            assert objection(at, swap).rule == game.citations.pie
            at = at.play(rng.choice(at.legal_steps()))


@pytest.mark.parametrize(
    "pie, swap",
    [("off", "swap"), ("off", "swap-sides"), ("pieces", "swap-sides"), ("sides", "swap")],
)
def test_only_the_form_that_is_set(game, pie, swap):
    assert objection(before_swap(game, pie), swap).rule == game.citations.pie


@forms
def test_clicks_on_blacks_piece_say_it(game, pie, swap):
    for first in first_turns(game, 3, pie):
        if not first.swaps():
            continue
        clicks = canonical_clicks(first, *first.swaps())
        assert clicks
        assert all(first.occupied() >> vertex & 1 for vertex in clicks)
        assert after(first, *map(str, clicks)) == after(first, swap)


@pytest.mark.parametrize("pie", ["pieces", "sides"])
@pytest.mark.parametrize(
    "board, to_move",
    [(". . . \n . . . \n . . .", "b"), (". . . \n . B . \n . . .", "w"), (BLACK_ON_C1, "w")],
)
def test_set_ups_with_a_swap_ahead(game, pie, board, to_move):
    assert set_up(game.name, shown(game, board), to_move, pie).pie is Pie(pie)


@pytest.mark.parametrize("pie", ["pieces", "sides"])
@pytest.mark.parametrize(
    "board, to_move",
    [
        (". . . \n . . . \n . . .", "w"),
        (". . . \n . B . \n . . .", "b"),
        (". . . \n . W . \n . . .", "w"),
        (". . . \n . B W \n . . .", "b"),
        (". . . \n . B W \n . B .", "w"),
    ],
)
def test_refused_set_ups_with_a_swap_ahead(game, pie, board, to_move):
    refused = f"a swap is still possible only before {game.color_names[WHITE]}'s first turn"
    with pytest.raises(UnplayablePosition, match=refused):
        set_up(game.name, shown(game, board), to_move, pie)
