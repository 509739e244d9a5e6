"""Colors, vertices, sets of vertices, groups, diagrams."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_engine.rules.points import diagram
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.groups import component, components, deciding, leader
from gtp_engine.rules.points.points import (
    HEXAGONAL,
    around,
    board_points,
    edges,
    lowest,
    named,
    point_set,
)
from gtp_engine.rules.points.points import vertices as members
from gtp_engine.rules.points.symmetry import EDGES_KEPT, HALF_TURN, LEFT_RIGHT, SQUARE, TRANSPOSED
from gtp_engine.rules.points.vertex import MAX_SIZE, VERTICES, Vertex

sizes = st.integers(2, MAX_SIZE)


def points_of(size: int) -> st.SearchStrategy[int]:
    """Sets of points of a board."""
    return st.sets(st.sampled_from(list(members(board_points(size))))).map(point_set)


def points(text: str) -> int:
    """The set of vertices in a text."""
    return point_set(Vertex.parse(word) for word in text.split())


@pytest.mark.parametrize("text", ["b", "B", "black", "Black", "BLACK"])
def test_black_is_spelled_in_any_case(text):
    assert Color.parse(text) is BLACK


@pytest.mark.parametrize("text", ["", "x", "blac", "blackk", "1", "blac\u212a"])
def test_other_words_are_no_colors(text):
    with pytest.raises(ValueError, match="not a color"):
        Color.parse(text)


def test_opponents():
    assert (BLACK.opponent, WHITE.opponent) == (WHITE, BLACK)


def test_vertices_are_named_by_column_and_row_without_the_letter_i():
    names = [str(Vertex.at(column, 0)) for column in range(MAX_SIZE)]
    assert names == [f"{letter}1" for letter in "ABCDEFGHJKLMNOPQRST"]
    assert str(Vertex.at(2, 18)) == f"{Vertex.at(2, 18)}" == "C19"


@pytest.mark.parametrize("text", ["c4", "C4", "C04", "c004"])
def test_a_vertex_is_read_in_any_case_with_leading_zeros(text):
    assert Vertex.parse(text) == Vertex.at(2, 3)


@pytest.mark.parametrize(
    "text", ["", "C", "4", "I4", "U1", "A0", "A20", "A100", "AA1", " A1", "A1 ", "A\u0661", "-A1"]
)
def test_other_words_are_no_vertices(text):
    with pytest.raises(ValueError, match="not a vertex"):
        Vertex.parse(text)


@given(sizes)
def test_a_board_has_size_times_size_points(size):
    assert board_points(size).bit_count() == size * size
    for edge in edges(size):
        assert edge.bit_count() == size
        assert not edge & ~board_points(size)


@given(sizes.flatmap(lambda size: st.tuples(st.just(size), points_of(size))))
def test_neighbors_are_one_step_away(case):
    size, some = case
    found = set(members(around(some) & board_points(size)))
    expected = {
        Vertex.at(column, row)
        for vertex in members(some)
        for column, row in (
            (vertex.column + 1, vertex.row),
            (vertex.column - 1, vertex.row),
            (vertex.column, vertex.row + 1),
            (vertex.column, vertex.row - 1),
        )
        if 0 <= column < size and 0 <= row < size
    }
    assert found == expected


@given(sizes.flatmap(lambda size: st.tuples(st.just(size), points_of(size))))
def test_components_part_a_set(case):
    size, some = case
    parts = list(components(some))
    union = 0
    for part in parts:
        assert not union & part
        assert component(part & -part, some) == part
        assert not around(part) & some & ~part
        union |= part
    assert union == some
    assert [lowest(part) for part in parts] == sorted(lowest(part) for part in parts)


def test_components_that_touch_a_set():
    some = points("A1 A2 C1 C2 E5")
    assert list(components(some, touching=points("B1 C2 E4"))) == [points("C1 C2")]


@given(points_of(9))
def test_transposing_twice_is_nothing(some):
    assert TRANSPOSED.of_points(TRANSPOSED.of_points(some, 9), 9) == some


def test_transposing_exchanges_columns_and_rows():
    assert TRANSPOSED.of_points(points("C4 A1 B1"), 9) == points("D3 A1 A2")


@pytest.mark.parametrize(
    ("symmetry", "images"),
    [
        (SQUARE, "B1 D1 B5 D5 A2 A4 E2 E4"),
        (EDGES_KEPT, "B1 D1 B5 D5"),
        (LEFT_RIGHT, "B1 D1"),
        (HALF_TURN, "B1 D5"),
    ],
)
def test_the_images_of_a_point(symmetry, images):
    """On 5x5 B1 can go to these points, itself first."""
    found = [image.of_vertex(Vertex.parse("B1"), 5) for image in symmetry]
    assert found[0] == Vertex.parse("B1")
    assert sorted(map(str, found)) == sorted(images.split())


def test_neighbors_on_hexagons_are_six():
    """The point itself is C3.

    * * .
    * C *
    . * *
    """
    middle = points("C3")
    assert around(middle) == points("C4 D3 C2 B3")
    assert around(middle, HEXAGONAL) == points("C4 D3 C2 B3 B4 D2")
    assert list(components(points("B4 C3 D3"))) == [points("B4"), points("C3 D3")]
    assert list(components(points("B4 C3 D3"), directions=HEXAGONAL)) == [points("B4 C3 D3")]


@pytest.mark.parametrize(
    ("black", "white", "winner"),
    [
        ([], [], None),
        ([3], [], BLACK),
        ([3, 1, 1], [3, 2], WHITE),
        ([5, 5], [5, 4, 4, 4], BLACK),
        ([5, 2], [5, 2], None),
        ([4, 4], [4, 4, 1], WHITE),
    ],
)
def test_the_leader_has_more_groups_of_the_largest_uneven_size(black, white, winner):
    assert leader(black, white) is winner


@pytest.mark.parametrize(
    ("black", "white", "decided"),
    [
        ("A1 A2 A3 | C1 C2 | E1 E2", "G1 G2 G3 | J1 J2", "C1 C2 E1 E2"),
        ("G1 G2 G3 | J1 J2", "A1 A2 A3 | C1 C2 | E1", "E1"),
        ("A1 A2 A3 | C1 C2 | E1", "G1 G2 G3", "C1 C2"),
        ("A1 A2 | C1 C2 | E1 E2", "G1 G2 | J1", "A1 A2 C1 C2 E1 E2"),
        ("A1 | C1", "G1 G2", "G1 G2"),
        ("A1 A2 | C1", "G1 G2 | J1", ""),
        ("", "", ""),
    ],
)
def test_the_deciding_groups_have_the_size_that_is_left_after_cancelling(black, white, decided):
    """All of that size are marked: bigger and smaller groups of the leader are not."""
    groups = [[points(group) for group in text.split("|") if group] for text in (black, white)]
    assert named(deciding(groups)) == decided
    assert deciding(groups[::-1]) == deciding(groups)


@given(st.lists(st.integers(1, 9)), st.lists(st.integers(1, 9)))
def test_the_leader_is_who_is_left_after_cancelling(black, white):
    black_left, white_left = list(black), list(white)
    for size in black:
        if size in white_left:
            black_left.remove(size)
            white_left.remove(size)
    expected = None
    if black_left or white_left:
        expected = BLACK if max(black_left, default=0) > max(white_left, default=0) else WHITE
    assert leader(black, white) is expected


def test_a_diagram_has_its_top_row_first():
    size, layers = diagram.parse("""
        . . B
        W . .
        . b .
    """)
    assert size == 3
    assert layers == {"B": points("C3"), "W": points("A2"), "b": points("B1")}
    assert diagram.draw(size, layers) == ". . B\nW . .\n. b ."


@pytest.mark.parametrize("text", ["", ".", ". .\n.", ". . .\n. . .", "\n".join([". " * 20] * 20)])
def test_what_is_no_square_is_refused(text):
    with pytest.raises(ValueError, match="row"):
        diagram.parse(text)


def test_a_vertex_is_one_object_however_it_is_named():
    assert all(Vertex.parse(str(vertex)) is vertex for vertex in VERTICES if vertex.row < MAX_SIZE)
