"""The swap. Games differ only in where the image of a piece lies."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from gtp_engine.rules import games
from gtp_engine.rules.game import Game, Position, declare
from gtp_engine.rules.notation.turns import canonical_clicks, next_clicks
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.points import bit, union
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import SWAPS, Pie, UnplayablePosition
from gtp_engine.rules.turns import legal_turns
from support.boards import after, objection, picture, same, set_up, steps
from support.examples import BREAKTHROUGH, NAMES, any_game_there, examples_there
from support.thorough import first_of

BLACK_ON_C1 = """
    . . .
    . . .
    . . B
"""

forms = pytest.mark.parametrize("pie, swap", [("pieces", "swap"), ("sides", "swap-sides")])


def names_of(condition: Callable[[Game], bool]) -> list[str]:
    with examples_there():
        return [game.name for game in games() if condition(game)]


def begins_with_a_piece(game: Game) -> bool:
    """Whether Black's first turn leaves one plain piece on an empty board."""
    plain = game.look.plain[BLACK]
    return game.has_pie and all(
        first.layers().keys() == {plain} and first.layers()[plain].bit_count() == 1
        for first in first_turns(game, 3, "off")
    )


def first_turns(game: Game, size: int, pie: str) -> list[Position]:
    """The positions after each of Black's first turns."""
    turns = legal_turns(game.start(size, Pie(pie)), 1000)
    assert turns
    return [turn.position for turn in turns]


@pytest.fixture(params=names_of(lambda game: game.has_pie))
def game(request):
    """Each game with a pie rule."""
    with any_game_there(request.param) as found:
        yield found


@pytest.fixture(params=names_of(begins_with_a_piece))
def placing(request):
    """Each of those that begins on an empty board, with a piece."""
    with any_game_there(request.param) as found:
        yield found


def shown(game: Game, board: str) -> str:
    """A picture with the game's own words for pieces that are just placed."""
    black, white = game.look.plain
    return re.sub("[BW]", lambda found: {"B": black, "W": white}[found[0]], board)


def before_swap(game: Game, pie: str) -> Position:
    return set_up(game.name, shown(game, BLACK_ON_C1), "w", pie)


@forms
@pytest.mark.parametrize("size", [2, 3, 4])
def test_white_may_swap_after_each_first_turn_but_one_that_ends_the_game(game, pie, swap, size):
    for first in first_turns(game, size, pie):
        end = first.outcome()
        assert (swap in steps(first)) == (end is None)
        assert [str(step) for step in first.swaps()] == ([swap] if end is None else [])
        if end is not None:
            assert objection(first, swap) == end.objection(first.decisive())


def test_with_the_pieces_blacks_piece_becomes_whites(placing):
    """It goes where the colors' mirror of the game has it, and Black is to move."""
    later = after(before_swap(placing, "pieces"), "swap")
    there = placing.color_mirror.of_points(bit(Vertex.parse("C1")), 3)
    assert later.layers() == {placing.look.plain[WHITE]: there}
    assert later.to_move is BLACK


def test_with_the_sides_the_board_stays(placing):
    """So does the color to move: the players exchange colors."""
    later = after(before_swap(placing, "sides"), "swap-sides")
    assert picture(later) == same(shown(placing, BLACK_ON_C1))
    assert later.to_move is WHITE


@pytest.mark.parametrize("size", [3, 5])
def test_both_forms_are_the_same_game(game, size):
    """After swap-sides play goes on as if there were no pie, after swap in the mirror of that."""
    plain = first_turns(game, size, "off")
    sides = [after(first, "swap-sides") for first in first_turns(game, size, "sides")]
    pieces = [after(first, "swap") for first in first_turns(game, size, "pieces")]
    assert sides == plain
    assert [each.mirrored() for each in pieces] == plain
    for each in pieces if begins_with_a_piece(game) else ():
        assert {word[0] for word in each.layers()} <= {"W", "w"}


@forms
@pytest.mark.parametrize("swapped", first_of([True, False]))
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
    for first in first_turns(game, 3, pie):
        if first.outcome() is None:
            assert objection(first, swap).rule == game.citations.pie


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
def test_set_ups_with_a_swap_ahead(placing, pie, board, to_move):
    assert set_up(placing.name, shown(placing, board), to_move, pie).pie is Pie(pie)


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
def test_refused_set_ups_with_a_swap_ahead(placing, pie, board, to_move):
    refused = f"a swap is still possible only before {placing.color_names[WHITE]}'s first turn"
    with pytest.raises(UnplayablePosition, match=refused):
        set_up(placing.name, shown(placing, board), to_move, pie)


@pytest.fixture(params=NAMES)
def without_pie(request):
    """An example game as if it had no pie rule."""
    with any_game_there(request.param) as found:
        yield with_citation(found, "")


def with_citation(game: Game, pie: str) -> Game:
    """A game with another citation of its pie rule."""
    kind = type("Other", (game.position_type,), {"__slots__": ()})
    changed = replace(game, position_type=kind, citations=game.citations._replace(pie=pie))
    declare(changed)
    return changed


@pytest.mark.parametrize("pie", list(Pie))
def test_without_a_pie_rule_nobody_can_swap(without_pie, pie):
    """Whatever is set: no swap is legal, and the objection says why."""
    at = without_pie.start(4, pie)
    for _ in range(3):
        assert at.pie is Pie.OFF and at.swaps() == ()
        for swap in SWAPS.values():
            refusal = at.objection(swap)
            assert refusal.rule == without_pie.citations.turns
            assert refusal.text == f"{without_pie.title} has no pie rule"
        at = at.play(at.legal_steps()[0])
    content = without_pie.start(4).content._replace(pie=Pie.PIECES)
    with pytest.raises(UnplayablePosition, match="has no pie rule"):
        without_pie.set_up(content)


@forms
def test_among_many_pieces_the_one_that_black_moved_says_it(pie, swap):
    """The first turn of Breakthrough, if it had a pie rule, moves B2 to C3.

    W W W W W
    W W W W W
    . . B . .
    B . B B B
    B B B B B
    """
    with any_game_there(BREAKTHROUGH) as found:
        game = with_citation(found, "T9")
        first = after(game.start(5, Pie(pie)), "b2-c3")
        assert [str(step) for step in first.swaps()] == [swap]
        assert canonical_clicks(first, *first.swaps()) == (Vertex.parse("C3"),)
        named = [bit(Vertex.parse(name)) for name in ("C3", "A4", "B4", "C4", "D4", "E4")]
        assert next_clicks(first, ()) == union(named)
