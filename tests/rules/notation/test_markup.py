"""Positions as stones, marks and labels."""

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.notation.markup import legend, look, marks, setup
from gtp_engine.rules.points.points import board_points
from gtp_engine.rules.points.sgf_letters import point, vertex_of
from gtp_engine.rules.points.vertex import Vertex
from support.boards import position


@pytest.mark.parametrize(
    "game, word, shown",
    [
        ("implo", "B", "black stone"),
        ("implo", "w", "white stone with a square"),
        ("boloa", "b", "black stone with a triangle"),
        ("pilo", "W1", "white stone"),
        ("pilo", "B3", "black stone with the label 3"),
        ("pilo", "#", "a cross"),
    ],
)
def test_how_a_word_is_shown(game, word, shown):
    assert str(look(find_game(game), word)) == shown


def test_a_game_that_says_nothing_of_its_look_is_shown_by_its_words():
    """A fifth game needs no table: letters are stones, numbers and other words are labels."""
    silent = find_game("robble")
    assert not silent.look.shapes
    shown = {word: str(look(silent, word)) for word in ("B", "w", "W12", "#", "x3")}
    assert shown == {
        "B": "black stone",
        "w": "white stone with a square",
        "W12": "white stone with the label 12",
        "#": "a cross",
        "x3": "the label x3",
    }


def test_the_legend_tells_what_is_no_plain_stone():
    assert legend(find_game("robble")) == ""
    assert legend(find_game("boloa")).splitlines() == [
        "Black pawn: black stone with a triangle",
        "White pawn: white stone with a triangle",
    ]


def test_words_of_all_legends_look_different(game):
    looks = [look(game, word) for word in game.legend]
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize("size", [2, 9, 19])
def test_points_are_counted_from_the_upper_left(size):
    last = chr(ord("a") + size - 1)
    assert point(Vertex.at(0, 0), size) == f"a{last}"
    assert point(Vertex.at(size - 1, size - 1), size) == f"{last}a"
    assert [vertex_of(point(vertex, size), size) for vertex in _all(size)] == _all(size)
    for off in ("tt", "a" + chr(ord(last) + 1), "A1", "a{", "", "a", "aaa"):
        with pytest.raises(ValueError, match="not on the board"):
            vertex_of(off, size)


def _all(size):
    return [Vertex.at(column, row) for column in range(size) for row in range(size)]


def test_only_changes_are_set_up():
    before = position("pilo", "W1 . .\n. B1 .\n. . .")
    after = position("pilo", "B2 . .\n. # .\n. . W1")
    assert setup(before) == {"AB": ["bb"], "AW": ["aa"]}
    assert setup(after, before) == {"AB": ["aa"], "AW": ["cc"], "AE": ["bb"]}
    assert setup(after, after) == {}


def test_marks_come_anew_and_circles_keep_off_them():
    shown = position("pilo", "B2 . .\n. # .\n. . W1")
    assert marks(shown, board_points(3)) == {
        "LB": ["aa:2"],
        "MA": ["bb"],
        "CR": ["ac", "ab", "bc", "ba", "cc", "cb", "ca"],
    }
