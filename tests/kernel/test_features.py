"""The inputs of learned evaluations: what a net sees of a position."""

import random
from dataclasses import replace
from itertools import product

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.pilo import CAPTURE, Stacks, height_at, with_stack, without_stack
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import bit, point_set, union, vertices
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Pie
from support.boards import picture, position
from support.mirror import numbers
from support.playing import random_game
from support.thorough import first_of


def planes(module, at: Position) -> list[list[str]]:
    """The inputs of all points as boards, from the top row; those not 0 or 1 as `+`."""
    points, _, _ = module.Position(write_position(at)).features()
    inputs = module.shape(at.game.name)[0]
    by_place = [numbers(points)[i::inputs] for i in range(inputs)]

    def cell(value: float) -> str:
        return {0.0: ".", 1.0: "1"}.get(value, "+")

    def row(plane: list[float], number: int) -> str:
        return "".join(cell(plane[column * at.size + number]) for column in range(at.size))

    return [[row(plane, number) for number in reversed(range(at.size))] for plane in by_place]


def points_of(plane: list[str]) -> int:
    """The points of the ones of a board."""
    size = len(plane)
    return sum(
        bit(Vertex.at(column, row))
        for column, row in product(range(size), repeat=2)
        if plane[size - 1 - row][column] == "1"
    )


def globals_of(module, at: Position) -> list[float]:
    return numbers(module.Position(write_position(at)).features()[1])


def effects(at: Position) -> list[int]:
    """Of stones of the color to move, by the rules in Python: where they make a patch of that
    color, where one of the opponent, and the groups that these patches remove.
    """
    own = other = removed = 0
    for step in at.legal_steps():
        after = at.play_unchecked(step)
        for patch in after.patches:
            if after.owner(patch) is at.to_move:
                own |= bit(step.vertices[0])
            else:
                other |= bit(step.vertices[0])
            removed |= union(after.removable(patch))
    return [own, other, removed]


def threats(at: Position, color: Color) -> list[int]:
    """Of a color in Pilo, by the rules in Python: the stacks that it can capture, its stacks that
    can capture, its stacks that another one would recapture, the empty squares where it could
    capture a new disk of the opponent, and those from which a new disk of its own could capture.
    """

    def captures(stacks: tuple[Stacks, Stacks]) -> tuple[int, int]:
        """The squares from which and to which that color can capture."""
        steps = replace(at, to_move=color, stacks=stacks).legal_steps()
        jumps = [step.vertices for step in steps if step.kind is CAPTURE]
        return point_set(start for start, _ in jumps), point_set(goal for _, goal in jumps)

    starts, goals = captures(at.stacks)
    guarded = covered = aiming = 0
    for square in points_in(at.squares_of(color)):
        height = height_at(at.stacks[color], square)
        gone = without_stack(at.stacks, color, height, square)
        guarded |= square & captures(with_stack(gone, color.opponent, height + 1, square))[1]
    for square in points_in(at.empty):
        covered |= square & captures(with_stack(at.stacks, color.opponent, 1, square))[1]
        aiming |= square & captures(with_stack(at.stacks, color, 1, square))[0]
    return [goals, starts, guarded, covered, aiming]


def points_in(points: int) -> list[int]:
    """The points of a set, each as a set."""
    return [bit(vertex) for vertex in vertices(points)]


def test_pieces_are_own_or_other(module):
    seen = planes(module, position("implo", "W B .\n b . .\n w . .", to_move="w"))
    there, own, other, both, own_markers, other_markers, own_groups, other_groups = seen[:8]
    assert there == ["111", "111", "111"]
    assert own == ["1..", "...", "1.."]
    assert other == [".1.", "1..", "..."]
    assert both == ["...", "...", "..."]
    assert own_markers == ["...", "...", "1.."]
    assert other_markers == ["...", "1..", "..."]
    # Single pieces make no group to speak of.
    assert own_groups == other_groups == both
    regions = seen[8]
    assert regions == ["..+", ".++", ".++"]


@pytest.mark.parametrize(("to_move", "lead"), [("b", (1, 0.25)), ("w", (-1, -0.25))])
def test_the_lead_in_implo_is_that_of_marker_groups(module, to_move, lead):
    """Both have a group of two. Black has one group of one more."""
    at = position("implo", "b b . w\n . . . w\n b . . .\n . . . .", to_move=to_move)
    assert tuple(globals_of(module, at)[4:]) == lead


def test_a_stone_in_implo_makes_a_patch_of_its_own_color_or_of_the_other(module):
    """Five empty points in column A are no patch; a stone there leaves patches. Below A2 and A3
    only black stones are beside them. Above, and where groups of three stones tie, White owns them
    after a black stone; after a white one Black owns A1 alone, below A2.
    """
    at = position("implo", ". W . . .\n . W . . .\n . W . . .\n . B . . .\n . B . . .")
    gains, gifts, other_gifts, other_gains, removed, other_removed = planes(module, at)[9:]
    assert gains == [".....", ".....", "1....", "1....", "....."]
    assert gifts == ["1....", "1....", "1....", "1....", "1...."]
    assert other_gifts == [".....", ".....", ".....", "1....", "....."]
    assert other_gains == ["1....", "1....", "1....", "1....", "1...."]
    assert removed == [".1...", ".1...", ".1...", "11...", ".1..."]
    assert other_removed == ["11...", "11...", "11...", ".1...", ".1..."]


@pytest.mark.parametrize("size", [4, 6, 8, 9, 11])
def test_the_effects_of_stones_are_those_of_the_rules(module, size):
    """Random games: the sets are what playing each stone shows, for both colors."""
    rng = random.Random(size)
    made = 0
    for at, _ in random_game(find_game("implo").start(size, Pie.OFF), rng):
        if at.open or rng.random() < 0.5:
            continue
        mine, theirs = effects(at), effects(replace(at, to_move=at.to_move.opponent))
        expected = [*mine[:2], theirs[1], theirs[0], mine[2], theirs[2]]
        shown = [points_of(plane) for plane in planes(module, at)[9:]]
        assert shown == expected, picture(at)
        made += bool(mine[0])
    assert made


def test_the_squares_that_a_color_holds_and_the_stacks_that_it_can_capture(module):
    """White holds the upper patch. In the lower one the groups cancel."""
    blank = " . . . . . .\n"
    rows = f"W1 W3 . B3 . .\n # # # # # #\n{3 * blank} . . . B1 . W1"
    at = position("pilo", rows)
    blank = "......"
    own, other, capturable, endangered, *_ = planes(module, at)[12:]
    assert own == [blank] * 6
    assert other == ["111111", *[blank] * 5]
    assert capturable == [".1....", *[blank] * 4, ".....1"]
    assert endangered == ["...1..", *[blank] * 4, "...1.."]
    assert tuple(globals_of(module, at)[4:]) == (-1, -1)


def test_threats_of_both_colors_in_pilo(module):
    """The disk on A4 can capture the one on C4; the stack on C1 would recapture. A disk on B4 would
    capture C4, too, and a disk of the other color there could be captured from A4.
    """
    at = position("pilo", "B1 . W1 .\n . . . #\n . . . .\n . . W2 .")
    capturing, endangering, guarded, guarded_others, *empty = planes(module, at)[16:]
    assert capturing == ["1...", "....", "....", "...."]
    assert endangering == ["..1.", "....", "....", "...."]
    assert guarded == ["....", "....", "....", "...."]
    assert guarded_others == ["..1.", "....", "....", "...."]
    covered, covered_by_other, aiming, aiming_of_other = empty
    assert covered == [".1..", "1...", "1...", "1..."]
    assert covered_by_other == [".1.1", "..1.", "..1.", "...."]
    assert aiming == [".1.1", "..1.", "..1.", "...."]
    assert aiming_of_other == [".1.1", "1...", "1...", "1..."]


@pytest.mark.parametrize("size", first_of([4, 6, 9, 8, 11], 3))
def test_threats_in_pilo_are_captures_by_the_rules(module, size):
    """Random games: the sets are the legal captures after each change of a square."""
    rng = random.Random(size)
    guarded = 0
    for at, _ in random_game(find_game("pilo").start(size, Pie.OFF), rng):
        if rng.random() < 0.7:
            continue
        mine, theirs = threats(at, at.to_move), threats(at, at.to_move.opponent)
        expected = [points for both in zip(mine, theirs, strict=True) for points in both]
        shown = [points_of(plane) for plane in planes(module, at)[14:]]
        assert shown == expected, picture(at)
        guarded += bool(mine[2])
    assert guarded


def test_groups_count_by_their_size(module):
    seen = planes(module, position("robble", "B B .\n . B .\n W . W"))
    assert seen[4:] == [["++.", ".+.", "..."], ["...", "...", "..."]]


def test_blocks_belong_to_both_and_heights_are_digits(module):
    seen = planes(module, position("pilo", "B2 # . .\n W3 # . .\n . # # .\n . . . ."))
    there, own, other, both, own_ones, other_ones, own_twos, other_twos, *_ = seen
    assert both == [".1..", ".1..", ".11.", "...."]
    assert own == own_ones == ["1...", "....", "....", "...."]
    assert other == other_twos == ["....", "1...", "....", "...."]
    assert not any("1" in row for row in other_ones + own_twos)


def test_boloa_is_turned_for_white(module):
    """White connects left and right as Black does bottom and top."""
    black = planes(module, position("boloa", "B . .\n . W .\n . . b"))
    white = planes(module, position("boloa", "w . .\n . B .\n . . W", to_move="w"))
    assert black[1] == ["1..", "...", "..1"]
    # The board is mirrored along the diagonal from bottom left to top right.
    assert white[1] == ["1..", "...", "..1"]
    assert black[4] == ["...", "...", "..1"]
    assert white[4] == ["...", "...", "..1"]
